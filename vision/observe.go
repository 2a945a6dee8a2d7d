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
	if spec.Signs {
		return seen, v.observeSigns(spec, seen)
	}

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
	size := v.size()
	m, err := newMasks(v, max(1, min(size.X, size.Y)/500), false)
	if err != nil {
		return err
	}
	defer m.close()
	found, err := findBoard(v, m, spec, seen)
	if err != nil || !spec.Boxes {
		return err
	}
	seen.Boxes, err = findBoxes(v, m, found)
	return err
}

// findBoard finds the board. Where its lines told of it, it returns their lattice.
func findBoard(v *view, m *masks, spec screen.Spec, seen *screen.Observation) (lattice, error) {
	if len(spec.Topologies) == 0 {
		return lattice{}, nil
	}
	// Of hexagons discs tell sooner than lines, and mostly the brightest discs do.
	discs := newDiscFinder(v, m)
	hexes := func() (bool, error) {
		more, err := discs.more()
		return more && hexOfDiscs(v, discs.alike(), spec, seen), err
	}
	mayBeHexes := spec.Discs && slices.Contains(spec.Topologies, screen.Hex)
	if mayBeHexes {
		squares, err := m.upright()
		if err != nil {
			return lattice{}, err
		}
		if !squares {
			if ok, err := hexes(); ok || err != nil {
				return lattice{}, err
			}
		}
	}
	found, err := findLines(v, m, spec, seen)
	if err != nil {
		return lattice{}, err
	}
	unsure := func() bool { return !found.several && seen.Confidence < leastConfidence }
	for mayBeHexes && unsure() && len(discs.levels) > 0 {
		if ok, err := hexes(); ok || err != nil {
			return found, err
		}
	}
	// Look again for lines that are not seen among fewer pixels: at all of them where
	// there is room for a second board; where there is none, for thin ones.
	width, size := seen.Layout.Board.Dx(), v.size()
	if m.factor > 1 && !spec.Walled && seen.Layout.Topology == screen.Square && 2*width <= size.X {
		factor := 1
		if width == 0 {
			factor = m.factor
		}
		closer, err := newMasks(v, factor, true)
		if err != nil {
			return lattice{}, err
		}
		defer closer.close()
		seen.Layout, seen.Doubts, seen.Confidence = screen.Layout{}, nil, 0
		if found, err = findLines(v, closer, spec, seen); err != nil {
			return lattice{}, err
		}
	}
	if spec.Discs && unsure() {
		all, err := discs.all()
		if err != nil {
			return lattice{}, err
		}
		if l := squareOfDiscs(v, all, spec, seen); l.ok() {
			seen.Layout = l.layout(seen.On)
		}
	}
	if spec.Slanted && unsure() {
		return found, slanted(v, m, spec, seen)
	}
	return found, nil
}

// findLines finds the board by its lines, and returns their lattice where it is
// one of upright squares.
func findLines(v *view, m *masks, spec screen.Spec, seen *screen.Observation) (found lattice, err error) {
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
		return lattice{}, err
	}
	if found.ok() {
		seen.Layout = found.layout(seen.On)
	} else if slices.Contains(spec.Topologies, screen.HexRows) {
		hexes, confidence, err := findHexRows(v, m, spec)
		if err != nil {
			return lattice{}, err
		}
		if hexes.ok() {
			seen.Layout, seen.Confidence = hexes.layout(seen.On), confidence
		}
	}
	return found, nil
}

// view is the frame at its full resolution.
type view struct {
	pixels *image.RGBA
	dark   bool // the background is dark
}

// level is how strongly a pixel stands out from the background: of a dark one,
// by its brightest channel.
func (v *view) level(x, y int) int { return v.levelAt(y*v.pixels.Stride + 4*x) }

// levelAt is level for a place in the pixels.
func (v *view) levelAt(i int) int {
	p := v.pixels.Pix[i : i+3 : i+3]
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
