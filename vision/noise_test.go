package vision

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"gocv.io/x/gocv"
)

// ruled is a page of two grounds with upright lines of a pixel on it.
func ruled() *image.RGBA {
	frame := image.NewRGBA(image.Rect(0, 0, 240, 320))
	for y := range 320 {
		for x := range 240 {
			c := color.RGBA{236, 236, 240, 255} // as bright as noise may cut off
			switch {
			case x%24 == 0:
				c = color.RGBA{150, 150, 156, 255}
			case y >= 160:
				c = color.RGBA{18, 26, 40, 255}
			}
			frame.SetRGBA(x, y, c)
		}
	}
	return frame
}

// off is how far the pixels of two frames are apart in the mean.
func off(a, b *image.RGBA) float64 {
	sum := 0.0
	for i, level := range a.Pix {
		sum += math.Abs(float64(level) - float64(b.Pix[i]))
	}
	return sum / float64(len(a.Pix)*3/4)
}

func TestNoise(t *testing.T) {
	clean := ruled()
	gradient := image.NewRGBA(clean.Rect)
	for i := range gradient.Pix {
		gradient.Pix[i] = uint8(i / 4 % 240)
	}
	for name, frame := range map[string]*image.RGBA{"lines": clean, "a gradient": gradient, "little noise": noisy(clean, 1), "a pixel": image.NewRGBA(image.Rect(0, 0, 1, 1))} {
		if unnoised(frame) != frame {
			t.Errorf("%s: not the frame itself, noise %.2f", name, noiseOf(frame))
		}
	}
	for _, deviation := range []float64{4, 8} {
		t.Run(fmt.Sprint("deviation ", deviation), func(t *testing.T) {
			frame := noisy(clean, deviation)
			// A pixel less the mean of four others deviates by √(1+1/4) as much, and a
			// quarter of a normal distribution lies within 0.319 of its deviation.
			if got, want := noiseOf(frame), 0.319*math.Sqrt(1.25)*deviation; math.Abs(got-want) > 0.25*want {
				t.Errorf("noise %.2f, expected about %.2f", got, want)
			}
			before := noisy(clean, deviation)
			smooth := unnoised(frame)
			if d := off(frame, before); d != 0 {
				t.Errorf("the frame itself was changed by %.2f levels", d)
			}
			if was, is := off(frame, clean), off(smooth, clean); is > was/2 {
				t.Errorf("%.2f levels off, expected at most half of %.2f", is, was)
			}
			for x := 24; x < 240; x += 24 {
				if line, ground := smooth.RGBAAt(x, 80), smooth.RGBAAt(x+8, 80); int(ground.G)-int(line.G) < 60 {
					t.Errorf("the line at %d has %v on %v", x, line, ground)
				}
			}
			if c := smooth.RGBAAt(8, 80); c.B < c.R || c.A != 255 {
				t.Errorf("a ground of %v, expected its channels in their places", c)
			}
		})
	}
}

// TestSmoothed compares the smoothing with OpenCV's bilateral filter: both round, so that
// few channels may be off by one.
func TestSmoothed(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {2, 3}, {131, 7}, {240, 320}} {
		frame := noisy(ruled().SubImage(image.Rectangle{Max: size}).(*image.RGBA), 8)
		frame = toRGBA(frame)
		whole, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, frame.Pix)
		if err != nil {
			t.Fatal(err)
		}
		colours, smooth, want := gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
		gocv.CvtColor(whole, &colours, gocv.ColorBGRAToBGR)
		gocv.BilateralFilter(colours, &smooth, 5, 60, noiseLimits.place)
		gocv.CvtColor(smooth, &want, gocv.ColorBGRToBGRA)
		off := 0
		for i, level := range smoothed(frame, 60).Pix {
			d := int(level) - int(want.GetUCharAt(i/4/size.X, i%(4*size.X)))
			if d != 0 {
				off++
			}
			if max(d, -d) > 1 {
				t.Fatalf("%v: pixel %d is off by %d", size, i/4, d)
			}
		}
		if off > size.X*size.Y/1000 {
			t.Errorf("%v: %d channels are off by one", size, off)
		}
		for _, m := range []gocv.Mat{whole, colours, smooth, want} {
			m.Close()
		}
	}
}
