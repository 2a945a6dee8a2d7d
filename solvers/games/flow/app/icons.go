package app

import (
	"image/color"
	"math"

	simapp "tapwise/solvers/app"
)

// arc is a piece of a circle as points, angles in turns clockwise from the right.
func arc(x, y, radius, from, to float64) [][2]float64 {
	n := int(math.Ceil(math.Abs(to-from)*48)) + 1
	points := make([][2]float64, n+1)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * (from + (to-from)*float64(i)/float64(n)))
		points[i] = [2]float64{x + radius*cos, y + radius*sin}
	}
	return points
}

// ring draws a circle's outline.
func (d *drawing) ring(x, y, radius, width float64, c color.NRGBA) {
	d.Polyline(arc(x, y, radius, 0, 1), width, c)
}

// button draws the circle of a round button.
func (d *drawing) button(b simapp.Button, c color.NRGBA) {
	box := d.l.Buttons[b]
	x, y := box.Centre()
	d.ring(x, y, 0.97*box.Width()/2, 0.005*d.u, c)
}

// arrow draws an arrow to the left (way -1) or right (1) in a round button.
func (d *drawing) arrow(b simapp.Box, way float64, c color.NRGBA) {
	x, y := b.Centre()
	r := b.Width() / 2 * way
	d.Polyline([][2]float64{{x - 0.48*r, y}, {x + 0.4*r, y}}, 0.2*math.Abs(r), c)
	d.Polyline([][2]float64{{x + 0.1*r, y - 0.36*r}, {x + 0.46*r, y}, {x + 0.1*r, y + 0.36*r}}, 0.2*math.Abs(r), c)
}

// undoArrow draws an arrow that turns back.
func (d *drawing) undoArrow(b simapp.Box, c color.NRGBA) {
	x, y := b.Centre()
	r := b.Width() / 2
	d.Polyline(arc(x+0.05*r, y+0.12*r, 0.34*r, 0.55, 1.17), 0.17*r, c)
	d.Polygon([][2]float64{{x - 0.55*r, y - 0.45*r}, {x - 0.55*r, y + 0.17*r}, {x + 0.02*r, y + 0.05*r}}, c)
}

// circleArrows draws the two bent arrows of restart.
func (d *drawing) circleArrows(b simapp.Box, c color.NRGBA) {
	x, y := b.Centre()
	r := b.Width() / 2
	for _, s := range []float64{1, -1} {
		turn := (1 - s) / 4
		d.Polyline(arc(x, y, 0.36*r, 0.56+turn, 0.86+turn), 0.14*r, c)
		d.Polygon([][2]float64{{x + s*0.5*r, y - s*0.5*r}, {x + s*0.5*r, y - s*0.06*r}, {x + s*0.08*r, y - s*0.1*r}}, c)
	}
}

// gear draws a cogwheel.
func (d *drawing) gear(b simapp.Box) {
	x, y := b.Centre()
	r := b.Width() / 2
	d.ring(x, y, 0.34*r, 0.2*r, white)
	for i := range 8 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 4)
		d.Polyline([][2]float64{{x + 0.4*r*cos, y + 0.4*r*sin}, {x + 0.48*r*cos, y + 0.48*r*sin}}, 0.17*r, white)
	}
}

// film draws a strip of film with a light bulb at its corner: a hint for
// watching a video.
func (d *drawing) film(b simapp.Box) {
	x, y := b.Centre()
	u := d.u
	strip := simapp.BoxAround(x, y, 0.058*u, 0.036*u)
	line := 0.004 * u
	strip.Frame(d, line, white)
	for _, side := range []float64{strip.X0 + 0.0025*u, strip.X1 - 0.0175*u} {
		d.Rect(side, strip.Y0, side+0.015*u, strip.Y1, white)
		for i := range 5 {
			top := strip.Y0 + (0.0065+0.0125*float64(i))*u
			d.Rect(side+0.004*u, top, side+0.0115*u, top+0.007*u, black)
		}
	}
	d.Polygon([][2]float64{{x - 0.012*u, y - 0.015*u}, {x + 0.016*u, y}, {x - 0.012*u, y + 0.015*u}}, white)
	d.Circle(strip.X1-0.01*u, strip.Y0+0.005*u, 0.026*u, black)
	d.bulb(strip.X1-0.01*u, strip.Y0+0.002*u, 0.018*u)
}

// bulb draws a light bulb of a radius.
func (d *drawing) bulb(x, y, r float64) {
	d.Circle(x, y-0.2*r, 0.95*r, gold)
	d.Polygon([][2]float64{{x - 0.6*r, y + 0.4*r}, {x + 0.6*r, y + 0.4*r}, {x + 0.4*r, y + 0.9*r}, {x - 0.4*r, y + 0.9*r}}, gold)
	d.Polyline([][2]float64{{x - 0.22*r, y - 0.1*r}, {x, y + 0.2*r}, {x + 0.22*r, y - 0.1*r}}, 0.13*r, white)
	for i := range 2 {
		top := y + (1.05+0.25*float64(i))*r
		d.Polyline([][2]float64{{x - 0.35*r, top}, {x + 0.35*r, top}}, 0.16*r, white)
	}
}

// rays draws the light that a bulb gives upwards.
func (d *drawing) rays(x, y, from, to float64) {
	for i := -2; i <= 2; i++ {
		sin, cos := math.Sincos(float64(i) * math.Pi / 7.2)
		d.Polyline([][2]float64{{x + from*sin, y - from*cos}, {x + to*sin, y - to*cos}}, 0.006*d.u, gold)
	}
}

// star draws a star with five points.
func (d *drawing) star(x, y, r float64, c color.NRGBA) {
	points := make([][2]float64, 10)
	for i := range points {
		sin, cos := math.Sincos(float64(i) * math.Pi / 5)
		reach := r
		if i%2 == 1 {
			reach = 0.39 * r
		}
		points[i] = [2]float64{x + reach*sin, y - reach*cos}
	}
	d.Polygon(points, c)
}

// check draws a check mark; scale is the pitch of a cell that it fits.
func (d *drawing) check(x, y, scale, width float64, c color.NRGBA) {
	d.Polyline([][2]float64{{x - 0.17*scale, y}, {x - 0.04*scale, y + 0.13*scale}, {x + 0.17*scale, y - 0.15*scale}}, width, c)
}
