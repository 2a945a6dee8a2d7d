package player

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// OnFail is how Clear goes on after a level that failed.
type OnFail string

// The ways to go on.
const (
	FailStop  OnFail = "stop"  // the run ends; the default
	FailRetry OnFail = "retry" // the level is played again, twice at most
	FailSkip  OnFail = "skip"  // the next level is chosen from the list
)

// retries is how often FailRetry plays a level again.
const retries = 2

// completeInRow is how many levels Clear finds complete before it gives up.
const completeInRow = 3

// clearing is a run of Clear under way.
type clearing struct {
	*Player
	failed   int     // attempts at a level in a row
	complete int     // levels in a row that were complete before they were played
	left     []error // why levels were skipped
}

// Clear plays levels until limit of them are won (0: until there are no more), the time is up,
// the context ends, or a level fails and OnFail does not go on. It calls done after each level.
// A phone that stays lost ends the run whatever OnFail says. If levels were skipped, the error
// says so.
func (p *Player) Clear(ctx context.Context, limit int, done func(Report, error)) (won int, err error) {
	began := p.time()
	p.held = 0
	c := clearing{Player: p}
	for {
		if _, err := p.hold(ctx); err != nil {
			return won, c.end(err)
		}
		more, err := p.Next(ctx)
		if err != nil || !more {
			return won, c.end(err)
		}
		report, failure := p.Level(ctx)
		if errors.Is(failure, ErrComplete) && c.complete < completeInRow {
			c.complete++ // its panel came late, or somebody else played it
			continue
		}
		c.complete = 0
		done(report, failure)
		if failure == nil {
			won++
			c.failed = 0
		} else if err := c.getOver(ctx, failure); err != nil {
			return won, err
		}
		if limit > 0 && won >= limit || p.Limit > 0 && p.time().Sub(began)-p.held >= p.Limit {
			return won, c.end(nil)
		}
	}
}

// getOver does what OnFail says about a level that failed. It returns the error
// that ends the run, or nil if the run goes on.
func (c *clearing) getOver(ctx context.Context, failure error) error {
	var f *Failure
	switch {
	case !errors.As(failure, &f), errors.Is(failure, ErrPhone):
		return failure
	case c.OnFail == FailRetry && c.failed < retries:
		c.failed++
		return nil
	case c.OnFail == FailSkip:
		c.left = append(c.left, failure)
		more, err := c.Skip(ctx)
		if err != nil || !more {
			return c.end(err)
		}
		return nil
	}
	return failure
}

// end is the error that a run ends with; without one, it says which levels were
// skipped.
func (c *clearing) end(err error) error {
	if n := len(c.left); err == nil && n > 0 {
		return fmt.Errorf("%d levels were skipped, the last: %w", n, c.left[n-1])
	}
	return err
}

// hold waits until Hold returns, and reports how long that took.
func (p *Player) hold(ctx context.Context) (time.Duration, error) {
	if p.Hold == nil {
		return 0, nil
	}
	began := p.time()
	err := p.Hold(ctx)
	waited := p.time().Sub(began)
	p.held += waited
	return waited, err
}
