package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/puzzles/solving"
	"tapwise/solvers/engine/sabr"
)

// sabrOptions are the flags of sabr.
type sabrOptions struct {
	solving.Listing
	stages  int
	exactly bool // exactly this number of stages, not at most this number
	timeout time.Duration
}

func (a *app) sabrCommand() *cobra.Command {
	var o sabrOptions
	command := &cobra.Command{
		Use:   "sabr [N] FILE.tb",
		Short: "solve a SABR program: a puzzle that is described, not programmed",
		Long: `Sabr compiles a SABR program to the constraint engine and prints its result with
the fewest stages, at most as many as --stages says. With a number N before the
file, as SABR's own compiler is called, the result has exactly N stages; a program
without steps always has one. It prints UNSATISFIABLE, and exits with code 3, when
there is no result; it exits with code 7 when that is not decided within --timeout.
On a terminal a search that takes longer than two seconds shows what it has so far.
docs/sabr.md shows how to describe a puzzle of your own.`,
		Example: `  tapwise sabr puzzle.tb
  tapwise sabr 8 crossing.tb             # exactly eight boards
  tapwise sabr --stages 30 crossing.tb   # the fewest, thirty at most`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				n, err := strconv.Atoi(args[0])
				switch {
				case err != nil || n < 1:
					return badInputf("sabr: %q before the file, expected a number of stages from 1", args[0])
				case cmd.Flags().Changed("stages"):
					return badInputf("sabr: both %s before the file, the exact number of stages, and --stages, the most: expected one of them", args[0])
				}
				o.stages, o.exactly = n, true
			}
			return a.sabr(cmd.Context(), args[len(args)-1], o)
		},
	}
	flags := command.Flags()
	flags.IntVar(&o.stages, "stages", 0, fmt.Sprintf("the most stages; the fewest that do are taken (default 1 without steps, %d with)", sabr.DefaultStages))
	flags.BoolVar(&o.Count, "count", false, "count the results with the fewest stages, up to --limit")
	flags.BoolVar(&o.All, "all", false, "print all results with the fewest stages, or as many as --limit")
	flags.IntVar(&o.Limit, "limit", 0, "most results to look for with --count (default 2) and --all (default no limit)")
	flags.DurationVar(&o.timeout, "timeout", 0, "most time, such as 10s")
	return command
}

// sabrLine is a result as JSON.
type sabrLine struct {
	File    string        `json:"file"`
	Status  string        `json:"status"` // solved, unsolvable
	Results int           `json:"results"`
	Output  string        `json:"output,omitempty"`
	Stages  int           `json:"stages,omitempty"`
	Cells   []string      `json:"cells,omitempty"`
	Boards  [][]string    `json:"boards,omitempty"`
	Steps   [][]sabr.Step `json:"steps,omitempty"`
	Stats   sabr.Stats    `json:"stats"`
	Error   string        `json:"error,omitempty"`
}

func (a *app) sabr(ctx context.Context, file string, o sabrOptions) error {
	if o.stages < 0 || o.Limit < 0 || o.timeout < 0 {
		return badInputf("sabr: --stages, --limit and --timeout expect positive values")
	}
	program, err := a.program(ctx, file)
	if err != nil {
		return err
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.timeout, outOfTime("%s: not decided within %v (--timeout)", file, o.timeout))
		defer cancel()
	}
	progress := solving.NewProgress(1, o.timeout)
	if o.Count || o.All {
		progress.Counted = "results"
	}
	end := a.line.During(progress.Text)
	results, stats, err := solving.Program(ctx, program, sabr.Options{Stages: o.stages, Exactly: o.exactly}, o.Most(), &progress.Searches[0])
	end()
	switch {
	case errors.Is(err, sabr.ErrUnsatisfiable):
		return a.printUnsatisfiable(file, stats, err)
	case err != nil:
		return err
	}
	for i, r := range results {
		if err := solving.CheckProgram(ctx, program, r); err != nil {
			return err
		}
		if i > 0 && !o.All {
			break
		}
		if err := a.printResult(file, r, len(results), stats, o); err != nil {
			return err
		}
	}
	return nil
}

// program reads a SABR program.
func (a *app) program(ctx context.Context, file string) (*sabr.Program, error) {
	data, err := a.readInput(ctx, file)
	if err != nil {
		return nil, err
	}
	program, err := sabr.Parse(file, puzzlefile.Text(data))
	if err != nil {
		return nil, badInput(err)
	}
	for _, warning := range program.Warnings() {
		a.log.Warn(warning.Error())
	}
	return program, nil
}

func (a *app) printUnsatisfiable(file string, stats sabr.Stats, err error) error {
	if a.json {
		if err := a.printJSON(sabrLine{File: file, Status: "unsolvable", Stats: stats, Error: wording.Of(err)}); err != nil {
			return err
		}
		return codeError(exitNoSolution)
	}
	// The reference implementation prints it without a line end.
	text := sabr.Unsatisfiable
	if isTerminal(a.out) {
		text += "\n"
	}
	if _, err := io.WriteString(a.out, text); err != nil {
		return err
	}
	return codeError(exitNoSolution)
}

func (a *app) printResult(file string, r *sabr.Result, results int, stats sabr.Stats, o sabrOptions) error {
	var err error
	switch {
	case a.json:
		err = a.printJSON(sabrLine{File: file, Status: "solved", Results: results, Output: r.String(), Stages: r.Stages(),
			Cells: r.Cells, Boards: r.Boards, Steps: r.Steps, Stats: stats})
	case o.Count && !o.All:
		text := strings.Replace(solving.CountText(results, o.Limit, false), "solution", "result", 1)
		_, err = fmt.Fprintf(a.out, "%s; stages: %d\n", text, r.Stages())
	default:
		_, err = fmt.Fprint(a.out, r)
	}
	return err
}
