package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
}

func (a *app) generateCommand() *cobra.Command {
	var o generateOptions
	command := &cobra.Command{
		Use:   "generate --game GAME",
		Short: "make new puzzles",
		Long: `Generate makes puzzles, the same ones for the same options and seed, and prints
them from the easiest to the hardest, by the effort that solving them took. An
interrupt prints what was made so far.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.generate(cmd.Context(), o) },
	}
	flags := command.Flags()
	flags.IntVar(&o.count, "count", 1, "how many puzzles")
	flags.StringVar(&o.size, "size", "", "columns and rows, as `WxH` or N (default: the game's usual size)")
	flags.Uint64Var(&o.seed, "seed", 1, "what chance starts from")
	flags.BoolVar(&o.unique, "unique", true, "exactly one solution")
	flags.IntVar(&o.colours, "colours", 0, "the most colours wanted (0: any)")
	flags.StringVar(&o.variant, "variant", "", "a variant of the game, such as hex or warp for flow")
	return command
}

// made is one new puzzle and the effort that solving it took.
type made struct {
	puzzle solvers.Puzzle
	effort solvers.Stats
}

func (a *app) generate(ctx context.Context, o generateOptions) error {
	game, err := a.game()
	if err != nil {
		return err
	}
	if game == nil {
		return badInputf("generate: say which game with --game")
	}
	generator, ok := game.(solvers.Generator)
	if !ok {
		return badInputf("generate: %s has no generator", game.Name())
	}
	if o.count < 1 || o.colours < 0 {
		return badInputf("generate: --count is %d and --colours %d, expected at least 1 and 0", o.count, o.colours)
	}
	options := solvers.GenerateOptions{Unique: o.unique, Colours: o.colours, Variant: o.variant}
	if options.Cols, options.Rows, err = parseSize(o.size); err != nil {
		return err
	}
	var bar *progressbar.ProgressBar
	if a.terminal() {
		bar = progressbar.NewOptions(o.count, progressbar.OptionSetWriter(a.err), progressbar.OptionSetDescription("puzzles"),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	var puzzles []made
	for len(puzzles) < o.count {
		p, err := generator.Generate(ctx, options, random)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return badInput(err)
		}
		m := made{puzzle: p}
		if m.effort, err = effort(ctx, p); err != nil {
			break
		}
		puzzles = append(puzzles, m)
		if bar != nil {
			_ = bar.Add(1) // progress is a courtesy
		}
	}
	slices.SortStableFunc(puzzles, func(x, y made) int {
		return cmp.Or(cmp.Compare(x.effort.Conflicts, y.effort.Conflicts), cmp.Compare(x.effort.Nodes, y.effort.Nodes))
	})
	for i, m := range puzzles {
		if err := a.printMade(game, i, m); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// effort is what proving that a puzzle has no second solution takes.
func effort(ctx context.Context, p solvers.Puzzle) (solvers.Stats, error) {
	list, ok := p.(solvers.Enumerator)
	if !ok {
		return solvers.Stats{}, nil
	}
	n := 0
	stats, err := list.Enumerate(ctx, func(solvers.Solution) bool { n++; return n < 2 })
	if err == nil && n == 0 {
		err = errors.New("the generated puzzle has no solution")
	}
	return stats, err
}

func (a *app) printMade(game solvers.Game, index int, m made) error {
	if a.json {
		return a.printJSON(struct {
			Game   string        `json:"game"`
			Index  int           `json:"index"`
			Puzzle string        `json:"puzzle"`
			Effort solvers.Stats `json:"effort"`
		}{game.Name(), index, m.puzzle.String(), m.effort})
	}
	gap := "\n"
	if index == 0 {
		gap = ""
	}
	_, err := fmt.Fprintf(a.out, "%s%s\n", gap, m.puzzle)
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
