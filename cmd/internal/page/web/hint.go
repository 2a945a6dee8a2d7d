package web

import (
	"net/http"
	"slices"

	"tapwise/solvers"
)

// hintRequest asks for a step of a puzzle's solution, as far as it is played.
type hintRequest struct {
	playRequest
	Told []int `json:"told"` // the indices of the steps that were told before
}

// hintAnswer is one step of a solution, on the board with those that were told before.
type hintAnswer struct {
	Step  int    `json:"step"` // its index; the number of steps when all were told
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
	game, p, err := s.parsed(q.puzzleRequest)
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
	played, picture := solvers.Solution(nil), p.Picture()
	if len(q.Strokes) > 0 {
		t, err := s.table(game, p, q.playRequest)
		if err != nil {
			return nil, err
		}
		if _, moves := solution.(solvers.Mover); moves { // the rest is another puzzle's
			if p, err = game.Parse(t.Board()); err == nil {
				solution, err = p.Solve(ctx)
			}
		} else {
			picture = t.Picture()
			played, err = p.ParseSolution(t.Board())
		}
		if err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
		}
	}
	steps := solution.Steps(played)
	var told []int
	for _, i := range q.Told {
		if i >= 0 && i < len(steps) && !slices.Contains(told, i) {
			told = append(told, i)
		}
	}
	step, why := solvers.NextStep(p, solution, played, told)
	a := hintAnswer{Step: step, Of: len(steps)}
	if step == len(steps) {
		a.Scene = sceneOf(solution.Scene(step))
		return a, nil
	}
	a.Text = steps[step].Text
	if why != nil {
		a.Why = why.Because(a.Text)
	}
	a.Scene = sceneOf(solvers.HintScene(p, picture, solution, told, step, why))
	return a, nil
}
