package asteroid

import (
	"image/color"
	"math"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
)

// Brush is what pieces are drawn with: a screen's canvas, or a picture. Lengths
// and places are in its own unit.
type Brush interface {
	RoundRect(x0, y0, x1, y1, radius float64, c color.NRGBA)
	Circle(x, y, radius float64, c color.NRGBA)
	Polygon(points [][2]float64, c color.NRGBA)
}

// DrawPiece draws what the tile on a cell carries around a place, which is the
// tile's centre; pitch is a tile's side.
func (l Look) DrawPiece(b Brush, t Tiles, c board.Cell, x, y, pitch float64) {
	(&pen{b, &l, pitch}).piece(t.at[c], x, y)
}

// DrawSpacecraft draws the spacecraft as DrawPiece does.
func (l Look) DrawSpacecraft(b Brush, x, y, pitch float64) { (&pen{b, &l, pitch}).spacecraft(x, y) }

// pen draws pieces.
type pen struct {
	Brush
	look  *Look
	pitch float64
}

// piece draws what a tile carries, from its corners as they are written. A
// small rock is one unit. Two of a big one's units each way stick out, and it
// lies a little further in on its own tile than on the others, which tells
// whose it is.
func (d *pen) piece(p piece, x, y float64) {
	if p == spacecraft {
		d.spacecraft(x, y)
		return
	}
	const small, big = 0.41, 1.15 // radii, in units
	unit := d.pitch / 3
	text := p.String()
	at := func(across, down, halfWidth, halfHeight float64) {
		d.rock(x+across*unit, y+down*unit, halfWidth*unit, halfHeight*unit)
	}
	for i, sides := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		right, down := sides[0], sides[1]
		switch {
		case text[i] == 'a':
			at(right, down, small, small)
		case text[i] != 'A':
		case text[i^1] == 'A': // along the top or the bottom; drawn once
			if right < 0 {
				at(0, 1.2*down, 1.37, 1.1)
			}
		case text[i^2] == 'A': // along the left or the right
			if down < 0 {
				at(1.2*right, 0, 1.1, 1.37)
			}
		default:
			at(1.15*right, 1.15*down, big, big)
		}
	}
}

// rock draws an asteroid: as long in one direction as given, and round.
func (d *pen) rock(x, y, halfWidth, halfHeight float64) {
	radius := min(halfWidth, halfHeight)
	outline := d.look.Outline * d.pitch / 3
	if !d.look.Rough {
		d.RoundRect(x-halfWidth, y-halfHeight, x+halfWidth, y+halfHeight, radius, d.look.Edge)
		d.RoundRect(x-halfWidth+outline, y-halfHeight+outline, x+halfWidth-outline, y+halfHeight-outline, radius-outline, d.look.Rock)
		return
	}
	shape := func(shrunk float64) [][2]float64 {
		points := make([][2]float64, 40)
		for i := range points {
			t := float64(i) * math.Pi / 20
			sin, cos := math.Sincos(t)
			r := radius*(0.97+0.03*math.Sin(3*t+1)*math.Cos(2*t)) - shrunk
			points[i] = [2]float64{
				x + r*cos + math.Copysign(halfWidth-radius, cos),
				y + r*sin + math.Copysign(halfHeight-radius, sin),
			}
		}
		return points
	}
	d.Polygon(shape(0), d.look.Edge)
	d.Polygon(shape(outline), d.look.Rock)
	for _, crater := range [][3]float64{{-0.35, -0.1, 0.14}, {0.3, 0.38, 0.11}, {0.22, -0.45, 0.09}} {
		d.Circle(x+crater[0]*halfWidth, y+crater[1]*halfHeight, crater[2]*radius, simapp.Faded(d.look.Edge, 0.6))
	}
}

// spacecraft draws wings that stick out of the tile on both sides, and a body
// whose nose points down.
func (d *pen) spacecraft(x, y float64) {
	unit := d.pitch / 3
	place := func(points [][2]float64) [][2]float64 {
		placed := make([][2]float64, len(points))
		for i, p := range points {
			placed[i] = [2]float64{x + p[0]*unit, y + p[1]*unit}
		}
		return placed
	}
	body := func(grown float64) [][2]float64 {
		return place([][2]float64{
			{-0.4 - grown, -1.2 - grown}, {0.4 + grown, -1.2 - grown}, {0.45 + grown, 0.3},
			{0.18 + grown, 1.24 + grown}, {-0.18 - grown, 1.24 + grown}, {-0.45 - grown, 0.3},
		})
	}
	outline := d.look.Outline
	wing := func(shrunk float64) {
		c := d.look.Hull
		if shrunk > 0 {
			c = d.look.Craft
		}
		d.RoundRect(x-(2.44-shrunk)*unit, y-(1.28-shrunk)*unit, x+(2.44-shrunk)*unit, y-(0.66+shrunk)*unit, 0.28*unit, c)
	}
	wing(0)
	d.Polygon(body(outline), d.look.Hull)
	wing(outline)
	d.Polygon(body(0), d.look.Craft)
	d.RoundRect(x-0.2*unit, y-0.35*unit, x+0.2*unit, y+0.6*unit, 0.2*unit, d.look.Cockpit)
}
