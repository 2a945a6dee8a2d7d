package web

import (
	"net/http"
)

// Demo is simulated phones, which can be given faults and touched by hand.
type Demo interface {
	Phones
	// Levels is how many different levels a phone offers before they come again.
	Levels(serial string) int
	// Faults are those that Strike knows.
	Faults() []Fault
	// Strike makes something go wrong on a phone; the empty name puts all in order again.
	Strike(serial, fault string) error
	// Touch takes in a finger on a phone's screen, in pixels. Action is 0 where it goes down, 1
	// where it moves and 2 where it leaves.
	Touch(serial string, action int, x, y float64) error
	// Close ends the phones.
	Close() error
}

// Fault is something that can go wrong.
type Fault struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

// phones are those that the page shows.
func (s *Server) phones() Phones {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shownPhones
}

// demo is the simulated phones that the page shows; nil where it shows others.
func (s *Server) demo() Demo {
	demo, _ := s.phones().(Demo)
	return demo
}

// startDemo shows simulated phones in place of those that there are.
func (s *Server) startDemo(r *http.Request) (any, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.OpenDemo == nil {
		return nil, refuse(http.StatusNotFound, "this page was started without a demo")
	}
	if s.demo() == nil {
		demo, err := s.OpenDemo(s.ctx)
		if err != nil {
			return nil, refuse(http.StatusServiceUnavailable, "%s", problemOf(err).Say)
		}
		s.mu.Lock()
		s.shownPhones = demo
		s.mu.Unlock()
	}
	s.listPhones(true)
	return done{true}, nil
}

// onDemo is the demo and a phone of it.
func (s *Server) onDemo(r *http.Request) (Demo, string, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, "", err
	}
	demo := s.demo()
	if demo == nil {
		return nil, "", refuse(http.StatusConflict, "%s is no simulated phone of this page's", p.serial)
	}
	return demo, p.serial, nil
}

// strike makes something go wrong on a simulated phone.
func (s *Server) strike(r *http.Request) (any, error) {
	demo, serial, err := s.onDemo(r)
	if err != nil {
		return nil, err
	}
	var q struct {
		Fault string `json:"fault"`
	}
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	if err := demo.Strike(serial, q.Fault); err != nil {
		return nil, refuse(http.StatusBadRequest, "%v", err)
	}
	if q.Fault == "" {
		return s.lookAgain(r)
	}
	return done{true}, nil
}

// The bounds on what a finger does.
const (
	maxTouches  = 500 // in one message
	touchedSide = 1e5 // pixels; no touch lies further away
)

// touch is a move of the finger.
type touch struct {
	Action int     `json:"action"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
}

// readTouches reads how the finger moved.
func readTouches(r *http.Request) ([]touch, error) {
	var q struct {
		Touches []touch `json:"touches"`
	}
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	if len(q.Touches) > maxTouches {
		return nil, refuse(http.StatusBadRequest, "%d touches, expected at most %d", len(q.Touches), maxTouches)
	}
	for _, t := range q.Touches {
		if t.Action < 0 || t.Action > 2 || max(t.X, -t.X, t.Y, -t.Y) > touchedSide {
			return nil, refuse(http.StatusBadRequest, "the touch %d at %g, %g, expected 0 to 2 on the screen", t.Action, t.X, t.Y)
		}
	}
	return q.Touches, nil
}

// touchPhone moves the finger on a simulated phone.
func (s *Server) touchPhone(r *http.Request) (any, error) {
	demo, serial, err := s.onDemo(r)
	if err != nil {
		return nil, err
	}
	touches, err := readTouches(r)
	if err != nil {
		return nil, err
	}
	for _, t := range touches {
		if err := demo.Touch(serial, t.Action, t.X, t.Y); err != nil {
			return nil, refuse(http.StatusBadRequest, "%v", err)
		}
	}
	return done{true}, nil
}
