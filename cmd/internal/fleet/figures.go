package fleet

import (
	"context"
	"fmt"
	"time"

	"tapwise/cmd/internal/console/metrics"
)

// Figures tells how the fleet is: what JetStream keeps, and which workers were just heard of.
func (d *Dispatcher) Figures(ctx context.Context, page *metrics.Page) error {
	d.mu.Lock()
	workers := 0
	for _, w := range d.crews {
		w.mu.Lock()
		if time.Since(w.heard) < newsWait+usualPatience {
			workers++
		}
		w.mu.Unlock()
	}
	d.bulletin.mu.Lock()
	runs := len(d.bulletin.orders)
	d.bulletin.mu.Unlock()
	d.mu.Unlock()
	page.Show(metrics.FleetWorkers, float64(workers))
	page.Show(metrics.FleetRuns, float64(runs))
	c := d.Client
	states, leases := map[string]int{}, 0
	for _, state := range []string{Idle, Playing, Taken, Failing, Queued, Unready, Drained} {
		states[state] = 0
	}
	err := c.collect(ctx, c.phones, ">", func(_ string, value []byte) {
		p, err := decode[Phone](value)
		if _, known := states[p.State]; err == nil && known {
			states[p.State]++
		}
	})
	if err == nil {
		err = c.collect(ctx, c.leases, ">", func(string, []byte) { leases++ })
	}
	if err != nil {
		return err
	}
	for state, n := range states {
		page.Show(metrics.FleetPhones, float64(n), state)
	}
	page.Show(metrics.FleetLeases, float64(leases))
	return c.streamFigures(ctx, page)
}

// streamFigures tells how many jobs and results there are.
func (c *Client) streamFigures(ctx context.Context, page *metrics.Page) error {
	jobs, err := c.js.Stream(ctx, jobsStream)
	if err != nil {
		return fmt.Errorf("stream %s: %w", jobsStream, err)
	}
	handed := 0
	consumers := jobs.ListConsumers(ctx)
	for consumer := range consumers.Info() {
		handed += consumer.NumAckPending
	}
	if err := consumers.Err(); err != nil {
		return fmt.Errorf("consumers of stream %s: %w", jobsStream, err)
	}
	state := jobs.CachedInfo().State // from before they were asked for: a job may have ended since
	handed = min(handed, int(state.Msgs))
	age := 0.0
	if state.Msgs > 0 {
		age = max(0, time.Since(state.FirstTime).Seconds())
	}
	page.Show(metrics.FleetJobs, float64(int(state.Msgs)-handed), "waiting")
	page.Show(metrics.FleetJobs, float64(handed), "handed_out")
	page.Show(metrics.FleetJobsSubmitted, float64(state.LastSeq))
	page.Show(metrics.FleetJobsEnded, float64(state.LastSeq-state.Msgs))
	page.Show(metrics.FleetOldestJob, age)
	results, err := c.js.Stream(ctx, resultsStream)
	if err != nil {
		return fmt.Errorf("stream %s: %w", resultsStream, err)
	}
	page.Show(metrics.FleetResultBytes, float64(results.CachedInfo().State.Bytes))
	poison, err := c.js.Stream(ctx, poisonStream)
	if err != nil {
		return fmt.Errorf("stream %s: %w", poisonStream, err)
	}
	page.Show(metrics.FleetJobsGivenUp, float64(poison.CachedInfo().State.LastSeq))
	return nil
}
