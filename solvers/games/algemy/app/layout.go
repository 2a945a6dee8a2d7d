package app

import (
	"image"
	"math"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/algemy"
)

// The wheel of colours is a ring, in pitches from the cell's centre. Its
// colours lie at wheelRadius.
const (
	wheelInner = 0.42
	wheelOuter = 1.05
)

// boardSpan is where a board of a width in cells lies on a screen of 1080×1920:
// its left and right sides, and the top of a square one.
type boardSpan struct {
	across      int
	x0, x1, top float64
}

// boardSpans are measured on screens of the real game for 4 to 7 cells; the others
// continue them.
var boardSpans = []boardSpan{
	{3, 155, 925, 624},
	{4, 139, 951, 605},
	{5, 112, 960, 580},
	{6, 102, 980, 570},
	{7, 92, 987, 560},
	{9, 77, 1003, 545},
	{11, 67, 1013, 535},
	{13, 60, 1020, 528},
}

// layout is where everything lies on a screen of one size with one level.
type layout struct {
	simapp.Layout
	counter [2]float64 // the middle of the level's number
	banner  simapp.Box // says that the level is solved

	puzzle  *algemy.Puzzle // nil when there is no level
	board   simapp.Box
	centres [][2]float64
}

func newLayout(size image.Point, p *algemy.Puzzle) *layout {
	w, h := float64(size.X), float64(size.Y)
	l := &layout{Layout: simapp.NewKeyLayout(size), puzzle: p}
	var span func(boardSpan) simapp.Box // where a square board lies
	if l.Landscape {
		left := 0.24 * l.Unit // right of the bar
		span = func(s boardSpan) simapp.Box {
			half := (s.x1 - s.x0) / 2 / 1080 * l.Unit
			return simapp.BoxAround((left+l.Content.X1)/2, h/2, half, half)
		}
	} else {
		span = func(s boardSpan) simapp.Box {
			half := (s.x1 - s.x0) / 2
			return simapp.BoxAround(w/2+((s.x0+s.x1)/2-540)/1080*l.Unit, (s.top+half)/1920*h, half/1080*l.Unit, half/1080*l.Unit)
		}
	}
	l.placeButtons()
	if p != nil {
		l.placeBoard(span)
	}
	bottom := l.Content.Y1
	x, _ := l.board.Centre()
	l.banner = simapp.BoxAround(x, (l.board.Y1+bottom)/2, 0.25*l.Unit, min(0.045*l.Unit, 0.4*(bottom-l.board.Y1)))
	return l
}

// placeButtons lays out the bar in the top quarter, at the left side of a
// screen that lies, the start page's button and Android's back key.
func (l *layout) placeButtons() {
	w, h, u := float64(l.Size.X), float64(l.Size.Y), l.Unit
	cx, cy := l.Content.Centre()
	l.Buttons[playButton] = simapp.BoxAround(cx, cy, 0.14*u, 0.11*u)
	l.PlaceBackKey(0.045 * u)
	if l.Landscape {
		for i, b := range []simapp.Button{homeButton, simapp.PreviousButton, simapp.NextButton} {
			l.Buttons[b] = simapp.BoxAround(0.12*u, h/2+(-0.38+0.17*float64(i))*u, 0.07*u, 0.055*u)
		}
		l.counter = [2]float64{0.12 * u, h/2 + 0.17*u}
		l.Buttons[toggleButton] = simapp.BoxAround(0.12*u, h/2+0.36*u, 0.055*u, 0.055*u)
		return
	}
	y := 380.0 / 1920 * h
	at := func(x float64) float64 { return w/2 + (x-540)/1080*u }
	for i, b := range []simapp.Button{homeButton, simapp.PreviousButton, simapp.NextButton} {
		l.Buttons[b] = simapp.BoxAround(at(95+190*float64(i)), y, 0.07*u, 0.055*u)
	}
	l.counter = [2]float64{at(718), y}
	l.Buttons[toggleButton] = simapp.BoxAround(at(950), y, 0.055*u, 0.055*u)
}

