package player_test

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/algemy"
	"tapwise/solvers/all"
	"tapwise/solvers/asteroid"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
	"tapwise/vision"
)

// TestAlgemyScreens reads the published pictures of Algemy: none wrongly, and all
// crops of boards.
func TestAlgemyScreens(t *testing.T) {
	all := gametest.RealScreens(t, shared)
	crops, read := 0, 0
	for _, p := range all {
		if p.Game != "algemy" {
			continue
		}
		frame, err := decodeFile(t, p.File)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		truth := ""
		file := strings.TrimSuffix(p.File, filepath.Ext(p.File)) + ".board.txt"
		if data, err := os.ReadFile(file); err == nil {
			truth = strings.TrimSpace(string(data))
		}
		seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, algemy.Game{}.Spec())
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if p.Kind == "crop" && truth != "" {
			crops++
		}
		got, err := algemy.Game{}.Read(seen)
		switch {
		case err != nil:
			t.Logf("%s %s: refused: %v", p.Kind, p.Name, err)
		case strings.TrimPrefix(got.String(), "hard\n") != truth:
			t.Errorf("%s: read as\n%s\nexpected\n%s", p.Name, got, truth)
		default:
			if p.Kind == "crop" {
				read++
			}
		}
	}
	if read < crops {
		t.Errorf("%d of %d crops of boards read, expected all", read, crops)
	}
}

// TestGemsObservations looks at the simulated apps and compares the observations
// with the kept ones, which the games' own tests rest on.
func TestGemsObservations(t *testing.T) {
	for _, scene := range []struct {
		game        solvers.Game
		name, style string
		size        image.Point
		board       string
		solution    string // to be played in part and whole; empty plays nothing
	}{
		{algemy.Game{}, "square", "day", image.Pt(540, 1170), "hard\n- O - X\nR G - -\nY - - -\nW - - G", "R - O -\n- - - G\n- Y - -\n- - - -"},
		{algemy.Game{}, "square-night", "night", image.Pt(720, 1280), "hard\nW O -\nX R -\nV - G", ""},
		{algemy.Game{}, "hexagon", "day", image.Pt(720, 1280), "- - -\n- R - B\n- - W - -\n- Y - O\nG V X", ""},
		{algemy.Game{}, "hexagon-night", "night", image.Pt(480, 1040), "- - -\n- R - B\n- - W - -\n- Y - O\nG V X", ""},
		{asteroid.Game{}, "space", "space", image.Pt(720, 1280), level, ""},
		{asteroid.Game{}, "flat", "flat", image.Pt(540, 1170), level, "0,1 left\n1,1 up\n2,1 up\n2,0 right\n2,1 exit"},
	} {
		t.Run(scene.game.Name()+" "+scene.name, func(t *testing.T) {
			p, err := scene.game.Parse(scene.board)
			if err != nil {
				t.Fatal(err)
			}
			app, err := all.Simulate(scene.game, []solvers.Puzzle{p}, simapp.Options{Seed: 3, Style: scene.style})
			if err != nil {
				t.Fatal(err)
			}
			compare := func(name string, now time.Duration) *screen.Observation {
				t.Helper()
				return compareObservation(t, scene.game, name, simphone.Render(app, scene.size, now))
			}
			now := time.Second
			seen := compare(scene.name, now)
			if scene.solution == "" {
				return
			}
			s, err := p.ParseSolution(scene.solution)
			if err != nil {
				t.Fatal(err)
			}
			plan := s.Plan(seen.Layout)
			for i, g := range plan {
				gametest.Play(app, now, g)
				switch i {
				case 1:
					compare(scene.name+"-moving", now+60*time.Millisecond)
				case 2:
					compare(scene.name+"-touched", now+time.Second)
				case len(plan) - 2:
					compare(scene.name+"-played", now+time.Second)
				}
				now += 2 * time.Second
			}
			compare(scene.name+"-won", now)
		})
	}
}

// level is the Asteroid board of the tests, which takes five moves.
const level = "+--+--+--+\n|  |A |aa|\n|  |  |  |\n+--+--+--+\n|AA| a| a|\n|  |  |a |\n+--+--+--+\n|SS| a|  |\n|  |  | a|\n+--+--+--+"
