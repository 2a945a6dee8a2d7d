package web

import (
	"context"
	"errors"

	"tapwise/cmd/internal/console/metrics"
)

// figures tells what the page knows of its phones. They are listed now, unless that is done
// all the time for a page that is open.
func (s *Server) figures(_ context.Context, page *metrics.Page) error {
	if s.phones() == nil {
		return nil
	}
	if !s.hub.watched() {
		s.listPhones(false)
	}
	s.mu.Lock()
	trouble, away := s.trouble, map[*session]bool{}
	for _, p := range s.sessions {
		away[p] = p.away
	}
	s.mu.Unlock()
	states, runs := map[string]int{}, map[string]int{"playing": 0, "paused": 0}
	for p, gone := range away {
		states[p.figures(page, gone, runs)]++
	}
	for state, n := range states {
		page.Show(metrics.Phones, float64(n), state)
	}
	for state, n := range runs {
		page.Show(metrics.Runs, float64(n), state)
	}
	if trouble != nil {
		return errors.New(trouble.Say)
	}
	return nil
}

// figures tells what the page knows of one phone, counts its run and returns its state.
func (p *session) figures(page *metrics.Page, away bool, runs map[string]int) (state string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	state, ready := p.phone.State, 0.0
	if away {
		state = "away"
	} else if p.phone.Ready {
		ready = 1
	}
	page.Show(metrics.PhoneReady, ready, p.serial)
	page.Show(metrics.PhoneFrames, float64(p.version()), p.serial)
	switch {
	case p.run == nil || p.run.dry:
	case p.run.waiting:
		runs["paused"]++
	default:
		runs["playing"]++
		page.Show(metrics.RunProgress, float64(p.run.moved.UnixMilli())/1000, p.serial)
	}
	return state
}
