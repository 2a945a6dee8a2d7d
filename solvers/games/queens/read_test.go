package queens

import (
	"image/color"
	"testing"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestDisturbed disturbs a kept observation: what is clear is read all the same, and
// what is not is refused.
func TestDisturbed(t *testing.T) {
	const file = "testdata/read/2-light-empty.txt"
	whole, err := Game{}.Read(gametest.Observation(t, file))
	if err != nil {
		t.Fatal(err)
	}
	paint := func(o *screen.Observation, cell int, c color.RGBA) {
		for i := range o.Readings[cell] {
			o.Readings[cell][i].Colour = c
		}
	}
	dim := func(c color.RGBA) color.RGBA {
		return color.RGBA{uint8(0.8 * float64(c.R)), uint8(0.8 * float64(c.G)), uint8(0.8 * float64(c.B)), 255}
	}
	at := func(o *screen.Observation, cell int) color.RGBA { return o.Readings[cell][0].Colour }
	for _, c := range []struct {
		name  string
		apply func(o *screen.Observation)
		read  bool
	}{
		{"a cell under a pointer", func(o *screen.Observation) { paint(o, 10, dim(at(o, 10))) }, true},
		{"one corner covered", func(o *screen.Observation) { o.Readings[10][2].Colour = color.RGBA{A: 255} }, true},
		{"two cells under pointers", func(o *screen.Observation) { paint(o, 10, dim(at(o, 10))); paint(o, 40, dim(at(o, 40))) }, false},
		{"two corners covered", func(o *screen.Observation) {
			o.Readings[10][1].Colour, o.Readings[10][2].Colour = color.RGBA{A: 255}, color.RGBA{A: 255}
		}, false},
		{"a cell of another region's colour, against the lines", func(o *screen.Observation) { paint(o, 9, at(o, 8)) }, false},
		{"the same, where all lines are alike", func(o *screen.Observation) {
			for i := range o.Vertical {
				o.Vertical[i].Width = 2
			}
			for i := range o.Horizontal {
				o.Horizontal[i].Width = 2
			}
		}, true},
		{"a colour between two", func(o *screen.Observation) {
			c := at(o, 10)
			paint(o, 10, color.RGBA{c.R - 10, c.G - 10, c.B, 255})
		}, false},
	} {
		o := gametest.Observation(t, file)
		c.apply(o)
		p, err := Game{}.Read(o)
		switch {
		case !c.read && err == nil:
			t.Errorf("%s: read as\n%s\nexpected it to be refused", c.name, p)
		case c.read && (err != nil || p.String() != whole.String()):
			t.Errorf("%s: %v, %v, expected\n%s", c.name, p, err, whole)
		}
	}
}
