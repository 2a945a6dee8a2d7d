package vision

import (
	"image"
	"testing"

	"tapwise/solvers/screen"
)

func TestObserveAt(t *testing.T) {
	s := board(image.Pt(720, 1480), 8, 6)
	m := s.draw()
	found := observe(t, m, testSpec)
	on := screen.Frame{Size: m.Bounds().Size(), Rotation: -1}
	seen, err := ObserveAt(m, on, testSpec, found.Layout.Board, 8, 6)
	if err != nil {
		t.Fatal(err)
	}
	checkBoard(t, s, seen)
	if len(seen.Readings) != len(found.Readings) {
		t.Fatalf("%d cells are measured, expected %d", len(seen.Readings), len(found.Readings))
	}
	for i, readings := range seen.Readings {
		for k, r := range readings {
			if a, b := r.Colour, found.Readings[i][k].Colour; distance(int(a.R), int(b.R)) > 8 || distance(int(a.G), int(b.G)) > 8 || distance(int(a.B), int(b.B)) > 8 {
				t.Errorf("cell %d, %s: %v, found by itself it is %v", i, testSpec.Measures[k].Name, a, b)
			}
		}
	}
	// Half a cell off there are no lines.
	moved := found.Layout.Board.Add(image.Pt(int(found.Layout.Pitch/2), -int(found.Layout.Pitch/2)))
	moved.Max.X = min(moved.Max.X, 720)
	if seen, err = ObserveAt(m, on, testSpec, moved, 8, 6); err != nil || seen.Confidence > 0.3 {
		t.Errorf("half a cell off: confidence %.2f, %v, expected little", seen.Confidence, err)
	}
	for _, area := range []image.Rectangle{{}, image.Rect(0, 0, 20, 600), image.Rect(-1, 0, 600, 600), image.Rect(0, 0, 721, 600), {Min: image.Pt(600, 600)}} {
		if _, err := ObserveAt(m, on, testSpec, area, 8, 6); err == nil {
			t.Errorf("a board at %v is no mistake", area)
		}
	}
	for _, n := range []int{0, -1, 65} {
		if _, err := ObserveAt(m, on, testSpec, found.Layout.Board, n, 6); err == nil {
			t.Errorf("%d rows are no mistake", n)
		}
	}
}

func distance(a, b int) int { return max(a-b, b-a) }
