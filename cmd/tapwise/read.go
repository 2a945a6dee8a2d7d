package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/show/reading"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

func (a *app) readCommand() *cobra.Command {
	var o readOptions
	command := &cobra.Command{
		Use:   "read IMAGE…",
		Short: "read the board in pictures",
		Long: `Read prints the board that a picture shows, in the game's notation. A board that
it is not sure of is refused, with the reason and exit code 4: a wrong board is
worse than none. As a check the board is solved; one without a solution is
refused too. One with several, where the game's levels have one, is printed with
a warning when it was seen clearly, and refused otherwise.

With --observation it prints instead what was seen, as text, for the game asked
for or found out. Read takes such a text in place of a picture, with --game.

With --explain it also shows, one a line, what each way of looking for the board
found and what that lacked, for the likeliest game and for the one of --game;
--explain-pictures draws each.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.read(cmd.Context(), args, o) },
	}
	command.Flags().BoolVar(&o.observation, "observation", false, "print what was seen instead of the board")
	command.Flags().StringVar(&o.keep, "keep", "", "keep what was seen, and what the game makes of it, in `FILE` as its tests compare it; a folder when there are several pictures")
	command.Flags().StringVar(&o.overlay, "overlay", "", "draw what was seen over the picture into `OUT.png`; a folder when there are several pictures")
	command.Flags().BoolVar(&o.explain, "explain", false, "show what each way of looking for the board found, and what that lacked")
	command.Flags().StringVar(&o.pictures, "explain-pictures", "", "draw what each way of looking found into the folder `DIR`, and do what --explain does")
	return command
}

// readOptions are read's flags.
type readOptions struct {
	overlay     string
	keep        string // the file or folder for kept observations; empty keeps none
	observation bool
	explain     bool
	pictures    string // the folder for pictures of what was found; empty draws none
}

// readResult is what read prints of one picture.
type readResult struct {
	File       string  `json:"file"`
	Game       string  `json:"game,omitempty"`
	Status     string  `json:"status"` // read, refused
	Board      string  `json:"board,omitempty"`
	Fill       string  `json:"fill,omitempty"`
	Rows       int     `json:"rows,omitempty"`
	Cols       int     `json:"cols,omitempty"`
	Confidence float64 `json:"confidence"`
	Seconds    float64 `json:"seconds"`
	Solutions  int     `json:"solutions,omitempty"` // 2 or more; only with a warning
	Warning    string  `json:"warning,omitempty"`
	Error      string  `json:"error,omitempty"`
	// Explained are the boards that may be on the picture, with --explain.
	Explained []explainedBoard `json:"explained,omitempty"`
}

func (a *app) read(ctx context.Context, files []string, o readOptions) error {
	game, err := a.game()
	if err != nil {
		return err
	}
	var pictures []string
	for _, file := range files {
		found, err := puzzlefile.Files(file)
		if err != nil {
			return err
		}
		pictures = append(pictures, found...)
	}
	several := len(pictures) > 1
	for _, folder := range []string{o.overlay, o.keep} {
		if folder != "" && several {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return badInput(err)
			}
		}
	}
	var worst error
	for _, file := range pictures {
		refused, err := a.readFile(ctx, file, game, several, o)
		if err != nil {
			return err
		}
		worst = worse(worst, refused)
	}
	if worst != nil {
		return codeError(exitCode(worst))
	}
	return nil
}

// readFile reads one picture and prints, draws and keeps what is asked for. A board that
// was refused is told apart from what ends the command.
func (a *app) readFile(ctx context.Context, file string, game solvers.Game, several bool, o readOptions) (refused, err error) {
	data, err := a.readInput(ctx, file)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	r, refused := reading.Read(ctx, a.opener().Reader(), data, game)
	took := time.Since(began)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if o.observation && r.Seen != nil {
		if _, err := fmt.Fprint(a.out, r.Seen); err != nil {
			return nil, err
		}
		return nil, keepReading(r, refused, file, several, o)
	}
	explained, err := a.explain(ctx, file, data, r, o)
	if err == nil {
		err = a.printReading(file, r, explained, refused, took, several)
	}
	if err != nil {
		return nil, err
	}
	return refused, keepReading(r, refused, file, several, o)
}

// keepReading writes the observation and the overlay of a reading, where asked for.
func keepReading(r reading.Reading, refused error, file string, several bool, o readOptions) error {
	if o.keep != "" && r.Seen != nil && r.Game != nil {
		if err := wholefile.Write(outputFor(o.keep, file, ".txt", several), []byte(solvers.Kept(r.Game, r.Seen))); err != nil {
			return badInput(err)
		}
	}
	if o.overlay != "" && r.Seen != nil && r.Frame != nil {
		return r.Draw(outputFor(o.overlay, file, ".png", several), refused)
	}
	return nil
}

// outputFor is the file that something made of a picture goes to: the one that was
// named or, of several pictures, one in the folder of that name.
func outputFor(named, picture, ending string, several bool) string {
	if !several {
		return named
	}
	base := filepath.Base(picture)
	return filepath.Join(named, strings.TrimSuffix(base, filepath.Ext(base))+ending)
}

// explanation is what became of each board that may be on a picture, for one game.
type explanation struct {
	game     solvers.Game
	accounts []recognise.Account
}

// explain tells what became of each board that may be on a picture, where the options ask
// for it: for the game asked for, and for the likeliest where that is another. It is drawn,
// too, if asked for.
func (a *app) explain(ctx context.Context, file string, data []byte, r reading.Reading, o readOptions) ([]explanation, error) {
	if !o.explain && o.pictures == "" || r.Frame == nil {
		return nil, nil
	}
	readings := []reading.Reading{r}
	if a.settings.Game != "" {
		likeliest, _ := reading.Read(ctx, a.opener().Reader(), data, nil) // why it is refused is what is explained
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if likeliest.Game != nil && likeliest.Game.Name() != a.settings.Game {
			readings = append(readings, likeliest)
		}
	}
	var all []explanation
	for i, r := range readings {
		accounts, err := r.Explain(ctx, a.opener().Reader())
		name := file
		if i > 0 {
			name = strings.TrimSuffix(file, filepath.Ext(file)) + "-" + r.Game.Name() + ".png"
		}
		if err == nil && o.pictures != "" {
			err = r.DrawAccounts(o.pictures, name, accounts)
		}
		if err != nil {
			return all, err
		}
		all = append(all, explanation{r.Game, accounts})
	}
	return all, nil
}

func (a *app) printReading(file string, r reading.Reading, explanations []explanation, failure error, took time.Duration, several bool) error {
	result := readResult{File: file, Status: "read", Seconds: took.Seconds()}
	if r.Game != nil {
		result.Game = r.Game.Name()
	}
	if r.Seen != nil {
		result.Confidence = r.Seen.Confidence
	}
	if failure != nil {
		result.Status, result.Error = "refused", wording.Of(failure)
	} else {
		result.Board = r.Puzzle.String()
		result.Rows, result.Cols = r.Seen.Layout.Rows, r.Seen.Layout.Cols
		result.Fill = a.fill(file, r)
		result.Warning = reading.Warning(r.Several, r.Uncovered)
		if r.Several && !r.Uncovered {
			result.Solutions = 2
		}
	}
	result.Explained = explained(explanations)
	if a.json {
		return a.printJSON(result)
	}
	if explanations != nil {
		defer a.printExplanations(file, explanations, failure)
	}
	if failure != nil {
		fmt.Fprintf(a.err, "tapwise: %s: refused: %s\n", file, wording.Of(failure))
		a.printBeside(failure)
		return nil
	}
	if several {
		fmt.Fprintf(a.out, "# %s\n", file)
	}
	fmt.Fprintln(a.out, result.Board)
	if several {
		fmt.Fprintln(a.out)
	}
	if result.Warning != "" {
		fmt.Fprintf(a.err, "tapwise: %s: warning: %s\n", file, result.Warning)
	}
	return nil
}

// fill returns what is drawn already of a puzzle that was read.
func (a *app) fill(file string, r reading.Reading) string {
	fill, err := r.Fill()
	if err != nil {
		a.log.Warn("the fill could not be read", "file", file, "error", err)
	}
	return fill
}

// explainedBoard is what read --explain --json prints of one board that may be on a
// picture, or of one way to look for a board.
type explainedBoard struct {
	Game       string  `json:"game"`
	Finder     string  `json:"finder"`
	Rows       int     `json:"rows,omitempty"`
	Cols       int     `json:"cols,omitempty"`
	Confidence float64 `json:"confidence"`
	Read       bool    `json:"read"`
	Account    string  `json:"account"`
}

// explained are the accounts for JSON.
func explained(explanations []explanation) []explainedBoard {
	var all []explainedBoard
	for _, e := range explanations {
		for _, account := range e.accounts {
			l := account.Seen.Layout
			all = append(all, explainedBoard{e.game.Name(), account.Finder, l.Rows, l.Cols, account.Seen.Confidence, account.Read(), account.String()})
		}
	}
	return all
}

// placeable reports whether a statement of where the board lies may help: it was not seen
// clearly, or may be told by its cells as well. Only boards of squares can be stated.
func (e explanation) placeable() bool {
	spec := e.game.Spec()
	clear := slices.ContainsFunc(e.accounts, func(account recognise.Account) bool {
		return account.Seen.Layout.Rows > 0 && account.Seen.Confidence >= fit.SureBoard && len(account.Seen.Doubts) == 0
	})
	return e.game.About().ReadsSigns || !clear && slices.Contains(spec.Topologies, screen.Square)
}

// printExplanations prints a line for each account, and what to do where no board is read.
func (a *app) printExplanations(file string, explanations []explanation, failure error) {
	for i, e := range explanations {
		likeliest := ""
		if i > 0 {
			likeliest = ", the likeliest game"
		}
		fmt.Fprintf(a.err, "tapwise: %s: what each way of looking found, for %s%s:\n", file, e.game.Name(), likeliest)
		for _, account := range e.accounts {
			fmt.Fprintf(a.err, "  %s\n", account)
		}
	}
	if failure != nil && slices.ContainsFunc(explanations, explanation.placeable) {
		fmt.Fprintf(a.err, "tapwise: hint: when a board is to be seen all the same, 'tapwise calibrate %s' with --board, --rows and --cols tells the eyes where it is\n", file)
	}
}
