package solving

import (
	"context"
	"errors"
	"fmt"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/csp/frontier"
)

// one solves one puzzle or program.
func (j Job) one(ctx context.Context, in puzzlefile.Puzzle, search *Search) Result {
	ctx = frontier.WithProgress(csp.WithEffort(ctx, &search.Effort), &search.Sweep)
	if in.Program {
		return j.program(ctx, in, search)
	}
	r := Result{File: in.File, Index: in.Index}
	read, err := j.read(ctx, in)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return r.failed(Timeout, err)
	case err != nil:
		return r.failed(Failed, err)
	}
	puzzle := read.Puzzle
	r.Game, r.Puzzle, r.Warning = read.Game.Name(), puzzle, read.Warning
	if j.Uncovered {
		coverer, ok := puzzle.(solvers.Coverer)
		if !ok {
			return r.failed(Failed, cause.Inputf("--cover=false: %s has no rule of covering", r.Game))
		}
		puzzle = coverer.WithoutCover()
	}
	if j.Tidy {
		tidier, ok := puzzle.(solvers.Tidier)
		if !ok {
			return r.failed(Failed, cause.Inputf("--tidy: %s has no paths that could be shortened", r.Game))
		}
		puzzle = tidier.OnlyTidy()
	}
	ctx, cancel := j.bounded(ctx)
	defer cancel()
	switch {
	case j.Count && j.All:
		err = j.countListed(ctx, puzzle, &r, search, j.Most())
	case j.Count:
		err = j.count(ctx, puzzle, &r, search)
	default:
		err = j.list(ctx, puzzle, &r, search, j.Most())
	}
	r.Searching = search.Effort.Searching()
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return r.failed(Timeout, j.stopped(ctx, r.Solutions))
	case errors.Is(err, solvers.ErrNoSolution):
		return r.failed(Unsolvable, err)
	case err != nil:
		return r.failed(Failed, err)
	}
	if err := j.finish(&r, puzzle, read.Fill); err != nil {
		return r.failed(Failed, err)
	}
	r.Status = Solved
	if read.Several {
		r.Solutions = max(r.Solutions, 2)
	}
	return r
}

// read makes a puzzle of text or of a picture.
func (j Job) read(ctx context.Context, in puzzlefile.Puzzle) (Reading, error) {
	if in.Image != nil {
		return j.Picture(ctx, in.File, in.Image, j.Game)
	}
	game, puzzle, err := puzzlefile.Parse(in.Text, j.Game)
	if err != nil {
		return Reading{}, cause.Inputf("puzzle at line %d: %w", in.Line, err)
	}
	return Reading{Game: game, Puzzle: puzzle, Warning: unusual(puzzle)}, nil
}

// unusual is the warning for a board that breaks its game's usual form.
func unusual(puzzle solvers.Puzzle) string {
	if irregularity := solvers.Irregularity(puzzle); irregularity != "" {
		return "not as the game's own boards are: " + irregularity
	}
	return ""
}

// bounded ends the context after the time for one puzzle.
func (j Job) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if j.Timeout > 0 {
		return context.WithTimeout(ctx, j.Timeout)
	}
	return ctx, func() {}
}

// stopped says why a search was stopped, and how many solutions it had found.
func (j Job) stopped(ctx context.Context, solutions int) error {
	why := context.Cause(ctx)
	if errors.Is(why, context.DeadlineExceeded) {
		why = j.outOfTime()
	}
	return stopped(solutions, why)
}

func stopped(solutions int, why error) error {
	if solutions > 0 {
		return fmt.Errorf("%s, then %w", CountText(solutions, solutions, true), why)
	}
	return why
}

