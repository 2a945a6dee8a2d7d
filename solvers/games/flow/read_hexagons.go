package flow

import (
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// hexagons are the sides of a board of hexagons.
type hexagons struct {
	*picture
	thin   thinLine
	bright float64 // of the brightest lines, 0 to 255
}

// readHexagons finds the cells of a board of hexagons, which have lines all
// around, and the walls between them. The board's outline and walls are thick,
// and in some looks brighter.
func (v *picture) readHexagons() error {
	thin, err := v.thinLine()
	if err != nil {
		return err
	}
	h := hexagons{picture: v, thin: thin, bright: brightest(v.seen.Sides)}
	if err := h.findOutside(); err != nil {
		return err
	}
	outline := h.outlineBrightness()
	for c := range board.Cell(v.size.Cells()) {
		if v.outside[c] {
			continue
		}
		for d := range board.Dir(6) {
			if err := h.readSide(c, d, outline); err != nil {
				return err
			}
		}
	}
	return nil
}

// isThick reports whether a line is a wall or an outline, or may be one.
func (h hexagons) isThick(line screen.Line) bool {
	switch {
	case line.Support < leastLine:
		return false
	case h.twoTone():
		return h.isBright(line) || h.thin.isWide(line) && brightness(line) >= leastDimShare*h.bright
	}
	return h.thin.isWide(line) || line.Width > h.thin.width && brightness(line) >= leastNarrowBright*h.thin.bright
}

// twoTone reports whether the board's outline is so much brighter than its thin lines that
// brightness tells them apart. On small screens widths do not where the picture is blurred
// or comes from a JPEG, and glow behind the board makes thin lines brighter.
func (h hexagons) twoTone() bool { return h.bright >= leastTwoTone*h.thin.bright }

// isBright reports whether a line of a board of two tones is as bright as its outline.
func (h hexagons) isBright(line screen.Line) bool {
	return line.Width >= h.thin.width-1 && brightness(line) >= leastBrightShare*h.bright
}

// isWall reports whether a thick line between cells is one beyond doubt.
func (h hexagons) isWall(line screen.Line) bool {
	if h.twoTone() {
		return h.isBright(line)
	}
	return h.thin.isWide(line)
}

// findOutside marks the places without a cell: those with too few lines around
// them, and those with an outline all around.
func (h hexagons) findOutside() error {
	for c := range board.Cell(h.size.Cells()) {
		lines, outlines, support := 0, 0, 0.0
		for d := range board.Dir(6) {
			line := h.side(c, d)
			support += line.Support
			if line.Support >= leastHexSide {
				lines++
			}
			if h.isThick(line) {
				outlines++
			}
		}
		switch {
		case lines < leastHexSides || support < leastHexSupport || outlines == 6:
			h.outside[c] = true
		case outlines == 5 && lines == 6:
			return solvers.RefuseAt(c, "%s: walled in", h.size.Name(c))
		}
	}
	return nil
}

// isRim reports whether there is no cell beyond a side.
func (h hexagons) isRim(c board.Cell, d board.Dir) bool {
	n := h.grid.beside(c, d)
	return n == board.None || h.outside[n]
}

// outlineBrightness is the median brightness of the sides in the board's
// outline, 0 to 255.
func (h hexagons) outlineBrightness() float64 {
	var brights []float64
	for c := range board.Cell(h.size.Cells()) {
		if h.outside[c] {
			continue
		}
		for d := range board.Dir(6) {
			if h.isRim(c, d) {
				brights = append(brights, brightness(h.side(c, d)))
			}
		}
	}
	if len(brights) == 0 {
		return 0
	}
	slices.Sort(brights)
	return brights[len(brights)/2]
}

// readSide finds out whether there is a wall on the side of a cell, and refuses
// sides that no board has.
func (h hexagons) readSide(c board.Cell, d board.Dir, outline float64) error {
	line := h.side(c, d)
	name := h.size.Name(c)
	switch {
	case h.isRim(c, d):
		if !h.isThick(line) {
			return solvers.RefuseAt(c, "%s: the board ends without an outline", name)
		}
		if h.links[c][d] {
			return solvers.RefuseAt(c, "%s: a pipe leaves the board", name)
		}
	case !h.isThick(line):
	case h.links[c][d]:
		return solvers.RefuseAt(c, "%s: a pipe goes through a wall", name)
	default:
		// The side was measured at both cells.
		n := h.grid.beside(c, d)
		if other := h.side(n, h.grid.Opposite(d)); !h.isWall(line) || !h.isWall(other) || brightness(line) < leastOutlineShare*outline {
			return solvers.RefuseAt(c, "%s: a side that may be a wall or not", name)
		}
		h.walls[board.EdgeOf(c, n)] = true
	}
	return nil
}
