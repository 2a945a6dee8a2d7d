package asteroid

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"time"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// Draw paints the screen.
func (a *simApp) Draw(c screen.Canvas, now time.Duration) {
	a.size = c.Size()
	if a.size.X <= 0 || a.size.Y <= 0 {
		return
	}
	a.advance(now)
	d := simDrawing{Canvas: c, app: a, l: a.lay(), look: a.look, u: a.lay().unit, now: now}
	d.thin = max(2, math.Round(d.look.lineWide*d.u))
	d.background()
	if a.home {
		d.start()
	} else {
		d.header()
		d.footer()
		d.board()
		d.tiles()
	}
	simapp.NavigationKeys(d, d.l.navigation, d.l.buttons[androidBackButton], d.l.unit, d.l.landscape)
	if a.panel != noPanel {
		d.panel()
	}
}

// simDrawing is one painting of the screen.
type simDrawing struct {
	screen.Canvas
	app  *simApp
	l    *simLayout
	look *simLook
	u    float64 // the layout's unit
	now  time.Duration
	thin float64 // the width of the lattice's lines, whole pixels
}

// background is empty space.
func (d *simDrawing) background() {
	d.Fill(d.look.ground)
	if !d.look.rough {
		return
	}
	random := rand.New(rand.NewPCG(d.app.seed, 1))
	for range 90 {
		x, y := random.Float64()*float64(d.l.size.X), random.Float64()*float64(d.l.size.Y)
		radius := (0.0008 + 0.0016*random.Float64()) * d.u
		d.Circle(x, y, radius, simapp.Faded(d.look.ink, 0.25+0.5*random.Float64()))
	}
}

// header draws the level's number and the moves made.
func (d *simDrawing) header() {
	a, l := d.app, d.l
	title, moves := 0.075*d.u, 0.045*d.u
	if l.landscape {
		title = 0.055 * d.u
	}
	d.Text(l.heading[0], l.heading[1], title, 0.5, fmt.Sprintf("Level %d", a.level+1), d.look.ink)
	d.Text(l.counter[0], l.counter[1], moves, 0.5, fmt.Sprintf("moves: %d", a.moves), d.look.ink)
}

// footer draws the three buttons.
func (d *simDrawing) footer() {
	for b := previousButton; b <= nextButton; b++ {
		ink := d.look.ink
		if !d.app.enabled(b) {
			ink = d.look.faint
		}
		x, y := d.l.buttons[b].Centre()
		r := 0.022 * d.u
		switch b {
		case previousButton:
			d.triangle(x, y, -r, ink)
		case nextButton:
			d.triangle(x, y, r, ink)
		case restartButton: // most of a circle, with a point
			arc := make([][2]float64, 25)
			for i := range arc {
				sin, cos := math.Sincos((0.1 + 1.6*float64(i)/24) * math.Pi)
				arc[i] = [2]float64{x + r*sin, y - r*cos}
			}
			d.Polyline(arc, 0.28*r, ink)
			d.triangle(x-0.45*r, y-r, 0.6*r, ink)
		}
		d.ring(x, y, 0.05*d.u, max(1, 0.004*d.u), ink)
	}
}

// triangle points to the left or right of a place.
func (d *simDrawing) triangle(x, y, radius float64, c color.NRGBA) {
	d.Polygon([][2]float64{{x + radius, y}, {x - 0.7*radius, y - math.Abs(radius)}, {x - 0.7*radius, y + math.Abs(radius)}}, c)
}

// ring draws a circle's outline.
func (d *simDrawing) ring(x, y, radius, width float64, c color.NRGBA) {
	points := make([][2]float64, 49)
	for i := range points {
		sin, cos := math.Sincos(float64(i) * math.Pi / 24)
		points[i] = [2]float64{x + radius*cos, y + radius*sin}
	}
	d.Polyline(points, width, c)
}

// board draws the wall with its exit, the floor and the lattice.
func (d *simDrawing) board() {
	b, p := d.l.board, d.l.pitch
	wide := 0.1 * p
	left, right := b.X0+p, b.X1-p // of the exit
	wall := d.look.wall
	d.Rect(b.X0-wide, b.Y0-wide, b.X1+wide, b.Y0, wall)
	d.Rect(b.X0-wide, b.Y0, b.X0, b.Y1+wide, wall)
	d.Rect(b.X1, b.Y0, b.X1+wide, b.Y1+wide, wall)
	d.Rect(b.X0, b.Y1, left, b.Y1+wide, wall)
	d.Rect(right, b.Y1, b.X1, b.Y1+wide, wall)
	b.Fill(d, d.look.floor)
	x := d.l.centres[door][0]
	for i := range 2 { // arrows that lead out
		y := b.Y1 + (0.16+0.11*float64(i))*p
		d.Polyline([][2]float64{{x - 0.12*p, y}, {x, y + 0.07*p}, {x + 0.12*p, y}}, 0.025*p, d.look.accent)
	}
	// On whole pixels, as apps do.
	from := func(at float64) float64 { return math.Round(at - d.thin/2) }
	for i := range 4 {
		x, y := b.X0+float64(i)*p, b.Y0+float64(i)*p
		d.Rect(from(b.X0), from(y), from(b.X1)+d.thin, from(y)+d.thin, d.look.line)
		d.Rect(from(x), from(b.Y0), from(x)+d.thin, from(b.Y1)+d.thin, d.look.line)
	}
	d.Rect(from(left)+d.thin, from(b.Y1), max(from(right), from(left)+d.thin), from(b.Y1)+d.thin, d.look.accent)
}

