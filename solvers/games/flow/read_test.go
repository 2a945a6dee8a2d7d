package flow

import (
	"image/color"
	"strings"
	"testing"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestRead reads kept observations of the simulated app, made by package
// player's TestObservations.
func TestRead(t *testing.T) {
	gametest.Observations(t, Game{}, "testdata/read/*.txt", gametest.NoLines)
}

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, Game{}, "testdata/read/*.txt") }

// paint gives a reading another colour in one cell.
func paint(seen *screen.Observation, cell int, c color.RGBA, measures ...int) {
	for _, m := range measures {
		seen.Readings[cell][m].Colour = c
	}
}

// TestReadRefuses changes one thing on a good board.
func TestReadRefuses(t *testing.T) {
	red, green, pink := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 141, 0, 255}, color.RGBA{255, 40, 60, 255}
	for _, test := range []struct {
		name   string
		change func(*screen.Observation)
		want   string
	}{
		{"nothing changed", func(*screen.Observation) {}, ""},
		{"no board", func(o *screen.Observation) { o.Layout.Rows = 0 }, "no board"},
		{"doubtful lattice", func(o *screen.Observation) { o.Confidence = 0.3 }, "not clear"},
		{"missing readings", func(o *screen.Observation) { o.Readings = o.Readings[1:] }, "not complete"},
		{"missing lines", func(o *screen.Observation) { o.Horizontal = nil }, "not complete"},
		{"missing measures", func(o *screen.Observation) { o.Readings[3] = o.Readings[3][:2] }, "2 measures"},
		{"one end of a colour", func(o *screen.Observation) { paint(o, 0, color.RGBA{255, 255, 255, 255}, centre, ring, inside) }, "no other of its colour"},
		{"three ends of a colour", func(o *screen.Observation) { paint(o, 5, red, centre, ring, inside) }, "two others of about its colour"},
		{"two pairs of nearly one colour", func(o *screen.Observation) {
			paint(o, 0, pink, centre, ring, inside)
			paint(o, 2, red, centre, ring, inside)
		}, "colour"},
		{"no ends", func(o *screen.Observation) {
			for i := range o.Readings {
				o.Readings[i] = o.Readings[1]
			}
		}, "0 ends"},
		{"something odd in a cell", func(o *screen.Observation) { o.Readings[6][inside].Spread = 60 }, "row 2 column 2 is neither"},
		{"a pipe from nowhere", func(o *screen.Observation) {
			paint(o, 6, green, centre, inside, toEast)
			paint(o, 7, green, centre, inside, toWest)
		}, "leads to no end"},
		{"half a pipe", func(o *screen.Observation) { paint(o, 0, red, toEast) }, "breaks off"},
		{"a pipe over the rim", func(o *screen.Observation) { paint(o, 0, red, toWest) }, "leaves the board"},
		{"a crossing", func(o *screen.Observation) {
			paint(o, 6, green, centre, inside, toNorth, toEast, toSouth, toWest)
			paint(o, 1, green, centre, inside, toSouth)
			paint(o, 5, green, centre, inside, toEast)
			paint(o, 7, green, centre, inside, toWest)
			paint(o, 11, green, centre, inside, toNorth)
		}, "4 of the cell's sides"},
		{"a line missing", func(o *screen.Observation) { o.Vertical[6+2] = screen.Line{} }, "no line, expected one"},
		{"an open rim", func(o *screen.Observation) { o.Horizontal[1] = screen.Line{} }, "no line, expected one"},
		{"a panel", func(o *screen.Observation) {
			b := o.Layout.Board
			b.Min.Y += b.Dy() / 4
			b.Max.Y -= b.Dy() / 4
			b.Min.X += b.Dx() / 10
			o.Boxes = append(o.Boxes, screen.Box{Bounds: b})
		}, "covered"},
	} {
		seen := gametest.Observation(t, "testdata/read/fresh.txt")
		test.change(seen)
		p, err := Game{}.Read(seen)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: refused: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: read\n%v\nerror %v, expected one with %q", test.name, p, err, test.want)
		}
	}
}

// TestReadWarpRefuses changes the rim of a warp board.
func TestReadWarpRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*screen.Observation)
		want   string
	}{
		{"nothing changed", func(*screen.Observation) {}, ""},
		{"a side of the rim where what reaches over is too faint", func(o *screen.Observation) { o.Horizontal[1].Ends = 0 }, ""},
		{"both ends of a column, likewise", func(o *screen.Observation) {
			o.Horizontal[1].Ends, o.Horizontal[26].Ends = 0, 0
		}, ""},
		{"three of five sides of the upper rim", func(o *screen.Observation) {
			o.Horizontal[0].Ends, o.Horizontal[1].Ends, o.Horizontal[2].Ends = 0, 0, 0
		}, "over parts of the board's rim"},
		{"half the frame, with as much room on every side", func(o *screen.Observation) { o.On.Size = o.Layout.Board.Max.Add(o.Layout.Board.Min) }, ""},
		{"a frame that ends with the board", func(o *screen.Observation) { o.On.Size = o.Layout.Board.Max }, "to the frame's rim"},
	} {
		seen := gametest.Observation(t, "testdata/read/warp.txt")
		test.change(seen)
		p, err := Game{}.Read(seen)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: refused: %v", test.name, err)
		case test.want == "" && p.(*Puzzle).Topology() != Warp:
			t.Errorf("%s: read as\n%v\nexpected a warp board", test.name, p)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: read\n%v\nerror %v, expected one with %q", test.name, p, err, test.want)
		}
	}
}

// TestHexCovered takes a box for something over a board of hexagons only where
// it hides sides of theirs.
func TestHexCovered(t *testing.T) {
	seen := gametest.Observation(t, "testdata/read/hex.txt")
	b := seen.Layout.Board
	seen.Boxes = append(seen.Boxes, screen.Box{Bounds: b.Inset(b.Dx() / 5)})
	if _, err := (Game{}).Read(seen); err != nil {
		t.Errorf("refused: %v, expected a board whose sides are all seen", err)
	}
	seen.Sides[6*12] = screen.Line{}
	if _, err := (Game{}).Read(seen); err == nil || !strings.Contains(err.Error(), "covers the board") {
		t.Errorf("error %v with a side hidden, expected one of a box that covers the board", err)
	}
}

// TestFillOfAnother does not take another level for the one expected.
func TestFillOfAnother(t *testing.T) {
	played := gametest.Observation(t, "testdata/read/fresh-played.txt")
	for _, board := range []string{"AB\nAB", "ABCDE\n.....\n.....\n.....\nABCDE", "A.CBD\n.....\n.....\nABC..\nE..ED"} {
		p, err := Parse(board)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := fill(played, p); err == nil {
			t.Errorf("the pipes\n%v\nwere read for the board\n%s\nexpected an error", s, board)
		}
	}
}
