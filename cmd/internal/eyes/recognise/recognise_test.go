package recognise_test

import (
	"context"
	"errors"
	"flag"
	"image"
	"os"
	"sync"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

const deadline = 10 * time.Second

func look(frame *image.RGBA) (recognise.Sight, error) {
	return recognise.Game(context.Background(), calibrated.Eyes{}, frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, all.Games(), deadline)
}

var everyScreen = flag.Bool("every-screen", false, "TestRealScreens looks at all full screens with a level, not at a third of them")

// TestRealScreens expects no picture to be taken for another game's, and none
// without a board to be taken for any game's. The player's tests read all full screens
// with a level; a third of them will do here.
func TestRealScreens(t *testing.T) {
	gametest.Long(t)
	screens := gametest.RealScreens(t, "../../../../../shared/data/screens")
	var mu sync.Mutex
	read := map[string]int{}
	// The pictures run side by side, and have all run when the group has.
	t.Run("pictures", func(t *testing.T) {
		for i, real := range screens {
			if real.Kind == "fullscreen" && i%3 != 0 && !*everyScreen {
				continue
			}
			t.Run(real.Name, func(t *testing.T) {
				t.Parallel()
				frame, err := decodeFile(t, real.File)
				if err != nil {
					t.Fatal(err)
				}
				s, err := look(frame)
				var refusal *solvers.ReadError
				switch {
				case err == nil && (s.Game.Name() != real.Game || real.Kind == "other" || real.Kind == "popup"):
					t.Errorf("%s: a board of %s\n%v\nexpected none but of %s", real.Kind, s.Game.Name(), s.Puzzle, real.Game)
				case err == nil:
					mu.Lock()
					read[real.Game]++
					mu.Unlock()
				case !errors.As(err, &refusal):
					t.Errorf("%v, expected a refusal", err)
				}
			})
		}
	})
	t.Logf("read by game: %v", read)
	if read["algemy"] < 2 {
		t.Errorf("%d boards of algemy told, expected at least 2", read["algemy"])
	}
}

// TestSimulatedScreens tells the games' simulated apps apart.
func TestSimulatedScreens(t *testing.T) {
	gametest.Long(t)
	for _, game := range all.Games() {
		if all.App(game) == nil || len(game.Spec().Measures) == 0 {
			continue
		}
		for _, level := range gametest.Levels(t, game)[:3] {
			for _, style := range gametest.Styles(game) {
				app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 5, Style: style})
				if err != nil {
					t.Fatal(err)
				}
				frame := simphone.Render(app, image.Pt(720, 1520), time.Second)
				s, err := look(frame)
				switch {
				case err != nil:
					t.Errorf("%s, style %q: %v\n%v", game.Name(), style, err, level)
				case s.Game.Name() != game.Name() || !gametest.SameBoard(game, s.Puzzle, level):
					t.Errorf("%s, style %q: read as %s\n%v\nexpected\n%v", game.Name(), style, s.Game.Name(), s.Puzzle, level)
				}
			}
		}
	}
}

// decodeFile reads a picture.
func decodeFile(t testing.TB, name string) (*image.RGBA, error) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return vision.Decode(t.Context(), data)
}
