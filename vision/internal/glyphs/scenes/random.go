package scenes

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
)

// leastDrawn is the height in pixels of the lowest figures that are drawn and then scaled up.
const leastDrawn = 9

// Random is a scene with a text of a height, in a look by chance.
func Random(r *rand.Rand, f Font, text string, height float64) Scene {
	by := 0.0
	if r.IntN(6) == 0 {
		by = []float64{0.5, 1.5, 2}[r.IntN(3)]
		if height/by < leastDrawn {
			by = 0.5
		}
		height /= by
	}
	s := Scene{Font: f, Text: text, Height: height, Border: r.IntN(4), Scale: by}
	wide := 1.0
	if len([]rune(text)) > 1 {
		wide = 1.5
	}
	s.Cell = int(height * max(1.25*wide, 1.3+2.2*r.Float64()))
	s.Ground, s.Ink = colours(r)
	s.Line, s.OnPlate = s.Ink, s.Ground
	if s.Plate = Plate(r.IntN(int(plates))); s.Plate != Bare {
		least := height * (0.72 + 0.2*(wide-1))
		s.Radius = least * (1 + 0.5*r.Float64())
		s.Cell = max(s.Cell, int(2.15*s.Radius)+2*s.Border+2)
		s.OnPlate, s.Ink = colours(r)
		if s.Ground = s.OnPlate; s.Plate == Ring {
			s.Line = s.Ink
			s.OnPlate = s.Ink
		} else {
			for apart(s.Ground, s.OnPlate) < 40 {
				s.Ground = color.RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255}
				if r.IntN(2) == 0 {
					s.Ground = s.Ink
				}
			}
		}
	}
	s.DX, s.DY = (r.Float64()-0.5)*0.06*height, (r.Float64()-0.5)*0.24*height
	if r.IntN(2) == 0 {
		s.Slant, s.Wider = 0.15*r.NormFloat64(), 0.5*r.Float64()-0.3
	}
	if r.IntN(3) == 0 {
		s.Blur = r.Float64() * min(2.4, height/9)
	}
	if r.IntN(3) == 0 {
		s.Noise = 6 * r.Float64() * float64(1+r.IntN(4))
	}
	if r.IntN(4) == 0 {
		s.JPEG = 25 + r.IntN(75)
	}
	return s
}

// colours are the colours of a ground and of ink that can be read on it.
func colours(r *rand.Rand) (ground, ink color.RGBA) {
	any := func() color.RGBA {
		switch r.IntN(4) {
		case 0:
			return color.RGBA{255, 255, 255, 255}
		case 1:
			v := uint8(r.IntN(40))
			return color.RGBA{v, v, v, 255}
		default:
			return color.RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255}
		}
	}
	for {
		if ground, ink = any(), any(); apart(ground, ink) >= 50 {
			return ground, ink
		}
	}
}

func apart(a, b color.RGBA) int {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}

// blur smooths a picture with a Gaussian kernel.
func blur(p *image.RGBA, sigma float64) {
	reach := int(math.Ceil(3 * sigma))
	kernel := make([]float64, 2*reach+1)
	sum := 0.0
	for i := range kernel {
		d := float64(i - reach)
		kernel[i] = math.Exp(-d * d / (2 * sigma * sigma))
		sum += kernel[i]
	}
	w, h := p.Rect.Dx(), p.Rect.Dy()
	pass := func(dx, dy int) {
		before := append([]byte(nil), p.Pix...)
		for y := range h {
			for x := range w {
				for c := range 3 {
					v := 0.0
					for i, k := range kernel {
						nx := min(w-1, max(0, x+dx*(i-reach)))
						ny := min(h-1, max(0, y+dy*(i-reach)))
						v += k * float64(before[ny*p.Stride+4*nx+c])
					}
					p.Pix[y*p.Stride+4*x+c] = uint8(math.Round(v / sum))
				}
			}
		}
	}
	pass(1, 0)
	pass(0, 1)
}

// recompress is a picture after JPEG.
func recompress(p *image.RGBA, quality int) *image.RGBA {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p, &jpeg.Options{Quality: quality}); err != nil {
		return p
	}
	back, err := jpeg.Decode(&b)
	if err != nil {
		return p
	}
	out := image.NewRGBA(p.Rect)
	draw.Draw(out, out.Rect, back, image.Point{}, draw.Src)
	return out
}
