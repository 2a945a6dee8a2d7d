package vision

import (
	"fmt"
	"image"
	"image/color"

	"tapwise/solvers/screen"
	"tapwise/vision/internal/cells"
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

// Observe looks at a frame for what spec asks for. The frame is described by on, whose size
// must be the frame's, or its size before [DecodeReduced]; all places asked for and reported
// are in these pixels. Observe fails only if its arguments make no sense or if OpenCV fails: if
// nothing is seen, the observation has no board, and its doubts say why.
func Observe(frame image.Image, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	looked, err := NewFrame(frame, on)
	if err != nil {
		return nil, err
	}
	defer looked.Close()
	return looked.Observe(spec)
}

// Frame is a frame that is looked at for several specs: what their looks share is found once. It
// has to be closed, and one goroutine at a time may use it.
type Frame struct {
	pixels *image.RGBA  // smaller than on if that is larger than any screen, and without noise
	on     screen.Frame // as it is described
	factor int          // by how much its sides are shorter
	views  [2]*view     // on a light and on a dark background; nil until asked for
	areas  *cells.PaneFinder
}

// NewFrame is the frame for [Frame.Observe], described as for [Observe].
func NewFrame(frame image.Image, on screen.Frame) (*Frame, error) {
	small, factor, err := reduced(frame, on)
	if err != nil {
		return nil, err
	}
	pixels := unnoised(toRGBA(small))
	return &Frame{pixels: pixels, on: on, factor: factor, areas: &cells.PaneFinder{Frame: pixels}}, nil
}

// Close frees what OpenCV keeps.
func (f *Frame) Close() {
	for _, v := range f.views {
		v.close()
	}
}

// Observe looks at the frame for what spec asks for, as [Observe] does.
func (f *Frame) Observe(spec screen.Spec) (*screen.Observation, error) {
	if spec.MinSide < 1 || spec.MaxSide < spec.MinSide || spec.MaxSide > mostSide {
		return nil, fmt.Errorf("vision: spec asks for boards of %d to %d rows and columns, expected 1 to %d", spec.MinSide, spec.MaxSide, mostSide)
	}
	on := f.on
	if f.factor > 1 {
		on.Size = f.pixels.Rect.Size()
		if spec.Hint != nil {
			hint := *spec.Hint
			hint.Room.Min, hint.Room.Max = hint.Room.Min.Div(f.factor), hint.Room.Max.Div(f.factor)
			spec.Hint = &hint
		}
	}
	v, seen := f.view(spec), &screen.Observation{On: on}
	if spec.Signs {
		v.observeSigns(spec, seen)
	} else {
		chosen, err := v.look(spec, seen)
		if err != nil {
			return nil, err
		}
		chosen.report(v, spec, seen)
	}
	v.readNumbers(spec, seen)
	if f.factor > 1 {
		seen.Enlarge(f.on, f.factor)
	}
	return seen, nil
}

// view is the frame on the background that a spec asks for.
func (f *Frame) view(spec screen.Spec) *view {
	v := &view{pixels: f.pixels, dark: spec.Dark, areas: f.areas}
	if spec.Either {
		v.dark = v.looksDark()
	}
	known := &f.views[0]
	if v.dark {
		known = &f.views[1]
	}
	if *known == nil {
		*known = v
	}
	return *known
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

// look gathers the hypotheses about the board and chooses one of them. It writes the
// boxes and, where the spec asks for them, all candidates into seen.
func (v *view) look(spec screen.Spec, seen *screen.Observation) (hypothesis, error) {
	m, err := v.masksAt(coarseFactor(v.size()), false)
	if err != nil {
		return hypothesis{}, err
	}
	s := newSearch(v, m, spec, seen.On)
	if err := s.gather(); err != nil {
		return hypothesis{}, err
	}
	chosen := s.choose()
	if spec.Boxes {
		// Rectangles of a board that was found by its lines are no boxes.
		if seen.Boxes, err = findBoxes(v, m, s.lines); err != nil {
			return hypothesis{}, err
		}
	}
	if spec.Candidates {
		seen.Candidates = s.candidates(seen.Boxes)
	}
	return chosen, nil
}

// view is the frame at its full resolution.
type view struct {
	pixels *image.RGBA
	dark   bool // the background is dark
	areas  *cells.PaneFinder
	kept   map[maskKind]*masks
}

// maskKind tells masks of one view apart.
type maskKind struct {
	factor   int
	keepThin bool
}

// masksAt are the masks that newMasks makes, which are kept.
func (v *view) masksAt(factor int, keepThin bool) (*masks, error) {
	kind := maskKind{factor, keepThin}
	if m := v.kept[kind]; m != nil {
		return m, nil
	}
	m, err := newMasks(v, factor, keepThin)
	if err != nil {
		return nil, err
	}
	if v.kept == nil {
		v.kept = map[maskKind]*masks{}
	}
	v.kept[kind] = m
	return m, nil
}

// close frees the masks.
func (v *view) close() {
	if v != nil {
		for _, m := range v.kept {
			m.close()
		}
	}
}

// level is how far a pixel stands out from the background, 0 to 255: its brightest
// channel on a dark background, 255 less its darkest channel on a light one.
func (v *view) level(x, y int) int { return v.levelAt(y*v.pixels.Stride + 4*x) }

// levelAt is the level of the pixel at an index of the frame's bytes.
func (v *view) levelAt(i int) int { return levelOf(v.pixels.Pix[i:i+3:i+3], v.dark) }

// levelOf is the level of a pixel that begins with its three channels.
func levelOf(p []uint8, dark bool) int {
	if dark {
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
