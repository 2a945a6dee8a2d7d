package app

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/asteroid"
	"tapwise/solvers/screen"
)

// Draw paints the screen.
func (a *app) Draw(c screen.Canvas, now time.Duration) {
	if !a.Prepare(c, now) {
		return
	}
	d := drawing{Canvas: c, app: a, l: a.lay(), look: a.look, u: a.lay().Unit, now: now}
	d.thin = max(2, math.Round(d.look.lineWidth*d.u))
	d.background()
	if a.Home {
		d.start()
	} else {
		d.header()
		d.footer()
		d.board()
		d.tiles()
	}
	d.l.DrawKeys(d, nil)
	if a.Panel.Kind != simapp.NoPanel {
		d.panel(a.Panel)
	}
}

// drawing is one painting of the screen.
type drawing struct {
	screen.Canvas
	app  *app
	l    *layout
	look *look
	u    float64 // the layout's unit
	now  time.Duration
	thin float64 // the width of the lattice's lines, whole pixels
}

// background is empty space.
func (d *drawing) background() {
	d.Fill(d.look.Ground)
	if !d.look.Rough {
		return
	}
	random := rand.New(rand.NewPCG(d.app.seed, 1))
	for range 90 {
		x, y := random.Float64()*float64(d.l.Size.X), random.Float64()*float64(d.l.Size.Y)
		radius := (0.0008 + 0.0016*random.Float64()) * d.u
		d.Circle(x, y, radius, simapp.Faded(d.look.Ink, 0.25+0.5*random.Float64()))
	}
}

// header draws the level's number and the moves made.
func (d *drawing) header() {
	a, l := d.app, d.l
	title, moves := 0.075*d.u, 0.045*d.u
	if l.Landscape {
		title = 0.055 * d.u
	}
	d.Text(l.heading[0], l.heading[1], title, 0.5, fmt.Sprintf("Level %d", a.Level()), d.look.Ink)
	d.Text(l.counter[0], l.counter[1], moves, 0.5, fmt.Sprintf("moves: %d", a.moves), d.look.Ink)
}

// footer draws the three buttons.
func (d *drawing) footer() {
	for _, b := range []simapp.Button{simapp.PreviousButton, simapp.RestartButton, simapp.NextButton} {
		ink := d.look.Ink
		if !d.app.Enabled(b) {
			ink = d.look.faint
		}
		x, y := d.l.Buttons[b].Centre()
		r := 0.022 * d.u
		switch b {
		case simapp.PreviousButton:
			simapp.Triangle(d, x, y, -r, ink)
		case simapp.NextButton:
			simapp.Triangle(d, x, y, r, ink)
		case simapp.RestartButton: // most of a circle, with a point
			arc := make([][2]float64, 25)
			for i := range arc {
				sin, cos := math.Sincos((0.1 + 1.6*float64(i)/24) * math.Pi)
				arc[i] = [2]float64{x + r*sin, y - r*cos}
			}
			d.Polyline(arc, 0.28*r, ink)
			simapp.Triangle(d, x-0.45*r, y-r, 0.6*r, ink)
		}
		d.ring(x, y, 0.05*d.u, max(1, 0.004*d.u), ink)
	}
}

// ring draws a circle's outline.
func (d *drawing) ring(x, y, radius, width float64, c color.NRGBA) {
	points := make([][2]float64, 49)
	for i := range points {
		sin, cos := math.Sincos(float64(i) * math.Pi / 24)
		points[i] = [2]float64{x + radius*cos, y + radius*sin}
	}
	d.Polyline(points, width, c)
}

