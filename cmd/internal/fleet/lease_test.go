package fleet

import (
	"errors"
	"testing"
	"time"
)

// TestWrongClock: a worker whose clock is an hour off holds a phone as others do, knows by
// how much it is wrong, and orders are dated by the hub.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	c, a := testAgent(t)
	for _, off := range []time.Duration{time.Hour, 0, -time.Hour} {
		a.now = func() time.Time { return time.Now().Round(0).Add(off) }
		phone := Phone{Worker: "w", Serial: "phone"}
		held, lease, err := a.Hold(t.Context(), phone, "session")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.Hold(t.Context(), phone, "another"); err == nil {
			t.Errorf("%v off: two sessions have one phone", off)
		}
		for range 2 {
			if skew := lease.Skew(); (skew + off).Abs() > 10*time.Second {
				t.Errorf("a clock that is %v off is told to be %v off", off, -skew)
			}
			if err := lease.renew(t.Context()); err != nil || held.Err() != nil || !lease.Sure(a.lease/2) {
				t.Errorf("%v off: the lease was not renewed: %v", off, err)
			}
		}
		lease.Release(t.Context())
		order, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(1), 1, 1)
		if err != nil || time.Since(order.Created).Abs() > time.Hour/2 {
			t.Errorf("%v off: an order is dated %v (%v)", off, order.Created, err)
		}
	}
}

// TestHoldAgain: who holds a phone and has not heard of it does so by asking again, and
// nobody else does.
func TestHoldAgain(t *testing.T) {
	t.Parallel()
	_, a := testAgent(t)
	phone := Phone{Worker: "w", Serial: "phone"}
	hold := func(session string) (*Held, error) {
		_, lease, err := a.Hold(t.Context(), phone, session)
		return lease, err
	}
	if _, err := hold("one"); err != nil { // as if the answer was lost
		t.Fatal(err)
	}
	if _, err := hold("another"); !errors.Is(err, ErrHeld) {
		t.Errorf("another session holds the phone, too: %v, expected %v", err, ErrHeld)
	}
	again, err := hold("one")
	if err != nil {
		t.Fatalf("the session that holds the phone cannot hold it: %v", err)
	}
	if err := again.renew(t.Context()); err != nil {
		t.Errorf("its lease is not renewed: %v", err)
	}
	again.Release(t.Context())
	if _, err := hold("another"); err != nil {
		t.Errorf("the phone is not free: %v", err)
	}
}
