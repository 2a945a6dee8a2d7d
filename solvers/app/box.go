package app

import (
	"image/color"
	"math"

	"tapwise/solvers/screen"
)

// Box is an upright rectangle in pixels.
type Box struct{ X0, Y0, X1, Y1 float64 }

// NewBox is the box from one corner to the other.
func NewBox(x0, y0, x1, y1 float64) Box { return Box{x0, y0, x1, y1} }

// BoxAround is the box around a place.
func BoxAround(x, y, halfWidth, halfHeight float64) Box {
	return Box{x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight}
}

// Centre is the middle of the box.
func (b Box) Centre() (x, y float64) { return (b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2 }

// Width is how far the box reaches from left to right.
func (b Box) Width() float64 { return b.X1 - b.X0 }

// Height is how far the box reaches from top to bottom.
func (b Box) Height() float64 { return b.Y1 - b.Y0 }

// Contains reports whether a place is in the box; its right and lower sides are not.
func (b Box) Contains(x, y float64) bool {
	return x >= b.X0 && x < b.X1 && y >= b.Y0 && y < b.Y1
}

// Fill fills the box.
func (b Box) Fill(c screen.Canvas, colour color.NRGBA) { c.Rect(b.X0, b.Y0, b.X1, b.Y1, colour) }

// Frame draws the box's outline, inside it.
func (b Box) Frame(c screen.Canvas, width float64, colour color.NRGBA) {
	width = min(width, b.Width()/2, b.Height()/2)
	c.Rect(b.X0, b.Y0, b.X1, b.Y0+width, colour)
	c.Rect(b.X0, b.Y1-width, b.X1, b.Y1, colour)
	c.Rect(b.X0, b.Y0+width, b.X0+width, b.Y1-width, colour)
	c.Rect(b.X1-width, b.Y0+width, b.X1, b.Y1-width, colour)
}

// Cross draws an X that reaches r to each side of a place.
func Cross(c screen.Canvas, x, y, r, width float64, colour color.NRGBA) {
	c.Polyline([][2]float64{{x - r, y - r}, {x + r, y + r}}, width, colour)
	c.Polyline([][2]float64{{x - r, y + r}, {x + r, y - r}}, width, colour)
}

// Triangle draws a triangle that points to the right, or to the left when r is less than 0.
func Triangle(c screen.Canvas, x, y, r float64, colour color.NRGBA) {
	c.Polygon([][2]float64{{x + r, y}, {x - 0.7*r, y - math.Abs(r)}, {x - 0.7*r, y + math.Abs(r)}}, colour)
}

// TurnArrow draws an arrow that goes around, in a button of radius r; width is
// the width of its line, in radii.
func TurnArrow(c screen.Canvas, x, y, r, width float64, colour color.NRGBA) {
	var arc [][2]float64
	for i := range 25 {
		sin, cos := math.Sincos(-0.5*math.Pi + 1.6*math.Pi*float64(i)/24)
		arc = append(arc, [2]float64{x + 0.42*r*cos, y + 0.42*r*sin})
	}
	c.Polyline(arc, width*r, colour)
	half := width + 0.15 // half the width of the arrow's head
	c.Polygon([][2]float64{{x - 0.36*r, y - 0.42*r}, {x + 0.02*r, y - (0.42+half)*r}, {x + 0.02*r, y - (0.42-half)*r}}, colour)
}