// Panel lays out the message that comes after the last level.
func (l *layout) Panel(simapp.Panel) simapp.PanelPlace {
	place := l.SmallPanel(0.25)
	x, _ := place.Box.Centre()
	place.Text = []float64{place.Title.Y1 + 0.09*l.Unit}
	place.Buttons = []simapp.Box{simapp.BoxAround(x, place.Box.Y1-0.105*l.Unit, 0.2*l.Unit, 0.06*l.Unit)}
	return place
}

// placeBoard lays out the board. A hexagon is as wide as a square of as many
// cells would be.
func (l *layout) placeBoard(span func(boardSpan) simapp.Box) {
	p := l.puzzle
	across := p.RowWidth(p.Rows() / 2)
	box := l.Content
	for _, s := range boardSpans {
		if s.across == across {
			box = span(s)
		}
	}
	l.Pitch = max(box.Width()/float64(across), 1)
	cx, cy := box.Centre()
	rowPitch := l.Pitch
	if p.Shape() == algemy.Hexagon {
		rowPitch *= math.Sqrt(3) / 2
	}
	for c := range board.Cell(p.Cells()) {
		row, col := p.Place(c)
		l.centres = append(l.centres, [2]float64{
			cx + (float64(col)-float64(p.RowWidth(row)-1)/2)*l.Pitch,
			cy + (float64(row)-float64(p.Rows()-1)/2)*rowPitch,
		})
	}
	l.board = box
	if p.Shape() == algemy.Hexagon {
		half := float64(p.Rows()-1)/2*rowPitch + l.Pitch/math.Sqrt(3)
		l.board.Y0, l.board.Y1 = cy-half, cy+half
	}
}

// corners are the corners of a cell in pixels, clockwise.
func (l *layout) corners(c board.Cell) [][2]float64 {
	at, p := l.centres[c], l.Pitch
	if l.puzzle.Shape() == algemy.Hexagon {
		return hexagon(at[0], at[1], p/math.Sqrt(3))
	}
	return [][2]float64{
		{at[0] - p/2, at[1] - p/2}, {at[0] + p/2, at[1] - p/2},
		{at[0] + p/2, at[1] + p/2}, {at[0] - p/2, at[1] + p/2},
	}
}

// hexagon is the corners of a hexagon that stands on one of them, clockwise
// from the top.
func hexagon(x, y, radius float64) [][2]float64 {
	points := make([][2]float64, 6)
	for i := range points {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		points[i] = [2]float64{x + radius*sin, y - radius*cos}
	}
	return points
}

// cellAt is the cell under the finger, or board.None.
func (l *layout) cellAt(x, y float64) board.Cell {
	nearest, distance := board.None, math.Inf(1)
	for c, at := range l.centres {
		if d := math.Hypot(x-at[0], y-at[1]); d < distance {
			nearest, distance = board.Cell(c), d
		}
	}
	if nearest == board.None {
		return board.None
	}
	dx, dy := math.Abs(x-l.centres[nearest][0])/l.Pitch, math.Abs(y-l.centres[nearest][1])/l.Pitch
	if l.puzzle.Shape() == algemy.Hexagon {
		dy = max(dx, dx/2+dy*math.Sqrt(3)/2)
	}
	if dx > 0.5 || dy > 0.5 {
		return board.None
	}
	return nearest
}

// onWheel reports whether a place lies on the wheel around a cell.
func (l *layout) onWheel(c board.Cell, x, y float64) bool {
	return math.Hypot(x-l.centres[c][0], y-l.centres[c][1]) <= wheelOuter*l.Pitch
}

// colourAt is the colour at a place on the wheel around a cell, noSource in
// its middle.
func (l *layout) colourAt(c board.Cell, x, y float64) algemy.Colour {
	dx, dy := x-l.centres[c][0], y-l.centres[c][1]
	if math.Hypot(dx, dy) < wheelInner*l.Pitch {
		return noSource
	}
	// In sixths of a turn, clockwise from the top.
	sixths := math.Round(math.Atan2(dx, -dy) / (math.Pi / 3))
	return algemy.Colour((int(sixths) + 6) % 6)
}
