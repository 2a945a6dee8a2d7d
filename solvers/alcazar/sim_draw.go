package alcazar

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Sizes in pitches.
const (
	pathWidth  = 0.26
	pathEnd    = 0.86 // from the centre of an opening's room, how far the path leads outside
	tipRadius  = 0.2
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
	d.rooms()
	d.path(now)
	d.walls()
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

// background paints the sky in bands: rows of one colour cost next to nothing.
func (d *simDrawing) background() {
	look := d.app.look
	d.Fill(look.ground)
	const bands = 96
	h := float64(d.l.size.Y)
	for i := range bands {
		part := float64(i) / bands
		d.Rect(0, math.Floor(part*h), float64(d.l.size.X), math.Ceil((part+1.0/bands)*h), mix(look.sky, look.ground, part))
	}
}

// header draws the level's number between two towers, and the pack's name.
func (d *simDrawing) header() {
	a, look := d.app, d.app.look
	x, y := d.l.header[0], d.l.header[1]
	title := "Level " + strconv.Itoa(a.Level())
	rooms := d.l.puzzle.size
	facts := fmt.Sprintf("%d × %d", rooms.Cols, rooms.Rows)
	visited := fmt.Sprintf("%d of %d rooms", len(a.board.path.rooms), rooms.Cells())
	size, room, apart := 0.075*d.u, 0.9*d.u, 0.27*d.u
	if d.l.landscape {
		size, room, apart = 0.055*d.u, 0.28*d.u, 0
	} else {
		facts += "    " + visited
	}
	soft := mix(look.ink, look.sky, 0.3)
	d.Text(x, y-1.15*size, fitting(a.title, 0.5*size, room), 0.5, a.title, soft)
	d.Text(x, y, fitting(title, size, room), 0.5, title, look.ink)
	d.Text(x, y+0.75*size, 0.45*size, 0.5, facts, soft)
	if d.l.landscape {
		d.Text(x, y+1.35*size, 0.45*size, 0.5, visited, soft)
	}
	if apart > 0 {
		d.tower(x-apart, y+0.1*size, size)
		d.tower(x+apart, y+0.1*size, size)
	} else {
		d.tower(x, y+3.8*size, 1.6*size)
	}
}

// fitting is the size of a text that should be no wider than room: about half
// its size a character, as there is nothing to measure it with.
func fitting(s string, size, room float64) float64 {
	return min(size, room/(0.55*float64(max(utf8.RuneCountInString(s), 1))))
}

// tower draws a little tower of a height, which stands on y.
func (d *simDrawing) tower(x, y, h float64) {
	c := mix(d.app.look.ink, d.app.look.sky, 0.35)
	d.Rect(x-0.26*h, y-0.6*h, x+0.26*h, y, c)
	for i := range 3 {
		left := x + (float64(i)-1.5)*0.26*h
		d.Rect(left+0.02*h, y-0.92*h, left+0.2*h, y-0.7*h, c)
	}
	d.Rect(x-0.37*h, y-0.75*h, x+0.37*h, y-0.58*h, c)
	d.RoundRect(x-0.08*h, y-0.42*h, x+0.08*h, y-0.12*h, 0.08*h, d.app.look.sky)
}

// thickness is the width of walls, whole pixels.
func (d *simDrawing) thickness() float64 {
	least := 2.0
	if d.l.pitch < 8 {
		least = 1
	}
	return max(least, math.Round(d.app.look.wallWidth*d.l.pitch))
}

// rooms draws the floor, the visited rooms' tint, the steps before openings
// and the dotted borders.
func (d *simDrawing) rooms() {
	l, look, p := d.l, d.app.look, d.l.puzzle
	width := d.thickness()
	b := l.board
	shadow := 0.12 * l.pitch
	d.RoundRect(b.x0-shadow, b.y0-shadow/2, b.x1+shadow, b.y1+1.8*shadow, 2*shadow, faded(black, 0.16))
	for _, o := range l.openings {
		from := l.side(o.Room, o.Side)
		dr, dc := o.Side.Step()
		step, narrow := 0.24*l.pitch, width/2
		along := boxAround(0, 0, math.Abs(float64(dr))*(l.pitch/2-narrow), math.Abs(float64(dc))*(l.pitch/2-narrow))
		x, y := from.centre()
		x1, y1 := x+float64(dc)*step, y+float64(dr)*step
		d.Rect(min(x, x1)+along.x0, min(y, y1)+along.y0, max(x, x1)+along.x1, max(y, y1)+along.y1, mix(look.floors[0], look.ground, 0.5))
	}
	d.box(b, look.floors[0])
	for c := range board.Cell(p.size.Cells()) {
		if (p.size.Row(c)+p.size.Col(c))%2 == 1 {
			d.box(l.room(c), look.floors[1])
		}
	}
	tint := faded(look.path, 0.17)
	for _, c := range d.app.board.path.rooms {
		d.box(l.room(c), tint)
	}
	for c := range board.Cell(p.size.Cells()) {
		for _, side := range []board.Dir{board.East, board.South} {
			if neighbour(p.size, c, side) != board.None && p.Open(c, side) {
				d.dotted(l.side(c, side))
			}
		}
	}
}

// dotted draws a border between two rooms without a wall.
func (d *simDrawing) dotted(side simBox) {
	p := d.l.pitch
	size := max(1, math.Round(0.04*p))
	n := math.Floor(p / max(0.11*p, 3*size))
	for i := range int(n) {
		part := (float64(i) + 0.5) / n
		x := math.Round(side.x0 + part*side.width() - size/2)
		y := math.Round(side.y0 + part*side.height() - size/2)
		d.Rect(x, y, x+size, y+size, d.app.look.dots)
	}
}

// walls draws the walls and the rim, with posts beside openings and a tower at
// each corner of the palace.
func (d *simDrawing) walls() {
	l, look, p := d.l, d.app.look, d.l.puzzle
	width := d.thickness()
	half := width / 2
	wall := func(side simBox) {
		x0, y0 := math.Round(side.x0-half), math.Round(side.y0-half)
		d.Rect(x0, y0, x0+side.width()+width, y0+side.height()+width, look.wall)
	}
	for c := range board.Cell(p.size.Cells()) {
		for side := range board.Dir(4) {
			beyond := neighbour(p.size, c, side)
			switch border := l.side(c, side); {
			case !p.Open(c, side) && (beyond == board.None || c < beyond):
				wall(border)
			case beyond == board.None:
				wall(simBox{border.x0, border.y0, border.x0, border.y0})
				wall(simBox{border.x1, border.y1, border.x1, border.y1})
			}
		}
	}
	reach := 0.22 * l.pitch // of the towers, outwards
	for _, x := range [][2]float64{{l.board.x0 - reach, l.board.x0 + half}, {l.board.x1 - half, l.board.x1 + reach}} {
		for _, y := range [][2]float64{{l.board.y0 - reach, l.board.y0 + half}, {l.board.y1 - half, l.board.y1 + reach}} {
			tower := simBox{math.Round(x[0]), math.Round(y[0]), math.Round(x[1]), math.Round(y[1])}
			d.box(tower, look.wall)
			inside := max(1, math.Round(0.045*l.pitch))
			if tower.width() > 3*inside {
				d.Rect(tower.x0+inside, tower.y0+inside, tower.x1-inside, tower.y1-inside, mix(look.wall, look.floors[0], 0.35))
			}
		}
	}
}

// path draws the path, where it goes on and the finger's halo.
func (d *simDrawing) path(now time.Duration) {
	a, l := d.app, d.l
	path := a.board.path
	if a.touching {
		d.Circle(a.finger[0], a.finger[1], haloRadius*l.pitch, faded(a.look.path, 0.25))
	}
	if path.from < 0 {
		return
	}
	points := [][2]float64{l.beyond(l.openings[path.from], pathEnd)}
	for _, c := range path.rooms {
		points = append(points, l.centre(c))
	}
	var tip [2]float64
	if path.to >= 0 {
		tip = l.beyond(l.openings[path.to], pathEnd)
		points = append(points, l.beyond(l.openings[path.to], pathEnd-0.14))
	} else {
		tip = points[len(points)-1]
	}
	width := pathWidth * l.pitch
	if a.winning {
		width *= 1 + 0.25*math.Sin(math.Pi*float64(now-a.won)/float64(celebration))
	}
	d.Polyline(points, width, a.look.path)
	d.Polyline(points, 0.25*width, mix(a.look.path, a.look.floors[0], 0.35))
	start := points[0]
	d.Circle(start[0], start[1], 0.7*width, a.look.path)
	if path.to < 0 {
		d.Circle(tip[0], tip[1], tipRadius*l.pitch, a.look.path)
		d.Circle(tip[0], tip[1], 0.45*tipRadius*l.pitch, a.look.onPath)
		return
	}
	dr, dc := l.openings[path.to].Side.Step()
	ahead, aside := [2]float64{float64(dc), float64(dr)}, [2]float64{float64(dr), float64(dc)}
	arrow := make([][2]float64, 3)
	for i, reach := range [][2]float64{{0.06, 0}, {-0.2, 0.27}, {-0.2, -0.27}} {
		for k := range arrow[i] {
			arrow[i][k] = tip[k] + (reach[0]*ahead[k]+reach[1]*aside[k])*l.pitch
		}
	}
	d.Polygon(arrow, a.look.path)
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
			ink = mix(ink, a.look.card, 0.7)
		}
		x, y := box.centre()
		r := box.width() / 2
		d.RoundRect(box.x0, box.y0+0.06*r, box.x1, box.y1+0.06*r, 0.5*r, faded(black, 0.25))
		d.RoundRect(box.x0, box.y0, box.x1, box.y1, 0.5*r, a.look.card)
		switch simButton(b) {
		case previousButton:
			d.arrow(x, y, -r, ink)
		case nextButton:
			d.arrow(x, y, r, ink)
		case restartButton:
			d.turn(x, y, r, ink)
		case hintButton:
			d.bulb(x, y-0.1*r, 0.42*r, ink)
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

// arrow draws a triangle that points to the right, or to the left when r is
// less than 0.
func (d *simDrawing) arrow(x, y, r float64, c color.NRGBA) {
	d.Polygon([][2]float64{{x - 0.3*r, y - 0.45*r}, {x + 0.48*r, y}, {x - 0.3*r, y + 0.45*r}}, c)
}

// turn draws an arrow that goes around.
func (d *simDrawing) turn(x, y, r float64, c color.NRGBA) {
	var arc [][2]float64
	for i := range 25 {
		sin, cos := math.Sincos(-0.5*math.Pi + 1.6*math.Pi*float64(i)/24)
		arc = append(arc, [2]float64{x + 0.42*r*cos, y + 0.42*r*sin})
	}
	d.Polyline(arc, 0.15*r, c)
	d.Polygon([][2]float64{{x - 0.36*r, y - 0.42*r}, {x + 0.02*r, y - 0.72*r}, {x + 0.02*r, y - 0.12*r}}, c)
}

// bulb draws a light bulb.
func (d *simDrawing) bulb(x, y, r float64, c color.NRGBA) {
	d.Circle(x, y, r, c)
	d.Polygon([][2]float64{{x - 0.62*r, y + 0.6*r}, {x + 0.62*r, y + 0.6*r}, {x + 0.42*r, y + 1.2*r}, {x - 0.42*r, y + 1.2*r}}, c)
	d.Rect(x-0.4*r, y+1.32*r, x+0.4*r, y+1.55*r, c)
}

// cross draws an X that reaches r to each side.
func (d *simDrawing) cross(x, y, r, width float64, c color.NRGBA) {
	d.Polyline([][2]float64{{x - r, y - r}, {x + r, y + r}}, width, c)
	d.Polyline([][2]float64{{x - r, y + r}, {x + r, y - r}}, width, c)
}
