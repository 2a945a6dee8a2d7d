package hub_test

import (
	"context"
	"testing"
	"time"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub/hubtest"
)

// TestEvidenceByCredential: a worker's credential is enough to see what that worker is
// asked, and to answer it; another worker neither sees the question nor answers it.
func TestEvidenceByCredential(t *testing.T) {
	t.Parallel()
	h := hubtest.Start(t, nil)
	operator := hubtest.Dial(t, hubtest.Operator(t, h))
	mine, other := hubtest.Dial(t, hubtest.Worker(t, h, "mine")), hubtest.Dial(t, hubtest.Worker(t, h, "other"))
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 1}}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	e := fleet.Event{ID: "event", Run: order.ID, Job: 1, Levels: []int{1}, Worker: "mine", Phone: "p", Game: "game", Verdict: fleet.Poison, Reason: "nothing helped"}
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	arrived, err := mine.Deliver(fleet.PoisonSubject("mine"), e.ID, data)
	if err == nil {
		err = arrived(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := operator.Follow(t.Context(), order.ID, nil); err != nil {
		t.Fatal(err)
	}
	seen := make(chan fleet.Ask, 8)
	go other.Asked(t.Context(), "mine", func(a fleet.Ask) { seen <- a }) // as if it were mine
	go mine.Asked(t.Context(), "mine", func(a fleet.Ask) {
		forging, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := other.Hand(forging, "mine", a, []byte("forged"), ""); err == nil {
			t.Error("another worker answers what mine is asked")
		}
		if err := mine.Hand(t.Context(), "mine", a, []byte("evidence of "+a.Event), ""); err != nil {
			t.Error(err)
		}
	})
	booked, packed, err := operator.Evidence(t.Context(), order.ID, 1)
	if err != nil || string(packed) != "evidence of event" || booked.Worker != "mine" {
		t.Errorf("got %q of worker %s, %v, expected mine's evidence", packed, booked.Worker, err)
	}
	if len(seen) > 0 {
		t.Errorf("another worker saw what mine is asked: %v", <-seen)
	}
}
