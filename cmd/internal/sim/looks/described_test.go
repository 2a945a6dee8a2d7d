package looks

import (
	"flag"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/described"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

var describedBoards = flag.Int("described", 0, "how many boards TestDescribed generates and reads of each described game, beside its levels")

// TestDescribed reads boards of all described games that come along from their own app, on screens
// of several sizes, light and dark. Each is read as it is.
func TestDescribed(t *testing.T) {
	gametest.Long(t)
	for _, name := range described.Shipped() {
		game, err := described.OpenShipped(name)
		if err != nil {
			t.Fatal(err)
		}
		if all.App(game) == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var boards []solvers.Puzzle
			if game.About().Pack != "" {
				boards = gametest.Levels(t, game)
			}
			for i := range *describedBoards {
				bounded, release := csp.WithBudget(t.Context(), 20_000) // conflicts
				p, err := game.Generate(bounded, solvers.GenerateOptions{Unique: true}, rand.New(rand.NewPCG(7, uint64(i))))
				if release(); err == nil {
					boards = append(boards, p)
				}
			}
			if boards == nil {
				t.Skip("it has no levels, and makes none")
			}
			for _, style := range []string{"", "dark"} {
				for _, size := range []image.Point{{540, 1170}, {720, 1480}, {720, 1280}, {1080, 1920}, {1080, 2400}, {1440, 3040}} {
					var n tally
					for _, board := range boards {
						read, err := onItsApp(t, game, board, size, style)
						switch {
						case err != nil:
							if n.refused++; n.refused == 1 {
								t.Errorf("%s %v: %v\n%s", style, size, err, board)
							}
						case read.String() != board.String():
							n.wrong++
							t.Errorf("%s %v: read\n%s\nexpected\n%s", style, size, read, board)
						default:
							n.right++
						}
					}
					t.Logf("%s %v: %s", style, size, n)
				}
			}
		})
	}
}

// onItsApp reads a board from a game's own app.
func onItsApp(t *testing.T, game solvers.Game, board solvers.Puzzle, size image.Point, style string) (solvers.Puzzle, error) {
	t.Helper()
	app, err := all.Simulate(game, []solvers.Puzzle{board}, simapp.Options{Seed: 5, Style: style})
	if err != nil {
		t.Fatal(err)
	}
	seen, err := recognise.Observe(calibrated.Eyes{}, simphone.Render(app, size, time.Second), screen.Frame{Size: size, Rotation: -1}, game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(strings.Fields(style), " "), err)
	}
	return game.Read(seen)
}