// board draws the wall with its exit, the floor and the lattice.
func (d *drawing) board() {
	b, p := d.l.board, d.l.Pitch
	wide := 0.1 * p
	left, right := b.X0+p, b.X1-p // the exit's sides
	wall := d.look.wall
	d.Rect(b.X0-wide, b.Y0-wide, b.X1+wide, b.Y0, wall)
	d.Rect(b.X0-wide, b.Y0, b.X0, b.Y1+wide, wall)
	d.Rect(b.X1, b.Y0, b.X1+wide, b.Y1+wide, wall)
	d.Rect(b.X0, b.Y1, left, b.Y1+wide, wall)
	d.Rect(right, b.Y1, b.X1, b.Y1+wide, wall)
	b.Fill(d, d.look.Floor)
	x := d.l.centres[asteroid.Exit][0]
	for i := range 2 { // arrows that lead out
		y := b.Y1 + (0.16+0.11*float64(i))*p
		d.Polyline([][2]float64{{x - 0.12*p, y}, {x, y + 0.07*p}, {x + 0.12*p, y}}, 0.025*p, d.look.Accent)
	}
	// On whole pixels, as apps do.
	from := func(at float64) float64 { return math.Round(at - d.thin/2) }
	for i := range 4 {
		x, y := b.X0+float64(i)*p, b.Y0+float64(i)*p
		d.Rect(from(b.X0), from(y), from(b.X1)+d.thin, from(y)+d.thin, d.look.Line)
		d.Rect(from(x), from(b.Y0), from(x)+d.thin, from(b.Y1)+d.thin, d.look.Line)
	}
	d.Rect(from(left)+d.thin, from(b.Y1), max(from(right), from(left)+d.thin), from(b.Y1)+d.thin, d.look.Accent)
}

// tiles draws the tiles, and then the pieces on them, which stick out over other
// tiles; the tile that moves comes last.
func (d *drawing) tiles() {
	a := d.app
	var order []board.Cell
	for c := range board.Cell(asteroid.Size().Cells()) {
		if !a.tiles.Hole(c) && (a.motion.kind == noMotion || c != a.motion.cell) {
			order = append(order, c)
		}
	}
	if m := a.motion; m.kind != noMotion {
		order = append(order, m.cell)
	}
	for _, c := range order {
		x, y := d.middle(c)
		half := d.l.Pitch/2 - d.thin
		d.RoundRect(math.Round(x-half), math.Round(y-half), math.Round(x+half), math.Round(y+half), 0.05*d.l.Pitch, d.look.Tile)
	}
	for _, c := range order {
		x, y := d.middle(c)
		if a.tiles.Hole(c) { // it has just left
			d.look.DrawSpacecraft(d, x, y, d.l.Pitch)
		} else {
			d.look.DrawPiece(d, a.tiles, c, x, y, d.l.Pitch)
		}
	}
}

// middle is where a tile's centre is now.
func (d *drawing) middle(c board.Cell) (x, y float64) {
	dx, dy := d.app.motion.offset(c, d.now)
	return d.l.centres[c][0] + dx*d.l.Pitch, d.l.centres[c][1] + dy*d.l.Pitch
}

// start draws the start page.
func (d *drawing) start() {
	b := d.l.Buttons[playButton]
	x, y := b.Centre()
	d.Text(x, y-0.3*d.u, 0.12*d.u, 0.5, "ASTEROID", d.look.Ink)
	if d.app.Title != "" {
		d.Text(x, y-0.2*d.u, 0.05*d.u, 0.5, d.app.Title, d.look.Ink)
	}
	b.Frame(d, d.thin, d.look.Ink)
	d.Text(x, y+0.02*d.u, 0.06*d.u, 0.5, "play", d.look.Ink)
}

// panel draws the panel of a won level or the message after the last one.
func (d *drawing) panel(p simapp.Panel) {
	place, u := d.l.Panel(p), d.u
	width := max(2, math.Round(u/360))
	place.Box.Fill(d, d.look.Ground)
	place.Title.Fill(d, d.look.Accent)
	x, _ := place.Box.Centre()
	d.Text(x, place.Title.Y1-0.037*u, 0.055*u, 0.5, p.Title, d.look.Ground)
	cx, cy := place.Close.Centre()
	simapp.Cross(d, cx, cy, 0.02*u, 0.007*u, d.look.Ground)
	for i, line := range p.Lines {
		d.Text(x, place.Text[i], 0.052*u, 0.5, line, d.look.Ink)
	}
	place.Box.Frame(d, width, d.look.Ink)
	for i, b := range place.Buttons {
		b.Frame(d, width, d.look.Ink)
		bx, by := b.Centre()
		d.Text(bx, by+0.018*u, 0.052*u, 0.5, p.Buttons[i], d.look.Ink)
	}
}
