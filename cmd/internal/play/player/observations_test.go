package player_test

import (
	"flag"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var updateObservations = flag.Bool("update-observations", false, "write the observations of the simulated app anew")

// TestObservations looks at the simulated Flow app, fresh, half played and won,
// and compares the observations with the kept ones, which Flow's own tests rest
// on.
func TestObservations(t *testing.T) {
	game := flow.Game{}
	size := image.Pt(720, 1280)
	for _, scene := range []struct {
		name, board, style string
		solution           string // to be played; empty plays nothing
	}{
		{"fresh", "A.BCD\n.....\n.....\nABC..\nE..ED", "", "AABCD\nAABCD\nABBCD\nABCCD\nEEEED"},
		{"fresh-letters", "ABCDE\n.....\n.....\n.....\nABCDE", "letters red", "ABCDE\nABCDE\nABCDE\nABCDE\nABCDE"},
		{"rectangle", "A..B\nC..C\n....\n....\n.AB.", "yellow", ""},
		{"walls", "walls 0,1|1,1 1,1|1,2 2,0|2,1\nA...A\nB....\n.....\n...B.\nC...C", "blue", ""},
		{"holes", "#A..#\nA.#B.\n..#..\nB....\nC..C#", "green", ""},
		{"bridge", "A..B.\n.....\n..+..\n.....\nB..A.", "green", ""},
		{"warp", "warp\n.AD..\nC...F\nB.AE.\n.CE..\n.B.DF", "green", "AADAA\nCCAAF\nBCAEF\nBCEEF\nBBDDF"},
		{"warp-walls", "warp\nwalls 0,0|0,4 3,0|3,4\nA...A\nB....\n.....\n...B.\nC...C", "purple", ""},
		{"hex", "hex\nA..B.\n.....\nC....\n.....\nB..AC", "green", ""},
	} {
		p, err := game.Parse(scene.board)
		if err != nil {
			t.Fatal(err)
		}
		app, err := all.Simulate(game, []solvers.Puzzle{p}, simapp.Options{Seed: 3, Style: scene.style})
		if err != nil {
			t.Fatal(err)
		}
		now := time.Second
		compare := func(name string, now time.Duration) *screen.Observation {
			t.Helper()
			return compareObservation(t, game, name, simphone.Render(app, size, now))
		}
		seen := compare(scene.name, now)
		if scene.name == "fresh" {
			// The rim of a finger's halo touches a line between two cells.
			frame := simphone.Render(app, size, now)
			withHalo(frame, 451, 375, 147.6, 0.606)
			compareObservation(t, game, "fresh-finger-halo", frame)
		}
		if scene.solution == "" {
			continue
		}
		s, err := p.ParseSolution(scene.solution)
		if err != nil {
			t.Fatal(err)
		}
		for i, stroke := range s.Plan(seen.Layout) {
			for k, at := range stroke.Points {
				action := screen.TouchMove
				if k == 0 {
					action = screen.TouchDown
				}
				app.Touch(action, float64(at.X), float64(at.Y), now)
				now += 10 * time.Millisecond
				if i == 2 && k == len(stroke.Points)/2 {
					compare(scene.name+"-finger", now)
				}
			}
			last := stroke.Points[len(stroke.Points)-1]
			app.Touch(screen.TouchUp, float64(last.X), float64(last.Y), now)
			now += 300 * time.Millisecond
			if i == 1 {
				compare(scene.name+"-played", now)
			}
		}
		compare(scene.name+"-won", now+2*time.Second)
	}
}

// compareObservation compares the observation of a frame with the one kept below
// the game's folder.
func compareObservation(t *testing.T, game solvers.Game, name string, frame image.Image) *screen.Observation {
	t.Helper()
	seen, err := vision.Observe(frame, screen.Frame{Size: frame.Bounds().Size()}, game.Spec())
	if err != nil {
		t.Fatal(err)
	}
	made := solvers.Made(game, seen)
	file := filepath.Join("../../../../solvers/games", game.Name(), "testdata/read", name+".txt")
	if *updateObservations {
		if err := os.WriteFile(file, []byte(solvers.Kept(game, seen)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(kept), made) {
		t.Errorf("%s: made of it\n%s\nexpected the end of\n%s", name, made, kept)
	}
	return seen
}
