package solving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/described"
)

// MaxTold is the most solutions of a puzzle that another host may be asked for.
const MaxTold = 1000

// Asked is a puzzle as another host is asked to solve it.
type Asked struct {
	Game string `json:"game"`
	// Description is that of the game, if it is described.
	Description *described.Carried `json:"description,omitempty"`

	Text string `json:"text"`
}

// Wanted is what another host is to find out about puzzles: the part of a [Job] that
// takes a search.
type Wanted struct {
	Listing
	Uncovered bool          `json:"uncovered,omitempty"`
	Tidy      bool          `json:"tidy,omitempty"`
	Moves     int           `json:"moves,omitempty"`
	Timeout   time.Duration `json:"timeout,omitempty"`
}

// Wanted returns what another host is to find out, false when that is no work for it.
func (j Job) Wanted() (Wanted, bool) {
	if j.All && (j.Limit < 1 || j.Limit > MaxTold) {
		return Wanted{}, false // there is no end to what it would tell
	}
	return Wanted{Listing: j.Listing, Uncovered: j.Uncovered, Tidy: j.Tidy, Moves: j.Moves, Timeout: j.Timeout}, true
}

// Ask returns what another host is asked about a puzzle; it is false if the puzzle is not for
// another host: a picture, a program, or one that is refused.
func (j Job) Ask(in puzzlefile.Puzzle) (Asked, bool) {
	if in.Image != nil || in.Program {
		return Asked{}, false
	}
	game, puzzle, err := puzzlefile.Parse(in.Text, j.Game)
	if err != nil {
		return Asked{}, false
	}
	if _, ok := puzzle.(solvers.Coverer); j.Uncovered && !ok {
		return Asked{}, false
	}
	if _, ok := puzzle.(solvers.Tidier); j.Tidy && !ok {
		return Asked{}, false
	}
	return Asked{Game: game.Name(), Description: described.Carry(game), Text: in.Text}, true
}

// Tell solves a puzzle that another host asked for. It fails when the context ends.
func (w Wanted) Tell(ctx context.Context, asked Asked) (Told, error) {
	if w.Limit < 0 || w.Moves < 0 || w.Timeout < 0 || w.All && (w.Limit == 0 || w.Limit > MaxTold) {
		return Told{}, fmt.Errorf("solutions up to %d, expected up to %d, and no negative numbers", w.Limit, MaxTold)
	}
	game, err := all.Carried(asked.Game, asked.Description)
	if err != nil {
		return Told{}, err
	}
	job := Job{Listing: w.Listing, Game: game, Uncovered: w.Uncovered, Tidy: w.Tidy, Moves: w.Moves, Timeout: w.Timeout, Workers: 1}
	r := job.one(ctx, puzzlefile.Puzzle{Text: asked.Text, Of: 1, Line: 1}, &Search{})
	if ctx.Err() != nil {
		return Told{}, context.Cause(ctx)
	}
	return r.tell(), nil
}

// Told is a result as another host tells it: what it takes to have the same without a
// search.
type Told struct {
	Status    Status        `json:"status"`
	Texts     []string      `json:"texts,omitempty"` // of solutions: all that are wanted, or at most the first two
	Solutions int           `json:"solutions"`
	Count     string        `json:"count,omitempty"`
	Counting  Counting      `json:"counting,omitempty"`
	Stats     solvers.Stats `json:"stats"`
	Searching time.Duration `json:"searching"`
	Reason    string        `json:"reason,omitempty"` // why there is no solution
}

func (r Result) tell() Told {
	t := Told{Status: r.Status, Texts: r.Texts, Solutions: r.Solutions, Count: r.Count, Counting: r.Counting, Stats: r.Stats, Searching: r.Searching}
	for _, s := range []solvers.Solution{r.First, r.Second} {
		if s != nil && r.Texts == nil {
			t.Texts = append(t.Texts, s.String())
		}
	}
	var reasoned *solvers.NoSolutionError
	switch {
	case r.Status != Unsolvable:
	case errors.As(r.Err, &reasoned) && r.Err.Error() == reasoned.Error():
		t.Reason = reasoned.Reason
	case r.Err.Error() != solvers.ErrNoSolution.Error():
		t.Status = Failed // said in a way that cannot be told
	}
	return t
}

// ErrUntold is the error for what another host told that makes no result.
var ErrUntold = errors.New("no result can be made of what was told")

// Hear makes a puzzle's result from another host's answer, and checks each solution. It fails
// with [ErrUntold] if the puzzle has to be solved here: to say how it fails, or because the
// answer is wrong.
func (j Job) Hear(in puzzlefile.Puzzle, told Told) (Result, error) {
	game, puzzle, err := puzzlefile.Parse(in.Text, j.Game)
	if err != nil {
		return Result{}, err
	}
	r := Result{File: in.File, Index: in.Index, Game: game.Name(), Puzzle: puzzle, Warning: unusual(puzzle), Stats: told.Stats, Searching: told.Searching}
	if puzzle, err = (solvers.Levels{Uncovered: j.Uncovered}).Of(game, puzzle); err != nil {
		return Result{}, err
	}
	if tidier, ok := puzzle.(solvers.Tidier); ok && j.Tidy {
		puzzle = tidier.OnlyTidy()
	}
	for _, text := range told.Texts {
		s, err := puzzle.ParseSolution(text)
		if err == nil {
			err = s.Check()
		}
		if err == nil && s.String() != text {
			err = errors.New("a solution that reads differently here")
		}
		if err != nil {
			return Result{}, fmt.Errorf("%w: %w", ErrUntold, err)
		}
		r.add(s, j.All)
	}
	if told.Solutions < len(told.Texts) || (len(told.Texts) == 0) != (told.Solutions == 0) {
		return Result{}, fmt.Errorf("%w: %d solutions, of which %d are told", ErrUntold, told.Solutions, len(told.Texts))
	}
	r.Solutions, r.Count, r.Counting = told.Solutions, told.Count, told.Counting
	switch {
	case told.Status == Timeout && j.Timeout > 0:
		return r.failed(Timeout, stopped(r.Solutions, j.outOfTime())), nil
	case told.Status == Unsolvable && told.Solutions == 0 && told.Reason != "":
		return r.failed(Unsolvable, &solvers.NoSolutionError{Reason: told.Reason}), nil
	case told.Status == Unsolvable && told.Solutions == 0:
		return r.failed(Unsolvable, solvers.ErrNoSolution), nil
	case told.Status != Solved || told.Solutions == 0:
		return Result{}, fmt.Errorf("%w: it ended as %q", ErrUntold, told.Status)
	}
	if err := j.finish(&r, puzzle, ""); err != nil {
		return r.failed(Failed, err), nil
	}
	r.Status = Solved
	return r, nil
}

// Lost is the result of a puzzle that other hosts could not solve, and not say why.
func (j Job) Lost(in puzzlefile.Puzzle, reason string) Result {
	return Result{File: in.File, Index: in.Index}.failed(Failed, fmt.Errorf("the fleet gave up: %s", reason))
}

// outOfTime says that a puzzle's time is over.
func (j Job) outOfTime() error { return cause.Timef("out of time after %v (--timeout)", j.Timeout) }
