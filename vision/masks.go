package vision

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"
)

// masks are the thin lines of a frame, at 1/factor of its resolution.
type masks struct {
	factor int
	size   image.Point
	thick  int      // no line is as wide, in pixels of the masks
	level  gocv.Mat // 8 bit: how much a pixel stands out from the background
	// The contrast of horizontal, of vertical, and of thin lines of whatever
	// direction, 0 elsewhere; empty until asked for.
	horizontal, vertical, any gocv.Mat
	// Of what is between thin lines of a least contrast, the areas; those that
	// were asked for.
	between map[float32]*areas
	half    *masks // at half the resolution; nil until asked for
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

// thin is how much what is thin stands out, whatever its direction. What an
// opening with a square removes is thin, and keeps its corners.
func (m *masks) thin() gocv.Mat {
	if m.any.Empty() {
		kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(m.thick, m.thick))
		defer kernel.Close()
		gocv.MorphologyEx(m.level, &m.any, gocv.MorphTophat, kernel)
	}
	return m.any
}

// gaps are the areas between thin lines of a least contrast.
func (m *masks) gaps(least float32) (*areas, error) {
	if known, ok := m.between[least]; ok {
		return known, nil
	}
	lines := gocv.NewMat()
	defer lines.Close()
	gocv.Threshold(m.thin(), &lines, least, 255, gocv.ThresholdBinary)
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
		m.half = &masks{factor: 2 * m.factor, size: m.size.Div(2), thick: max(5, m.thick/2|1),
			level: gocv.NewMat(), horizontal: gocv.NewMat(), vertical: gocv.NewMat(), any: gocv.NewMat()}
		gocv.Resize(m.level, &m.half.level, m.half.size, 0, 0, gocv.InterpolationArea)
	}
	return m.half
}

// lineContrast is the least difference of a line's level from both its sides.
const lineContrast = 9

// faintContrast is the same where it is known that there must be a line.
const faintContrast = 4

// fullContrast is that from which on a line counts no more for being brighter:
// a lattice is mostly dim, what else is on a screen is bright.
const fullContrast = 80

// newMasks finds how much each pixel stands out: each of so many times so many
// of the frame's in their mean, or, to keep lines that are thinner, the one that
// stands out most.
func newMasks(v *view, factor int, keepThin bool) (*masks, error) {
	size := v.size()
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
			wide := gocv.NewMat()
			defer wide.Close()
			kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(factor, factor))
			defer kernel.Close()
			if v.dark {
				gocv.Dilate(whole, &wide, kernel)
			} else {
				gocv.Erode(whole, &wide, kernel)
			}
			gocv.Resize(wide, &small, size, 0, 0, gocv.InterpolationNearestNeighbor)
		} else {
			gocv.Resize(whole, &small, size, 0, 0, gocv.InterpolationArea)
		}
	}
	// Outlines, the widest lines, take 1/135 of the frame's width.
	thick := max(5, min(size.X, size.Y)/80|1)
	m := &masks{factor: factor, size: size, thick: thick, level: gocv.NewMat(), horizontal: gocv.NewMat(), vertical: gocv.NewMat(), any: gocv.NewMat()}
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

// long is the least length of a line.
func (m *masks) long() int { return max(6, min(m.size.X, m.size.Y)/60) }

// across is the contrast of horizontal lines, 0 elsewhere.
func (m *masks) across() gocv.Mat {
	if m.horizontal.Empty() {
		lines(m.level, &m.horizontal, image.Pt(1, m.thick), image.Pt(m.long(), 1))
	}
	return m.horizontal
}

// down is the contrast of vertical lines, 0 elsewhere.
func (m *masks) down() gocv.Mat {
	if m.vertical.Empty() {
		lines(m.level, &m.vertical, image.Pt(m.thick, 1), image.Pt(1, m.long()))
	}
	return m.vertical
}

// upright reports whether there are four upright lines of which each, all its pieces
// together, is half as long as the frame's shorter side: squares mostly have them,
// hexagons in columns none.
func (m *masks) upright() (bool, error) {
	mask := gocv.NewMat()
	defer mask.Close()
	gocv.Threshold(m.down(), &mask, 0, 1, gocv.ThresholdBinary)
	lengths, err := profile(mask, image.Rectangle{Max: m.size}, 0)
	if err != nil {
		return false, err
	}
	n := 0
	for x, length := range lengths {
		// A line is a peak: what is beside it is its own.
		if x > 0 && length < lengths[x-1] || x+1 < len(lengths) && length <= lengths[x+1] {
			continue
		}
		if 2*int(length) >= min(m.size.X, m.size.Y) {
			n++
		}
	}
	return n >= 4, nil
}

// lines finds straight thin lines. A line is what a morphological opening
// across it removes, and an opening along it does not.
func lines(level gocv.Mat, contrast *gocv.Mat, thin, long image.Point) {
	kernel := gocv.GetStructuringElement(gocv.MorphRect, thin)
	defer kernel.Close()
	gocv.MorphologyEx(level, contrast, gocv.MorphTophat, kernel)
	mask := gocv.NewMat()
	defer mask.Close()
	gocv.Threshold(*contrast, &mask, lineContrast, 255, gocv.ThresholdBinary)
	along := gocv.GetStructuringElement(gocv.MorphRect, long)
	defer along.Close()
	gocv.MorphologyEx(mask, &mask, gocv.MorphOpen, along)
	gocv.Threshold(*contrast, contrast, fullContrast, 0, gocv.ThresholdTrunc)
	gocv.BitwiseAnd(*contrast, mask, contrast)
}
