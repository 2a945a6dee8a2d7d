package vision

import (
	"fmt"
	"image"
	"image/color"

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

// Observe looks at a frame for what spec asks for. The frame is described by on, whose size
// must be the frame's, or its size before [DecodeReduced]; all places asked for and reported
// are in these pixels. Observe fails only if its arguments make no sense or if OpenCV fails: if
// nothing is seen, the observation has no board, and its doubts say why.
func Observe(frame image.Image, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	small, factor, err := reduced(frame, on)
	if err != nil {
		return nil, err
	}
	if factor == 1 {
		return observeWhole(small, on, spec)
	}
	if spec.Hint != nil {
		hint := *spec.Hint
		hint.Room.Min, hint.Room.Max = hint.Room.Min.Div(factor), hint.Room.Max.Div(factor)
		spec.Hint = &hint
	}
	seen, err := observeWhole(small, screen.Frame{Size: small.Bounds().Size(), Rotation: on.Rotation}, spec)
	if seen != nil {
		seen.Enlarge(on, factor)
	}
	return seen, err
}

// observeWhole is Observe for a frame of the size that it is described by.
func observeWhole(frame image.Image, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
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
	chosen, err := v.look(spec, seen)
	if err != nil {
		return nil, err
	}
	chosen.report(v, spec, seen)
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

// look gathers the hypotheses about the board and chooses one of them. It writes the
// boxes and, where the spec asks for them, all candidates into seen.
func (v *view) look(spec screen.Spec, seen *screen.Observation) (hypothesis, error) {
	m, err := newMasks(v, coarseFactor(v.size()), false)
	if err != nil {
		return hypothesis{}, err
	}
	defer m.close()
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
}

// newView is the view of a frame whose background is as a spec says.
func newView(frame image.Image, spec screen.Spec) *view {
	v := &view{pixels: unnoised(toRGBA(frame)), dark: spec.Dark}
	if spec.Either {
		v.dark = v.looksDark()
	}
	return v
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
