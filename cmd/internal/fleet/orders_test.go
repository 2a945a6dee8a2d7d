package fleet

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// testClient is connected to a server of its own.
func testClient(t *testing.T) *Client {
	t.Helper()
	c, _ := testHub(t)
	return c
}

// testHub is a server, and who is connected to it.
func testHub(t *testing.T) (*Client, *server.Server) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not listen")
	}
	config := Config{URL: s.ClientURL(), Name: "test"}
	if err := Setup(t.Context(), config, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	c, err := Dial(t.Context(), config, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, s
}

// testAgent is a worker of a server of its own, whose questions a dispatcher answers.
func testAgent(t *testing.T) (*Client, *Agent) {
	t.Helper()
	c, s := testHub(t)
	d := &Dispatcher{Client: c}
	go func() { _ = d.Run(t.Context()) }()
	a, err := Join(t.Context(), Config{URL: s.ClientURL(), Name: "w"}, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return c, a
}

// jobsLeft returns how many jobs there are, and the runs that have consumers.
func jobsLeft(t *testing.T, c *Client) (jobs int, runs []string) {
	t.Helper()
	stream, err := c.js.Stream(t.Context(), jobsStream)
	if err != nil {
		t.Fatal(err)
	}
	names := stream.ConsumerNames(t.Context())
	for name := range names.Name() {
		if run, of := strings.CutPrefix(name, consumerName("")); of {
			runs = append(runs, run)
		}
	}
	if names.Err() != nil {
		t.Fatal(names.Err())
	}
	return int(stream.CachedInfo().State.Msgs), runs
}

func someLevels(n int) []Level {
	all := make([]Level, n)
	for i := range all {
		all[i].Number = i + 1
	}
	return all
}

// TestSubmitUndone: an order that could not be made leaves nothing, whether its jobs ended
// in the middle or all were sent.
func TestSubmitUndone(t *testing.T) {
	t.Parallel()
	c := testClient(t)
	const levels = 3000 // more than are under way at a time
	if _, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(levels), levels, 1); err != nil {
		t.Fatal(err)
	}
	if jobs, runs := jobsLeft(t, c); jobs != levels || len(runs) != 1 {
		t.Fatalf("an order made %d jobs of the runs %v, expected %d of one", jobs, runs, levels)
	}
	bound := func(name string, messages int64) {
		t.Helper()
		stream, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		config := stream.CachedInfo().Config
		config.MaxMsgs = messages
		if _, err := c.js.UpdateStream(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	bound(jobsStream, levels+levels/2)
	var refused jetstream.JetStreamError
	if _, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(levels), levels, 1); !errors.As(err, &refused) {
		t.Errorf("an order whose jobs found no room ended with %v, expected an error of JetStream", err)
	}
	if jobs, runs := jobsLeft(t, c); jobs != levels || len(runs) != 1 {
		t.Errorf("%d jobs of the runs %v are left of two orders, expected the %d of the first", jobs, runs, levels)
	}
	bound("KV_"+runsBucket, 1)
	if _, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(10), 10, 1); !errors.As(err, &refused) {
		t.Errorf("an order that found no room itself ended with %v, expected an error of JetStream", err)
	}
	if jobs, runs := jobsLeft(t, c); jobs != levels || len(runs) != 1 {
		t.Errorf("%d jobs of the runs %v are left of three orders, expected the %d of the first", jobs, runs, levels)
	}
}

// TestSweep: jobs whose order was never made are removed when they are old enough; those
// of an open order stay.
func TestSweep(t *testing.T) {
	t.Parallel()
	c := testClient(t)
	order, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(3), 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	stray, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(5), 5, 1)
	if err == nil {
		err = c.runs.Delete(t.Context(), stray.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	clerk := Clerk{Client: c}
	now := time.Now()
	for _, test := range []struct {
		after time.Duration
		jobs  int
		runs  int
	}{{0, 8, 2}, {strayAge - time.Second, 8, 2}, {strayAge, 3, 1}, {2 * strayAge, 3, 1}} {
		if err := clerk.sweep(t.Context(), now.Add(test.after)); err != nil {
			t.Fatal(err)
		}
		if jobs, runs := jobsLeft(t, c); jobs != test.jobs || len(runs) != test.runs {
			t.Errorf("%v later there are %d jobs of the runs %v, expected %d of %d", test.after, jobs, runs, test.jobs, test.runs)
		}
	}
	if err := c.Cancel(t.Context(), order.ID); err != nil {
		t.Fatal(err)
	}
	if jobs, runs := jobsLeft(t, c); jobs != 0 || len(runs) != 0 {
		t.Errorf("%d jobs of the runs %v are left of an order that was cancelled, expected none", jobs, runs)
	}
}

// TestGone: an order whose jobs are gone closes with the names of the levels without a result,
// whatever became of the jobs, once nobody has played it for some time.
func TestGone(t *testing.T) {
	t.Parallel()
	c := testClient(t)
	stream, err := c.js.Stream(t.Context(), jobsStream)
	if err != nil {
		t.Fatal(err)
	}
	for name, remove := range map[string]func(Order) error{
		"purged":   func(o Order) error { return stream.Purge(t.Context(), jetstream.WithPurgeSubject(jobsOf(o.ID))) },
		"consumer": func(o Order) error { return c.js.DeleteConsumer(t.Context(), jobsStream, consumerName(o.ID)) },
		"ended": func(o Order) error {
			consumer, err := c.js.Consumer(t.Context(), jobsStream, consumerName(o.ID))
			for err == nil {
				var msg jetstream.Msg
				if msg, err = consumer.Next(jetstream.FetchMaxWait(100 * time.Millisecond)); err == nil {
					err = msg.TermWithReason("somebody")
				}
			}
			if errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages) {
				return nil
			}
			return err
		},
	} {
		o, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(7)[1:], 7, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []Booked{{Level: 3, Verdict: Won, Event: "a"}, {Level: 6, Verdict: Failed, Event: "b"}} {
			sent, err := c.book(o.ID, b)
			if err == nil {
				_, err = sent.wait(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		var kept []int
		clerk := Clerk{Client: c, Keep: func(_ context.Context, events []Event) error {
			for _, e := range events {
				kept = append(kept, e.Level)
			}
			return nil
		}}
		now := time.Now()
		look := func(after time.Duration, state string) {
			t.Helper()
			_ = clerk.close(t.Context(), now.Add(after)) // says why not
			if o, err = c.Order(t.Context(), o.ID); err != nil || o.State != state {
				t.Errorf("%s: %v later the run is %s (%v), expected %s", name, after, o.State, err, state)
			}
		}
		look(0, Open)
		if look(9*c.lease, Open); len(clerk.gone) != 0 {
			t.Errorf("%s: jobs that are there are gone", name)
		}
		if err := remove(o); err != nil {
			t.Fatal(name, err)
		}
		look(10*c.lease, Open)
		player := Phone{Worker: "w", Serial: "p", State: Playing, Run: o.ID}
		data, err := encode(&player)
		if err == nil {
			_, err = c.phones.Put(t.Context(), "w.p", data)
		}
		if err != nil {
			t.Fatal(err)
		}
		look(13*c.lease, Open)
		if err := c.phones.Delete(t.Context(), "w.p"); err != nil {
			t.Fatal(err)
		}
		look(14*c.lease, Open)
		look(16*c.lease-1, Open)
		look(16*c.lease, Complete)
		if want := "levels 2, 4-5, 7: no result came, and the job is gone"; o.Why != want || !slices.Equal(kept, []int{2, 4, 5, 7}) {
			t.Errorf("%s: the run closed with %q, and %v were kept, expected %q", name, o.Why, kept, want)
		}
		booked, err := c.Booked(t.Context(), o.ID)
		if err != nil || len(booked) != 6 || booked[1].Verdict != Won || booked[4].Event != "b" || booked[5].Reason != goneReason {
			t.Errorf("%s: booked is %+v (%v), expected all six levels, of which two have a result", name, booked, err)
		}
		if _, _, err := c.Evidence(t.Context(), o.ID, 7); !errors.Is(err, ErrNotFailed) {
			t.Errorf("%s: evidence of a level without a result: %v, expected %v", name, err, ErrNotFailed)
		}
	}
	if _, err := c.Submit(t.Context(), Order{Game: "game"}, []Level{{Number: 1}, {Number: 3}}, 3, 2); err == nil {
		t.Error("levels with a gap can be ordered, and nobody would know their names")
	}
	if got := spans([]int{4}); got != "level 4" {
		t.Errorf("one level is %q", got)
	}
}
