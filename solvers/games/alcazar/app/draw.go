package app

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"time"

	simapp "tapwise/solvers/app"
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
func (a *app) Draw(c screen.Canvas, now time.Duration) {
	if !a.Prepare(c, now) {
		return
	}
	l := a.Layout()
	d := drawing{Canvas: c, app: a, l: l, u: l.Unit}
	l.DrawSky(c, a.look.sky, a.look.ground)
	d.header()
	d.rooms()
	d.path(now)
	d.walls()
	d.footer()
	look := a.look
	a.DrawOver(c, &l.Layout, now, simapp.PanelLook{Ink: look.ink, Card: look.Card, Bar: look.Bar, OnBar: look.onBar, Accent: look.path, OnAccent: look.onPath})
}

// drawing is one painting of the screen.
type drawing struct {
	screen.Canvas
	app *app
	l   *layout
	u   float64 // the layout's unit
}

// header draws the level's number between two towers, and the pack's name.
func (d *drawing) header() {
	a, look := d.app, d.app.look
	x, y := d.l.header[0], d.l.header[1]
	title := "Level " + strconv.Itoa(a.Level())
	rooms := d.l.puzzle.Size()
	facts := fmt.Sprintf("%d × %d", rooms.Cols, rooms.Rows)
	visited := fmt.Sprintf("%d of %d rooms", len(a.Play.path.rooms), len(d.l.puzzle.Rooms()))
	size, room, apart := 0.075*d.u, 0.9*d.u, 0.27*d.u
	if d.l.Landscape {
		size, room, apart = 0.055*d.u, 0.28*d.u, 0
	} else {
		facts += "    " + visited
	}
	soft := simapp.Mix(look.ink, look.sky, 0.3)
	d.Text(x, y-1.15*size, simapp.Fitting(a.Title, 0.5*size, room), 0.5, a.Title, soft)
	d.Text(x, y, simapp.Fitting(title, size, room), 0.5, title, look.ink)
	d.Text(x, y+0.75*size, 0.45*size, 0.5, facts, soft)
	if d.l.Landscape {
		d.Text(x, y+1.35*size, 0.45*size, 0.5, visited, soft)
	}
	if apart > 0 {
		d.tower(x-apart, y+0.1*size, size)
		d.tower(x+apart, y+0.1*size, size)
	} else {
		d.tower(x, y+3.8*size, 1.6*size)
	}
}

// tower draws a little tower of a height, which stands on y.
func (d *drawing) tower(x, y, h float64) {
	c := simapp.Mix(d.app.look.ink, d.app.look.sky, 0.35)
	d.Rect(x-0.26*h, y-0.6*h, x+0.26*h, y, c)
	for i := range 3 {
		left := x + (float64(i)-1.5)*0.26*h
		d.Rect(left+0.02*h, y-0.92*h, left+0.2*h, y-0.7*h, c)
	}
	d.Rect(x-0.37*h, y-0.75*h, x+0.37*h, y-0.58*h, c)
	d.RoundRect(x-0.08*h, y-0.42*h, x+0.08*h, y-0.12*h, 0.08*h, d.app.look.sky)
}

// thickness is the width of walls, whole pixels.
func (d *drawing) thickness() float64 {
	least := 2.0
	if d.l.Pitch < 8 {
		least = 1
	}
	return max(least, math.Round(d.app.look.wallWidth*d.l.Pitch))
}

// rooms draws the floor, the yards where there is no room, the visited rooms'
// tint, the steps before openings and the dotted borders.
func (d *drawing) rooms() {
	l, look, p := d.l, d.app.look, d.l.puzzle
	b := l.board
	shadow := 0.12 * l.Pitch
	d.RoundRect(b.X0-shadow, b.Y0-shadow/2, b.X1+shadow, b.Y1+1.8*shadow, 2*shadow, simapp.Faded(black, 0.16))
	b.Fill(d, look.floors[0])
	for c := range board.Cell(p.Size().Cells()) {
		switch {
		case !p.IsRoom(c):
			l.room(c).Fill(d, look.yard)
		case (p.Size().Row(c)+p.Size().Col(c))%2 == 1:
			l.room(c).Fill(d, look.floors[1])
		}
	}
	d.steps()
	tint := simapp.Faded(look.path, 0.17)
	for _, c := range d.app.Play.path.rooms {
		l.room(c).Fill(d, tint)
	}
	d.dots()
}

// steps draws the step before each opening; in a yard there is no room for it.
func (d *drawing) steps() {
	l, look, width := d.l, d.app.look, d.thickness()
	for _, o := range l.openings {
		if l.puzzle.Size().Beside(o.Room, o.Side) != board.None {
			continue
		}
		from := l.side(o.Room, o.Side)
		dr, dc := o.Side.Step()
		step, narrow := 0.24*l.Pitch, width/2
		along := simapp.BoxAround(0, 0, math.Abs(float64(dr))*(l.Pitch/2-narrow), math.Abs(float64(dc))*(l.Pitch/2-narrow))
		x, y := from.Centre()
		x1, y1 := x+float64(dc)*step, y+float64(dr)*step
		d.Rect(min(x, x1)+along.X0, min(y, y1)+along.Y0, max(x, x1)+along.X1, max(y, y1)+along.Y1, simapp.Mix(look.floors[0], look.ground, 0.5))
	}
}

