package generating

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"tapwise/cmd/internal/console/cause"
	"tapwise/solvers"
)

// Order says which puzzles to make.
type Order struct {
	Game    solvers.Game
	Options solvers.GenerateOptions
	Count   int    // of the puzzles wanted, at least 1
	Grade   string // of difficulty, one of [Grades]; empty: any
	Seed    uint64
	Timeout time.Duration // the most time for one puzzle; 0: any
}

// Made is a new puzzle.
type Made struct {
	Puzzle solvers.Puzzle
	Grade  solvers.Grade
}

// thirds are the grades of a game that has none of its own: which third of the
// puzzles made is kept, sorted by their grades.
func thirds() []string { return []string{"easy", "medium", "hard"} }

// Grades are the names of a game's grades of difficulty, the easiest first.
func Grades(game solvers.Game) []string {
	if grader, ok := game.(solvers.Grader); ok {
		return grader.Grades()
	}
	return thirds()
}

// third is the index of the third to keep, -1 to keep all.
func (o Order) third() int {
	if _, ok := o.Game.(solvers.Grader); ok {
		return -1
	}
	return slices.Index(thirds(), o.Grade)
}

// Total is the number of puzzles that have to be made for the order: three times
// those wanted when only a third is kept.
func (o Order) Total() int {
	if o.third() >= 0 {
		return 3 * o.Count
	}
	return o.Count
}

// options are those for the generator, to which a game's own grade is part of
// the variant.
func (o Order) options() solvers.GenerateOptions {
	options := o.Options
	switch {
	case o.Grade == "" || o.third() >= 0:
	case options.Variant != "":
		options.Variant += "-" + o.Grade
	default:
		options.Variant = o.Grade
	}
	return options
}

// Make makes the puzzles and returns them from the easiest to the hardest. Progress is called
// after each that is made. If the generator refuses the options (a [cause.InputError]), the
// solver fails or the context ends, the puzzles made until then come with the error.
func (o Order) Make(ctx context.Context, progress func()) ([]Made, error) {
	var puzzles []Made
	for i := range o.Total() {
		m, err := o.Nth(ctx, i)
		if err != nil {
			return o.Choose(puzzles), err
		}
		puzzles = append(puzzles, m)
		progress()
	}
	return o.Choose(puzzles), nil
}

// Choose sorts puzzles that were made for the order by their grades, and returns those
// that are wanted.
func (o Order) Choose(puzzles []Made) []Made {
	slices.SortStableFunc(puzzles, func(x, y Made) int { return x.Grade.Compare(y.Grade) })
	if third := o.third(); third >= 0 {
		size := (len(puzzles) + 2) / 3
		first := min(third*size, len(puzzles))
		puzzles = puzzles[first:min(first+size, len(puzzles))]
	}
	return puzzles
}

// Nth makes the puzzle with that index, from 0, of those that are made for the order; it
// needs none of the others. It fails as Make does.
func (o Order) Nth(ctx context.Context, i int) (Made, error) {
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.Timeout, cause.Timef("%s: no such puzzle was made within %v (--timeout): ask for a smaller board, or for less of it", o.Game.Name(), o.Timeout))
		defer cancel()
	}
	p, err := o.Game.Generate(ctx, o.options(), rand.New(rand.NewPCG(o.Seed, uint64(i))))
	if err != nil {
		if ctx.Err() != nil {
			return Made{}, context.Cause(ctx)
		}
		return Made{}, cause.Input(err)
	}
	grade, err := p.Grade(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return Made{p, grade}, err
}
