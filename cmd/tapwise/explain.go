package main

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"

	"tapwise/cmd/internal/calibrated"
	"tapwise/cmd/internal/recognise"
	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// explainedBoard is what read --explain --json prints of one board that may be on a
// picture, or of one way to look for a board.
type explainedBoard struct {
	Finder     string  `json:"finder"`
	Rows       int     `json:"rows,omitempty"`
	Cols       int     `json:"cols,omitempty"`
	Confidence float64 `json:"confidence"`
	Read       bool    `json:"read"`
	Account    string  `json:"account"`
}

// explain tells what became of each board that may be on a picture, by the eyes of the
// profile that was asked for or else by the game's own.
func (a *app) explain(ctx context.Context, frame *image.RGBA, game solvers.Game) ([]recognise.Account, error) {
	reader := a.opener().Reader()
	on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
	set, err := reader.For(game.Name())
	if err != nil {
		return nil, err
	}
	eyes, levels := calibrated.Eyes{}, solvers.Levels{}
	if _, ok := set.Asked(); ok {
		eyes, levels = set.Eyes(), set.Levels(on.Size)
	}
	return recognise.Explain(ctx, eyes, frame, on, game, levels, reader.Deadline)
}

// explained are the accounts for JSON.
func explained(accounts []recognise.Account) []explainedBoard {
	var all []explainedBoard
	for _, account := range accounts {
		l := account.Seen.Layout
		all = append(all, explainedBoard{account.Finder, l.Rows, l.Cols, account.Seen.Confidence, account.Read(), account.String()})
	}
	return all
}

// printAccounts prints a line for each account, and what to do where no board is read.
func (a *app) printAccounts(file string, game solvers.Game, accounts []recognise.Account, failure error) {
	fmt.Fprintf(a.err, "tapwise: %s: what each way of looking found, for %s:\n", file, game.Name())
	for _, account := range accounts {
		fmt.Fprintf(a.err, "  %s\n", account)
	}
	if failure != nil {
		fmt.Fprintf(a.err, "tapwise: hint: when a board is to be seen all the same, 'tapwise calibrate %s' with --board, --rows and --cols tells the eyes where it is\n", file)
	}
}

// figureColour is the colour of what the eyes drew to find a board out.
var figureColour = color.RGBA{255, 160, 0, 255}

// drawAccounts writes one picture for each way of looking into a folder: the board it
// found and what it drew to find out. Their names begin with the picture's.
func drawAccounts(folder, file string, frame *image.RGBA, accounts []recognise.Account) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return badInput(err)
	}
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	for i, account := range accounts {
		var marks []vision.Mark
		for k, f := range account.Figures {
			m := vision.Mark{Points: f.Points, Colour: figureColour}
			if k == 0 { // the others are of one kind with it
				m.Label = f.Name
			}
			marks = append(marks, m)
		}
		picture, err := vision.Overlay(frame, account.Seen, marks)
		if err != nil {
			return err
		}
		finder, _, _ := strings.Cut(account.Finder, ",")
		name := fmt.Sprintf("%s-%d-%s.png", base, i+1, strings.NewReplacer(" ", "-", "'", "").Replace(finder))
		if err := writePNG(filepath.Join(folder, name), picture); err != nil {
			return err
		}
	}
	return nil
}
