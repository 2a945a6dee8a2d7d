package hubtest

import (
	"context"
	"os"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/journal"
)

// Start starts a hub with keys, which runs until the test ends. It keeps what is played in
// a journal, unless that is nil.
func Start(t testing.TB, j *journal.Journal) *hub.Hub {
	t.Helper()
	await.Turn(t)
	h, err := hub.Start(t.Context(), hub.Config{Listen: "127.0.0.1:0", Folder: t.TempDir(), Secure: true, Lease: hub.UsualLease, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = h.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		h.Close()
	})
	return h
}

// Worker says how a new worker reaches a hub, once the hub knows it.
func Worker(t testing.TB, h *hub.Hub, name string) fleet.Config {
	t.Helper()
	c, err := h.Keys().Add(name)
	if err != nil {
		t.Fatal(err)
	}
	config := reach(t, c)
	await.Until(t, "the hub knows the worker "+name, func() bool {
		client, err := fleet.Dial(t.Context(), config, false)
		if err == nil {
			client.Close()
		}
		return err == nil
	})
	return config
}

// Operator says how who gives orders reaches a hub.
func Operator(t testing.TB, h *hub.Hub) fleet.Config {
	t.Helper()
	line, err := os.ReadFile(h.Keys().Operator())
	if err != nil {
		t.Fatal(err)
	}
	c, err := fleet.ParseCredential(string(line))
	if err != nil {
		t.Fatal(err)
	}
	return reach(t, c)
}

func reach(t testing.TB, c fleet.Credential) fleet.Config {
	t.Helper()
	options, err := c.Options()
	if err != nil {
		t.Fatal(err)
	}
	return fleet.Config{URL: c.URL, Name: c.Name, Options: options, Patience: await.Hang}
}

// Dial connects until the test ends.
func Dial(t testing.TB, config fleet.Config) *fleet.Client {
	t.Helper()
	client, err := fleet.Dial(t.Context(), config, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}
