package app

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Sizes in pitches.
const (
	endRadius  = 0.33
	chainWidth = 0.24
	haloRadius = 0.55
)

// Draw paints the screen.
func (a *app) Draw(c screen.Canvas, now time.Duration) {
	if !a.Prepare(c, now) {
		return
	}
	l := a.Layout()
	d := drawing{Canvas: c, app: a, l: l, u: l.Unit}
	d.background()
	d.header()
	d.cube()
	d.chains(now)
	d.footer()
	look := a.look
	a.DrawOver(c, &l.Layout, now, simapp.PanelLook{Ink: look.ink, Card: look.Card, Bar: look.Bar, OnBar: look.onBar, Accent: look.Accent, OnAccent: look.onAccent})
}

// drawing is one painting of the screen.
type drawing struct {
	screen.Canvas
	app *app
	l   *layout
	u   float64 // the layout's unit
}

// background paints the sky and what floats in it, away from the cube and the
// title.
func (d *drawing) background() {
	const specks = 60
	look := d.app.look
	w, h := float64(d.l.Size.X), float64(d.l.Size.Y)
	d.l.DrawSky(d, look.sky, look.ground)
	random := rand.New(rand.NewPCG(d.app.seed, uint64(d.app.Shown)))
	for range specks {
		x, y := random.Float64()*w, random.Float64()*h
		size := (0.3 + 0.7*random.Float64()) * look.speckSize * d.u
		alpha := float64(look.speck.A) / 255 * (0.3 + 0.7*random.Float64())
		if b := d.l.board; !d.l.header.Contains(x, y) && (x+size < b.X0 || x-size > b.X1 || y+size < b.Y0 || y-size > b.Y1) {
			d.Circle(x, y, size, simapp.Faded(look.speck, alpha))
		}
	}
}

// header draws the level's number, how much is done in words and as a bar, and
// the pack's name.
func (d *drawing) header() {
	a, look, h := d.app, d.app.look, d.l.header
	taken, all := a.Play.covered()
	soft := simapp.Mix(look.ink, look.sky, 0.3)
	title := "Level " + strconv.Itoa(a.Level())
	facts := fmt.Sprintf("chains %d/%d", a.Play.Joined(), len(a.Play.Lines))
	filled := fmt.Sprintf("filled %d%%", 100*taken/max(all, 1))
	if len(a.Play.touches()) > 0 {
		filled = "a chain touches itself"
	}
	kind := fmt.Sprintf("%d × %d × 3", d.l.view.Side(), d.l.view.Side())
	bar := h.Y1 - 0.012*d.u
	if d.l.Landscape {
		d.Text(h.X0, h.Y0+0.06*d.u, 0.06*d.u, 0, title, look.ink)
		for i, line := range []string{a.Title + "   " + kind, facts + "   moves " + strconv.Itoa(a.Play.Moves()), filled} {
			d.Text(h.X0, h.Y0+(0.11+0.045*float64(i))*d.u, simapp.Fitting(line, 0.03*d.u, h.Width()), 0, line, soft)
		}
	} else {
		d.Text(h.X0, h.Y0+0.075*d.u, 0.08*d.u, 0, title, look.ink)
		d.Text(h.X1, h.Y0+0.04*d.u, simapp.Fitting(a.Title, 0.038*d.u, 0.5*h.Width()), 1, a.Title, soft)
		d.Text(h.X1, h.Y0+0.085*d.u, 0.038*d.u, 1, kind, soft)
		d.Text(h.X0, h.Y0+0.14*d.u, 0.038*d.u, 0, facts+"   moves "+strconv.Itoa(a.Play.Moves()), soft)
		d.Text(h.X1, h.Y0+0.14*d.u, 0.038*d.u, 1, filled, soft)
	}
	half := 0.006 * d.u
	d.RoundRect(h.X0, bar-half, h.X1, bar+half, half, simapp.Faded(look.ink, 0.25))
	if taken > 0 {
		part := float64(taken) / float64(all)
		d.RoundRect(h.X0, bar-half, h.X0+max(part*h.Width(), 2*half), bar+half, half, look.Accent)
	}
}

// cube draws the empty cube.
func (d *drawing) cube() {
	if d.l.cube == nil {
		d.l.cube = paintCube(d.l, d.app.look)
	}
	at := d.l.cube.Bounds().Min
	d.Picture(at.X, at.Y, d.l.cube)
}

// chains draws chains, ends, where a chain touches itself and the finger's halo.
func (d *drawing) chains(now time.Duration) {
	a, l := d.app, d.l
	if a.Touching {
		d.Circle(a.Finger[0], a.Finger[1], haloRadius*l.Pitch, simapp.Faded(a.Play.colours[a.Play.Stroke], 0.3))
	}
	width := chainWidth * l.Pitch
	if a.Winning {
		width *= 1 + 0.3*math.Sin(math.Pi*float64(now-a.WonAt)/float64(simapp.Celebration))
	}
	for colour, chain := range a.Play.Lines {
		// Link by link: a shape as large as the cube takes long to fill.
		for i := 1; i < len(chain); i++ {
			link := [][2]float64{l.view.Middle(chain[i-1].Cell), l.view.Between(chain[i-1].Cell, chain[i].Cell), l.view.Middle(chain[i].Cell)}
			d.Polyline(link, width, a.Play.colours[colour])
		}
	}
	for colour, c := range a.Play.colours {
		for _, end := range l.view.Ends(colour) {
			d.disc(end, endRadius+0.045, simapp.Mix(c, black, 0.45))
			d.disc(end, endRadius, c)
		}
	}
	for _, touch := range a.Play.touches() {
		at := l.view.Between(touch.A, touch.B)
		d.Circle(at[0], at[1], 0.13*l.Pitch, white)
		d.Circle(at[0], at[1], 0.1*l.Pitch, warning)
	}
}

// disc draws a disc that lies on a cell's face, and so is seen as an ellipse.
func (d *drawing) disc(c board.Cell, radius float64, colour color.NRGBA) {
	const sides = 48
	points := make([][2]float64, sides)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		points[i] = d.l.view.Spot(c, 0.5+radius*sin, 0.5+radius*cos)
	}
	d.Polygon(points, colour)
}

// footer draws the buttons.
func (d *drawing) footer() {
	ink := d.app.look.ink
	d.app.DrawRoundButtons(d, ink, simapp.Faded(ink, 0.3), simapp.Faded(ink, 0.14))
}
