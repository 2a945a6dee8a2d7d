package calibration

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
)

// Touch is where touches land on a phone, for one rotation of its screen. A
// touch sent to p lands at
//
//	centre + Offset + R(Turn)·[Scale.X Shear; 0 Scale.Y]·(p - centre)
//
// in pixels of the frame, whose centre is the centre.
type Touch struct {
	Rotation int     // quarter turns, 0 to 3
	Offset   Point   // in ratios of the frame's width and height
	Scale    Point   // along the frame's sides, about 1
	Turn     float64 // degrees, clockwise on the screen
	Shear    float64 // of x by y
}

// Landing is the pixel of a frame that a touch was sent to, and the one where it
// was seen to land.
type Landing struct{ SentX, SentY, SeenX, SeenY float64 }

// ErrTouchUnclear means that no offset, scale and turn explain where touches land.
var ErrTouchUnclear = errors.New("touches land in no regular way")

// FitTouch finds the correction for a rotation that explains the landings best, by
// least squares, and the distance of each landing from it, in pixels. It needs
// three landings that are not on one line, and fails with ErrTouchUnclear when the
// root mean square of the distances is above limit, in pixels.
func FitTouch(size image.Point, rotation int, landings []Landing, limit float64) (Touch, []float64, error) {
	if len(landings) < 3 {
		return Touch{}, nil, fmt.Errorf("calibration: %d touches seen, expected at least 3", len(landings))
	}
	cx, cy := float64(size.X)/2, float64(size.Y)/2
	// Normal equations of u = a·x + b·y + c, the same for v.
	var m [3][3]float64
	var right [2][3]float64
	for _, l := range landings {
		row := [3]float64{(l.SentX - cx) / cx, (l.SentY - cy) / cx, 1}
		for i := range 3 {
			for j := range 3 {
				m[i][j] += row[i] * row[j]
			}
			right[0][i] += row[i] * (l.SeenX - cx)
			right[1][i] += row[i] * (l.SeenY - cy)
		}
	}
	u, okU := solve3(m, right[0])
	v, okV := solve3(m, right[1])
	if !okU || !okV {
		return Touch{}, nil, errors.New("calibration: the touches lie on a line, expected three corners of a triangle")
	}
	a, b, c, d := u[0]/cx, u[1]/cx, v[0]/cx, v[1]/cx
	scaleX := math.Hypot(a, c)
	if scaleX == 0 {
		return Touch{}, nil, fmt.Errorf("calibration: %w", ErrTouchUnclear)
	}
	sin, cos := c/scaleX, a/scaleX
	t := Touch{
		Rotation: rotation,
		Offset:   Point{u[2] / float64(size.X), v[2] / float64(size.Y)},
		Scale:    Point{scaleX, cos*d - sin*b},
		Turn:     math.Atan2(sin, cos) * 180 / math.Pi,
		Shear:    cos*b + sin*d,
	}
	residuals := make([]float64, len(landings))
	sum := 0.0
	for i, l := range landings {
		x, y := t.lands(size, l.SentX, l.SentY)
		residuals[i] = math.Hypot(x-l.SeenX, y-l.SeenY)
		sum += residuals[i] * residuals[i]
	}
	if rms := math.Sqrt(sum / float64(len(landings))); rms > limit {
		return Touch{}, residuals, fmt.Errorf("calibration: %w: %.1f pixels off the best fit, at most %.1f expected", ErrTouchUnclear, rms, limit)
	}
	if err := t.Validate(); err != nil {
		return Touch{}, residuals, fmt.Errorf("calibration: %w: %w", ErrTouchUnclear, err)
	}
	return t, residuals, nil
}

// Validate returns an error for the first value that no phone has.
func (t Touch) Validate() error {
	for _, v := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"rotation", float64(t.Rotation), 0, 3},
		{"offset x", t.Offset.X, -0.25, 0.25}, {"offset y", t.Offset.Y, -0.25, 0.25},
		{"scale x", t.Scale.X, 0.7, 1.4}, {"scale y", t.Scale.Y, 0.7, 1.4},
		{"turn", t.Turn, -20, 20}, {"shear", t.Shear, -0.2, 0.2},
	} {
		if !(v.value >= v.least && v.value <= v.most) {
			return fmt.Errorf("touch %s is %.4g, expected %g to %g", v.name, v.value, v.least, v.most)
		}
	}
	return nil
}

// lands is where a touch sent to x, y lands.
func (t Touch) lands(size image.Point, x, y float64) (float64, float64) {
	cx, cy := float64(size.X)/2, float64(size.Y)/2
	x, y = x-cx, y-cy
	x, y = t.Scale.X*x+t.Shear*y, t.Scale.Y*y
	sin, cos := math.Sincos(t.Turn * math.Pi / 180)
	return cx + t.Offset.X*float64(size.X) + cos*x - sin*y, cy + t.Offset.Y*float64(size.Y) + sin*x + cos*y
}

// Aim is the pixel to send a touch to so that it lands on the given pixel of a
// frame.
func (t Touch) Aim(size image.Point, at image.Point) image.Point {
	cx, cy := float64(size.X)/2, float64(size.Y)/2
	x := float64(at.X) - cx - t.Offset.X*float64(size.X)
	y := float64(at.Y) - cy - t.Offset.Y*float64(size.Y)
	sin, cos := math.Sincos(-t.Turn * math.Pi / 180)
	x, y = cos*x-sin*y, sin*x+cos*y
	y /= t.Scale.Y
	x = (x - t.Shear*y) / t.Scale.X
	return image.Pt(int(math.Round(cx+x)), int(math.Round(cy+y)))
}

// TouchFor is the correction measured for a rotation.
func (p *Profile) TouchFor(rotation int) (Touch, bool) {
	i := slices.IndexFunc(p.Touch, func(t Touch) bool { return t.Rotation == rotation })
	if i < 0 {
		return Touch{}, false
	}
	return p.Touch[i], true
}

// SetTouch replaces the correction for a rotation.
func (p *Profile) SetTouch(t Touch) {
	p.Touch = slices.DeleteFunc(slices.Clone(p.Touch), func(o Touch) bool { return o.Rotation == t.Rotation })
	p.Touch = append(p.Touch, t)
	slices.SortFunc(p.Touch, func(a, b Touch) int { return a.Rotation - b.Rotation })
}

// solve3 solves three linear equations; false when they are dependent.
func solve3(m [3][3]float64, right [3]float64) ([3]float64, bool) {
	for i := range 3 {
		pivot := i
		for k := i + 1; k < 3; k++ {
			if math.Abs(m[k][i]) > math.Abs(m[pivot][i]) {
				pivot = k
			}
		}
		if math.Abs(m[pivot][i]) < 1e-6 {
			return [3]float64{}, false
		}
		m[i], m[pivot] = m[pivot], m[i]
		right[i], right[pivot] = right[pivot], right[i]
		for k := range 3 {
			if k == i {
				continue
			}
			f := m[k][i] / m[i][i]
			for j := range 3 {
				m[k][j] -= f * m[i][j]
			}
			right[k] -= f * right[i]
		}
	}
	return [3]float64{right[0] / m[0][0], right[1] / m[1][1], right[2] / m[2][2]}, true
}
