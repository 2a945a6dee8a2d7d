package recognise_test

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/screen"
)

// TestExplain tells what each way of looking found on a board that is clear, on the same
// board with something odd in a cell, and on a frame without a board.
func TestExplain(t *testing.T) {
	game := flow.Game{}
	level, err := game.Parse("A.BCD\n.....\n.....\nABC..\nE..ED")
	if err != nil {
		t.Fatal(err)
	}
	app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	size := image.Pt(540, 960)
	clear := simphone.Render(app, size, time.Second)
	odd := image.NewRGBA(clear.Rect)
	draw.Draw(odd, odd.Rect, clear, image.Point{}, draw.Src)
	draw.Draw(odd, image.Rect(250, 400, 262, 412), image.NewUniform(color.RGBA{255, 255, 255, 255}), image.Point{}, draw.Src)
	draw.Draw(odd, image.Rect(270, 420, 290, 440), image.NewUniform(color.RGBA{255, 80, 255, 255}), image.Point{}, draw.Src)
	for _, test := range []struct {
		name  string
		frame *image.RGBA
		want  []string // begins or is part of one account each
		read  bool
	}{
		{"clear", clear, []string{"lines of squares: 5 columns and 5 rows", ": can be read", "discs in hexagons: no board:"}, true},
		{"something in a cell", odd, []string{"lines of squares: 5 columns and 5 rows", ": refused: row ", "cells that look alike"}, false},
		{"nothing", image.NewRGBA(image.Rectangle{Max: size}), []string{"lines of squares: no board: no lines", "a board that is not upright: no board: 0 four-sided"}, false},
	} {
		accounts, err := recognise.Explain(t.Context(), calibrated.Eyes{}, test.frame, screen.Frame{Size: size, Rotation: -1}, game, solvers.Levels{}, deadline)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var text strings.Builder
		read := false
		for _, a := range accounts {
			text.WriteString(a.String() + "\n")
			read = read || a.Read()
		}
		for _, want := range test.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: explained as\n%sexpected %q", test.name, text.String(), want)
			}
		}
		if read != test.read {
			t.Errorf("%s: explained as\n%sa board that can be read: %v, expected %v", test.name, text.String(), read, test.read)
		}
	}
}
