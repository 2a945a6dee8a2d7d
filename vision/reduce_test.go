package vision

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"tapwise/solvers/screen"
)

// TestReduction reduces no screen, and nothing that is larger to less than it has to.
func TestReduction(t *testing.T) {
	for _, test := range []struct {
		size image.Point
		want int
	}{
		{image.Pt(1080, 2400), 1}, {image.Pt(1440, 3200), 1}, {image.Pt(1644, 3840), 1}, // phones
		{image.Pt(2232, 3184), 1}, {image.Pt(3400, 2388), 1}, {image.Pt(3840, 2160), 1}, // three screens in one, a tablet, 4K
		{image.Pt(4032, 3024), 2}, {image.Pt(5120, 2880), 2}, {image.Pt(8160, 6120), 4}, // cameras, a display of doubled pixels
		{image.Pt(1080, 16384), 1}, {image.Pt(1440, 16384), 2}, // scrolled pages
	} {
		if got := reduction(test.size); got != test.want {
			t.Errorf("%v is reduced by %d, expected %d", test.size, got, test.want)
		}
	}
}

// TestShrunk compares pixels with the means of squares.
func TestShrunk(t *testing.T) {
	m := random().SubImage(image.Rect(5, 3, 90, 71)).(*image.RGBA)
	for _, factor := range []int{1, 2, 3, 4} {
		small := shrunk(m, factor)
		if small.Rect.Max != image.Pt(85/factor, 68/factor) {
			t.Fatalf("%v, expected 1/%d of 85x68", small.Rect, factor)
		}
		for y := range small.Rect.Max.Y {
			for x := range small.Rect.Max.X {
				sum := 0
				for i := range factor * factor {
					sum += int(m.RGBAAt(5+x*factor+i%factor, 3+y*factor+i/factor).G)
				}
				if want := math.Round(float64(sum) / float64(factor*factor)); math.Abs(float64(small.RGBAAt(x, y).G)-want) > 0 {
					t.Fatalf("%d at %d,%d, expected %v", small.RGBAAt(x, y).G, x, y, want)
				}
			}
		}
	}
}

// TestReducedPicture looks at a large picture, reduced when it is decoded or when it is
// looked at: all is told in its own pixels, and drawn on them.
func TestReducedPicture(t *testing.T) {
	s := board(image.Pt(3001, 3602), 6, 7)
	m := s.draw()
	on := screen.Frame{Size: s.size, Rotation: -1}
	small, size, err := DecodeReduced(t.Context(), encodedAs(t, "jpeg", m))
	if err != nil || size != s.size || small.Rect.Max != image.Pt(1500, 1801) {
		t.Fatalf("%v as %v, %v, expected a half of %v", size, small, err, s.size)
	}
	spec := testSpec
	spec.Candidates = true
	hinted := spec
	hinted.Hint = &screen.Hint{Lines: true, Rows: 6, Cols: 7, Room: image.Rect(0, round(s.y0), 3001, round(s.y0+6*s.pitch))}
	for name, test := range map[string]struct {
		frame *image.RGBA
		spec  screen.Spec
	}{"decoded so": {small, spec}, "whole": {m, spec}, "with a hint": {small, hinted}} {
		seen, err := Observe(test.frame, on, test.spec)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if seen.On != on || seen.Layout.On != on {
			t.Errorf("%s: observed on %v", name, seen.On)
		}
		checkBoard(t, s, seen)
		for _, c := range seen.Candidates {
			if b := c.Seen.Layout.Board; len(c.Lacks) == 0 && c.Seen.Layout.Rows == 6 && c.Seen.Layout.Cols == 7 && math.Abs(float64(b.Dx())-7*s.pitch) > 0.03*s.pitch {
				t.Errorf("%s: a candidate at %v, expected %v", name, b, seen.Layout.Board)
			}
		}
		cross := image.Pt(2900, 3500)
		over, err := Overlay(test.frame, seen, []Mark{{Points: []image.Point{cross}, Colour: color.RGBA{255, 0, 0, 255}, Width: 40}})
		if err != nil || over.Rect.Max != s.size {
			t.Fatalf("%s: overlay %v, %v, expected %v", name, over, err, s.size)
		}
		if c := over.RGBAAt(cross.X, cross.Y); c != (color.RGBA{255, 0, 0, 255}) {
			t.Errorf("%s: colour %v at the mark, expected red", name, c)
		}
		if c, want := over.RGBAAt(2980, 3590), m.RGBAAt(2980, 3590); screen.Contrast(c, want) > 12 {
			t.Errorf("%s: colour %v in the corner, expected %v", name, c, want)
		}
	}
	if _, err := Observe(small, screen.Frame{Size: image.Pt(3000, 3604), Rotation: -1}, spec); err == nil {
		t.Error("a frame of another size is observed")
	}
}

// BenchmarkLargePicture reads a board on a picture of 48 megapixels.
func BenchmarkLargePicture(b *testing.B) {
	s := board(image.Pt(1500, 2000), 8, 8)
	m, large := s.draw(), image.NewRGBA(image.Rect(0, 0, 6000, 8000))
	for y := range 8000 {
		for x := range 6000 {
			large.SetRGBA(x, y, m.RGBAAt(x/4, y/4))
		}
	}
	for _, format := range []string{"jpeg", "png"} {
		data := encodedAs(b, format, large)
		b.Run(fmt.Sprintf("%s of %d bytes", format, len(data)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				frame, size, err := DecodeReduced(b.Context(), data)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Observe(frame, screen.Frame{Size: size, Rotation: -1}, testSpec); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