// list finds solutions up to a limit, all for 0, and checks each. It fails with
// ErrNoSolution when there is none.
func (j Job) list(ctx context.Context, puzzle solvers.Puzzle, r *Result, search *Search, limit int) error {
	var wrong error
	yield := func(s solvers.Solution) bool {
		if err := s.Check(); err != nil {
			wrong = fmt.Errorf("the solver's solution does not pass the checker: %w\n%s", err, s)
			return false
		}
		search.Found.Add(1)
		r.add(s, j.All)
		return limit == 0 || r.Solutions < limit
	}
	var err error
	r.Stats, err = puzzle.Enumerate(ctx, solvers.EnumerateOptions{MaxMoves: j.Moves}, yield)
	switch {
	case wrong != nil:
		return wrong
	case errors.Is(err, solvers.ErrNoMoves):
		return cause.Inputf("--max-moves: the solutions of %s are no lists of moves", r.Game)
	}
	if err == nil && r.Solutions == 0 {
		err = noSolution(ctx, puzzle)
	}
	return err
}

// add takes in a solution. The first one is what is told; the texts of the others
// are kept when all are wanted.
func (r *Result) add(s solvers.Solution, all bool) {
	r.Solutions++
	if r.Solutions == 2 {
		r.Second = s
	}
	if r.Solutions == 1 {
		r.First = s
		r.Solution = s.String()
		if p, ok := s.(solvers.Pather); ok {
			r.Paths = p.Paths()
		}
		if m, ok := s.(solvers.Mover); ok {
			r.Moves = m.Moves()
		}
	}
	if all {
		r.Texts = append(r.Texts, s.String())
	}
}

// noSolution is ErrNoSolution, with the reason in words if the puzzle knows one.
func noSolution(ctx context.Context, puzzle solvers.Puzzle) error {
	if e, ok := puzzle.(solvers.Explainer); ok {
		if reason := e.Reason(); reason != "" {
			return &solvers.NoSolutionError{Reason: reason}
		}
		return solvers.ErrNoSolution
	}
	if _, err := puzzle.Solve(ctx); errors.Is(err, solvers.ErrNoSolution) {
		return err
	}
	return solvers.ErrNoSolution
}

// finish finds the next step when a hint is wanted, or one that must be made. Fill is the
// part of the solution that is drawn already; it fails where that is no solution of the
// puzzle.
func (j Job) finish(r *Result, puzzle solvers.Puzzle, fill string) error {
	if !j.Hint && !j.Why && !j.Explain {
		return nil
	}
	var drawn solvers.Solution
	if fill != "" {
		var err error
		if drawn, err = puzzle.ParseSolution(fill); err != nil {
			return err
		}
	}
	switch {
	case j.Hint:
		r.hint(puzzle, drawn)
	case j.Explain:
		r.explain(puzzle, drawn)
		grade, err := puzzle.Grade(context.Background()) // about a second at most
		if err != nil {
			return err
		}
		r.Grade = &grade
	default:
		adviser, ok := puzzle.(solvers.Adviser)
		if !ok {
			return cause.Inputf("--why: %s has no rules in words", r.Game)
		}
		r.Why = adviser.Advise(drawn, r.First)
	}
	r.Solution, r.Paths, r.Moves = "", nil, nil // they would tell more than was asked for
	return nil
}

// explain tells all steps that are not drawn, those first that a rule forces.
func (r *Result) explain(puzzle solvers.Puzzle, drawn solvers.Solution) {
	steps := r.First.Steps(drawn)
	var told []int
	for i, s := range steps {
		if s.Drawn {
			told = append(told, i)
		}
	}
	for len(told) < len(steps) {
		next, why := solvers.NextStep(puzzle, r.First, drawn, told)
		if next == len(steps) {
			return
		}
		r.Steps, told = append(r.Steps, hintOf(steps, next, why)), append(told, next)
	}
}

// hint tells a step that is not drawn, and why it must be made where a rule says so.
func (r *Result) hint(puzzle solvers.Puzzle, drawn solvers.Solution) {
	steps := r.First.Steps(drawn)
	next, why := solvers.NextStep(puzzle, r.First, drawn, nil)
	hint := hintOf(steps, next, why)
	r.Hint = &hint
}

// hintOf tells a step, which is none when it is their number, and why it must be made.
func hintOf(steps []solvers.Step, next int, why *solvers.Advice) Hint {
	hint := Hint{Step: next, Of: len(steps), Text: "nothing is missing"}
	if next < len(steps) {
		hint.Text, hint.Cells = steps[next].Text, steps[next].Cells
	}
	if why != nil {
		hint.Why = why.Because(hint.Text)
	}
	return hint
}
