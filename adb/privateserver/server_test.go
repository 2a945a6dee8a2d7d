package privateserver_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/privateserver"
)

func start(t *testing.T, ctx context.Context) *privateserver.Server {
	t.Helper()
	await.Turn(t)
	server, err := privateserver.Start(ctx, t.TempDir())
	if errors.Is(err, privateserver.ErrNoADB) {
		t.Skip("adb is not installed (Debian package adb)")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

// Two servers do not know each other, and end by themselves.
func TestServers(t *testing.T) {
	one, two := start(t, t.Context()), start(t, t.Context())
	if one.Port == two.Port || one.Port == 5037 || two.Port == 5037 {
		t.Fatalf("ports %d and %d", one.Port, two.Port)
	}
	for _, server := range []*privateserver.Server{one, two} {
		result, err := server.Run(t.Context(), "devices")
		if err != nil || result.ExitCode != 0 || strings.TrimSpace(string(result.Stdout)) != "List of devices attached" {
			t.Errorf("devices: %q, %q, code %d, error %v", result.Stdout, result.Stderr, result.ExitCode, err)
		}
	}
	result, err := one.Run(t.Context(), "-s", "nosuch", "shell", "true")
	if err != nil || result.ExitCode == 0 {
		t.Errorf("a shell on no phone: code %d, error %v", result.ExitCode, err)
	}
	one.Close()
	one.Close()
	if err := syscall.Kill(one.PID(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the first server lives on after Close (%v)", err)
	}
	if result, err := two.Run(t.Context(), "devices"); err != nil || result.ExitCode != 0 {
		t.Errorf("the second server ended with the first: code %d, error %v", result.ExitCode, err)
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := start(t, ctx)
	cancel()
	await.Until(t, "the server ends with its context", func() bool { return syscall.Kill(server.PID(), 0) != nil })
	if _, err := server.Run(ctx, "devices"); err == nil {
		t.Error("a client ran after its context")
	}
}

func TestNoADB(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := privateserver.Start(t.Context(), os.TempDir()); !errors.Is(err, privateserver.ErrNoADB) {
		t.Errorf("got %v, expected ErrNoADB", err)
	}
}
