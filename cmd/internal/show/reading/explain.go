package reading

import (
	"context"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/vision"
)

// Explain reports what became of each board that may be on the picture, by the eyes of the
// profile that was asked for or else by the game's own. An observation has none.
func (r Reading) Explain(ctx context.Context, reader profiles.Reader) ([]recognise.Account, error) {
	switch {
	case r.Frame == nil:
		return nil, nil
	case r.Game == nil:
		return nil, cause.Inputf("no game is likelier than another: say with --game which one to explain")
	}
	set, err := reader.For(r.Game.Name())
	if err != nil {
		return nil, err
	}
	eyes, levels := calibrated.Eyes{}, solvers.Levels{}
	if _, ok := set.Asked(); ok {
		eyes, levels = set.Eyes(), set.Levels(r.On.Size)
	}
	return recognise.Explain(ctx, eyes, r.Frame, r.On, r.Game, levels, reader.Deadline)
}

// figureColour is the colour of what the eyes drew to find a board out.
var figureColour = color.RGBA{255, 160, 0, 255}

// DrawAccounts writes one PNG file for each way of looking into a folder: the board it
// found and what it drew to find out. Their names begin with the picture's.
func (r Reading) DrawAccounts(folder, file string, accounts []recognise.Account) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return cause.Input(err)
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
		picture, err := vision.Overlay(r.Frame, account.Seen, marks)
		if err != nil {
			return err
		}
		finder, _, _ := strings.Cut(account.Finder, ",")
		name := fmt.Sprintf("%s-%d-%s.png", base, i+1, strings.NewReplacer(" ", "-", "'", "").Replace(finder))
		if err := wholefile.WritePNG(filepath.Join(folder, name), picture); err != nil {
			return err
		}
	}
	return nil
}
