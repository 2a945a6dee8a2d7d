package player

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// OnFail says how Clear goes on after a level that failed.
type OnFail string

// The ways to go on.
const (
	FailStop  OnFail = "stop"  // it ends the run; the default
	FailRetry OnFail = "retry" // the level is played again, twice at most
	FailSkip  OnFail = "skip"  // the next level is chosen from the list
)

// retries is how often FailRetry plays a level again.
const retries = 2

// Clear plays levels until limit of them are won (0: until there are no more),
// the time is up, the context ends or one fails that OnFail does not get over.
// It calls done after each level. A phone that could not be got back ends the
// run whatever OnFail says. Where levels were skipped, the error says so.
func (p *Player) Clear(ctx context.Context, limit int, done func(Report, error)) (won int, err error) {
	began := p.time()
	p.held = 0
	failed, complete := 0, 0 // in a row
	var left []error
	for {
		if _, err := p.hold(ctx); err != nil {
			return won, skippedLevels(left, err)
		}
		more, err := p.Next(ctx)
		if err != nil || !more {
			return won, skippedLevels(left, err)
		}
		report, failure := p.Level(ctx)
		if errors.Is(failure, ErrComplete) && complete < completeInRow {
			complete++ // its panel came late, or somebody played: it is gone on from
			continue
		}
		complete = 0
		done(report, failure)
		var f *Failure
		switch {
		case failure == nil:
			won++
			failed = 0
		case !errors.As(failure, &f), errors.Is(failure, ErrPhone):
			return won, failure
		case p.OnFail == FailRetry && failed < retries:
			failed++
		case p.OnFail == FailSkip:
			left = append(left, failure)
			if more, err := p.Skip(ctx); err != nil || !more {
				return won, skippedLevels(left, err)
			}
		default:
			return won, failure
		}
		if limit > 0 && won >= limit || p.Limit > 0 && p.time().Sub(began)-p.held >= p.Limit {
			return won, skippedLevels(left, nil)
		}
	}
}

// completeInRow is how many levels Clear finds complete before it gives up.
const completeInRow = 3

// hold waits while it is asked to, and reports how long that was.
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

// skippedLevels is how a run ends in which levels were left behind.
func skippedLevels(left []error, err error) error {
	if err != nil || len(left) == 0 {
		return err
	}
	return fmt.Errorf("%d levels were skipped, the last: %w", len(left), left[len(left)-1])
}
