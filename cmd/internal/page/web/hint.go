package web

import (
	"net/http"

	"tapwise/solvers"
)

// hintRequest asks for a step of a puzzle's solution.
type hintRequest struct {
	puzzleRequest
	Step int `json:"step"` // its index: how many were told before
}

// hintAnswer is one step of a solution, and the board after it.
type hintAnswer struct {
	Step  int    `json:"step"` // its index
	Of    int    `json:"of"`   // the number of steps
	Text  string `json:"text"` // what to do, in the game's words; empty after the last step
	Why   string `json:"why,omitempty"`
	Scene scene  `json:"scene"`
}

// hint tells a step of a puzzle's solution and nothing of those after it.
func (s *Server) hint(r *http.Request) (any, error) {
	var q hintRequest
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	_, p, err := s.parsed(q.puzzleRequest)
	if err != nil {
		return nil, err
	}
	ctx, release, err := s.search(r)
	if err != nil {
		return nil, err
	}
	defer release()
	solution, err := p.Solve(ctx)
	if err == nil {
		err = solution.Check()
	}
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	steps := solution.Steps(nil)
	a := hintAnswer{Step: min(max(0, q.Step), len(steps)), Of: len(steps)}
	if a.Step < len(steps) {
		a.Text = steps[a.Step].Text
	}
	a.Scene = sceneOf(solution.Scene(min(a.Step+1, len(steps))))
	if adviser, ok := p.(solvers.Adviser); ok && a.Step == 0 {
		if advice := adviser.Advise(nil); advice != nil {
			a.Why = advice.Text
		}
	}
	return a, nil
}
