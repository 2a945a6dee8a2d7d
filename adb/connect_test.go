package adb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPair asks a server that is not there for a pairing: adb's own words for each
// outcome, from adb_wifi.cpp and adb_mdns.cpp of adb 34, give the kind of error.
func TestPair(t *testing.T) {
	for _, test := range []struct {
		name, answer string
		want         error
	}{
		{"success", "Successfully paired to 192.168.1.86:41915 [guid=adb-R58M-abc]", nil},
		{"wrong code", "Failed: Wrong password or connection was dropped.", ErrPairing},
		{"nobody there", "Failed: Unable to start pairing client.", ErrUnreachable},
		{"refused", "Failed: connect to 192.168.1.86:41915: Connection refused", ErrConnectionRefused},
		{"no route", "Failed: No route to host", ErrUnreachable},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := scripted(t, map[string]func(net.Conn){
				"host:pair:123456:192.168.1.86:41915": func(c net.Conn) { answer(c, test.answer) },
			})
			said, err := client.Pair(t.Context(), "192.168.1.86:41915", "123456")
			if !errors.Is(err, test.want) {
				t.Fatalf("error %v, expected %v", err, test.want)
			}
			if err == nil && said != test.answer {
				t.Errorf("%q, expected the server's words", said)
			}
			if err != nil && !strings.Contains(err.Error(), "192.168.1.86:41915") {
				t.Errorf("%v does not name the address", err)
			}
			if err != nil && strings.Contains(err.Error(), "123456") {
				t.Errorf("%v shows the code", err)
			}
		})
	}
}

func TestPairRefused(t *testing.T) {
	asked := false
	client := scripted(t, map[string]func(net.Conn){"*": func(c net.Conn) { asked = true; answer(c, "Successfully paired") }})
	for _, test := range []struct{ address, code, want string }{
		{"192.168.1.86", "123456", "HOST:PORT"},
		{":41915", "123456", "bad address"},
		{"192.168.1.86:x", "123456", "bad address"},
		{"a b:41915", "123456", "bad address"},
		{"192.168.1.86:41915", "12345", "6 digits"},
		{"192.168.1.86:41915", "12345x", "6 digits"},
		{"192.168.1.86:41915", "12:456", "6 digits"},
	} {
		_, err := client.Pair(t.Context(), test.address, test.code)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: error %v, expected one with %q", test.address, test.code, err, test.want)
		}
	}
	if asked {
		t.Error("the server was asked, expected not")
	}
	old := scripted(t, nil)
	if _, err := old.Pair(t.Context(), "192.168.1.86:41915", "123456"); !errors.Is(err, ErrNoPairing) {
		t.Errorf("an old server: error %v, expected %v", err, ErrNoPairing)
	}
}

// TestConnectPhoneErrors has the words of the adb server of Debian 12 for each way in
// which a phone cannot be reached.
func TestConnectPhoneErrors(t *testing.T) {
	for said, want := range map[string]error{
		"failed to connect to '192.168.1.86:5555': Connection refused":       ErrConnectionRefused,
		"failed to connect to '192.168.1.86:5555': No route to host":         ErrUnreachable,
		"failed to connect to '192.168.1.86:5555': Operation timed out":      ErrUnreachable,
		"failed to connect to '192.168.1.86:5555': Network is unreachable":   ErrUnreachable,
		"failed to resolve host: 'phone.invalid': Name or service not known": ErrUnknownHost,
		"failed to authenticate to 192.168.1.86:5555":                        ErrUnauthorized,
	} {
		client := scripted(t, map[string]func(net.Conn){
			"host:version":   func(c net.Conn) { answer(c, "0029") },
			"host:devices-l": func(c net.Conn) { answer(c, "") },
			"host-serial:192.168.1.86:5555:get-state": func(c net.Conn) { failWith(c, "device '192.168.1.86:5555' not found") },
			"host:connect:192.168.1.86:5555":          func(c net.Conn) { answer(c, said) },
		})
		_, err := client.ConnectPhone(t.Context(), "192.168.1.86")
		if !errors.Is(err, want) {
			t.Errorf("%s: error %v, expected %v", said, err, want)
		}
	}
}

// TestStartServer starts the real server on a port of its own, where none was.
func TestStartServer(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", home)
	t.Setenv("ADB_LOCAL_TRANSPORT_MAX_PORT", "0")
	t.Setenv("ADB_MDNS", "0")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	client := clientFor(t, listener.Addr().String(), Config{})
	listener.Close()

	path := os.Getenv("PATH")
	t.Setenv("PATH", filepath.Join(home, "nothing"))
	if _, err := client.StartServer(t.Context()); !errors.Is(err, ErrNoADB) || !errors.Is(err, ErrNoServer) {
		t.Errorf("without adb: error %v, expected %v", err, ErrNoADB)
	}
	t.Setenv("PATH", path)
	started, err := client.StartServer(t.Context())
	if errors.Is(err, ErrNoADB) {
		t.Skip("adb is not installed")
	}
	if err != nil || !started {
		t.Fatalf("started %v, error %v, expected a server", started, err)
	}
	// The server is ended by its port, which is the test's own.
	defer func() {
		if k, err := client.dial(context.Background()); err == nil {
			defer k.Close()
			fmt.Fprint(k, "0009host:kill")
			_, _ = k.Read(make([]byte, 4))
		}
	}()
	if started, err = client.StartServer(t.Context()); err != nil || started {
		t.Errorf("a second time: started %v, error %v, expected neither", started, err)
	}
}

func TestLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.2": true, "::1": true, "localhost": true, "192.0.2.1": false, "phones.example": false, "::2": false,
	} {
		client, err := New(Config{Host: host})
		if err != nil {
			t.Fatal(err)
		}
		if got := client.local(); got != want {
			t.Errorf("%s: %v, expected %v", host, got, want)
		}
	}
}
