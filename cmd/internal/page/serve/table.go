package serve

import (
	"context"
	"fmt"
	"image"

	"tapwise/cmd/internal/page/web"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/described"
	"tapwise/solvers/screen"
)

// deskSize is the screen of an app whose board is played on the page, in pixels. Nobody sees it.
var deskSize = image.Pt(2160, 3840)

// table is the board of a game's simulated app with one level.
type table struct {
	simapp.Desk
	at simapp.Sheet // where it lies on the screen
}

func openTable(game solvers.Game, p solvers.Puzzle) (web.Table, error) {
	simulate := all.App(game)
	if g, ok := game.(*described.Game); ok {
		simulate = g.App // which need not be read from a screen
	}
	if simulate == nil {
		return nil, fmt.Errorf("%s has no app, by whose rules it would be played", game.Name())
	}
	app, err := simulate([]solvers.Puzzle{p}, simapp.Options{})
	if err != nil {
		return nil, err
	}
	desk, ok := app.(simapp.Desk)
	if !ok {
		return nil, fmt.Errorf("the board of %s cannot be played by itself", game.Name())
	}
	return table{desk, desk.Sheet(deskSize)}, nil
}

// Touch is a finger, in pitches from the corner of the picture.
func (t table) Touch(action int, x, y float64) {
	t.Hand(action, t.at.X+x*t.at.Pitch, t.at.Y+y*t.at.Pitch)
}

// Picture is the board as it stands.
func (t table) Picture() solvers.Picture { return t.Sheet(deskSize).Picture }

// Over lies over it.
func (t table) Over() []solvers.Shape { return t.Sheet(deskSize).Over }

// Places are where a finger can be.
func (t table) Places() (places []web.Place) {
	for _, p := range t.Sheet(deskSize).Places {
		places = append(places, web.Place{Name: p.Name, X: (p.At[0] - t.at.X) / t.at.Pitch, Y: (p.At[1] - t.at.Y) / t.at.Pitch})
	}
	return places
}

// recognise reads the puzzle in a picture, as `tapwise read` does.
func (s Settings) recognise(ctx context.Context, frame *image.RGBA) (solvers.Game, solvers.Puzzle, error) {
	on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
	sight, err := s.Opener.Reader().Frame(ctx, frame, on, nil, "")
	return sight.Game, sight.Puzzle, err
}
