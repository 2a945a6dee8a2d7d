package grid_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// wanted asks for boards of squares or a cube, with two measures and numbers.
var wanted = screen.Spec{Topologies: []screen.Topology{screen.Square, screen.Cube}, MinSide: 2, MaxSide: 4, Numbers: true, Measures: make([]screen.Measure, 2)}

// whole is a board of rows and columns with all that was wanted.
func whole(topology screen.Topology, rows, cols int) *screen.Observation {
	cells := rows * cols
	o := &screen.Observation{
		Layout:     screen.Layout{Topology: topology, Rows: rows, Cols: cols, Centres: make([]image.Point, cells)},
		Confidence: 0.9,
		Readings:   make([][]screen.Reading, cells),
		Horizontal: make([]screen.Line, cells+cols),
		Vertical:   make([]screen.Line, cells+rows),
		Numbers:    make([]screen.Number, cells),
	}
	if topology == screen.Cube {
		o.Horizontal = make([]screen.Line, cells+3*cols)
	}
	for c := range o.Readings {
		o.Readings[c] = make([]screen.Reading, 2)
	}
	return o
}

// TestCheckSure takes things away from a board, one by one.
func TestCheckSure(t *testing.T) {
	for _, c := range []struct {
		topology   screen.Topology
		rows, cols int
		change     func(*screen.Observation)
		want       string
	}{
		{screen.Square, 3, 4, nil, ""},
		{screen.Cube, 9, 3, nil, ""},
		{screen.Square, 3, 5, nil, "a board of 5 columns and 3 rows, expected 2 to 4"},
		{screen.Cube, 15, 5, nil, "a board of 5 columns and 5 rows, expected 2 to 4"},
		{screen.Cube, 7, 2, nil, "three times as many rows"},
		{screen.Hex, 3, 3, nil, "cells arranged as hex, expected square"},
		{screen.Square, 0, 0, nil, "no board on the screen"},
		{screen.Square, 0, 0, func(o *screen.Observation) { o.Doubts = []string{"dark"} }, "no board on the screen: dark"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Readings = o.Readings[1:] }, "8 cells, expected 9"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Layout.Centres = nil }, "0 centres, expected 9"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Vertical = o.Vertical[1:] }, "11 lines left and right, expected 12"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Signs = make([]screen.Sign, 2) }, "2 signs, expected 9"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Numbers = nil }, "no numbers"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Readings[8] = o.Readings[8][1:] }, "1 measures of a cell, expected 2"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Confidence = 0.4 }, "the lines are not clear (confidence 0.40, expected 0.50)"},
		{screen.Square, 3, 3, func(o *screen.Observation) { o.Confidence, o.Doubts = 0.4, []string{"blurred"} }, "blurred"},
	} {
		seen := whole(c.topology, c.rows, c.cols)
		if c.change != nil {
			c.change(seen)
		}
		err := grid.CheckSure(wanted, seen, "the lines", 0.5)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %d rows and %d columns: %v, expected %q", c.topology, c.rows, c.cols, err, c.want)
		}
	}
}

// TestPairByColour pairs ends of shades of grey.
func TestPairByColour(t *testing.T) {
	for _, c := range []struct {
		greys []uint8
		want  string
	}{
		{[]uint8{255, 100, 101, 250}, "[[0 3] [1 2]]"},
		{[]uint8{255}, "1 end found, expected at least one pair"},
		{[]uint8{255, 255, 100, 160}, "no other of its colour: the nearest"},
		{[]uint8{255, 255, 255, 255}, "two others of about its colour"},
		{[]uint8{255, 255, 10, 14, 30, 60}, "two others of about its colour"},
		{[]uint8{200, 196, 255, 255, 30, 60, 61}, "the nearest"},
	} {
		var ends []board.Cell
		var colours []color.RGBA
		for i, grey := range c.greys {
			ends = append(ends, board.Cell(i))
			colours = append(colours, color.RGBA{grey, grey, grey, 255})
		}
		pairs, err := grid.PairByColour(ends, colours, 30, func(c board.Cell) string { return fmt.Sprint("cell ", c) })
		if got := fmt.Sprint(pairs, err); !strings.Contains(got, c.want) {
			t.Errorf("%d: %s, expected %s", c.greys, got, c.want)
		}
	}
}

// TestLocate finds a panel over a board of which a part below it is as wide as its buttons.
func TestLocate(t *testing.T) {
	box := func(x0, y0, x1, y1 int, fill uint32) screen.Box {
		return screen.Box{Bounds: image.Rect(x0, y0, x1, y1), Fill: color.RGBA{uint8(fill >> 16), uint8(fill >> 8), uint8(fill), 255}}
	}
	panel := box(114, 933, 966, 1551, 0xf9fafc)
	panel.Title, panel.Bar = image.Rect(114, 798, 966, 932), color.RGBA{32, 34, 38, 255}
	o := &screen.Observation{On: screen.Frame{Size: image.Pt(1080, 2340)}, Boxes: []screen.Box{
		box(70, 724, 1010, 1664, 0xf9fafc), panel, box(200, 1348, 880, 1472, 0xf9fafc), box(200, 1176, 880, 1300, 0xd49809), box(202, 1556, 878, 1664, 0x8c8c8c),
	}}
	own := screen.OpaquePanel(color.NRGBA{32, 34, 38, 255}, color.NRGBA{249, 250, 252, 255}, color.NRGBA{212, 152, 9, 255})
	place := grid.Locate(o, own)
	if next, ok := place.Button("next"); place.Kind != screen.Won || !ok || next.At != image.Pt(540, 1238) {
		t.Errorf("%v with buttons %v, expected won, and a button at 540,1238", place.Kind, place.Buttons)
	}
}
