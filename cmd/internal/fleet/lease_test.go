package fleet

import (
	"testing"
	"time"
)

// TestWrongClock: a worker whose clock is an hour off holds a phone as others do, knows by
// how much it is wrong, and orders are dated by the hub.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	c := testClient(t)
	for _, off := range []time.Duration{time.Hour, 0, -time.Hour} {
		c.now = func() time.Time { return time.Now().Round(0).Add(off) }
		phone := Phone{Worker: "w", Serial: "phone"}
		held, lease, err := c.Hold(t.Context(), phone, "session")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Hold(t.Context(), phone, "another"); err == nil {
			t.Errorf("%v off: two sessions have one phone", off)
		}
		for range 2 {
			if skew, err := lease.Skew(t.Context()); err != nil || (skew+off).Abs() > 10*time.Second {
				t.Errorf("a clock that is %v off is told to be %v off (%v)", off, -skew, err)
			}
			if err := lease.Renew(t.Context()); err != nil || held.Err() != nil || !lease.Sure(c.lease/2) {
				t.Errorf("%v off: the lease was not renewed: %v", off, err)
			}
		}
		lease.Release(t.Context())
		order, err := c.Submit(t.Context(), Order{Game: "game"}, someLevels(1), 1, 1)
		if err != nil || time.Since(order.Created).Abs() > time.Minute {
			t.Errorf("%v off: an order is dated %v (%v)", off, order.Created, err)
		}
	}
}
