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
	across gocv.Mat // the contrast of horizontal lines, 0 elsewhere
	down   gocv.Mat // the contrast of vertical lines, 0 elsewhere
	any    gocv.Mat // the contrast of thin lines of all directions; empty until asked for
}

func (m *masks) close() {
	m.level.Close()
	m.across.Close()
	m.down.Close()
	m.any.Close()
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

// lineContrast is the least difference of a line's level from both its sides.
const lineContrast = 9

// faintContrast is the same where it is known that there must be a line.
const faintContrast = 4

// fullContrast is that from which on a line counts no more for being brighter:
// a lattice is mostly dim, what else is on a screen is bright.
const fullContrast = 80

// newMasks finds straight thin lines. A line is what a morphological opening
// across it removes, and an opening along it does not.
func newMasks(v *view, factor int) (*masks, error) {
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
		gocv.Resize(whole, &small, size, 0, 0, gocv.InterpolationArea)
	}
	// Outlines, the widest lines, take 1/135 of the frame's width.
	thick := max(5, min(size.X, size.Y)/80|1)
	m := &masks{factor: factor, size: size, thick: thick, level: gocv.NewMat(), across: gocv.NewMat(), down: gocv.NewMat(), any: gocv.NewMat()}
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
	long := max(6, min(size.X, size.Y)/60)
	lines(m.level, &m.across, image.Pt(1, thick), image.Pt(long, 1))
	lines(m.level, &m.down, image.Pt(thick, 1), image.Pt(1, long))
	return m, nil
}

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
