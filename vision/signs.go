package vision

import (
	"fmt"
	"image"
	"strings"

	"tapwise/solvers/screen"
	"tapwise/vision/internal/cells"
)

// observeSigns finds a board of any look by its cells: most are alike, and the
// others show marks of which some are alike. It looks for no boxes. What the spec's hint
// knows of the board's place and size is taken for granted.
func (v *view) observeSigns(spec screen.Spec, seen *screen.Observation) {
	var known cells.Known
	if h := spec.Hint; h != nil {
		known = cells.Known{Room: h.Room.Intersect(v.pixels.Rect), Rows: h.Rows, Cols: h.Cols, Alike: h.Pairs, Colours: h.Alike}
	}
	boards := cells.Boards(v.pixels, known)
	if len(boards) != 1 {
		seen.Doubts = []string{fmt.Sprintf("%d boards of cells that look alike, expected one", len(boards))}
		if alone := cells.Unpaired(v.pixels, known); len(alone) > 0 {
			seen.Doubts = []string{fmt.Sprintf("the marks at %s look like no other", names(alone, known.Cols))}
		}
		return
	}
	b := boards[0]
	if max(b.Rows, b.Cols) > spec.MaxSide || min(b.Rows, b.Cols) < spec.MinSide {
		seen.Doubts = []string{fmt.Sprintf("a board of %d columns and %d rows, expected %d to %d", b.Cols, b.Rows, spec.MinSide, spec.MaxSide)}
		return
	}
	half := b.Pitch / 2
	right, bottom := b.Centre(b.Rows-1, b.Cols-1)
	seen.Layout = screen.Layout{On: seen.On, Topology: screen.Square, Rows: b.Rows, Cols: b.Cols, Pitch: b.Pitch,
		Board: image.Rect(round(b.X-half), round(b.Y-half), round(right+half), round(bottom+half))}
	for row := range b.Rows {
		for col := range b.Cols {
			x, y := b.Centre(row, col)
			seen.Layout.Centres = append(seen.Layout.Centres, image.Pt(round(x), round(y)))
		}
	}
	for _, c := range b.Cells {
		sign := screen.Sign{Links: c.Links, Colour: c.Colour}
		if c.Mark > cells.Alike {
			sign.Group = int(c.Mark - cells.Alike)
		}
		seen.Signs = append(seen.Signs, sign)
	}
	seen.Confidence = b.Confidence()
	seen.Horizontal = make([]screen.Line, b.Rows*b.Cols+b.Cols)
	seen.Vertical = make([]screen.Line, b.Rows*b.Cols+b.Rows)
	seen.Readings = v.measure(seen.Layout, spec.Measures)
}

// names are cells for people, counted from 1.
func names(cells []int, cols int) string {
	var list []string
	for _, c := range cells {
		list = append(list, fmt.Sprintf("row %d column %d", c/cols+1, c%cols+1))
	}
	return strings.Join(list, ", ")
}
