package fleet

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Work is a job that a phone has, until it is Done, put Back, or its lease ends.
type Work struct {
	Job
	Deliveries int // how often it was handed out, this time included

	agent *Agent
}

// ErrBadJob is the error for a job that cannot be read. It is done with.
var ErrBadJob = errors.New("a job that cannot be read")

func (w *Work) name() jobName { return jobName{w.Run, w.Number, w.Deliveries} }

// Keep reports to the hub that the job is under way, until the context ends: each quarter of a
// lease and at once after the hub was away.
func (w *Work) Keep(ctx context.Context) {
	w.agent.regularly(ctx, w.agent.lease/4, func() error {
		_, err := w.agent.keeps.ask(ctx, w.name())
		return err
	}, "the hub was not told that a job is under way", "run", w.Run, "job", w.Number)
}

// regularly does something until the context ends: after each pause, sooner when it failed,
// and at once when the hub was away. What failed is told to the log.
func (c *link) regularly(ctx context.Context, usual time.Duration, do func() error, failed string, words ...any) {
	next := usual
	for {
		timer := time.NewTimer(next)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-c.returned():
			timer.Stop()
		case <-timer.C:
		}
		next = usual
		if err := do(); err != nil && ctx.Err() == nil {
			c.log.Debug(failed, append(words, "error", err)...)
			next = min(retryWait, usual/4)
		}
	}
}

// Done ends the job once all its events have arrived: each level has one at the hub, or is
// booked. Otherwise it fails.
func (w *Work) Done(ctx context.Context) error {
	_, err := w.agent.ends.ask(ctx, jobEnd{jobName: w.name()})
	return err
}

// Back lets another phone have the job after a time.
func (w *Work) Back(after time.Duration) { w.agent.back(jobEnd{w.name(), true, after}) }

// back gives a job or a chunk back, without waiting until the hub knows it.
func (a *Agent) back(end jobEnd) {
	go func() {
		if _, err := a.ends.ask(a.ctx, end); err != nil { // then its lease runs out
			a.log.Debug("a job was not given back", "run", end.Run, "job", end.Job, "error", err)
		}
	}()
}

// Left returns the levels of the job that are not booked. If the job is handed out for the
// first time, its levels can only have been played in another job, which is found out level by
// level.
func (w *Work) Left(ctx context.Context) ([]Level, error) {
	if w.Deliveries == 1 {
		return w.Levels, nil
	}
	booked, failures := make([]bool, len(w.Levels)), make([]error, len(w.Levels))
	var wait sync.WaitGroup
	for i, l := range w.Levels { // together: the hub may be far away
		wait.Go(func() { booked[i], failures[i] = w.agent.IsBooked(ctx, w.Run, l.Number) })
	}
	wait.Wait()
	var left []Level
	for i, l := range w.Levels {
		if !booked[i] {
			left = append(left, l)
		}
	}
	return left, errors.Join(failures...)
}
