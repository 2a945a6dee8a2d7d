package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Table is a puzzle under a finger, by the rules of the game's own app. Lengths are in pitches
// from the corner of its picture.
type Table interface {
	// Touch takes in the finger. Action is 0 where it goes down, 1 where it moves and 2 where it
	// leaves.
	Touch(action int, x, y float64)
	// Picture is the board as it stands.
	Picture() solvers.Picture
	// Over lies over it and is no part of the board.
	Over() []solvers.Shape
	// Places are where a finger can be.
	Places() []Place
	Won() bool
	Moves() int
	// Board is what is played, in the game's notation.
	Board() string
}

// Place is where a finger can be, such as the middle of a cell.
type Place struct {
	Name string  `json:"name"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// Apps puts puzzles under a finger.
type Apps func(game solvers.Game, p solvers.Puzzle) (Table, error)

// farthest is how far from a board a finger can be, in pitches.
const farthest = 1e3

// playRequest is a puzzle and all that a finger did since it began.
type playRequest struct {
	puzzleRequest
	Strokes [][][2]float64 `json:"strokes"` // from where it came down to where it left
	Down    bool           `json:"down"`    // it has not yet left at the end of the last stroke
	Check   bool           `json:"check"`   // say what is wrong
}

// playAnswer is the board as it stands then.
type playAnswer struct {
	Scene  scene   `json:"scene"`
	Places []Place `json:"places"`
	Won    bool    `json:"won"`
	Moves  int     `json:"moves"`
	Board  string  `json:"board"` // what is played, in the game's notation
	Wrong  bool    `json:"wrong"` // something is
	Text   string  `json:"text"`  // what the check found
}

// table is a puzzle after what a finger did.
func (s *Server) table(game solvers.Game, p solvers.Puzzle, q playRequest) (Table, error) {
	if s.Table == nil {
		return nil, refuse(http.StatusNotFound, "this page was started without apps")
	}
	t, err := s.Table(game, p)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	for i, stroke := range q.Strokes {
		for k, at := range stroke {
			if max(at[0], -at[0], at[1], -at[1]) > farthest {
				return nil, refuse(http.StatusBadRequest, "a finger at %g, %g, expected at most %g pitches from the board", at[0], at[1], farthest)
			}
			t.Touch(min(k, 1), at[0], at[1])
		}
		if n := len(stroke); n > 0 && !(q.Down && i == len(q.Strokes)-1) {
			t.Touch(2, stroke[n-1][0], stroke[n-1][1])
		}
	}
	return t, nil
}

// play answers with a puzzle after what a finger did.
func (s *Server) play(r *http.Request) (any, error) {
	var q playRequest
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	game, p, err := s.parsed(q.puzzleRequest)
	if err != nil {
		return nil, err
	}
	t, err := s.table(game, p, q)
	if err != nil {
		return nil, err
	}
	a := playAnswer{Places: t.Places(), Won: t.Won(), Moves: t.Moves(), Board: t.Board()}
	picture := t.Picture()
	if q.Check && !a.Won {
		ctx, release, err := s.search(r)
		if err != nil {
			return nil, err
		}
		defer release()
		if picture, a.Text, a.Wrong, err = judge(ctx, game, p, t); err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
		}
	}
	picture.Shapes = append(slices.Clip(picture.Shapes), t.Over()...)
	a.Scene = sceneOf(picture)
	return a, nil
}

// judge tells whether something on a board is wrong, and marks it. Where there are several solutions, it is a
// rule that is broken.
func judge(ctx context.Context, game solvers.Game, p solvers.Puzzle, t Table) (picture solvers.Picture, text string, wrong bool, err error) {
	picture = t.Picture()
	var found []solvers.Solution
	moves := false
	if _, err = p.Enumerate(ctx, solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
		found = append(found, s)
		_, moves = s.(solvers.Mover)
		return len(found) < 2 && !moves
	}); err == nil && len(found) == 0 {
		err = solvers.ErrNoSolution
	}
	switch {
	case err != nil:
	case moves:
		var on solvers.Puzzle
		var rest solvers.Solution
		if on, err = game.Parse(t.Board()); err == nil {
			rest, err = on.Solve(ctx)
		}
		if errors.Is(err, solvers.ErrNoSolution) {
			return picture, "From here nothing leads on.", true, nil
		} else if err == nil {
			text = fmt.Sprintf("From here it can be done in %s.", board.Count(len(rest.Steps(nil)), "move"))
		}
	case len(found) > 1:
		played, broken := p.ParseSolution(t.Board())
		if broken == nil {
			broken = played.Check()
		}
		text = fmt.Sprintf("There are several solutions; this is none yet: %v.", broken)
	default:
		if picture, wrong = solvers.Wrong(picture, found[0]); wrong {
			return picture, "What is marked in red is wrong.", true, nil
		}
		text = "So far all is right."
	}
	return picture, text, false, err
}
