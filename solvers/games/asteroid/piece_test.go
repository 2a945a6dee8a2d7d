package asteroid

import (
	"image"
	"slices"
	"testing"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
)

// TestPieces compares what is drawn of each piece with the units it covers:
// it lies within them, except for a big asteroid's part on its own tile, and each
// unit's middle is covered.
func TestPieces(t *testing.T) {
	for _, look := range []Look{SpaceLook(), FlatLook()} {
		for p := spacecraft; p < pieces; p++ {
			r := gametest.NewRecorder(image.Pt(900, 900))
			(&pen{r, &look, 300}).piece(p, 450, 450)
			covered := units(p, 0, 0)
			for _, u := range covered {
				x, y := 450+100*float64(u.x), 450+100*float64(u.y)
				if !slices.ContainsFunc(r.Shapes, func(s gametest.Shape) bool { return s.Bounds.Contains(x, y) }) {
					t.Errorf("%q: nothing is drawn at unit %d,%d", p, u.y, u.x)
				}
			}
			within := simapp.NewBox(450, 450, 450, 450)
			for _, u := range covered {
				within.X0, within.X1 = min(within.X0, 400+100*float64(u.x)), max(within.X1, 500+100*float64(u.x))
				within.Y0, within.Y1 = min(within.Y0, 400+100*float64(u.y)), max(within.Y1, 500+100*float64(u.y))
			}
			for _, s := range r.Shapes {
				if b := s.Bounds; b.X0 < within.X0 || b.X1 > within.X1 || b.Y0 < within.Y0 || b.Y1 > within.Y1 {
					t.Errorf("%q: drawn at %v, expected within %v", p, b, within)
				}
			}
		}
	}
}
