package app

import (
	"fmt"
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
		d.l.DrawStart(d, "ASTEROID", a.Title, "play", d.l.Buttons[playButton], d.look.Ink)
	} else {
		d.header()
		d.footer()
		d.board()
		d.tiles()
	}
	d.l.DrawKeys(d, nil)
	if a.Panel.Kind != simapp.NoPanel {
		d.l.DrawPlain(d, d.l.Panel(a.Panel), a.Panel, d.look.Ground, d.look.Ink, d.look.Accent, d.look.Ground)
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
		simapp.RoundButton(d, b, d.l.Buttons[b], simapp.Faded(d.look.Ink, 0.12), ink)
	}
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
