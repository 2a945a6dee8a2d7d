package solving

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/sabr"
)

// program solves a SABR program that stands among puzzles.
func (j Job) program(ctx context.Context, in puzzlefile.Puzzle, search *Search) Result {
	r := Result{File: in.File, Game: "sabr"}
	if j.Count || j.All {
		return r.failed(Failed, cause.Inputf("%s: --count and --all of a SABR program are flags of `tapwise sabr`", in.File))
	}
	if j.Hint || j.Drawn {
		return r.failed(Failed, cause.Inputf("%s: --hint and --picture are for puzzles, not for SABR programs", in.File))
	}
	program, err := sabr.Parse(in.File, in.Text)
	if err != nil {
		return r.failed(Failed, cause.Input(err))
	}
	ctx, cancel := j.bounded(ctx)
	defer cancel()
	result, err := program.Solve(ctx, sabr.Options{Progress: search.stage})
	r.Searching = search.Effort.Searching()
	switch {
	case ctx.Err() != nil:
		return r.failed(Timeout, j.stopped(ctx, 0))
	case errors.Is(err, solvers.ErrNoSolution):
		return r.failed(Unsolvable, err)
	case err != nil:
		return r.failed(Failed, cause.Input(err)) // it is too large
	}
	r.Status, r.Solutions, r.Stats = Solved, 1, result.Stats.Stats
	r.Solution = strings.TrimSuffix(result.String(), "\n")
	return r
}

// stage notes the number of stages that a program is tried with.
func (s *Search) stage(stages int) { s.Stages.Store(int64(stages)) }

// Program finds the results of a SABR program with the fewest stages, or with
// exactly the number that options ask for. Most bounds their number; 0 is all
// there are. The results are unchecked ([CheckProgram]). It fails with
// [sabr.ErrUnsatisfiable] when there is none, with the cause of the context's
// end, and with a [cause.InputError] when the program is too large.
func Program(ctx context.Context, program *sabr.Program, options sabr.Options, most int, search *Search) ([]*sabr.Result, sabr.Stats, error) {
	options.Progress = search.stage
	var results []*sabr.Result
	stats, err := program.Enumerate(csp.WithEffort(ctx, &search.Effort), options, func(r *sabr.Result) bool {
		results = append(results, r)
		search.Found.Add(1)
		return most == 0 || len(results) < most
	})
	switch {
	case err == nil:
		return results, stats, nil
	case errors.Is(err, sabr.ErrUnsatisfiable):
		return nil, stats, err
	case ctx.Err() != nil:
		return nil, stats, context.Cause(ctx)
	}
	return nil, stats, cause.Input(err)
}

// CheckProgram checks a result with code that shares nothing with the compiler. If the context
// ends first, it fails with the cause of that.
func CheckProgram(ctx context.Context, program *sabr.Program, r *sabr.Result) error {
	err := program.CheckContext(ctx, r.String())
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("the result does not pass the checker: %w\n%s", err, r)
}
