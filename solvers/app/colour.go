package app

import (
	"image/color"
	"math"
	"unicode/utf8"
)

// Mix is a colour on the way from a to b; part is 0 at a and 1 at b.
func Mix(a, b color.NRGBA, part float64) color.NRGBA {
	m := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + part*(float64(y)-float64(x)))) }
	return color.NRGBA{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: m(a.A, b.A)}
}

// Hue is a colour of the colour circle, at a turn from red; only the fraction of
// turn counts. Its channels are between least and 1, in parts of the brightness,
// which is 0 to 1.
func Hue(turn, least, brightness float64) color.NRGBA {
	channel := func(shift float64) uint8 {
		_, f := math.Modf(turn + shift)
		v := math.Abs(6*f-3) - 1
		return uint8(255 * brightness * min(max(v, least), 1))
	}
	return color.NRGBA{channel(0), channel(2.0 / 3), channel(1.0 / 3), 255}
}

// Faded is a colour made translucent: alpha is 0 to 1.
func Faded(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(math.Round(alpha * 255))
	return c
}

// Fitting is the size of a text that should be no wider than room: about half
// its size a character, as there is nothing to measure it with.
func Fitting(s string, size, room float64) float64 {
	return min(size, room/(0.55*float64(max(utf8.RuneCountInString(s), 1))))
}

// pastels are light colours of which no two are alike.
var pastels = []color.NRGBA{{187, 163, 226, 255}, {255, 201, 146, 255}, {150, 190, 255, 255}, {179, 223, 160, 255}, {223, 223, 223, 255}, {255, 123, 96, 255},
	{230, 243, 136, 255}, {185, 178, 158, 255}, {223, 160, 191, 255}, {163, 210, 216, 255}, {98, 239, 233, 255}}

// Pastel is a light colour for the ground of cells, another one for each number from 0 to
// 25.
func Pastel(k int) color.NRGBA {
	if k < len(pastels) {
		return pastels[k]
	}
	const more = 15 // colours after the first ones, around the colour circle
	return Hue(float64(k-len(pastels))/more, 0.2, 0.78)
}
