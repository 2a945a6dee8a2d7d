package simphone

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"testing"
	"time"
)

var (
	white = color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	black = color.NRGBA{A: 255}
)

// coverage draws white on black and returns the covered part of each pixel.
func coverage(size image.Point, draw func(c Canvas)) []float64 {
	c := newCanvas(size)
	c.Fill(black)
	draw(c)
	out := make([]float64, size.X*size.Y)
	for i := range out {
		out[i] = float64(c.frame.Pix[4*i]) / 255
	}
	return out
}

// sampled measures a shape by 16 x 16 points in each pixel.
func sampled(size image.Point, inside func(x, y float64) bool) []float64 {
	const n = 16
	out := make([]float64, size.X*size.Y)
	for i := range out {
		for s := range n * n {
			x := float64(i%size.X) + (float64(s%n)+0.5)/n
			y := float64(i/size.X) + (float64(s/n)+0.5)/n
			if inside(x, y) {
				out[i] += 1.0 / (n * n)
			}
		}
	}
	return out
}

// Every shape covers the pixels it should, partly at its edges.
func TestShapes(t *testing.T) {
	size := image.Pt(60, 50)
	round := func(x0, y0, x1, y1, r float64) func(x, y float64) bool {
		return func(x, y float64) bool {
			if x < x0 || x > x1 || y < y0 || y > y1 {
				return false
			}
			dx, dy := max(x0+r-x, x-(x1-r), 0), max(y0+r-y, y-(y1-r), 0)
			return dx*dx+dy*dy <= r*r
		}
	}
	near := func(ax, ay, bx, by, r float64) func(x, y float64) bool {
		return func(x, y float64) bool {
			t := ((x-ax)*(bx-ax) + (y-ay)*(by-ay)) / ((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
			t = min(max(t, 0), 1)
			return math.Hypot(x-ax-t*(bx-ax), y-ay-t*(by-ay)) <= r
		}
	}
	either := func(shapes ...func(x, y float64) bool) func(x, y float64) bool {
		return func(x, y float64) bool {
			for _, shape := range shapes {
				if shape(x, y) {
					return true
				}
			}
			return false
		}
	}
	for name, c := range map[string]struct {
		draw   func(c Canvas)
		inside func(x, y float64) bool
		most   float64 // the most that a pixel may differ
	}{
		"rect":            {func(c Canvas) { c.Rect(10.25, 5.5, 40.75, 30.5, white) }, round(10.25, 5.5, 40.75, 30.5, 0), 0.02},
		"thin rect":       {func(c Canvas) { c.Rect(10.25, 5.25, 10.5, 30, white) }, round(10.25, 5.25, 10.5, 30, 0), 0.02},
		"rect backwards":  {func(c Canvas) { c.Rect(40, 30, 10, 5, white) }, round(10, 5, 40, 30, 0), 0.02},
		"rect over edges": {func(c Canvas) { c.Rect(-10, -10.5, 20.5, 300, white) }, round(-10, -10.5, 20.5, 300, 0), 0.02},
		"circle":          {func(c Canvas) { c.Circle(30.3, 25.7, 20.2, white) }, round(10.1, 5.5, 50.5, 45.9, 20.2), 0.12},
		"small circle":    {func(c Canvas) { c.Circle(30.5, 25.5, 3, white) }, round(27.5, 22.5, 33.5, 28.5, 3), 0.15},
		"cut circle":      {func(c Canvas) { c.Circle(0, 50, 30, white) }, round(-30, 20, 30, 80, 30), 0.12},
		"round rect":      {func(c Canvas) { c.RoundRect(5, 5, 55, 45, 10, white) }, round(5, 5, 55, 45, 10), 0.12},
		"round bar":       {func(c Canvas) { c.RoundRect(5, 20, 55, 30, 99, white) }, round(5, 20, 55, 30, 5), 0.12},
		"triangle": {func(c Canvas) { c.Polygon([][2]float64{{5, 5}, {55, 5}, {5, 45}}, white) },
			func(x, y float64) bool { return x >= 5 && y >= 5 && (x-5)/50+(y-5)/40 <= 1 }, 0.05},
		"triangle backwards": {func(c Canvas) { c.Polygon([][2]float64{{5, 45}, {55, 5}, {5, 5}}, white) },
			func(x, y float64) bool { return x >= 5 && y >= 5 && (x-5)/50+(y-5)/40 <= 1 }, 0.05},
		"cut triangle": {func(c Canvas) { c.Polygon([][2]float64{{-95, -35}, {105, -35}, {-95, 85}}, white) },
			func(x, y float64) bool { return (x+95)/200+(y+35)/120 <= 1 }, 0.05},
		"line":      {func(c Canvas) { c.Polyline([][2]float64{{10, 10}, {50, 35}}, 8, white) }, near(10, 10, 50, 35, 4), 0.12},
		"straights": {func(c Canvas) { c.Polyline([][2]float64{{10, 10}, {50, 10}, {50, 40}}, 8, white) }, either(near(10, 10, 50, 10, 4), near(50, 10, 50, 40, 4)), 0.25},
		"corner":    {func(c Canvas) { c.Polyline([][2]float64{{10, 10}, {50, 10}, {15, 40}}, 8, white) }, either(near(10, 10, 50, 10, 4), near(50, 10, 15, 40, 4)), 0.5},
		"dot":       {func(c Canvas) { c.Polyline([][2]float64{{30, 20}}, 12, white) }, round(24, 14, 36, 26, 6), 0.15},
	} {
		got, want := coverage(size, c.draw), sampled(size, c.inside)
		total, wanted := 0.0, 0.0
		for i := range got {
			total, wanted = total+got[i], wanted+want[i]
			if math.Abs(got[i]-want[i]) > c.most {
				t.Errorf("%s: pixel %d,%d covers %.2f, expected %.2f", name, i%size.X, i/size.X, got[i], want[i])
				break
			}
		}
		if math.Abs(total-wanted) > 0.01*wanted+1 {
			t.Errorf("%s: covers %.1f pixels, expected %.1f", name, total, wanted)
		}
	}
}

// Half-transparent shapes are blended once, even where they overlap themselves.
func TestBlending(t *testing.T) {
	half := color.NRGBA{R: 255, A: 128}
	for name, draw := range map[string]func(c Canvas){
		"fill":     func(c Canvas) { c.Fill(half) },
		"rect":     func(c Canvas) { c.Rect(0, 0, 20, 20, half) },
		"circle":   func(c Canvas) { c.Circle(10, 10, 9, half) },
		"polygon":  func(c Canvas) { c.Polygon([][2]float64{{0, 0}, {20, 0}, {20, 20}, {0, 20}}, half) },
		"polyline": func(c Canvas) { c.Polyline([][2]float64{{2, 2}, {10, 10}, {2, 18}, {10, 10}, {18, 10}}, 6, half) },
		"straight": func(c Canvas) { c.Polyline([][2]float64{{2, 10}, {10, 10}, {10, 2}, {10, 18}}, 6, half) },
	} {
		c := newCanvas(image.Pt(20, 20))
		c.Fill(color.NRGBA{B: 200, A: 255})
		draw(c)
		if got := c.frame.RGBAAt(10, 10); got.R != 128 || got.B < 99 || got.B > 100 || got.A != 255 {
			t.Errorf("%s: the middle is %v, expected half of red over blue", name, got)
		}
	}
}

// A colour over itself does not change, whatever the alpha.
func TestBlendRounding(t *testing.T) {
	for value := range 256 {
		for alpha := range uint32(256) {
			b := byte(value)
			pixel := []byte{b, b, b, 255}
			blend(pixel, color.NRGBA{R: b, G: b, B: b}, alpha)
			if pixel[0] != b || pixel[1] != b || pixel[2] != b {
				t.Fatalf("%d over itself with alpha %d gives %v", value, alpha, pixel)
			}
		}
	}
}

func TestText(t *testing.T) {
	size := image.Pt(200, 60)
	extent := func(align float64) (left, right, top, bottom int) {
		left, right, top, bottom = size.X, -1, size.Y, -1
		for i, v := range coverage(size, func(c Canvas) { c.Text(100, 40, 30, align, "HxH", white) }) {
			if v > 0.3 {
				left, right = min(left, i%size.X), max(right, i%size.X)
				top, bottom = min(top, i/size.X), max(bottom, i/size.X)
			}
		}
		return
	}
	left, right, top, bottom := extent(0)
	if left < 100 || left > 106 || bottom != 39 || top < 14 || top > 24 {
		t.Errorf("left-aligned text lies at %d-%d, %d-%d", left, right, top, bottom)
	}
	width := right - left
	if l, r, _, _ := extent(0.5); math.Abs(float64(l+r)/2-100) > 2 {
		t.Errorf("centred text lies at %d-%d", l, r)
	}
	if l, r, _, _ := extent(1); r > 100 || r < 94 || r-l != width {
		t.Errorf("right-aligned text lies at %d-%d", l, r)
	}
}

func TestPicture(t *testing.T) {
	m := image.NewNRGBA(image.Rect(5, 5, 9, 9))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	m.SetNRGBA(6, 6, color.NRGBA{R: 100})         // transparent
	m.SetNRGBA(7, 6, color.NRGBA{R: 255, A: 128}) // half-transparent
	c := newCanvas(image.Pt(6, 6))
	c.Fill(black)
	c.Picture(-1, 0, m)
	c.Picture(100, 100, m)
	c.Picture(0, 0, nil)
	for _, want := range []struct {
		x, y int
		c    color.RGBA
	}{{0, 0, color.RGBA{255, 255, 255, 255}}, {0, 1, color.RGBA{0, 0, 0, 255}}, {1, 1, color.RGBA{128, 0, 0, 255}}, {2, 3, color.RGBA{255, 255, 255, 255}}, {3, 0, color.RGBA{0, 0, 0, 255}}, {0, 4, color.RGBA{0, 0, 0, 255}}} {
		if got := c.frame.RGBAAt(want.x, want.y); got != want.c {
			t.Errorf("pixel %d,%d is %v, expected %v", want.x, want.y, got, want.c)
		}
	}
}

func TestRender(t *testing.T) {
	frame := Render(&boardApp{}, image.Pt(180, 320), time.Second)
	if frame.Bounds() != image.Rect(0, 0, 180, 320) || !frame.Opaque() {
		t.Errorf("a frame of %v, opaque %t", frame.Bounds(), frame.Opaque())
	}
}

// FuzzCanvas draws with any numbers; nothing may panic, and the frame stays opaque.
func FuzzCanvas(f *testing.F) {
	add := func(shape byte, values ...float64) {
		data := []byte{shape}
		for _, v := range values {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		f.Add(data)
	}
	for shape := range byte(7) {
		add(shape, 1, 2, 30, 40, 5)
		add(shape, math.NaN(), math.Inf(1), -1e300, 1e9, -5)
		add(shape, -1e8, 12.5, 1e8, 12.5, 1e7)
		add(shape, 0.1, 0.2, 0.3, 0.4, 0.01)
	}
	c := newCanvas(image.Pt(37, 29))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 41 || len(data) > 200 {
			return
		}
		var v []float64
		for rest := data[1:]; len(rest) >= 8; rest = rest[8:] {
			v = append(v, math.Float64frombits(binary.LittleEndian.Uint64(rest)))
		}
		var points [][2]float64
		for i := 0; i+1 < len(v); i += 2 {
			points = append(points, [2]float64{v[i], v[i+1]})
		}
		tint := color.NRGBA{R: data[1], G: data[2], B: data[3], A: data[4]}
		c.Fill(black)
		switch data[0] % 7 {
		case 0:
			c.Rect(v[0], v[1], v[2], v[3], tint)
		case 1:
			c.RoundRect(v[0], v[1], v[2], v[3], v[4], tint)
		case 2:
			c.Circle(v[0], v[1], v[2], tint)
		case 3:
			c.Polygon(points, tint)
		case 4:
			c.Polyline(points, v[4], tint)
		case 5:
			c.Text(v[0], v[1], v[2], v[3], string(data), tint)
		case 6:
			c.Fill(tint)
		}
		for i := 3; i < len(c.frame.Pix); i += 4 {
			if c.frame.Pix[i] != 255 {
				t.Fatalf("pixel %d has alpha %d", i/4, c.frame.Pix[i])
			}
		}
	})
}
