package alcazar

import (
	"image"
	"math"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// simButton is something to tap.
type simButton int

const (
	noButton simButton = iota
	previousButton
	restartButton
	nextButton
	hintButton
	closeButton // the X of a panel
	panelButton // the first button of a panel; more follow
)

// simBox is an upright rectangle in pixels.
type simBox struct{ x0, y0, x1, y1 float64 }

func (b simBox) centre() (x, y float64) { return (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2 }
func (b simBox) width() float64         { return b.x1 - b.x0 }
func (b simBox) height() float64        { return b.y1 - b.y0 }

func (b simBox) contains(x, y float64) bool {
	return x >= b.x0 && x < b.x1 && y >= b.y0 && y < b.y1
}

func boxAround(x, y, halfWidth, halfHeight float64) simBox {
	return simBox{x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight}
}

// In pitches.
const (
	simPorch   = 0.5  // what is kept free around the board, for the path to leave
	simMargin  = 0.04 // along a room's sides, where the finger is in none
	simLeaving = 0.44 // from a room's centre, where the finger is leaving through an opening
	simBeyond  = 1.2  // from a room's centre, where the finger is not at its opening any more
)

// simLayout is where everything lies on a screen of one size with one level.
type simLayout struct {
	size      image.Point
	landscape bool
	unit      float64 // the width of an upright phone's screen; most sizes are parts of it

	status, content, navigation simBox
	header                      [2]float64             // the middle of the title, at its baseline
	buttons                     [hintButton + 1]simBox // by simButton
	board                       simBox                 // the middle of the rim

	puzzle   *Puzzle
	openings []Opening
	pitch    float64 // distance of neighbouring rooms' centres
}

// newSimLayout lays out a screen.
func newSimLayout(size image.Point, p *Puzzle) *simLayout {
	w, h := float64(size.X), float64(size.Y)
	l := &simLayout{size: size, puzzle: p, openings: p.Openings(), landscape: w > h}
	r := 0.062      // of buttons, in units
	var room simBox // what the board and its porch may fill
	if l.landscape {
		l.unit = min(h, w/1.5)
		u := l.unit
		l.status = simBox{0, 0, w, 0.055 * u}
		l.navigation = simBox{0, h - 0.04*u, w, h}
		l.content = simBox{0, l.status.y1, w, l.navigation.y0}
		l.header = [2]float64{0.16 * u, l.content.y0 + 0.14*u}
		side := 0.3 * u
		room = simBox{side, l.content.y0 + 0.01*u, w - side, l.content.y1 - 0.01*u}
		step := l.content.height() / 4
		for i, b := range []simButton{previousButton, restartButton, hintButton, nextButton} {
			l.buttons[b] = boxAround(w-0.13*u, l.content.y0+(float64(i)+0.5)*step, r*u, r*u)
		}
	} else {
		l.unit = min(w, h/1.5)
		u := l.unit
		l.status = simBox{0, 0, w, 0.07 * u}
		l.navigation = simBox{0, h - 0.055*u, w, h}
		l.content = simBox{0, l.status.y1, w, l.navigation.y0}
		l.header = [2]float64{w / 2, l.content.y0 + 0.12*u}
		y := l.content.y1 - 0.1*u
		room = simBox{0.01 * w, l.content.y0 + 0.19*u, 0.99 * w, y - 0.1*u}
		for i, b := range []simButton{previousButton, restartButton, hintButton, nextButton} {
			l.buttons[b] = boxAround(w/2+(float64(i)-1.5)*0.21*u, y, r*u, r*u)
		}
	}
	rows, cols := float64(p.size.Rows), float64(p.size.Cols)
	l.pitch = max(min(room.width()/(cols+2*simPorch), room.height()/(rows+2*simPorch)), 1)
	if l.pitch > 8 {
		l.pitch = math.Floor(l.pitch) // whole pixels keep the lines sharp
	}
	x, y := room.centre()
	l.board.x0, l.board.y0 = math.Round(x-cols*l.pitch/2), math.Round(y-rows*l.pitch/2)
	l.board.x1, l.board.y1 = l.board.x0+cols*l.pitch, l.board.y0+rows*l.pitch
	return l
}

// centre is the middle of a room.
func (l *simLayout) centre(c board.Cell) [2]float64 {
	size := l.puzzle.size
	return [2]float64{l.board.x0 + (float64(size.Col(c))+0.5)*l.pitch, l.board.y0 + (float64(size.Row(c))+0.5)*l.pitch}
}

// beyond is a place so many pitches from the centre of an opening's room.
func (l *simLayout) beyond(o Opening, pitches float64) [2]float64 {
	at := l.centre(o.Room)
	dr, dc := o.Side.Step()
	return [2]float64{at[0] + float64(dc)*pitches*l.pitch, at[1] + float64(dr)*pitches*l.pitch}
}

// room is the square of a room.
func (l *simLayout) room(c board.Cell) simBox {
	at := l.centre(c)
	return boxAround(at[0], at[1], l.pitch/2, l.pitch/2)
}

// side is the border on a room's side, from corner to corner.
func (l *simLayout) side(c board.Cell, d board.Dir) simBox {
	r := l.room(c)
	switch d {
	case board.North:
		r.y1 = r.y0
	case board.East:
		r.x0 = r.x1
	case board.South:
		r.y0 = r.y1
	default:
		r.x1 = r.x0
	}
	return r
}

// placeAt is where a finger is.
func (l *simLayout) placeAt(x, y float64) simPlace {
	at := simPlace{room: board.None, door: -1, outside: -1}
	size := l.puzzle.size
	u, v := (x-l.board.x0)/l.pitch-0.5, (y-l.board.y0)/l.pitch-0.5
	for i, o := range l.openings {
		dr, dc := o.Side.Step()
		du, dv := u-float64(size.Col(o.Room)), v-float64(size.Row(o.Room))
		out := du*float64(dc) + dv*float64(dr)
		across := du*float64(dr) + dv*float64(dc)
		if math.Abs(across) <= 0.5-simMargin && out >= simLeaving && out <= simBeyond {
			at.outside = i
			return at
		}
	}
	col, row := math.Round(u), math.Round(v)
	if math.Abs(u-col) > 0.5-simMargin || math.Abs(v-row) > 0.5-simMargin {
		return at
	}
	at.room = size.At(int(row), int(col))
	nearest := math.Inf(-1)
	for i, o := range l.openings {
		dr, dc := o.Side.Step()
		if out := (u-col)*float64(dc) + (v-row)*float64(dr); o.Room == at.room && out > nearest {
			at.door, nearest = i, out
		}
	}
	return at
}

// screen is the board's layout as an eye would measure it.
func (l *simLayout) screen() screen.Layout {
	size := l.puzzle.size
	s := screen.Layout{
		On:    screen.Frame{Size: l.size, Rotation: -1},
		Rows:  size.Rows,
		Cols:  size.Cols,
		Pitch: l.pitch,
		Board: image.Rect(int(math.Round(l.board.x0)), int(math.Round(l.board.y0)), int(math.Round(l.board.x1)), int(math.Round(l.board.y1))),
	}
	for c := range board.Cell(size.Cells()) {
		at := l.centre(c)
		s.Centres = append(s.Centres, image.Pt(int(math.Round(at[0])), int(math.Round(at[1]))))
	}
	return s
}
