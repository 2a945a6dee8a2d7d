package recognise_test

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/calibrated"
	"tapwise/cmd/internal/recognise"
	"tapwise/solvers"
	"tapwise/solvers/algemy"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
	"tapwise/vision"
)

const deadline = 10 * time.Second

func look(frame *image.RGBA) (recognise.Sight, error) {
	return recognise.Game(context.Background(), calibrated.Eyes{}, frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, all.Games(), deadline)
}

// TestRealScreens expects no picture to be taken for another game's, and none
// without a board to be taken for any game's.
func TestRealScreens(t *testing.T) {
	gametest.Long(t)
	screens := gametest.RealScreens(t, "../../../../shared/data/screens")
	var mu sync.Mutex
	read := map[string]int{}
	// The pictures run side by side, and have all run when the group has.
	t.Run("pictures", func(t *testing.T) {
		for _, real := range screens {
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
		for _, level := range levels(t, game) {
			for _, style := range []string{"", "dark", "light"} {
				app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 5, Style: style})
				if err != nil {
					continue // not a style of this game
				}
				frame := simphone.Render(app, image.Pt(720, 1520), time.Second)
				s, err := look(frame)
				switch {
				case err != nil:
					t.Errorf("%s, style %q: %v\n%v", game.Name(), style, err, level)
				case s.Game.Name() != game.Name() || renamed(s.Puzzle) != renamed(level):
					t.Errorf("%s, style %q: read as %s\n%v\nexpected\n%v", game.Name(), style, s.Game.Name(), s.Puzzle, level)
				}
			}
		}
	}
}

// renamed gives the colours of ends new names in the order they come, since the
// screen does not show names.
func renamed(p solvers.Puzzle) string {
	if _, mixes := p.(*algemy.Puzzle); mixes {
		return p.String()
	}
	return gametest.RenamedRunes(p.String(), func(r rune) bool { return r >= 'A' && r <= 'Z' && r != 'X' })
}

// levels returns a few levels of a game from the bundled packs.
func levels(t *testing.T, game solvers.Game) []solvers.Puzzle {
	t.Helper()
	names, err := filepath.Glob("../../../configs/packs/" + game.Name() + "*")
	if err != nil || len(names) == 0 {
		t.Fatalf("no packs of %s: %v", game.Name(), err)
	}
	var levels []solvers.Puzzle
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, block := range strings.Split(string(data), "\n\n") {
			var kept []string
			for _, line := range strings.Split(block, "\n") {
				if line != "#" && !strings.HasPrefix(line, "# ") {
					kept = append(kept, line)
				}
			}
			if p, err := game.Parse(strings.Trim(strings.Join(kept, "\n"), "\n")); err == nil && n < 3 {
				levels = append(levels, p)
				n++
			}
		}
	}
	if len(levels) == 0 {
		t.Fatalf("no levels of %s in %v", game.Name(), names)
	}
	return levels
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
