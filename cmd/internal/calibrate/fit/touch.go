package fit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"tapwise/calibration"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// TouchPhone is a phone whose touches can be watched.
type TouchPhone interface {
	Capture(ctx context.Context) (*image.RGBA, screen.Frame, error)
	// Hold puts a finger down at the gesture's last point, calls while with the
	// finger there, and lifts it. The gesture is sent as it is, without correction.
	Hold(ctx context.Context, g screen.Gesture, while func() error) error
}

// ErrNoHalo means that the screen showed nothing where a finger was held.
var ErrNoHalo = errors.New("where a finger is held cannot be seen: the app shows no halo around it")

// Touched is the measurement of a phone's touches.
type Touched struct {
	Touch     calibration.Touch
	Landings  []calibration.Landing
	Residuals []float64 // of each landing from the best fit, in pixels
	Proof     []float64 // distances, in pixels, of corrected touches from where they were meant
}

// MeasureTouch finds out where touches land. It holds a finger on clues of the
// level on the screen, one after the other, and looks where the app shows it. A
// clue that is held and released draws nothing; nothing may be drawn on the level.
func MeasureTouch(ctx context.Context, game solvers.Game, device TouchPhone, level Fitted) (Touched, error) {
	var t Touched
	if level.Puzzle == nil || len(level.Marks) < 3 {
		return t, errors.New("calibrate: no level with at least three clues on the screen")
	}
	if _, ok := level.Solution.(solvers.Retractor); !ok {
		return t, fmt.Errorf("%s: %w, and a finger there would change the level", game.Name(), ErrNoHalo)
	}
	if f, ok := level.Puzzle.(solvers.Filler); ok {
		if fill, err := f.Fill(level.Seen); err != nil || fill != "" {
			return t, &solvers.ReadError{Reason: "something is drawn on the level already, expected a fresh one"}
		}
	}
	m := holder{device: device, level: level, pitch: level.Seen.Layout.Pitch}
	m.size = level.Frame.Bounds().Size()
	rotation := level.Seen.On.Rotation
	if rotation < 0 {
		return t, errors.New("calibrate: the screen's rotation is not known")
	}
	var off [2]float64 // of the last landing from its target
	for _, mark := range spread(level.Marks, 12) {
		landing, err := m.find(ctx, mark, off, len(t.Landings) == 0)
		if err != nil {
			if errors.Is(err, ErrNoHalo) && len(t.Landings) >= 4 {
				continue
			}
			return t, err
		}
		t.Landings = append(t.Landings, landing)
		off = [2]float64{landing.SeenX - landing.SentX, landing.SeenY - landing.SentY}
	}
	limit := max(1.5, 2*float64(min(m.size.X, m.size.Y))/1080)
	var err error
	if t.Touch, t.Residuals, err = calibration.FitTouch(m.size, rotation, t.Landings, limit); err != nil {
		return t, err
	}
	// Proof: corrected touches land where they are meant.
	for _, mark := range spread(level.Marks, 3) {
		wanted := image.Pt(int(math.Round(mark.X)), int(math.Round(mark.Y)))
		x, y, err := m.press(ctx, t.Touch.Aim(m.size, wanted), wanted)
		if err != nil {
			return t, err
		}
		t.Proof = append(t.Proof, math.Hypot(x-float64(wanted.X), y-float64(wanted.Y)))
		if last := t.Proof[len(t.Proof)-1]; last > limit+1 {
			return t, fmt.Errorf("calibrate: a corrected touch for %v landed %.1f pixels off, at most %.1f expected", wanted, last, limit+1)
		}
	}
	return t, nil
}

// spread returns at most n marks, each as far from those before as possible.
func spread(marks []screen.Mark, n int) []screen.Mark {
	var chosen []screen.Mark
	var middle screen.Mark
	for _, m := range marks {
		middle.X += m.X / float64(len(marks))
		middle.Y += m.Y / float64(len(marks))
	}
	// The first is the one nearest to the middle: even a displaced touch lands on
	// the board there.
	for len(chosen) < min(n, len(marks)) {
		best, far := -1, math.Inf(-1)
		for i, m := range marks {
			d := -math.Hypot(m.X-middle.X, m.Y-middle.Y)
			if len(chosen) > 0 {
				d = math.Inf(1)
			}
			for _, c := range chosen {
				d = min(d, math.Hypot(m.X-c.X, m.Y-c.Y))
			}
			if d > far {
				best, far = i, d
			}
		}
		chosen = append(chosen, marks[best])
	}
	return chosen
}

