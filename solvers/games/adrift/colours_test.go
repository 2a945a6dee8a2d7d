package adrift

import (
	"image/color"
	"testing"

	"tapwise/solvers/board"
)

// TestColours: every chain's colour is its own, and that of its letter where
// every letter has one.
func TestColours(t *testing.T) {
	for _, look := range []Look{DarkLook(), LightLook()} {
		for _, n := range []int{1, 7, 12, 13, MostColours} {
			b := Board{Side: 7}
			for i := range n {
				b.Ends = append(b.Ends, [2]board.Cell{board.Cell(2 * i), board.Cell(2*i + 1)})
			}
			p, err := New(b)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[color.NRGBA]int{}
			for i, c := range look.Chains(p) {
				if j, ok := seen[c]; ok {
					t.Errorf("%d chains: %d and %d are both %v", n, j, i, c)
				}
				seen[c] = i
			}
		}
	}
	p, err := Parse("Y R\nY R\nX X\nX X\nX X\nX X")
	if err != nil {
		t.Fatal(err)
	}
	if got := LightLook().Chains(p); got[0] != (color.NRGBA{250, 204, 0, 255}) || got[1] != (color.NRGBA{229, 45, 45, 255}) {
		t.Errorf("the colours of Y and R are %v", got)
	}
}