// tiles draws the tiles and then what they carry, so that it sticks out over
// the others; the one that moves last.
func (d *simDrawing) tiles() {
	a := d.app
	var order []board.Cell
	for c := range board.Cell(cells) {
		if a.at[c] != hole && (a.motion.kind == noMotion || c != a.motion.cell) {
			order = append(order, c)
		}
	}
	if m := a.motion; m.kind != noMotion {
		order = append(order, m.cell)
	}
	for _, c := range order {
		x, y := d.middle(c)
		half := d.l.pitch/2 - d.thin
		d.RoundRect(math.Round(x-half), math.Round(y-half), math.Round(x+half), math.Round(y+half), 0.05*d.l.pitch, d.look.tile)
	}
	for _, c := range order {
		p := a.at[c]
		if p == hole { // it has just left
			p = spacecraft
		}
		x, y := d.middle(c)
		d.piece(p, x, y)
	}
}

// middle is where a tile's centre is now.
func (d *simDrawing) middle(c board.Cell) (x, y float64) {
	dx, dy := d.app.offset(c, d.now)
	return d.l.centres[c][0] + dx*d.l.pitch, d.l.centres[c][1] + dy*d.l.pitch
}

// piece draws what a tile carries, from its corners as they are written. A
// small rock is one unit. Two of a big one's units each way stick out, and it
// lies a little further in on its own tile than on the others, which tells
// whose it is.
func (d *simDrawing) piece(p piece, x, y float64) {
	if p == spacecraft {
		d.spacecraft(x, y)
		return
	}
	const small, big = 0.41, 1.15 // radii, in units
	unit := d.l.pitch / 3
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
func (d *simDrawing) rock(x, y, halfWidth, halfHeight float64) {
	radius := min(halfWidth, halfHeight)
	outline := d.look.outline * d.l.pitch / 3
	if !d.look.rough {
		d.RoundRect(x-halfWidth, y-halfHeight, x+halfWidth, y+halfHeight, radius, d.look.edge)
		d.RoundRect(x-halfWidth+outline, y-halfHeight+outline, x+halfWidth-outline, y+halfHeight-outline, radius-outline, d.look.rock)
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
	d.Polygon(shape(0), d.look.edge)
	d.Polygon(shape(outline), d.look.rock)
	for _, crater := range [][3]float64{{-0.35, -0.1, 0.14}, {0.3, 0.38, 0.11}, {0.22, -0.45, 0.09}} {
		d.Circle(x+crater[0]*halfWidth, y+crater[1]*halfHeight, crater[2]*radius, simapp.Faded(d.look.edge, 0.6))
	}
}

// spacecraft draws wings that stick out of the tile on both sides, and a body
// whose nose points down.
func (d *simDrawing) spacecraft(x, y float64) {
	unit := d.l.pitch / 3
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
	outline := d.look.outline
	wing := func(shrunk float64) {
		c := d.look.hull
		if shrunk > 0 {
			c = d.look.craft
		}
		d.RoundRect(x-(2.44-shrunk)*unit, y-(1.28-shrunk)*unit, x+(2.44-shrunk)*unit, y-(0.66+shrunk)*unit, 0.28*unit, c)
	}
	wing(0)
	d.Polygon(body(outline), d.look.hull)
	wing(outline)
	d.Polygon(body(0), d.look.craft)
	d.RoundRect(x-0.2*unit, y-0.35*unit, x+0.2*unit, y+0.6*unit, 0.2*unit, d.look.cockpit)
}

// start draws the start page.
func (d *simDrawing) start() {
	b := d.l.buttons[playButton]
	x, y := b.Centre()
	d.Text(x, y-0.3*d.u, 0.12*d.u, 0.5, "ASTEROID", d.look.ink)
	if d.app.title != "" {
		d.Text(x, y-0.2*d.u, 0.05*d.u, 0.5, d.app.title, d.look.ink)
	}
	b.Frame(d, d.thin, d.look.ink)
	d.Text(x, y+0.02*d.u, 0.06*d.u, 0.5, "play", d.look.ink)
}

// panel draws the panel of a won level or the message after the last one.
func (d *simDrawing) panel() {
	a, l, u := d.app, d.l, d.u
	title, line, buttons := "Level complete!", fmt.Sprintf("Escaped in %d moves.", a.moves), []string{"next level", "again"}
	if a.moves == 1 {
		line = "Escaped in 1 move."
	}
	if a.panel == endPanel {
		title, line, buttons = "The end", "This was the last level.", []string{"ok"}
	}
	width := max(2, math.Round(u/360))
	l.panel.Fill(d, d.look.ground)
	l.panelTitle.Fill(d, d.look.accent)
	x, _ := l.panel.Centre()
	d.Text(x, l.panelTitle.Y1-0.037*u, 0.055*u, 0.5, title, d.look.ground)
	cx, cy := l.buttons[closeButton].Centre()
	simapp.Cross(d, cx, cy, 0.02*u, 0.007*u, d.look.ground)
	d.Text(x, l.panelTitle.Y1+0.095*u, 0.052*u, 0.5, line, d.look.ink)
	l.panel.Frame(d, width, d.look.ink)
	for i, text := range buttons {
		b := l.buttons[nextLevelButton+simButton(i)]
		b.Frame(d, width, d.look.ink)
		bx, by := b.Centre()
		d.Text(bx, by+0.018*u, 0.052*u, 0.5, text, d.look.ink)
	}
}