// holder holds a finger on the screen and looks where it is.
type holder struct {
	device TouchPhone
	level  Fitted
	size   image.Point
	pitch  float64
	before *image.RGBA // the screen before the last touch; nil before the first
}

// find touches a mark, displaced by off so that it is hit; the first time it also
// tries around it.
func (h *holder) find(ctx context.Context, mark screen.Mark, off [2]float64, first bool) (calibration.Landing, error) {
	tries := [][2]float64{{0, 0}}
	if first {
		// The displacement of touches is not yet known.
		for _, r := range []float64{0.6, 1.2, 1.8} {
			for i := range 8 {
				sin, cos := math.Sincos(math.Pi / 4 * float64(i))
				tries = append(tries, [2]float64{r * cos, r * sin})
			}
		}
	} else {
		tries = append(tries, [2]float64{0.3, 0}, [2]float64{-0.3, 0}, [2]float64{0, 0.3}, [2]float64{0, -0.3})
	}
	for _, try := range tries {
		at := image.Pt(int(math.Round(mark.X-off[0]+try[0]*h.pitch)), int(math.Round(mark.Y-off[1]+try[1]*h.pitch)))
		if !at.In(image.Rectangle{Max: h.size}) {
			continue
		}
		x, y, err := h.press(ctx, at, image.Pt(int(mark.X), int(mark.Y)))
		if err == nil {
			return calibration.Landing{SentX: float64(at.X), SentY: float64(at.Y), SeenX: x, SeenY: y}, nil
		}
		if !errors.Is(err, ErrNoHalo) {
			return calibration.Landing{}, err
		}
	}
	return calibration.Landing{}, fmt.Errorf("calibrate: %w (the clue at %.0f,%.0f)", ErrNoHalo, mark.X, mark.Y)
}

// takenWithin is the number of frames within which a touch shows. The ways to touch
// that stream events do not tell when the phone has taken them.
const takenWithin = 3

// untouched is the screen as it looks once the last touch is over: as it did before that
// touch, or a frame that the one before it equals.
func (h *holder) untouched(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	before := h.before
	for range 8 {
		frame, on, err := h.device.Capture(ctx)
		if err != nil {
			return nil, on, err
		}
		if on != h.level.Seen.On {
			return nil, on, fmt.Errorf("calibrate: the screen is now %v, expected %v", on, h.level.Seen.On)
		}
		if before != nil && bytes.Equal(before.Pix, frame.Pix) {
			h.before = frame
			return frame, on, nil
		}
		before = frame
	}
	h.before = nil
	return before, h.level.Seen.On, nil // something else moves
}

// press holds a finger at a pixel and returns where it is seen. Around is roughly
// where that should be.
func (h *holder) press(ctx context.Context, at, around image.Point) (x, y float64, err error) {
	before, on, err := h.untouched(ctx)
	if err != nil {
		return 0, 0, err
	}
	reach := int(3.2 * h.pitch)
	window := image.Rectangle{around, around}.Inset(-reach).Intersect(before.Bounds())
	found, unchanged := false, 0
	err = h.device.Hold(ctx, screen.Gesture{On: on, Points: []image.Point{at}, Note: "hold"}, func() error {
		var lastX, lastY float64
		// The halo may grow: it counts when it is seen twice in the same place.
		for range 8 {
			frame, now, err := h.device.Capture(ctx)
			if err != nil {
				return err
			}
			if now != on {
				return fmt.Errorf("calibrate: the screen is now %v, expected %v", now, on)
			}
			cx, cy, radius, ok := halo(before, frame, window)
			if !ok || radius < 0.3*h.pitch || radius > 1.6*h.pitch {
				if !ok && !found {
					if unchanged++; unchanged == takenWithin {
						return nil // the touch hit no clue
					}
				}
				continue
			}
			if found && math.Hypot(cx-lastX, cy-lastY) < 0.5 {
				x, y = cx, cy
				return nil
			}
			found, lastX, lastY = true, cx, cy
			x, y = cx, cy
		}
		return nil
	})
	if err == nil && !found {
		err = ErrNoHalo
	}
	return x, y, err
}

