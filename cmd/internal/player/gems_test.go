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
	"tapwise/solvers/asteroid"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestAlgemyScreens reads the published pictures of Algemy: nothing wrongly,
// and the crops of boards but for one.
func TestAlgemyScreens(t *testing.T) {
	folder, all := pictures(t)
	crops, read := 0, 0
	for _, p := range all {
		if p.game != "algemy" {
			continue
		}
		frame, err := vision.DecodeFile(filepath.Join(folder, p.file))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		truth := ""
		file := filepath.Join(folder, strings.TrimSuffix(p.file, filepath.Ext(p.file))+".board.txt")
		if data, err := os.ReadFile(file); err == nil {
			truth = strings.TrimSpace(string(data))
		}
		seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, algemy.Game{}.Spec())
		if err != nil {
			t.Errorf("%s: %v", p.file, err)
			continue
		}
		if p.kind == "crop" && truth != "" {
			crops++
		}
		got, err := algemy.Game{}.Read(seen)
		switch {
		case err != nil:
			t.Logf("%s %s: refused: %v", p.kind, p.file, err)
		case strings.TrimPrefix(got.String(), "hard\n") != truth:
			t.Errorf("%s: read as\n%s\nexpected\n%s", p.file, got, truth)
		default:
			if p.kind == "crop" {
				read++
			}
		}
	}
	// On one crop every cell is struck through, half-way between the lines.
	if read < crops-1 {
		t.Errorf("%d of %d crops of boards read, expected all but one", read, crops)
	}
}

// BenchmarkGems measures a screen of 1080×2400, from decoded pixels to the board.
func BenchmarkGems(b *testing.B) {
	for _, bench := range []struct {
		game        solvers.Simulator
		name, style string
		board       string
	}{
		{algemy.Game{}, "square", "day", "hard\nW O - V -\n- - - - -\n- V - G -\n- - - - -\n- O - - -"},
		{algemy.Game{}, "hexagon", "night", "- - - R\n- - - - -\nB - - - - -\n- - - G - - -\n- - - - - -\n- V - - -\n- - - Y"},
		{asteroid.Game{}, "tiles", "space", "+--+--+--+\n|AA|  |a |\n|  |a | a|\n+--+--+--+\n|SS|  |  |\n|  |A | a|\n+--+--+--+\n|a |  | a|\n|a |  |  |\n+--+--+--+"},
	} {
		b.Run(bench.game.Name()+" "+bench.name, func(b *testing.B) {
			p, err := bench.game.Parse(bench.board)
			if err != nil {
				b.Fatal(err)
			}
			app, err := bench.game.Simulate([]solvers.Puzzle{p}, solvers.SimulateOptions{Style: bench.style})
			if err != nil {
				b.Fatal(err)
			}
			on := screen.Frame{Size: image.Pt(1080, 2400)}
			frame := simphone.Render(app, on.Size, time.Second)
			for b.Loop() {
				seen, err := vision.Observe(frame, on, bench.game.Spec())
				if err != nil {
					b.Fatal(err)
				}
				bench.game.Read(seen)
			}
		})
	}
}
