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
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/algemy"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
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

// TestGemsObservations looks at the simulated app and compares the observations with
// the kept ones, which the game's own tests rest on.
func TestGemsObservations(t *testing.T) {
	sceneObservations(t, algemy.Game{}, []playedScene{
		{"square", "day", image.Pt(540, 1170), "hard\n- O - X\nR G - -\nY - - -\nW - - G", "R - O -\n- - - G\n- Y - -\n- - - -"},
		{"square-night", "night", image.Pt(720, 1280), "hard\nW O -\nX R -\nV - G", ""},
		{"hexagon", "day", image.Pt(720, 1280), "- - -\n- R - B\n- - W - -\n- Y - O\nG V X", ""},
		{"hexagon-night", "night", image.Pt(480, 1040), "- - -\n- R - B\n- - W - -\n- Y - O\nG V X", ""},
	})
}

// playedScene is a board of a simulated app and what is played on it.
type playedScene struct {
	name, style string
	size        image.Point
	board       string
	solution    string // to be played in part and whole; empty plays nothing
}

// sceneObservations compares what is seen of scenes with the observations that are kept.
func sceneObservations(t *testing.T, game solvers.Game, scenes []playedScene) {
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			p, err := game.Parse(scene.board)
			if err != nil {
				t.Fatal(err)
			}
			app, err := all.Simulate(game, []solvers.Puzzle{p}, simapp.Options{Seed: 3, Style: scene.style})
			if err != nil {
				t.Fatal(err)
			}
			compare := func(name string, now time.Duration) *screen.Observation {
				t.Helper()
				return compareObservation(t, game, name, simphone.Render(app, scene.size, now))
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
