package screen

import (
	"image/color"
	"math"
)

// Contrast is the greatest difference of two colours in a channel, 0 to 255.
func Contrast(a, b color.RGBA) float64 {
	d := func(a, b uint8) float64 { return math.Abs(float64(a) - float64(b)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}

// Distance is the Euclidean distance of two colours.
func Distance(a, b color.RGBA) float64 {
	r, g, bl := float64(a.R)-float64(b.R), float64(a.G)-float64(b.G), float64(a.B)-float64(b.B)
	return math.Sqrt(r*r + g*g + bl*bl)
}
