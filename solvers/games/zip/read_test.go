package zip

import (
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
	stops := whole.(*Puzzle).Stops
	unclear := func(o *screen.Observation, number int) {
		o.Numbers[stops[number-1]] = screen.Number{Seen: screen.UnclearNumber, Confidence: 0.7}
	}
	supposed := func(o *screen.Observation, number, value int) {
		unclear(o, number)
		o.Numbers[stops[number-1]].Value = value
	}
	for _, c := range []struct {
		name  string
		apply func(o *screen.Observation)
		read  bool
	}{
		{"one number is not clear", func(o *screen.Observation) { unclear(o, 3) }, true},
		{"two are not", func(o *screen.Observation) { unclear(o, 3); unclear(o, 5) }, false},
		{"two are not, and may be those that are missing", func(o *screen.Observation) { supposed(o, 3, 3); supposed(o, 5, 5) }, true},
		{"the last is not, and may be the next", func(o *screen.Observation) { supposed(o, len(stops), len(stops)) }, true},
		{"two are not, and one may be another", func(o *screen.Observation) { supposed(o, 3, 3); supposed(o, 5, 1) }, false},
		{"two are not, and one may be none", func(o *screen.Observation) { supposed(o, 3, 3); unclear(o, 5) }, false},
		{"two are not, and both may be one", func(o *screen.Observation) { supposed(o, 3, 3); supposed(o, 5, 3) }, false},
		{"the last is not, and may be one further", func(o *screen.Observation) { supposed(o, len(stops), len(stops)+1) }, false},
		{"the last is not", func(o *screen.Observation) { unclear(o, len(stops)) }, false},
		{"a number is missed on its disc", func(o *screen.Observation) { o.Numbers[stops[3]].Seen = screen.NoNumber }, false},
		{"the last is missed on its disc", func(o *screen.Observation) { o.Numbers[stops[len(stops)-1]].Seen = screen.NoNumber }, false},
		{"a number stands twice", func(o *screen.Observation) { o.Numbers[stops[3]].Value = 2 }, false},
		{"a line is neither thin nor a wall", func(o *screen.Observation) { o.Vertical[1].Width = 0.1 * o.Layout.Pitch }, false},
		{"the ground between two bands", func(o *screen.Observation) {
			o.Vertical[1].Width, o.Vertical[1].Support, o.Vertical[1].Colour = 0.35*o.Layout.Pitch, 0.5, o.Readings[0][0].Colour
		}, true},
		{"a toast along a border, a little over the next", func(o *screen.Observation) {
			wall := whole.(*Puzzle).Walls[0]
			a, b := wall.A+1, wall.B+1
			o.Readings[a][2].Spread, o.Readings[b][0].Spread = 70, 70 // their corners at the wall's right end
		}, false},
		{"a band that leads nowhere", func(o *screen.Observation) {
			right := &o.Readings[0][len(o.Readings[0])-2]
			right.Colour.R, right.Colour.G, right.Colour.B, right.Spread = 200, 60, 30, 2
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
