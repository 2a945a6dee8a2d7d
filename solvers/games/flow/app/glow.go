package app

import (
	"image"
	"math"
)

// glowColours are the brightest values that a bar of glow reaches.
var glowColours = [][3]float64{
	{56, 6, 46}, {44, 42, 0}, {4, 44, 46}, {6, 40, 4}, {55, 29, 0}, {44, 0, 0}, {14, 6, 62}, {40, 40, 40},
}

const (
	glowLimit = 82 // bounds what crossing bars add up to
	glowStep  = 8  // pixels between the places where the glow is worked out; between them it is interpolated
)

// glow paints the background: black with a few blurred bars of light, upright
// and level, the same for the same seed and stream.
func glow(size image.Point, unit float64, seed uint64, stream int) *image.NRGBA {
	random := randomOf(seed, stream)
	first := random.IntN(len(glowColours))
	w, h := size.X/glowStep+2, size.Y/glowStep+2
	coarse := make([][3]float64, w*h)
	for i := range 6 {
		colour := glowColours[(first+3*i)%len(glowColours)]
		across, along := w, h // an upright bar
		if i%2 == 1 {
			across, along = along, across
		}
		centre := random.Float64() * float64(across)
		half := (0.07 + 0.06*random.Float64()) * unit / glowStep
		from := (1.3*random.Float64() - 0.4) * float64(along)
		to := from + (0.4+0.6*random.Float64())*float64(along)
		brightness := 0.4 + 0.6*random.Float64()
		for a := range across {
			for b := range along {
				over := max(from-float64(b), float64(b)-to, 0)
				part := brightness * bell((float64(a)-centre)/half) * bell(over/(1.5*half))
				x, y := a, b
				if i%2 == 1 {
					x, y = b, a
				}
				for k, v := range colour {
					coarse[y*w+x][k] += part * v
				}
			}
		}
	}
	for i := range coarse {
		for k, v := range coarse[i] {
			coarse[i][k] = min(v, glowLimit)
		}
	}
	return enlarge(coarse, w, size)
}

// enlarge makes a picture of values that are glowStep pixels apart, w a row.
func enlarge(coarse [][3]float64, w int, size image.Point) *image.NRGBA {
	const one = 1 << 8 // values are fixed-point numbers
	m := image.NewNRGBA(image.Rectangle{Max: size})
	row := make([][3]int, w)
	for y := range size.Y {
		upper, part := coarse[y/glowStep*w:], float64(y%glowStep)/glowStep
		for x := range row {
			for k := range 3 {
				row[x][k] = int(one * (upper[x][k] + part*(upper[w+x][k]-upper[x][k])))
			}
		}
		pixels := m.Pix[y*m.Stride:]
		for x := range size.X {
			a, b, t := &row[x/glowStep], &row[x/glowStep+1], x%glowStep
			p := pixels[4*x : 4*x+4 : 4*x+4]
			for k := range 3 {
				p[k] = uint8((a[k]*(glowStep-t) + b[k]*t) / (glowStep * one))
			}
			p[3] = 255
		}
	}
	return m
}

// bell falls smoothly from 1 at 0 to 0 at 2.
func bell(t float64) float64 {
	if t = math.Abs(t); t >= 2 {
		return 0
	}
	return 0.5 + 0.5*math.Cos(math.Pi/2*t)
}
