package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

func (a *app) checkCommand() *cobra.Command {
	var cover bool
	command := &cobra.Command{
		Use:   "check PUZZLE SOLUTION",
		Short: "check a solution with code that the solver does not share",
		Long: `Check tests every rule of the game on a solution, with code that the solver
does not share. PUZZLE and SOLUTION are files in the game's notation ("-" is
standard input); with several puzzles in PUZZLE, SOLUTION holds as many
solutions. Exit code 2 says that a solution breaks a rule.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args[0], args[1], solvers.Levels{Uncovered: !cover})
		},
	}
	command.Flags().BoolVar(&cover, "cover", true, all.With("Coverer")+": every cell must be covered")
	return command
}

// verdict is what check says of one solution.
type verdict struct {
	File   string `json:"file"`
	Index  int    `json:"index"`
	Game   string `json:"game"`
	Status string `json:"status"` // right, wrong
	Rule   string `json:"rule,omitempty"`
	Error  string `json:"error,omitempty"`
}

func (a *app) check(ctx context.Context, puzzleFile, solutionFile string, levels solvers.Levels) error {
	game, err := a.game()
	if err != nil {
		return err
	}
	if puzzleFile == "-" && solutionFile == "-" {
		return badInputf("check: standard input cannot be both the puzzle and the solution")
	}
	puzzles, err := a.inputs(ctx, []string{puzzleFile}, game)
	if err != nil {
		return err
	}
	data, err := a.readInput(ctx, solutionFile)
	if err != nil {
		return err
	}
	solutions := []puzzlefile.Puzzle{{Text: puzzlefile.WithoutComments(data), Line: 1}}
	if len(puzzles) > 1 {
		solutions = puzzlefile.Split(solutionFile, data, game)
	}
	if len(solutions) != len(puzzles) {
		return badInputf("%s: %d solutions, %s has %d puzzles", solutionFile, len(solutions), puzzleFile, len(puzzles))
	}
	wrong := 0
	for i, in := range puzzles {
		g, puzzle, err := puzzlefile.Parse(in.Text, game)
		if err != nil {
			return badInputf("%s: puzzle at line %d: %w", in.File, in.Line, err)
		}
		if puzzle, err = levels.Of(g, puzzle); err != nil {
			return badInputf("check: --cover=false: %w", err)
		}
		solution, err := puzzlefile.ParseSolution(puzzle, solutions[i].Text)
		if err != nil {
			return badInputf("%s: solution at line %d: %w", solutionFile, solutions[i].Line, err)
		}
		v := verdict{File: in.File, Index: in.Index, Game: g.Name(), Status: "right"}
		if err := solution.Check(); err != nil {
			wrong++
			v.Status, v.Error = "wrong", wording.Of(err)
			var rule *solvers.RuleError
			if errors.As(err, &rule) {
				v.Rule = rule.Rule
			}
		}
		if err := a.printVerdict(in, v); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return codeError(exitUsage)
	}
	return nil
}

func (a *app) printVerdict(in puzzlefile.Puzzle, v verdict) error {
	if a.json {
		return a.printJSON(v)
	}
	text := v.Status
	if v.Error != "" {
		text += ": " + v.Error
	}
	_, err := fmt.Fprintf(a.out, "%s: %s\n", in.Name(), text)
	return err
}
