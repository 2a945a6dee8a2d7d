package worker

import (
	"log/slog"
	"sync"
	"time"

	"tapwise/cmd/internal/fleet"
)

// clock is by how much this host's clock is wrong. Nothing is decided by it: leases and
// deliveries are by the hub's clock and by the time that has passed. But what is told of
// levels stands in the history of all phones.
type clock struct {
	mu     sync.Mutex
	looked time.Time     // when it was compared with the hub's last
	wrong  time.Duration // the hub's clock less this host's, where that is much
}

const (
	// lookAtClock is the pause between two comparisons.
	lookAtClock = time.Minute
	// littleWrong is less than what a slow hub could make of it.
	littleWrong = 10 * time.Second
)

// look compares this host's clock with the hub's, by a lease that was granted just now,
// unless that was done lately.
func (c *clock) look(lease *fleet.Held, log *slog.Logger) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.looked.IsZero() && time.Since(c.looked) < lookAtClock {
		return
	}
	c.looked = time.Now()
	before := c.wrong
	if c.wrong = lease.Skew(); c.wrong.Abs() < littleWrong {
		c.wrong = 0
	}
	if before == 0 && c.wrong != 0 {
		log.Warn("this host's clock is not the hub's; levels are told by the hub's", "wrong", -c.wrong.Round(time.Second))
	}
}

// right is a time of this host's by the hub's clock.
func (c *clock) right(at time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return at.Add(c.wrong)
}
