package flow

import (
	"image/color"
	"testing"

	"tapwise/solvers/board"
)

// TestColours: every pipe's colour is its own.
func TestColours(t *testing.T) {
	for _, n := range []int{1, 16, 17, 40} {
		var b Board
		b.Rows, b.Cols = n, 2
		for i := range n {
			b.Ends = append(b.Ends, [2]board.Cell{board.Cell(2 * i), board.Cell(2*i + 1)})
		}
		p, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[color.NRGBA]int{}
		for i, c := range p.Colours() {
			if j, ok := seen[c]; ok {
				t.Errorf("%d pipes: %d and %d are both %v", n, j, i, c)
			}
			seen[c] = i
		}
	}
	p, err := Parse("YW\nYW")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Colours(); got[0] != (color.NRGBA{234, 224, 0, 255}) || got[1] != (color.NRGBA{255, 255, 255, 255}) {
		t.Errorf("the colours of Y and W are %v", got)
	}
	if got := ColourLetter(p.Colours()[0], 0); got != "D" {
		t.Errorf("the letter of yellow is %s, expected D", got)
	}
}
