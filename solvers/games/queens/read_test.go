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
	shifted := func(c color.RGBA, by uint8) color.RGBA { return color.RGBA{c.R - by, c.G - by, c.B - by, 255} }
	near := func(o *screen.Observation, by uint8) { // the region of the last cell has nearly the first one's colour
		was, now := at(o, 63), shifted(at(o, 0), by)
		for cell := range o.Readings {
			if at(o, cell) == was {
				paint(o, cell, now)
			}
		}
	}
	alike := func(o *screen.Observation) {
		for i := range o.Vertical {
			o.Vertical[i].Width = 2
		}
		for i := range o.Horizontal {
			o.Horizontal[i].Width = 2
		}
	}
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
		{"the same, where all lines are alike", alike, true},
		{"lines that are thick anywhere", func(o *screen.Observation) {
			for i := range o.Vertical {
				if i%3 > 0 {
					o.Vertical[i].Width = 6
				}
			}
		}, true},
		{"a colour between two", func(o *screen.Observation) {
			c := at(o, 10)
			paint(o, 10, color.RGBA{c.R - 10, c.G - 10, c.B, 255})
		}, false},
		{"two regions of near colours", func(o *screen.Observation) { near(o, 9) }, true},
		{"two regions of very near colours", func(o *screen.Observation) { near(o, 5) }, true},
		{"two regions of one colour", func(o *screen.Observation) { near(o, 0) }, false},
		{"near colours, and lines that are alike", func(o *screen.Observation) { near(o, 9); alike(o) }, false},
		{"near colours, and one line too wide", func(o *screen.Observation) { near(o, 9); o.Vertical[3].Width *= 2 }, false},
		{"near colours, and something in between", func(o *screen.Observation) { near(o, 9); paint(o, 63, shifted(at(o, 0), 4)) }, false},
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

// TestVouch: a board is vouched for where its lines tell the regions that its colours tell.
func TestVouch(t *testing.T) {
	o := gametest.Observation(t, "testdata/read/2-light-empty.txt")
	if err := (Game{}).Vouch(o); err != nil {
		t.Errorf("a clear board: %v", err)
	}
	for _, lines := range [][]screen.Line{o.Horizontal, o.Vertical} {
		for i := range lines {
			lines[i].Width = 2
		}
	}
	if err := (Game{}).Vouch(o); err != nil {
		t.Errorf("all lines are alike, and the colours clear: %v", err)
	}
	was, like := o.Readings[63][0].Colour, o.Readings[0][0].Colour
	for _, readings := range o.Readings {
		for i := range readings {
			if readings[i].Colour == was {
				readings[i].Colour = color.RGBA{like.R - 15, like.G - 15, like.B - 15, 255}
			}
		}
	}
	if _, err := (Game{}).Read(o); err != nil {
		t.Fatal(err)
	}
	if err := (Game{}).Vouch(o); err == nil {
		t.Error("all lines are alike, two colours are near, and the board is vouched for")
	}
}
