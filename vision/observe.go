package vision

import (
	"fmt"
	"image"
	"slices"

	"tapwise/solvers/screen"
)

// Observe looks at a frame for what spec asks. It fails only when the frame or
// the spec make no sense, or when OpenCV does: a frame on which there is
// nothing to see gives an observation of nothing, with its doubts.
//
// on describes the frame; its size must be the frame's.
func Observe(frame image.Image, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	if frame == nil {
		return nil, fmt.Errorf("vision: no frame")
	}
	size := frame.Bounds().Size()
	if err := checkSize(size); err != nil {
		return nil, err
	}
	if on.Size != size {
		return nil, fmt.Errorf("vision: frame of %dx%d pixels, described as %s", size.X, size.Y, on)
	}
	if spec.MinSide < 1 || spec.MaxSide < spec.MinSide || spec.MaxSide > 64 {
		return nil, fmt.Errorf("vision: spec asks for boards of %d to %d rows and columns, expected 1 to 64", spec.MinSide, spec.MaxSide)
	}
	v := &view{pixels: toRGBA(frame), dark: spec.Dark}
	if spec.Either {
		v.dark = v.looksDark()
	}
	seen := &screen.Observation{On: on}

	if err := look(v, spec, seen); err != nil {
		return nil, err
	}
	if seen.Layout.Rows > 0 && spec.Hint != nil && len(seen.Doubts) == 0 && fills(seen.Layout, spec.Hint.Room) {
		seen.Confidence = max(seen.Confidence, 0.8) // it lies where boards do
	}
	if seen.Layout.Rows == 0 && spec.Hint != nil {
		found, err := v.hinted(spec, seen)
		if err != nil {
			return nil, err
		}
		if found.ok() {
			seen.Layout = found.layout(on)
		}
	}
	if seen.Layout.Rows == 0 {
		if len(seen.Doubts) == 0 {
			seen.Doubts = []string{"no lattice of lines found"}
		}
		return seen, nil
	}
	if seen.Readings == nil {
		seen.Readings = v.measure(seen.Layout, spec.Measures)
	}
	return seen, nil
}

// leastConfidence is that below which a board is looked for in other ways.
const leastConfidence = 0.5

// look finds the board and the boxes. Of a board that is not upright it takes
// the measures, too.
func look(v *view, spec screen.Spec, seen *screen.Observation) error {
	// Fewer pixels say the same about a lattice and are looked at sooner.
	// Where they do not, because the lines are too thin, all of them may.
	size := v.size()
	coarse, err := newMasks(v, max(1, min(size.X, size.Y)/500))
	if err != nil {
		return err
	}
	defer coarse.close()
	several, err := lookAt(v, coarse, spec, seen)
	if err != nil || len(spec.Topologies) == 0 { // for boxes alone the fewer pixels do
		return err
	}
	discs := newDiscFinder(v, coarse)
	unsure := func() bool { return !several && seen.Confidence < leastConfidence }
	// Hexagons are where few lines are upright: discs tell of them sooner than a
	// closer look at lines would, and mostly the brightest discs do.
	if spec.Discs && unsure() && slices.Contains(spec.Topologies, screen.Hex) {
		for len(discs.levels) > 0 {
			if more, err := discs.more(); err != nil || more && hexOfDiscs(v, discs.alike(), spec, seen) {
				return err
			}
		}
	}
	// Where there is room for a second board, look twice.
	if coarse.factor > 1 && !spec.Walled && (seen.Layout.Topology == screen.Square && 2*seen.Layout.Board.Dx() <= size.X) {
		fine, err := newMasks(v, 1)
		if err != nil {
			return err
		}
		defer fine.close()
		seen.Layout, seen.Doubts, seen.Confidence = screen.Layout{}, nil, 0
		if several, err = lookAt(v, fine, spec, seen); err != nil {
			return err
		}
	}
	if spec.Discs && unsure() {
		found, err := discs.all()
		if err != nil {
			return err
		}
		if l := squareOfDiscs(v, found, spec, seen); l.ok() {
			seen.Layout = l.layout(seen.On)
		}
	}
	if spec.Slanted && unsure() {
		return slanted(v, coarse, spec, seen)
	}
	return nil
}

// lookAt finds the board by its lines, and the boxes, and reports whether there
// is more than one board.
func lookAt(v *view, m *masks, spec screen.Spec, seen *screen.Observation) (several bool, err error) {
	var found lattice
	switch {
	case slices.Contains(spec.Topologies, screen.Cube):
		var cube cubeBoard
		if cube, err = findCube(v, m, spec, seen); cube.side > 0 {
			seen.Layout = cube.layout(seen.On)
		}
	case spec.Walled:
		found, err = findWalled(v, m, spec, seen)
	default:
		found, err = findLattice(v, m, spec, seen)
	}
	if err != nil {
		return false, err
	}
	if found.ok() {
		seen.Layout = found.layout(seen.On)
	} else if slices.Contains(spec.Topologies, screen.HexRows) {
		hexes, confidence, err := findHexRows(v, m, spec)
		if err != nil {
			return false, err
		}
		if hexes.ok() {
			seen.Layout, seen.Confidence = hexes.layout(seen.On), confidence
		}
	}
	if spec.Boxes {
		if seen.Boxes, err = findBoxes(v, m, found); err != nil {
			return false, err
		}
	}
	return found.several, nil
}

// view is the frame at its full resolution.
type view struct {
	pixels *image.RGBA
	dark   bool // the background is dark
}

// level is how strongly a pixel stands out from the background: of a dark one,
// by its brightest channel.
func (v *view) level(x, y int) int {
	p := v.pixels.Pix[y*v.pixels.Stride+4*x:]
	if v.dark {
		return int(max(p[0], p[1], p[2]))
	}
	return 255 - int(min(p[0], p[1], p[2]))
}

// looksDark reports whether most of the frame's middle is dark, be it dimmed
// or not.
func (v *view) looksDark() bool {
	size := v.size()
	var levels []int
	step := max(1, min(size.X, size.Y)/64)
	for y := size.Y / 4; y < size.Y-size.Y/4; y += step {
		for x := size.X / 8; x < size.X-size.X/8; x += step {
			c := v.pixels.RGBAAt(x, y)
			levels = append(levels, (int(c.R)+int(c.G)+int(c.B))/3)
		}
	}
	return len(levels) > 0 && median(levels) < 96
}

func (v *view) size() image.Point { return v.pixels.Rect.Max }
