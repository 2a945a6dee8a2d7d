package vision

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"tapwise/solvers/screen"
)

// mostSide is the most rows or columns of a board.
const mostSide = 64

// boardLimits bound the choice between the ways to find a board, and what counts
// as a dark background.
var boardLimits = struct {
	confidence, inPlace                float64
	acrossBoards                       int
	sampledPart, belowPart, besidePart int
	dark                               int
}{
	confidence:   0.5, // confidence: a board found with less than this is looked for in other ways
	inPlace:      0.8, // confidence: a board that lies as its hint says has at least this
	acrossBoards: 2,   // boards: a frame with room for this many side by side is looked at again at full resolution
	sampledPart:  64,  // 1/n of the shorter side: the background is sampled in steps of this length,
	belowPart:    4,   // 1/n of the height: but not this close to the upper and lower rim,
	besidePart:   8,   // 1/n of the width: nor this close to the left and right rim
	dark:         96,  // brightness levels: a dark background has a mean of the channels below this
}

// Observe looks at a frame for what spec asks for. The frame is described by on,
// whose size must be the frame's. Observe fails only when its arguments make no
// sense or when OpenCV fails: where there is nothing to see the observation has no
// board, and its doubts say why.
func Observe(frame image.Image, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	if err := checkFrame(frame, on); err != nil {
		return nil, err
	}
	if spec.MinSide < 1 || spec.MaxSide < spec.MinSide || spec.MaxSide > mostSide {
		return nil, fmt.Errorf("vision: spec asks for boards of %d to %d rows and columns, expected 1 to %d", spec.MinSide, spec.MaxSide, mostSide)
	}
	v := newView(frame, spec)
	seen := &screen.Observation{On: on}
	if spec.Signs {
		v.observeSigns(spec, seen)
		v.readNumbers(spec, seen)
		return seen, nil
	}
	if err := look(v, spec, seen); err != nil {
		return nil, err
	}
	if spec.Hint != nil {
		if err := v.byHint(spec, seen); err != nil {
			return nil, err
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
	v.readNumbers(spec, seen)
	return seen, nil
}

// checkPicture refuses a missing picture and one of an unusable size.
func checkPicture(picture image.Image) error {
	if picture == nil {
		return fmt.Errorf("vision: no frame")
	}
	return checkSize(picture.Bounds().Size())
}

// checkFrame is checkPicture for a frame that must have the size it is said to have.
func checkFrame(frame image.Image, on screen.Frame) error {
	if err := checkPicture(frame); err != nil {
		return err
	}
	if size := frame.Bounds().Size(); on.Size != size {
		return fmt.Errorf("vision: frame of %dx%d pixels, described as %s", size.X, size.Y, on)
	}
	return nil
}

// byHint uses the spec's hint: a board that was found is more certain where it lies
// as the hint says, and one that was not found is looked for there.
func (v *view) byHint(spec screen.Spec, seen *screen.Observation) error {
	if seen.Layout.Rows > 0 {
		if len(seen.Doubts) == 0 && fills(seen.Layout, spec.Hint.Room) {
			seen.Confidence = max(seen.Confidence, boardLimits.inPlace)
		}
		return nil
	}
	found, err := v.hinted(spec, seen)
	if found.ok() {
		seen.Layout = found.layout(seen.On)
	}
	return err
}

// look finds the board and the boxes. It takes the measures, too, of a board that
// is not upright.
func look(v *view, spec screen.Spec, seen *screen.Observation) error {
	m, err := newMasks(v, coarseFactor(v.size()), false)
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

// search is the search for a board: one way after the other until one finds a board
// with enough confidence.
type search struct {
	*view
	masks *masks
	discs *discFinder
	spec  screen.Spec
	seen  *screen.Observation
	found lattice // of the board's lines, where they were seen
}

// findBoard finds the board. It returns the lattice of the board's lines where the
// board was found by them.
func findBoard(v *view, m *masks, spec screen.Spec, seen *screen.Observation) (lattice, error) {
	if len(spec.Topologies) == 0 {
		return lattice{}, nil
	}
	s := &search{view: v, masks: m, discs: newDiscFinder(v, m), spec: spec, seen: seen}
	mayBeHexes := spec.Discs && slices.Contains(spec.Topologies, screen.Hex)
	if mayBeHexes {
		if ok, err := s.hexesFirst(); ok || err != nil {
			return lattice{}, err
		}
	}
	var err error
	if s.found, err = findLines(v, m, spec, seen); err != nil {
		return lattice{}, err
	}
	if mayBeHexes {
		if ok, err := s.hexesAgain(); ok || err != nil {
			return s.found, err
		}
	}
	if err := s.lookCloser(); err != nil {
		return lattice{}, err
	}
	if spec.Discs && s.unsure() {
		if err := s.squares(); err != nil {
			return lattice{}, err
		}
	}
	if spec.Slanted && s.unsure() {
		return s.found, slanted(v, m, spec, seen)
	}
	return s.found, nil
}

// unsure reports whether to look for the board in other ways.
func (s *search) unsure() bool {
	return !s.found.several && s.seen.Confidence < boardLimits.confidence
}

// hexes looks for hexagons by the discs that stand out by the next level, and
// reports whether it found a board.
func (s *search) hexes() (bool, error) {
	more, err := s.discs.more()
	return more && hexOfDiscs(s.view, s.discs.alike(), s.spec, s.seen), err
}

// hexesFirst looks for hexagons before looking for lines, unless there are the
// lines of squares: discs show a board of hexagons sooner than lines do, and mostly
// the discs of the first level are enough.
func (s *search) hexesFirst() (bool, error) {
	squares, err := s.masks.upright()
	if err != nil || squares {
		return false, err
	}
	return s.hexes()
}

// hexesAgain looks for hexagons by the discs of the levels that are left, and reports
// whether it found a board.
func (s *search) hexesAgain() (bool, error) {
	for s.unsure() && len(s.discs.levels) > 0 {
		if ok, err := s.hexes(); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// squares looks for squares by the discs of all levels.
func (s *search) squares() error {
	all, err := s.discs.all()
	if err != nil {
		return err
	}
	if l := squareOfDiscs(s.view, all, s.spec, s.seen); l.ok() {
		s.seen.Layout = l.layout(s.seen.On)
	}
	return nil
}

// lookCloser looks again for lines that a coarse look misses: at every pixel where
// there is room for a second board; where no board was found, for thin lines.
func (s *search) lookCloser() error {
	width := s.seen.Layout.Board.Dx()
	if s.masks.factor == 1 || s.spec.Walled || s.seen.Layout.Topology != screen.Square || boardLimits.acrossBoards*width > s.size().X {
		return nil
	}
	factor := 1
	if width == 0 {
		factor = s.masks.factor
	}
	closer, err := newMasks(s.view, factor, true)
	if err != nil {
		return err
	}
	defer closer.close()
	s.seen.Layout, s.seen.Doubts, s.seen.Confidence = screen.Layout{}, nil, 0
	s.found, err = findLines(s.view, closer, s.spec, s.seen)
	return err
}

// findLines finds the board by its lines, and returns their lattice where the board
// consists of upright squares.
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

// newView is the view of a frame whose background is as a spec says.
func newView(frame image.Image, spec screen.Spec) *view {
	v := &view{pixels: toRGBA(frame), dark: spec.Dark}
	if spec.Either {
		v.dark = v.looksDark()
	}
	return v
}

// level is how far a pixel stands out from the background, 0 to 255: its brightest
// channel on a dark background, 255 less its darkest channel on a light one.
func (v *view) level(x, y int) int { return v.levelAt(y*v.pixels.Stride + 4*x) }

// levelAt is the level of the pixel at an index of the frame's bytes.
func (v *view) levelAt(i int) int {
	p := v.pixels.Pix[i : i+3 : i+3]
	if v.dark {
		return int(max(p[0], p[1], p[2]))
	}
	return 255 - int(min(p[0], p[1], p[2]))
}

// looksDark reports whether most of the frame's middle is dark, dimmed or not. A game
// that may be either has no look of its own to fall back on, so that this is less
// cautious than the rule by which package calibrated takes a frame for a light theme.
func (v *view) looksDark() bool {
	size := v.size()
	var pixels []color.RGBA
	step := max(1, min(size.X, size.Y)/boardLimits.sampledPart)
	below, beside := size.Y/boardLimits.belowPart, size.X/boardLimits.besidePart
	for y := below; y < size.Y-below; y += step {
		for x := beside; x < size.X-beside; x += step {
			pixels = append(pixels, v.pixels.RGBAAt(x, y))
		}
	}
	return len(pixels) > 0 && screen.ShadeOf(pixels).Intensity < boardLimits.dark
}

func (v *view) size() image.Point { return v.pixels.Rect.Max }