// dots draws the dotted borders between rooms, and around yards where no rooms
// are: between two, and where the palace's outline would be.
func (d *drawing) dots() {
	l, p := d.l, d.l.puzzle
	for _, c := range p.Rooms() {
		for _, side := range []board.Dir{board.East, board.South} {
			if p.Neighbour(c, side) != board.None && p.Open(c, side) {
				d.dotted(l.side(c, side), d.app.look.dots)
			}
		}
	}
	for c := range board.Cell(p.Size().Cells()) {
		for side := range board.Dir(4) {
			if !p.IsRoom(c) && p.Neighbour(c, side) == board.None {
				d.dotted(l.side(c, side), d.app.look.yardDots)
			}
		}
	}
}

// dotted draws a border without a wall.
func (d *drawing) dotted(side simapp.Box, c color.NRGBA) {
	p := d.l.Pitch
	size := max(1, math.Round(0.04*p))
	n := math.Floor(p / max(0.11*p, 3*size))
	for i := range int(n) {
		part := (float64(i) + 0.5) / n
		x := math.Round(side.X0 + part*side.Width() - size/2)
		y := math.Round(side.Y0 + part*side.Height() - size/2)
		d.Rect(x, y, x+size, y+size, c)
	}
}

// walls draws the walls and the rim, with posts beside openings, pillars at the
// corners of yards and a tower at each corner of the palace.
func (d *drawing) walls() {
	l, look, p := d.l, d.app.look, d.l.puzzle
	width := d.thickness()
	half := width / 2
	wall := func(side simapp.Box) {
		x0, y0 := math.Round(side.X0-half), math.Round(side.Y0-half)
		d.Rect(x0, y0, x0+side.Width()+width, y0+side.Height()+width, look.wall)
	}
	for c := range board.Cell(p.Size().Cells()) {
		if p.IsRoom(c) {
			continue
		}
		yard := l.room(c)
		for _, x := range []float64{yard.X0, yard.X1} {
			for _, y := range []float64{yard.Y0, yard.Y1} {
				x0, y0 := math.Round(x-half), math.Round(y-half)
				d.Rect(x0, y0, x0+width, y0+width, look.pillar)
			}
		}
	}
	for _, c := range p.Rooms() {
		for side := range board.Dir(4) {
			beyond := p.Neighbour(c, side)
			switch border := l.side(c, side); {
			case !p.Open(c, side) && (beyond == board.None || c < beyond):
				wall(border)
			case beyond == board.None:
				wall(simapp.NewBox(border.X0, border.Y0, border.X0, border.Y0))
				wall(simapp.NewBox(border.X1, border.Y1, border.X1, border.Y1))
			}
		}
	}
	reach := 0.22 * l.Pitch // how far the towers reach outwards
	for i, x := range [][2]float64{{l.board.X0 - reach, l.board.X0 + half}, {l.board.X1 - half, l.board.X1 + reach}} {
		for k, y := range [][2]float64{{l.board.Y0 - reach, l.board.Y0 + half}, {l.board.Y1 - half, l.board.Y1 + reach}} {
			if !p.IsRoom(p.Size().At(k*(p.Size().Rows-1), i*(p.Size().Cols-1))) {
				continue
			}
			tower := simapp.NewBox(math.Round(x[0]), math.Round(y[0]), math.Round(x[1]), math.Round(y[1]))
			tower.Fill(d, look.wall)
			inside := max(1, math.Round(0.045*l.Pitch))
			if tower.Width() > 3*inside {
				d.Rect(tower.X0+inside, tower.Y0+inside, tower.X1-inside, tower.Y1-inside, simapp.Mix(look.wall, look.floors[0], 0.35))
			}
		}
	}
}

// path draws the path, where it goes on and the finger's halo.
func (d *drawing) path(now time.Duration) {
	a, l := d.app, d.l
	path := a.Play.path
	if a.Touching {
		d.Circle(a.Finger[0], a.Finger[1], haloRadius*l.Pitch, simapp.Faded(a.look.path, 0.25))
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
	width := pathWidth * l.Pitch
	if a.Winning {
		width *= 1 + 0.25*math.Sin(math.Pi*float64(now-a.WonAt)/float64(simapp.Celebration))
	}
	d.Polyline(points, width, a.look.path)
	d.Polyline(points, 0.25*width, simapp.Mix(a.look.path, a.look.floors[0], 0.35))
	start := points[0]
	d.Circle(start[0], start[1], 0.7*width, a.look.path)
	if path.to < 0 {
		d.Circle(tip[0], tip[1], tipRadius*l.Pitch, a.look.path)
		d.Circle(tip[0], tip[1], 0.45*tipRadius*l.Pitch, a.look.onPath)
		return
	}
	dr, dc := l.openings[path.to].Side.Step()
	ahead, aside := [2]float64{float64(dc), float64(dr)}, [2]float64{float64(dr), float64(dc)}
	arrow := make([][2]float64, 3)
	for i, reach := range [][2]float64{{0.06, 0}, {-0.2, 0.27}, {-0.2, -0.27}} {
		for k := range arrow[i] {
			arrow[i][k] = tip[k] + (reach[0]*ahead[k]+reach[1]*aside[k])*l.Pitch
		}
	}
	d.Polygon(arrow, a.look.path)
}

// footer draws the buttons.
func (d *drawing) footer() {
	look := d.app.look
	d.app.DrawRoundButtons(d, look.ink, simapp.Mix(look.ink, look.Card, 0.7), look.Card)
}
