package adrift

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"strconv"
	"time"
	"unicode/utf8"

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
func (a *simApp) Draw(c screen.Canvas, now time.Duration) {
	a.size = c.Size()
	if a.size.X <= 0 || a.size.Y <= 0 {
		return
	}
	a.advance(now)
	l := a.lay()
	d := simDrawing{Canvas: c, app: a, l: l, u: l.unit}
	d.background()
	d.header()
	d.cube()
	d.chains(now)
	d.footer()
	d.system(now)
	if a.panel.kind != noPanel {
		d.panel(a.panel)
	}
}

// simDrawing is one painting of the screen.
type simDrawing struct {
	screen.Canvas
	app *simApp
	l   *simLayout
	u   float64 // the layout's unit
}

// background paints the sky in bands, as rows of one colour cost next to
// nothing, and what floats in it, away from the cube and the title.
func (d *simDrawing) background() {
	const bands, specks = 96, 60
	look := d.app.look
	w, h := float64(d.l.size.X), float64(d.l.size.Y)
	d.Fill(look.ground)
	for i := range bands {
		part := float64(i) / bands
		d.Rect(0, math.Floor(part*h), w, math.Ceil((part+1.0/bands)*h), mix(look.sky, look.ground, part))
	}
	random := rand.New(rand.NewPCG(d.app.seed, uint64(d.app.level)))
	for range specks {
		x, y := random.Float64()*w, random.Float64()*h
		size := (0.3 + 0.7*random.Float64()) * look.speckSize * d.u
		alpha := float64(look.speck.A) / 255 * (0.3 + 0.7*random.Float64())
		if b := d.l.board; !d.l.header.contains(x, y) && (x+size < b.x0 || x-size > b.x1 || y+size < b.y0 || y-size > b.y1) {
			d.Circle(x, y, size, faded(look.speck, alpha))
		}
	}
}

// header draws the level's number, how much is done in words and as a bar, and
// the pack's name.
func (d *simDrawing) header() {
	a, look, h := d.app, d.app.look, d.l.header
	taken, all := a.board.covered()
	soft := mix(look.ink, look.sky, 0.3)
	title := "Level " + strconv.Itoa(a.Level())
	facts := fmt.Sprintf("chains %d/%d", a.board.joined(), len(a.board.chains))
	filled := fmt.Sprintf("filled %d%%", 100*taken/max(all, 1))
	if len(a.board.touches()) > 0 {
		filled = "a chain touches itself"
	}
	kind := fmt.Sprintf("%d × %d × 3", d.l.puzzle.side, d.l.puzzle.side)
	bar := h.y1 - 0.012*d.u
	if d.l.landscape {
		d.Text(h.x0, h.y0+0.06*d.u, 0.06*d.u, 0, title, look.ink)
		for i, line := range []string{a.title + "   " + kind, facts + "   moves " + strconv.Itoa(a.board.moves), filled} {
			d.Text(h.x0, h.y0+(0.11+0.045*float64(i))*d.u, fitting(line, 0.03*d.u, h.width()), 0, line, soft)
		}
	} else {
		d.Text(h.x0, h.y0+0.075*d.u, 0.08*d.u, 0, title, look.ink)
		d.Text(h.x1, h.y0+0.04*d.u, fitting(a.title, 0.038*d.u, 0.5*h.width()), 1, a.title, soft)
		d.Text(h.x1, h.y0+0.085*d.u, 0.038*d.u, 1, kind, soft)
		d.Text(h.x0, h.y0+0.14*d.u, 0.038*d.u, 0, facts+"   moves "+strconv.Itoa(a.board.moves), soft)
		d.Text(h.x1, h.y0+0.14*d.u, 0.038*d.u, 1, filled, soft)
	}
	half := 0.006 * d.u
	d.RoundRect(h.x0, bar-half, h.x1, bar+half, half, faded(look.ink, 0.25))
	if taken > 0 {
		part := float64(taken) / float64(all)
		d.RoundRect(h.x0, bar-half, h.x0+max(part*h.width(), 2*half), bar+half, half, look.accent)
	}
}

// fitting is the size of a text that should be no wider than room: about half
// its size a character, as there is nothing to measure it with.
func fitting(s string, size, room float64) float64 {
	return min(size, room/(0.55*float64(max(utf8.RuneCountInString(s), 1))))
}

// cube draws the empty cube.
func (d *simDrawing) cube() {
	a := d.app
	if a.cube == nil {
		a.cube = paintCube(d.l, a.look)
	}
	at := a.cube.Bounds().Min
	d.Picture(at.X, at.Y, a.cube)
}

