package vision

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"
)

// maskLimits bound what counts as a thin line.
var maskLimits = struct {
	lineContrast, faintContrast, fullContrast int
	pixels, thickPart, leastThick             int
	longPart, leastLong, uprightLines         int
	uprightLength                             float64
}{
	lineContrast:  9,   // brightness levels: a line stands out from both its sides by more than this
	faintContrast: 4,   // brightness levels: a line that is known to be there stands out by at least this
	fullContrast:  80,  // brightness levels: standing out by more than this counts for nothing; a lattice is mostly dim, other things on a screen are bright
	pixels:        500, // pixels: the masks' shorter side is at least this long, unless the frame's is shorter
	thickPart:     80,  // 1/n of the shorter side: every line is thinner; outlines, the widest lines, take 1/135 of the width
	leastThick:    5,   // pixels of the masks: lines up to this thick are found in any case
	longPart:      60,  // 1/n of the shorter side: a piece of a line is at least this long,
	leastLong:     6,   // pixels of the masks: and at least this long
	uprightLines:  4,   // lines: a board of squares has at least this many upright ones; hexagons in columns have none
	uprightLength: 0.5, // shorter sides: each of them is at least this long, all its pieces taken together
}

// masks are the thin lines of a frame, at 1/factor of its resolution.
type masks struct {
	factor int
	size   image.Point
	thick  int      // pixels of the masks; every line is thinner
	level  gocv.Mat // 8 bit: how far a pixel stands out from the background
	// The contrast of horizontal lines, of vertical lines, and of thin lines in
	// any direction, 0 elsewhere; empty until asked for.
	horizontal, vertical, any gocv.Mat
	// The areas between thin lines, by the least contrast of these lines.
	between map[float32]*areas
	half    *masks // at half the resolution; nil until asked for
}

// coarseFactor is the factor at which a lattice is looked for first: fewer pixels
// show it as well and take less time.
func coarseFactor(size image.Point) int {
	return max(1, min(size.X, size.Y)/maskLimits.pixels)
}

func newEmptyMasks(factor int, size image.Point, thick int) *masks {
	return &masks{factor: factor, size: size, thick: thick,
		level: gocv.NewMat(), horizontal: gocv.NewMat(), vertical: gocv.NewMat(), any: gocv.NewMat()}
}

func (m *masks) close() {
	m.level.Close()
	m.horizontal.Close()
	m.vertical.Close()
	m.any.Close()
	for _, gaps := range m.between {
		gaps.release()
	}
	if m.half != nil {
		m.half.close()
	}
}

// emptyMasks are the masks of a size, yet without levels.
func emptyMasks(factor int, size image.Point) *masks {
	return newEmptyMasks(factor, size, max(maskLimits.leastThick, min(size.X, size.Y)/maskLimits.thickPart|1))
}

// thin is the contrast of thin things, whatever their direction: the morphological
// top-hat with a square, which keeps corners.
func (m *masks) thin() (gocv.Mat, error) {
	var err error
	if m.any.Empty() {
		err = standingOut(m.level, &m.any, image.Pt(m.thick, m.thick))
	}
	return m.any, err
}

// gaps are the areas between the thin lines whose contrast is more than least.
func (m *masks) gaps(least float32) (*areas, error) {
	if known, ok := m.between[least]; ok {
		return known, nil
	}
	thin, err := m.thin()
	if err != nil {
		return nil, err
	}
	lines := gocv.NewMat()
	defer lines.Close()
	gocv.Threshold(thin, &lines, least, 255, gocv.ThresholdBinary)
	gaps, err := zerosOf(lines)
	if err != nil {
		return nil, err
	}
	if m.between == nil {
		m.between = map[float32]*areas{}
	}
	m.between[least] = gaps
	return gaps, nil
}

// halved are the masks at half the resolution.
func (m *masks) halved() *masks {
	if m.half == nil {
		m.half = newEmptyMasks(2*m.factor, m.size.Div(2), max(maskLimits.leastThick, m.thick/2|1))
		gocv.Resize(m.level, &m.half.level, m.half.size, 0, 0, gocv.InterpolationArea)
	}
	return m.half
}

