package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/overlay"
	"tapwise/cmd/internal/puzzlefile"
	"tapwise/cmd/internal/recognise"
	"tapwise/cmd/internal/wholefile"
	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
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

With --explain it also tells, in a line each, what every way of looking for the board
found and what that lacked; --explain-pictures draws each.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.read(cmd.Context(), args, o) },
	}
	command.Flags().BoolVar(&o.observation, "observation", false, "print what was seen instead of the board")
	command.Flags().StringVar(&o.overlay, "overlay", "", "draw what was seen over the picture into `OUT.png`; a folder when there are several pictures")
	command.Flags().BoolVar(&o.explain, "explain", false, "tell what each way of looking for the board found, and what that lacked")
	command.Flags().StringVar(&o.pictures, "explain-pictures", "", "draw what each way of looking found into the folder `DIR`, and tell as --explain does")
	return command
}

// readOptions are read's flags.
type readOptions struct {
	overlay     string
	observation bool
	explain     bool
	pictures    string // the folder for pictures of what was found; empty draws none
}

// reading is what was made of a picture.
type reading struct {
	frame     *image.RGBA
	seen      *screen.Observation
	game      solvers.Game
	puzzle    solvers.Puzzle
	solution  solvers.Solution
	several   bool                // there are more solutions, though the game's levels have one
	uncovered bool                // moreover, none of them covers every cell
	accounts  []recognise.Account // with --explain
}

// readingOf returns the reading of a frame; nil is an observation's.
func readingOf(frame *image.RGBA, s recognise.Sight) reading {
	return reading{frame: frame, seen: s.Seen, game: s.Game, puzzle: s.Puzzle, solution: s.Solution, several: s.Several, uncovered: s.Uncovered}
}

// severalWarning is the warning about a board that has several solutions.
const severalWarning = "the board has more than one solution, the game's levels have exactly one: look whether it was read right"

// uncoveredWarning is the warning about a board whose solutions leave cells uncovered.
const uncoveredWarning = "the board has no solution that covers every cell, the game's levels have exactly one: look whether it was read right"

// severalWarningOf is what is to be said about a board that was believed without proof; empty
// is nothing.
func severalWarningOf(several, uncovered bool) string {
	switch {
	case uncovered:
		return uncoveredWarning
	case several:
		return severalWarning
	}
	return ""
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
	overlay := o.overlay
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
	if overlay != "" && len(pictures) > 1 {
		if err := os.MkdirAll(overlay, 0o755); err != nil {
			return badInput(err)
		}
	}
	var worst error
	for _, file := range pictures {
		data, err := a.readInput(ctx, file)
		if err != nil {
			return err
		}
		began := time.Now()
		r, err := a.readPicture(ctx, data, game)
		refusal := err
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil && !(o.observation && r.seen != nil) {
			worst = worse(worst, err)
		}
		if o.observation && r.seen != nil {
			if _, err := fmt.Fprint(a.out, r.seen); err != nil {
				return err
			}
		} else {
			took := time.Since(began)
			if r.accounts, err = a.accounts(ctx, file, r, o); err != nil {
				return err
			}
			if err := a.printReading(file, r, refusal, took, len(pictures) > 1); err != nil {
				return err
			}
		}
		if overlay != "" && r.seen != nil && r.frame != nil {
			name := overlay
			if len(pictures) > 1 {
				base := filepath.Base(file)
				name = filepath.Join(overlay, strings.TrimSuffix(base, filepath.Ext(base))+".png")
			}
			if err := r.overlay(name, refusal); err != nil {
				return err
			}
		}
	}
	if worst != nil {
		return codeError(exitCode(worst))
	}
	return nil
}

// accounts are what became of each board that may be on a picture, where the options
// ask for them; they are drawn, too, if asked for.
func (a *app) accounts(ctx context.Context, file string, r reading, o readOptions) ([]recognise.Account, error) {
	switch {
	case !o.explain && o.pictures == "" || r.frame == nil:
		return nil, nil
	case r.game == nil:
		return nil, badInputf("no game is likelier than another: say with --game which one to explain")
	}
	accounts, err := a.explain(ctx, r.frame, r.game)
	if err == nil && o.pictures != "" {
		err = drawAccounts(o.pictures, file, r.frame, accounts)
	}
	return accounts, err
}

func (a *app) printReading(file string, r reading, failure error, took time.Duration, several bool) error {
	result := readResult{File: file, Status: "read", Seconds: took.Seconds()}
	if r.game != nil {
		result.Game = r.game.Name()
	}
	if r.seen != nil {
		result.Confidence = r.seen.Confidence
	}
	if failure != nil {
		result.Status, result.Error = "refused", failure.Error()
	} else {
		result.Board = r.puzzle.String()
		result.Rows, result.Cols = r.seen.Layout.Rows, r.seen.Layout.Cols
		result.Fill = a.fill(file, r)
		result.Warning = severalWarningOf(r.several, r.uncovered)
		if r.several && !r.uncovered {
			result.Solutions = 2
		}
	}
	result.Explained = explained(r.accounts)
	if a.json {
		return a.printJSON(result)
	}
	if r.accounts != nil {
		defer a.printAccounts(file, r.game, r.accounts, failure)
	}
	if failure != nil {
		fmt.Fprintf(a.err, "tapwise: %s: refused: %v\n", file, failure)
		a.printOthers(failure)
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

// observationHead is how many bytes are looked at to tell an observation from a
// picture.
const observationHead = 64

// fill returns what is drawn already of a puzzle that was read, as a partial
// solution.
func (a *app) fill(file string, r reading) string {
	f, ok := r.game.(solvers.Filler)
	if !ok {
		return ""
	}
	fill, err := f.Fill(r.seen, r.puzzle)
	if err != nil {
		a.log.Warn("the fill could not be read", "file", file, "error", err)
	}
	return fill
}

// readPicture reads the board in a picture. Without a game it tries them all;
// a picture that several could read is refused. The reading holds how far it
// got, also when it fails.
func (a *app) readPicture(ctx context.Context, data []byte, game solvers.Game) (reading, error) {
	if text := puzzlefile.Text(data[:min(len(data), observationHead)]); strings.HasPrefix(text, "frame ") {
		text = puzzlefile.Text(data)
		seen, err := screen.ParseObservation(text)
		if err != nil {
			return reading{}, badInput(err)
		}
		if game == nil {
			return reading{}, badInputf("an observation is for one game's eyes: say which with --game")
		}
		sight, err := a.opener().Reader().Observation(ctx, seen, game)
		return readingOf(nil, sight), err
	}
	frame, err := vision.Decode(ctx, data)
	if err != nil {
		return reading{}, badInput(err)
	}
	sight, err := a.opener().Reader().Frame(ctx, frame, screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}, game, "")
	return readingOf(frame, sight), err
}

// overlay draws what was seen and would be played over the picture, and where
// reading it failed.
func (r reading) overlay(name string, failure error) error {
	var plan []screen.Gesture
	if r.solution != nil {
		plan = r.solution.Plan(r.seen.Layout)
	}
	picture, err := overlay.Draw(r.frame, r.seen, r.puzzle, plan, failure)
	if err != nil {
		return err
	}
	return writePNG(name, picture)
}

// writePNG writes a picture so that a failure leaves no half of it.
func writePNG(name string, picture image.Image) error { return wholefile.WritePNG(name, picture) }
