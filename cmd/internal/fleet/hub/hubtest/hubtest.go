package hubtest

import (
	"context"
	"os"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/journal"
)

// Start starts a hub with keys, which runs until the test ends. It keeps what is played in
// a journal, unless that is nil.
func Start(t testing.TB, j *journal.Journal) *hub.Hub {
	t.Helper()
	return StartFor(t, j, hub.UsualLease)
}

// StartFor is Start with a lease.
func StartFor(t testing.TB, j *journal.Journal, lease time.Duration) *hub.Hub {
	t.Helper()
	await.Turn(t)
	h, err := hub.Start(t.Context(), hub.Config{Listen: "127.0.0.1:0", Folder: t.TempDir(), Secure: true, Lease: lease, Journal: j})
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
		agent, err := fleet.Join(t.Context(), config, false)
		if err == nil {
			agent.Close()
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

// Join connects as a worker until the test ends.
func Join(t testing.TB, config fleet.Config) *fleet.Agent {
	t.Helper()
	agent, err := fleet.Join(t.Context(), config, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Close)
	return agent
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

// Take has a worker hold a phone and take the next job of a run for it.
func Take(t testing.TB, agent *fleet.Agent, run string, phone fleet.Phone) *fleet.Work {
	t.Helper()
	if _, _, err := agent.Hold(t.Context(), phone, "session"); err != nil {
		t.Fatal(err)
	}
	return Next(t, agent, run, phone)
}

// Next takes the next job of a run for a phone that a worker holds.
func Next(t testing.TB, agent *fleet.Agent, run string, phone fleet.Phone) *fleet.Work {
	t.Helper()
	var work *fleet.Work
	await.Until(t, "a job comes", func() bool {
		work, _ = agent.Next(t.Context(), run, phone)
		return work != nil
	})
	return work
}

// Won is the event that a level of a job was won.
func Won(work *fleet.Work, phone fleet.Phone, level int) fleet.Event {
	return fleet.Event{
		ID: fleet.NewID(), Run: work.Run, Job: work.Number, Level: level, Worker: phone.Worker, Phone: phone.Serial, Game: work.Game,
		Verdict: fleet.Won, Deliveries: work.Deliveries, Started: time.Now(), Ended: time.Now(),
	}
}

// GivenUp is the event that a job is given up.
func GivenUp(work *fleet.Work, phone fleet.Phone) fleet.Event {
	e := Won(work, phone, 0)
	e.Verdict, e.Reason = fleet.Poison, "nothing helped"
	for _, l := range work.Levels {
		e.Levels = append(e.Levels, l.Number)
	}
	return e
}

// Deliver delivers an event.
func Deliver(t testing.TB, agent *fleet.Agent, e fleet.Event) error {
	t.Helper()
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return agent.Deliver(t.Context(), data)[0]
}