// newMasks makes the masks of a frame at 1/factor of its resolution. Each of their
// pixels is the mean of a square of the frame's or, to keep lines thinner than the
// factor, the pixel of that square that stands out most.
func newMasks(v *view, factor int, keepThin bool) (*masks, error) {
	size := v.size()
	if factor == 2 && size.X%2 == 0 && size.Y%2 == 0 {
		m := emptyMasks(factor, size.Div(2))
		halve := v.halvedLevels
		if keepThin {
			halve = v.halvedThin
		}
		if err := halve(&m.level, m.size); err != nil {
			m.close()
			return nil, err
		}
		return m, nil
	}
	whole, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, v.pixels.Pix)
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	defer whole.Close()
	small := whole
	if factor > 1 {
		small = gocv.NewMat()
		defer small.Close()
		size = image.Pt(size.X/factor, size.Y/factor)
		if keepThin {
			shrinkThin(whole, &small, factor, size, v.dark)
		} else {
			gocv.Resize(whole, &small, size, 0, 0, gocv.InterpolationArea)
		}
	}
	m := emptyMasks(factor, size)
	channels := gocv.Split(small)
	if v.dark {
		gocv.Max(channels[0], channels[1], &m.level)
		gocv.Max(m.level, channels[2], &m.level)
	} else {
		gocv.Min(channels[0], channels[1], &m.level)
		gocv.Min(m.level, channels[2], &m.level)
		gocv.BitwiseNot(m.level, &m.level)
	}
	for i := range channels {
		channels[i].Close()
	}
	return m, nil
}

// shrinkThin shrinks a picture so that lines on a dark or light background stay
// as bright or dark as they are, however thin.
func shrinkThin(whole gocv.Mat, small *gocv.Mat, factor int, size image.Point, dark bool) {
	wide := gocv.NewMat()
	defer wide.Close()
	kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(factor, factor))
	defer kernel.Close()
	if dark {
		gocv.Dilate(whole, &wide, kernel)
	} else {
		gocv.Erode(whole, &wide, kernel)
	}
	gocv.Resize(wide, small, size, 0, 0, gocv.InterpolationNearestNeighbor)
}

// long is the least length of a line's piece, in pixels of the masks.
func (m *masks) long() int {
	return max(maskLimits.leastLong, min(m.size.X, m.size.Y)/maskLimits.longPart)
}

// across is the contrast of horizontal lines, 0 elsewhere.
func (m *masks) across() (gocv.Mat, error) {
	var err error
	if m.horizontal.Empty() {
		err = lines(m.level, &m.horizontal, image.Pt(1, m.thick), image.Pt(m.long(), 1))
	}
	return m.horizontal, err
}

// down is the contrast of vertical lines, 0 elsewhere.
func (m *masks) down() (gocv.Mat, error) {
	var err error
	if m.vertical.Empty() {
		err = lines(m.level, &m.vertical, image.Pt(m.thick, 1), image.Pt(1, m.long()))
	}
	return m.vertical, err
}

// upright reports whether there are enough long upright lines for a board of
// squares: most such boards have them, hexagons in columns have none.
func (m *masks) upright() (bool, error) {
	down, err := m.down()
	if err != nil {
		return false, err
	}
	mask := gocv.NewMat()
	defer mask.Close()
	gocv.Threshold(down, &mask, 0, 1, gocv.ThresholdBinary)
	lengths, err := profile(mask, image.Rectangle{Max: m.size}, 0)
	if err != nil {
		return false, err
	}
	n := 0
	for x, length := range lengths {
		// A line is a local maximum: the columns beside it are parts of it.
		if x > 0 && length < lengths[x-1] || x+1 < len(lengths) && length <= lengths[x+1] {
			continue
		}
		if length >= maskLimits.uprightLength*float64(min(m.size.X, m.size.Y)) {
			n++
		}
	}
	return n >= maskLimits.uprightLines, nil
}

// lines writes the contrast of straight thin lines: of what a morphological opening
// across the line removes and an opening along it keeps.
func lines(level gocv.Mat, contrast *gocv.Mat, thin, long image.Point) error {
	if err := standingOut(level, contrast, thin); err != nil {
		return err
	}
	mask := gocv.NewMat()
	defer func() { mask.Close() }()
	gocv.Threshold(*contrast, &mask, float32(maskLimits.lineContrast), 255, gocv.ThresholdBinary)
	if err := opened(mask, &mask, long); err != nil {
		return err
	}
	gocv.Threshold(*contrast, contrast, float32(maskLimits.fullContrast), 0, gocv.ThresholdTrunc)
	gocv.BitwiseAnd(*contrast, mask, contrast)
	return nil
}
