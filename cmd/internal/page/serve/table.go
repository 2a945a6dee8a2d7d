package serve

import (
	"context"
	"image"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/page/web"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/screen"
)

// tableSize is the screen of an app that is played by hand on the page, in pixels.
var tableSize = image.Pt(720, 1280)

// table is a game's simulated app with one level.
type table struct{ screen.App }

var _ web.Table = table{}

func openTable(game solvers.Game, p solvers.Puzzle) (web.Table, error) {
	app, err := all.Simulate(game, []solvers.Puzzle{p}, simapp.Options{Pack: "by hand"})
	if err != nil {
		return nil, err
	}
	return table{app}, nil
}

func (t table) Draw(now time.Duration) *image.RGBA { return simphone.Render(t.App, tableSize, now) }

// Won reports whether the level is complete. Every app can tell.
func (t table) Won() bool {
	app, ok := t.App.(interface{ Won() bool })
	return ok && app.Won()
}

// recognise reads the puzzle in a picture, as `tapwise read` does.
func (s Settings) recognise(ctx context.Context, frame *image.RGBA) (solvers.Game, solvers.Puzzle, error) {
	on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
	sight, err := s.Opener.Reader().Frame(ctx, frame, on, nil, "")
	return sight.Game, sight.Puzzle, err
}
