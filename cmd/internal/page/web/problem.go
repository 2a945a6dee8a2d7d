package web

import (
	"cmp"
	"net/http"
	"time"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/play/trouble"
)

// problem is a failure as the page shows it: a sentence, what helps, and what a maintainer
// wants to know.
type problem struct {
	Say     string `json:"say"`
	Do      string `json:"do"` // of trouble.Do
	Game    string `json:"game"`
	Hint    string `json:"hint"`
	Details string `json:"details"`

	looking bool // it goes when a frame comes
}

// problemOf tells an error.
func problemOf(err error) *problem {
	t := trouble.Of(err)
	p := &problem{Say: t.Say, Do: string(t.Do), Game: t.Game, Hint: t.Hint, Details: wording.Of(err)}
	p.Say = cmp.Or(p.Say, p.Details)
	if t.Evidence != "" {
		p.Details += "\n" + p.Hint
		p.Hint = ""
	}
	return p
}

// same reports whether two problems are one for who reads them.
func (p *problem) same(other *problem) bool {
	return p == other || p != nil && other != nil && p.Say == other.Say && p.Do == other.Do
}

// wake switches a phone's screen on, and looks at it.
func (s *Server) wake(r *http.Request) (any, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	if err := s.phones().Wake(r.Context(), p.serial); err != nil {
		p.mu.Lock()
		p.trouble = problemOf(err)
		p.trouble.looking = true
		p.mu.Unlock()
		p.changed()
		return done{true}, nil // the card says it
	}
	return s.lookAgain(r)
}

// lookAgain forgets what stood in the way on a phone, and looks at it anew.
func (s *Server) lookAgain(r *http.Request) (any, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.trouble, p.sight, p.sees, p.looked, p.told, p.frameAt = nil, sight{}, nil, time.Time{}, time.Time{}, time.Time{}
	p.mu.Unlock()
	p.changed()
	return done{true}, nil
}

// startServer starts the adb server, and looks for phones.
func (s *Server) startServer(r *http.Request) (any, error) {
	phones := s.phones()
	if phones == nil {
		return nil, refuse(http.StatusNotFound, "this page was started without phones")
	}
	if err := phones.StartServer(r.Context()); err != nil {
		return nil, refuse(http.StatusServiceUnavailable, "%s", problemOf(err).Say)
	}
	s.listPhones(true)
	return done{true}, nil
}
