package player_test

import (
	"image"
	"math"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// withHalo draws the feedback of a touch that many phones show: a translucent red ring
// around a finger at x,y, of an outer radius and of an opacity.
func withHalo(f *image.RGBA, x, y, radius, opacity float64) {
	const inner = 0.92 // radii
	for py := max(0, int(y-radius)-1); py <= min(f.Rect.Dy()-1, int(y+radius)+2); py++ {
		for px := max(0, int(x-radius)-1); px <= min(f.Rect.Dx()-1, int(x+radius)+2); px++ {
			d := math.Hypot(float64(px)-x, float64(py)-y)
			if d < inner*radius {
				continue
			}
			a := opacity * max(0, min(1, radius+0.5-d))
			p := f.Pix[py*f.Stride+4*px:]
			for k, full := range []float64{255, 0, 0} {
				p[k] = clamped(float64(p[k])*(1-a) + a*full)
			}
		}
	}
}

// TestHalo reads a board with a finger's halo in many places, on a phone and on a tablet.
// Where its rim lies along a line between cells there is no wall; a board may be refused,
// since a frame without the finger follows.
func TestHalo(t *testing.T) {
	game := flow.Game{}
	level, err := game.Parse("A.BCD\n.....\n.....\nABC..\nE..ED")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []image.Point{{720, 1280}, {1200, 1920}} {
		app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		clean := simphone.Render(app, size, time.Second)
		read := 0
		for k := range 25 {
			frame := image.NewRGBA(clean.Rect)
			copy(frame.Pix, clean.Pix)
			// The places and radii go around each other, so that rims touch lines in all ways.
			width := float64(size.X)
			x, y := width*(0.1+0.8*math.Mod(0.618*float64(k), 1)), float64(size.Y)/2+width*(math.Mod(0.414*float64(k), 1)-0.5)
			withHalo(frame, x, y, width*(0.1+0.006*float64(k)), 0.6)
			seen, err := vision.Observe(frame, screen.Frame{Size: size}, game.Spec())
			if err != nil {
				t.Fatal(err)
			}
			got, err := game.Read(seen)
			switch {
			case err == nil && gametest.SameBoard(game, got, level):
				read++
			case err == nil:
				t.Errorf("%v: with a halo at %.0f,%.0f read as\n%v\nexpected\n%v", size, x, y, got, level)
			}
		}
		if read < 15 {
			t.Errorf("%v: %d of 25 frames were read, expected at least 15", size, read)
		}
	}
}