// chains draws chains, ends, where a chain touches itself and the finger's halo.
func (d *simDrawing) chains(now time.Duration) {
	a, l := d.app, d.l
	if a.touching {
		d.Circle(a.finger[0], a.finger[1], haloRadius*l.pitch, faded(a.colours[a.board.stroke], 0.3))
	}
	width := chainWidth * l.pitch
	if a.winning {
		width *= 1 + 0.3*math.Sin(math.Pi*float64(now-a.won)/float64(celebration))
	}
	for colour, chain := range a.board.chains {
		// Link by link: a shape as large as the cube takes long to fill.
		for i := 1; i < len(chain); i++ {
			link := [][2]float64{l.centre(chain[i-1]), l.between(chain[i-1], chain[i]), l.centre(chain[i])}
			d.Polyline(link, width, a.colours[colour])
		}
	}
	for colour, c := range a.colours {
		for _, end := range l.puzzle.Ends(colour) {
			d.disc(end, endRadius+0.045, mix(c, black, 0.45))
			d.disc(end, endRadius, c)
		}
	}
	for _, touch := range a.board.touches() {
		at := l.between(touch.A, touch.B)
		d.Circle(at[0], at[1], 0.13*l.pitch, white)
		d.Circle(at[0], at[1], 0.1*l.pitch, warning)
	}
}

// disc draws a disc that lies on a cell's face, and so is seen as an ellipse.
func (d *simDrawing) disc(c board.Cell, radius float64, colour color.NRGBA) {
	const sides = 48
	points := make([][2]float64, sides)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		points[i] = d.l.at(c, 0.5+radius*sin, 0.5+radius*cos)
	}
	d.Polygon(points, colour)
}

// footer draws the buttons.
func (d *simDrawing) footer() {
	a := d.app
	for b, box := range d.l.buttons {
		if box.width() == 0 {
			continue
		}
		ink := a.look.ink
		if !a.enabled(simButton(b)) {
			ink = faded(ink, 0.3)
		}
		x, y := box.centre()
		r := box.width() / 2
		d.Circle(x, y, r, faded(a.look.ink, 0.14))
		switch simButton(b) {
		case previousButton:
			d.chevron(x, y, -r, ink)
		case nextButton:
			d.chevron(x, y, r, ink)
		case restartButton:
			d.turn(x, y, r, ink)
		case hintButton:
			d.Text(x, y+0.4*r, 1.15*r, 0.5, "?", ink)
		}
	}
}

// system draws what is around the app: Android's status bar and the handle of
// its navigation gestures.
func (d *simDrawing) system(now time.Duration) {
	l, ink := d.l, d.app.look.ink
	minutes := 9*60 + 41 + int(now/time.Minute)
	y := l.status.y1 - 0.02*d.u
	d.Text(0.05*d.u, y, 0.034*d.u, 0, fmt.Sprintf("%d:%02d", minutes/60%24, minutes%60), ink)
	right := l.status.x1 - 0.05*d.u
	d.RoundRect(right-0.04*d.u, y-0.024*d.u, right, y, 0.005*d.u, ink)
	d.Polygon([][2]float64{{right - 0.1*d.u, y}, {right - 0.06*d.u, y}, {right - 0.06*d.u, y - 0.028*d.u}}, ink)
	x, y := l.navigation.centre()
	d.RoundRect(x-0.15*d.u, y-0.005*d.u, x+0.15*d.u, y+0.005*d.u, 0.005*d.u, faded(ink, 0.7))
}

// chevron draws an angle that points to the right, or to the left when r is
// less than 0.
func (d *simDrawing) chevron(x, y, r float64, c color.NRGBA) {
	d.Polyline([][2]float64{{x - 0.18*r, y - 0.42*r}, {x + 0.24*r, y}, {x - 0.18*r, y + 0.42*r}}, 0.16*math.Abs(r), c)
}

// turn draws an arrow that goes around.
func (d *simDrawing) turn(x, y, r float64, c color.NRGBA) {
	var arc [][2]float64
	for i := range 25 {
		sin, cos := math.Sincos(-0.5*math.Pi + 1.6*math.Pi*float64(i)/24)
		arc = append(arc, [2]float64{x + 0.42*r*cos, y + 0.42*r*sin})
	}
	d.Polyline(arc, 0.13*r, c)
	d.Polygon([][2]float64{{x - 0.36*r, y - 0.42*r}, {x + 0.02*r, y - 0.7*r}, {x + 0.02*r, y - 0.14*r}}, c)
}

// cross draws an X that reaches r to each side.
func (d *simDrawing) cross(x, y, r, width float64, c color.NRGBA) {
	d.Polyline([][2]float64{{x - r, y - r}, {x + r, y + r}}, width, c)
	d.Polyline([][2]float64{{x - r, y + r}, {x + r, y - r}}, width, c)
}
