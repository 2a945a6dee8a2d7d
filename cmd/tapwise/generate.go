package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"tapwise/solvers"
)

// generateOptions are the flags of generate.
type generateOptions struct {
	count   int
	size    string
	seed    uint64
	unique  bool
	colours int
	variant string
	grade   string
}

func (a *app) generateCommand() *cobra.Command {
	var o generateOptions
	command := &cobra.Command{
		Use:   "generate --game GAME",
		Short: "make new puzzles",
		Long: `Generate makes puzzles, the same ones for the same options and seed, and prints
them from the easiest to the hardest, each after a comment that says how hard it
is. Difficulty is a number that grows with the effort of solving: for asteroid the
fewest moves, for the others the dead ends of a search that proves that there is
no second solution, and a thousandth for each of its decisions. An interrupt
prints what was made so far.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.generate(cmd.Context(), o) },
	}
	flags := command.Flags()
	flags.IntVar(&o.count, "count", 1, "how many puzzles")
	flags.StringVar(&o.size, "size", "", "columns and rows, as `WxH` or N (default: the game's usual size)")
	flags.Uint64Var(&o.seed, "seed", 1, "what chance starts from")
	flags.BoolVar(&o.unique, "unique", true, "exactly one solution")
	flags.IntVar(&o.colours, "colours", 0, "the most colours wanted (0: any)")
	flags.StringVar(&o.grade, "difficulty", "", "easy, medium or hard, by the effort that solving takes; for algemy thin, medium or bold, for asteroid starter, junior, expert, master or wizard")
	flags.StringVar(&o.variant, "variant", "", "a variant of the game, such as bridges, hex, warp or winding for flow, and holes for alcazar")
	return command
}

// made is one new puzzle and the effort that solving it took.
type made struct {
	puzzle solvers.Puzzle
	effort float64
}

func (a *app) generate(ctx context.Context, o generateOptions) error {
	game, err := a.game()
	if err != nil {
		return err
	}
	if game == nil {
		return badInputf("generate: say which game with --game")
	}
	if o.count < 1 || o.colours < 0 {
		return badInputf("generate: --count is %d and --colours %d, expected at least 1 and 0", o.count, o.colours)
	}
	options := solvers.GenerateOptions{Unique: o.unique, Colours: o.colours, Variant: o.variant}
	if options.Cols, options.Rows, err = parseSize(o.size); err != nil {
		return err
	}
	third, err := grade(game, o.grade, &options)
	if err != nil {
		return err
	}
	total := o.count
	if third != wholePool {
		total *= 3 // of which one third is kept
	}
	puzzles, err := a.makePuzzles(ctx, game, options, total, o.seed)
	if err != nil && len(puzzles) == 0 {
		return err
	}
	slices.SortStableFunc(puzzles, func(x, y made) int { return cmp.Compare(x.effort, y.effort) })
	if third != wholePool {
		size := (len(puzzles) + 2) / 3
		first := min(int(third)*size, len(puzzles))
		puzzles = puzzles[first:min(first+size, len(puzzles))]
	}
	for i, m := range puzzles {
		if err := a.printMade(game, i, m, o.grade); err != nil {
			return err
		}
	}
	return err
}

// makePuzzles makes puzzles until there are enough, one fails or the context
// ends; what was made until then comes with the error.
func (a *app) makePuzzles(ctx context.Context, game solvers.Game, options solvers.GenerateOptions, total int, seed uint64) ([]made, error) {
	var bar *progressbar.ProgressBar
	if a.terminal() {
		bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(raw(a.err)), progressbar.OptionSetDescription("puzzles"),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		defer func() { _ = bar.Finish() }() // progress is a courtesy, here and below
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var puzzles []made
	for len(puzzles) < total {
		p, err := game.Generate(ctx, options, random)
		if err != nil {
			if ctx.Err() != nil {
				return puzzles, context.Cause(ctx)
			}
			return puzzles, badInput(err)
		}
		m := made{puzzle: p}
		if m.effort, err = effort(ctx, p); err != nil {
			return puzzles, err
		}
		puzzles = append(puzzles, m)
		if bar != nil {
			_ = bar.Add(1)
		}
	}
	return puzzles, nil
}

// pool is which part of the puzzles made is kept, by their effort.
type pool int

const (
	easyThird pool = iota
	mediumThird
	hardThird
	wholePool
)

// grade sets the options for a difficulty, or says which third to keep where
// the game has no grades of its own.
func grade(game solvers.Game, name string, options *solvers.GenerateOptions) (pool, error) {
	if name == "" {
		return wholePool, nil
	}
	names := []string{"easy", "medium", "hard"}
	grader, ok := game.(solvers.Grader)
	if ok {
		names = grader.Grades()
	}
	if err := oneOf("generate: --difficulty", name, names); err != nil {
		return 0, err
	}
	if !ok {
		return pool(slices.Index(names, name)), nil
	}
	if options.Variant != "" {
		name = options.Variant + "-" + name
	}
	options.Variant = name
	return wholePool, nil
}

// effort is how hard a puzzle is: its own measure, or how many dead ends and
// decisions proving that it has no second solution takes.
func effort(ctx context.Context, p solvers.Puzzle) (float64, error) {
	if r, ok := p.(solvers.Rater); ok {
		return r.Effort(ctx)
	}
	n := 0
	stats, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(solvers.Solution) bool { n++; return n < 2 })
	if err == nil && n == 0 {
		err = errors.New("the generated puzzle has no solution")
	}
	return float64(stats.Conflicts) + float64(stats.Nodes)/1e3, err
}

func (a *app) printMade(game solvers.Game, index int, m made, grade string) error {
	if a.json {
		return a.printJSON(struct {
			Game       string  `json:"game"`
			Index      int     `json:"index"`
			Puzzle     string  `json:"puzzle"`
			Difficulty string  `json:"difficulty,omitempty"` // the one asked for
			Effort     float64 `json:"effort"`
		}{game.Name(), index, m.puzzle.String(), grade, m.effort})
	}
	gap := "\n"
	if index == 0 {
		gap = ""
	}
	if grade != "" {
		grade = " (" + grade + ")"
	}
	_, err := fmt.Fprintf(a.out, "%s# difficulty %s%s\n%s\n", gap, strconv.FormatFloat(math.Round(m.effort*1e3)/1e3, 'f', -1, 64), grade, m.puzzle)
	return err
}

// parseSize reads WxH or N; empty is 0 and 0.
func parseSize(text string) (cols, rows int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	width, height, two := strings.Cut(text, "x")
	if !two {
		height = width
	}
	cols, err = strconv.Atoi(width)
	if err == nil {
		rows, err = strconv.Atoi(height)
	}
	if err != nil || cols < 1 || rows < 1 {
		return 0, 0, badInputf("size %q, expected columns and rows as WxH or N", text)
	}
	return cols, rows, nil
}
