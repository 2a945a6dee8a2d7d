package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/usage"
	"tapwise/cmd/internal/puzzles/generating"
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
	timeout time.Duration
	fleet   string // the hub's address; empty makes them here
}

func (a *app) generateCommand() *cobra.Command {
	var o generateOptions
	command := &cobra.Command{
		Use:   "generate --game GAME",
		Short: "make new puzzles",
		Long: `Generate makes puzzles, the same ones for the same options and seed, and prints
them from the easiest to the hardest, each after a comment that says how hard it
is: the hardest kind of reason that a step needs, from 1 to 5, and how often, as
docs/difficulty.md explains. An interrupt prints what was made so far, and so does a puzzle that is not made within
--timeout, with exit code 7: not everything that can be asked for exists. On a terminal
it shows after two seconds what it is at.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.generate(cmd.Context(), o) },
	}
	flags := command.Flags()
	flags.IntVar(&o.count, "count", 1, "how many puzzles")
	flags.StringVar(&o.size, "size", "", "columns and rows, as `WxH` or N (default: the game's usual size)")
	flags.Uint64Var(&o.seed, "seed", 1, "what chance starts from")
	flags.BoolVar(&o.unique, "unique", true, "exactly one solution")
	flags.IntVar(&o.colours, "colours", 0, "the most colours wanted (0: any)")
	flags.StringVar(&o.grade, "difficulty", "", "easy, medium or hard, by the reasons that steps need; "+generating.GradeHelp())
	flags.StringVar(&o.variant, "variant", "", "a variant of the game: "+generating.VariantHelp())
	flags.DurationVar(&o.timeout, "timeout", usualGenerating, "most time for one puzzle that is made here; 0: any")
	flags.StringVar(&o.fleet, "fleet", "", "make them on the cores of the workers of the hub at that `URL`")
	return command
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
	if options.Cols, options.Rows, err = generating.ParseSize(o.size); err != nil {
		return err
	}
	if o.grade != "" {
		if err := usage.OneOf("generate: --difficulty", o.grade, generating.Grades(game)); err != nil {
			return err
		}
	}
	if o.timeout < 0 {
		return badInputf("generate: --timeout is %v, expected a time, or 0 for any", o.timeout)
	}
	order := generating.Order{Game: game, Options: options, Count: o.count, Grade: o.grade, Seed: o.seed, Timeout: o.timeout}
	puzzles, err := a.makePuzzles(ctx, order, o.fleet)
	for i, m := range puzzles {
		if err := a.printMade(game, i, m, o.grade); err != nil {
			return err
		}
	}
	return err
}

// usualGenerating bounds the making of one puzzle: the largest boards with one solution
// take a minute or two.
const usualGenerating = 10 * time.Minute

// makePuzzles makes puzzles, here or by the fleet of a hub, and shows on a terminal what it
// is at.
func (a *app) makePuzzles(ctx context.Context, order generating.Order, url string) ([]generating.Made, error) {
	var done atomic.Int64
	defer a.line.During(func(spent time.Duration) string {
		text := fmt.Sprintf("%v: %d of %d puzzles made", spent.Round(time.Second), done.Load(), order.Total())
		if order.Timeout > 0 && url == "" {
			text += fmt.Sprintf(" (--timeout %v for each)", order.Timeout)
		}
		return text
	})()
	return a.fleet().Make(ctx, url, order, func() { done.Add(1) })
}

func (a *app) printMade(game solvers.Game, index int, m generating.Made, grade string) error {
	if a.json {
		return a.printJSON(struct {
			Game       string        `json:"game"`
			Index      int           `json:"index"`
			Puzzle     string        `json:"puzzle"`
			Difficulty string        `json:"difficulty,omitempty"` // the one asked for
			Grade      solvers.Grade `json:"grade"`
		}{game.Name(), index, m.Puzzle.String(), grade, m.Grade})
	}
	gap := "\n"
	if index == 0 {
		gap = ""
	}
	if grade != "" {
		grade = " (" + grade + ")"
	}
	_, err := fmt.Fprintf(a.out, "%s# difficulty %s%s\n%s\n", gap, m.Grade, grade, m.Puzzle)
	return err
}
