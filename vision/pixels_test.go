package vision

import (
	"bytes"
	"image"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"
)

// TestMorphology compares the loops over windows with OpenCV's, on noise and on
// pictures smaller than a window.
func TestMorphology(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		wide, high := 1+random.IntN(90), 1+random.IntN(70)
		size := image.Pt(1+random.IntN(30), 1+random.IntN(30))
		switch random.IntN(3) {
		case 0:
			size.X = 1
		case 1:
			size.Y = 1
		}
		from := gocv.NewMatWithSize(high, wide, gocv.MatTypeCV8U)
		levels, err := from.DataPtrUint8()
		if err != nil {
			t.Fatal(err)
		}
		for i := range levels {
			levels[i] = uint8(random.IntN(256))
		}
		kernel := gocv.GetStructuringElement(gocv.MorphRect, size)
		got, want := gocv.NewMat(), gocv.NewMat()
		for _, c := range []struct {
			name     string
			ours     func() error
			original func()
		}{
			{"dilation", func() error { return window(from, &got, size, true) }, func() { gocv.Dilate(from, &want, kernel) }},
			{"erosion", func() error { return window(from, &got, size, false) }, func() { gocv.Erode(from, &want, kernel) }},
			{"opening", func() error { return opened(from, &got, size) }, func() { gocv.MorphologyEx(from, &want, gocv.MorphOpen, kernel) }},
			{"top-hat", func() error { return standingOut(from, &got, size) }, func() { gocv.MorphologyEx(from, &want, gocv.MorphTophat, kernel) }},
		} {
			if err := c.ours(); err != nil {
				t.Fatal(err)
			}
			c.original()
			if !bytes.Equal(got.ToBytes(), want.ToBytes()) {
				t.Errorf("%s of %dx%d pixels with a window of %v differs from OpenCV's", c.name, wide, high, size)
			}
		}
		for _, m := range []gocv.Mat{from, kernel, got, want} {
			m.Close()
		}
	}
}

// TestHalvedLevels compares the levels at half the resolution with those made by
// OpenCV's resizing.
func TestHalvedLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, dark := range []bool{true, false} {
		for _, size := range []image.Point{{2, 2}, {14, 6}, {1080, 8}} {
			frame := image.NewRGBA(image.Rectangle{Max: size})
			for i := range frame.Pix {
				frame.Pix[i] = uint8(random.IntN(256))
			}
			v := &view{pixels: frame, dark: dark}
			got, small := gocv.NewMat(), gocv.NewMat()
			if err := v.halvedLevels(&got, size.Div(2)); err != nil {
				t.Fatal(err)
			}
			whole, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, frame.Pix)
			if err != nil {
				t.Fatal(err)
			}
			compare := func(kind string) {
				pixels, levels := small.ToBytes(), got.ToBytes()
				for i := range levels {
					if want := levelOf(pixels[4*i:], dark); int(levels[i]) != want {
						t.Fatalf("%s, dark %v, %v: level %d of pixel %d, expected %d", kind, dark, size, levels[i], i, want)
					}
				}
			}
			gocv.Resize(whole, &small, size.Div(2), 0, 0, gocv.InterpolationArea)
			compare("mean")
			if err := v.halvedThin(&got, size.Div(2)); err != nil {
				t.Fatal(err)
			}
			shrinkThin(whole, &small, 2, size.Div(2), dark)
			compare("thin")
			for _, m := range []gocv.Mat{got, whole, small} {
				m.Close()
			}
		}
	}
}

// TestDistances compares the distances of pixels with those of OpenCV, on masks with few
// zeros and with many.
func TestDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for k := range 60 {
		wide, high := 1+random.IntN(120), 1+random.IntN(90)
		mask := gocv.NewMatWithSize(high, wide, gocv.MatTypeCV8U)
		pixels, err := mask.DataPtrUint8()
		if err != nil {
			t.Fatal(err)
		}
		for i := range pixels {
			pixels[i] = 255
			if random.IntN(1+k*k) == 0 {
				pixels[i] = 0
			}
		}
		pixels[random.IntN(len(pixels))] = 0
		want, labels := gocv.NewMat(), gocv.NewMat()
		gocv.DistanceTransform(mask, &want, &labels, gocv.DistL2, gocv.DistanceMask5, gocv.DistanceLabelPixel)
		floats, err := want.DataPtrFloat32()
		if err != nil {
			t.Fatal(err)
		}
		err = withDistances(mask, func(d distances) {
			for i, want := range floats {
				if got := float32(d.of[d.first+i/wide*d.stride+i%wide]) / distanceUnit; got != want {
					t.Fatalf("%dx%d pixels: distance %v of pixel %d, expected %v", wide, high, got, i, want)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []gocv.Mat{mask, want, labels} {
			m.Close()
		}
	}
}
