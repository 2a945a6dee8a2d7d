package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestServe runs the command as a person does, asks for the page and ends it.
func TestServe(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("ANDROID_ADB_SERVER_PORT", "1") // never the user's own
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	var errs bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- execute(ctx, []string{"serve", "--listen", "127.0.0.1:0"}, streams{strings.NewReader(""), write, &errs})
	}()
	address, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	if !strings.HasPrefix(address, "http://127.0.0.1:") || strings.Contains(address, "token") {
		t.Errorf("printed %q, expected an address of this machine without a token", address)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || !bytes.Contains(page, []byte("<title>tapwise</title>")) {
		t.Errorf("the page: %v %.100s", err, page)
	}
	cancel()
	if got := <-code; got != exitDone {
		t.Errorf("exit code %d, expected %d; %s", got, exitDone, errs.String())
	}
}

func TestServeRefuses(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, listen := range []string{"nonsense", "127.0.0.1", "127.0.0.1:99999", taken.Addr().String()} {
		var errs bytes.Buffer
		if got := execute(t.Context(), []string{"serve", "--listen", listen}, streams{strings.NewReader(""), io.Discard, &errs}); got != exitUsage {
			t.Errorf("--listen %s: exit code %d, expected %d; %s", listen, got, exitUsage, errs.String())
		}
	}
	for _, hub := range []string{"nonsense", "http://127.0.0.1:1", "nats://192.0.2.1:4222", "tapwise1:nonsense"} {
		var errs bytes.Buffer
		if got := execute(t.Context(), []string{"serve", "--listen", "127.0.0.1:0", "--hub", hub}, streams{strings.NewReader(""), io.Discard, &errs}); got != exitUsage {
			t.Errorf("--hub %s: exit code %d, expected %d; %s", hub, got, exitUsage, errs.String())
		}
	}
}
