package hub_test

import (
	"testing"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub/hubtest"
)

// TestEvidenceByCredential: a worker's credential is enough to see what that worker is
// asked, and to answer it; another worker neither sees the question nor answers it.
func TestEvidenceByCredential(t *testing.T) {
	t.Parallel()
	h := hubtest.Start(t, nil)
	operator := hubtest.Dial(t, hubtest.Operator(t, h))
	mine, other := hubtest.Join(t, hubtest.Worker(t, h, "mine")), hubtest.Join(t, hubtest.Worker(t, h, "other"))
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 1}}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	phone := fleet.Phone{Worker: "mine", Serial: "p"}
	e := hubtest.GivenUp(hubtest.Take(t, mine, order.ID, phone), phone)
	e.ID = "event"
	if err := hubtest.Deliver(t, mine, e); err != nil {
		t.Fatal(err)
	}
	if _, err := operator.Follow(t.Context(), order.ID, nil); err != nil {
		t.Fatal(err)
	}
	seen := make(chan fleet.Ask, 8)
	go other.Asked(t.Context(), func(a fleet.Ask) error { seen <- a; return nil })
	go mine.Asked(t.Context(), func(a fleet.Ask) error {
		if err := other.Hand(t.Context(), a, []byte("forged"), ""); err == nil {
			t.Error("another worker answers what mine is asked")
		}
		err := mine.Hand(t.Context(), a, []byte("evidence of "+a.Event), "")
		if err != nil {
			t.Error(err)
		}
		return err
	})
	booked, packed, err := operator.Evidence(t.Context(), order.ID, 1)
	if err != nil || string(packed) != "evidence of event" || booked.Worker != "mine" {
		t.Errorf("got %q of worker %s, %v, expected mine's evidence", packed, booked.Worker, err)
	}
	if len(seen) > 0 {
		t.Errorf("another worker saw what mine is asked: %v", <-seen)
	}
}