// halo fits a circle around the difference of two frames, by the outermost pixels
// of each row and column.
func halo(before, during *image.RGBA, window image.Rectangle) (x, y, radius float64, ok bool) {
	const least = 12 // of 255
	differs := func(x, y int) bool {
		i := before.PixOffset(x, y)
		for k := range 3 {
			d := int(before.Pix[i+k]) - int(during.Pix[i+k])
			if d > least || d < -least {
				return true
			}
		}
		return false
	}
	if before.Bounds() != during.Bounds() {
		return 0, 0, 0, false
	}
	w, h := window.Dx(), window.Dy()
	changed := make([]bool, w*h)
	for i := range changed {
		changed[i] = differs(window.Min.X+i%w, window.Min.Y+i/w)
	}
	// Counters and clocks change too; the halo is the largest connected component.
	piece := largest(changed, w)
	firstX, lastX := make([]int, h), make([]int, h)
	firstY, lastY := make([]int, w), make([]int, w)
	for i := range h {
		firstX[i], lastX[i] = w, -1
	}
	for i := range w {
		firstY[i], lastY[i] = h, -1
	}
	for _, i := range piece {
		px, py := i%w, i/w
		firstX[py], lastX[py] = min(firstX[py], px), max(lastX[py], px)
		firstY[px], lastY[px] = min(firstY[px], py), max(lastY[px], py)
	}
	var rim [][2]float64
	// Pixels cut off by the frame's rim are not on the circle.
	inside := before.Bounds().Inset(2)
	add := func(px, py int) {
		if p := window.Min.Add(image.Pt(px, py)); p.In(inside) {
			rim = append(rim, [2]float64{float64(p.X), float64(p.Y)})
		}
	}
	for py := range h {
		if lastX[py] >= 0 {
			add(firstX[py], py)
			add(lastX[py], py)
		}
	}
	for px := range w {
		if lastY[px] >= 0 {
			add(px, firstY[px])
			add(px, lastY[px])
		}
	}
	for _, slack := range []float64{0.06, 0.03, 0.015, 0.015} {
		if len(rim) < 24 {
			return 0, 0, 0, false
		}
		if x, y, radius, ok = circle(rim); !ok {
			return 0, 0, 0, false
		}
		// Without the pixels that are not on it: a clock, an animation beside it.
		var kept [][2]float64
		for _, p := range rim {
			if math.Abs(math.Hypot(p[0]-x, p[1]-y)-radius) < max(1.2, slack*radius) {
				kept = append(kept, p)
			}
		}
		if len(kept) == len(rim) {
			break
		}
		if 2*len(kept) < len(rim) {
			return 0, 0, 0, false
		}
		rim = kept
	}
	return x + 0.5, y + 0.5, radius, true // the centre of a pixel is half a pixel in
}

// largest is the largest connected component of a mask with rows of width w.
func largest(mask []bool, w int) []int {
	var best, piece, stack []int
	for start := range mask {
		if !mask[start] {
			continue
		}
		mask[start] = false
		stack, piece = append(stack[:0], start), nil
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			piece = append(piece, i)
			for _, step := range [4]struct{ to, column int }{{i - 1, -1}, {i + 1, 1}, {i - w, 0}, {i + w, 0}} {
				column := i%w + step.column
				if column >= 0 && column < w && step.to >= 0 && step.to < len(mask) && mask[step.to] {
					mask[step.to] = false
					stack = append(stack, step.to)
				}
			}
		}
		if len(piece) > len(best) {
			best = piece
		}
	}
	return best
}

// circle is the circle nearest to points, by least squares of x² + y² = ax + by +
// c.
func circle(points [][2]float64) (x, y, radius float64, ok bool) {
	var mx, my float64
	for _, p := range points {
		mx += p[0] / float64(len(points))
		my += p[1] / float64(len(points))
	}
	var uu, uv, vv, uuu, vvv, uvv, vuu float64
	for _, p := range points {
		u, v := p[0]-mx, p[1]-my
		uu, uv, vv = uu+u*u, uv+u*v, vv+v*v
		uuu, vvv, uvv, vuu = uuu+u*u*u, vvv+v*v*v, uvv+u*v*v, vuu+v*u*u
	}
	det := uu*vv - uv*uv
	if det < 1e-6*uu*vv || uu == 0 || vv == 0 {
		return 0, 0, 0, false
	}
	a, b := (uuu+uvv)/2, (vvv+vuu)/2
	u, v := (a*vv-b*uv)/det, (b*uu-a*uv)/det
	return mx + u, my + v, math.Sqrt(u*u + v*v + (uu+vv)/float64(len(points))), true
}
