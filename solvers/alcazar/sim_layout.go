package alcazar

import (
	"image"
	"math"

	"tapwise/solvers/board"
	"tapwise/solvers/simapp"
)

// In pitches.
const (
	simPorch   = 0.5  // what is kept free around the board, for the path to leave
	simMargin  = 0.04 // along a room's sides, where the finger is in none
	simLeaving = 0.44 // from a room's centre, where the finger is leaving through an opening
	simBeyond  = 1.2  // from a room's centre, where the finger is not at its opening any more
)

// simLayout is where everything lies on a screen of one size with one level.
type simLayout struct {
	simapp.Layout
	header [2]float64 // the middle of the title, at its baseline
	board  simapp.Box // the middle of the rim

	puzzle   *Puzzle
	openings []Opening
	pitch    float64 // distance of neighbouring rooms' centres
}

// newSimLayout lays out a screen.
func newSimLayout(size image.Point, p *Puzzle) *simLayout {
	w := float64(size.X)
	l := &simLayout{Layout: simapp.NewLayout(size), puzzle: p, openings: p.Openings()}
	r := 0.062          // of buttons, in units
	var room simapp.Box // what the board and its porch may fill
	u := l.Unit
	if l.Landscape {
		l.header = [2]float64{0.16 * u, l.Content.Y0 + 0.14*u}
		side := 0.3 * u
		room = simapp.NewBox(side, l.Content.Y0+0.01*u, w-side, l.Content.Y1-0.01*u)
		step := l.Content.Height() / 4
		for i, b := range []simapp.Button{simapp.PreviousButton, simapp.RestartButton, simapp.HintButton, simapp.NextButton} {
			l.Buttons[b] = simapp.BoxAround(w-0.13*u, l.Content.Y0+(float64(i)+0.5)*step, r*u, r*u)
		}
	} else {
		l.header = [2]float64{w / 2, l.Content.Y0 + 0.12*u}
		y := l.Content.Y1 - 0.1*u
		room = simapp.NewBox(0.01*w, l.Content.Y0+0.19*u, 0.99*w, y-0.1*u)
		for i, b := range []simapp.Button{simapp.PreviousButton, simapp.RestartButton, simapp.HintButton, simapp.NextButton} {
			l.Buttons[b] = simapp.BoxAround(w/2+(float64(i)-1.5)*0.21*u, y, r*u, r*u)
		}
	}
	rows, cols := float64(p.size.Rows), float64(p.size.Cols)
	l.pitch = max(min(room.Width()/(cols+2*simPorch), room.Height()/(rows+2*simPorch)), 1)
	if l.pitch > 8 {
		l.pitch = math.Floor(l.pitch) // whole pixels keep the lines sharp
	}
	x, y := room.Centre()
	l.board.X0, l.board.Y0 = math.Round(x-cols*l.pitch/2), math.Round(y-rows*l.pitch/2)
	l.board.X1, l.board.Y1 = l.board.X0+cols*l.pitch, l.board.Y0+rows*l.pitch
	return l
}

// centre is the middle of a room.
func (l *simLayout) centre(c board.Cell) [2]float64 {
	size := l.puzzle.size
	return [2]float64{l.board.X0 + (float64(size.Col(c))+0.5)*l.pitch, l.board.Y0 + (float64(size.Row(c))+0.5)*l.pitch}
}

// beyond is a place so many pitches from the centre of an opening's room.
func (l *simLayout) beyond(o Opening, pitches float64) [2]float64 {
	at := l.centre(o.Room)
	dr, dc := o.Side.Step()
	return [2]float64{at[0] + float64(dc)*pitches*l.pitch, at[1] + float64(dr)*pitches*l.pitch}
}

// room is the square of a room.
func (l *simLayout) room(c board.Cell) simapp.Box {
	at := l.centre(c)
	return simapp.BoxAround(at[0], at[1], l.pitch/2, l.pitch/2)
}

// side is the border on a room's side, from corner to corner.
func (l *simLayout) side(c board.Cell, d board.Dir) simapp.Box {
	r := l.room(c)
	switch d {
	case board.North:
		r.Y1 = r.Y0
	case board.East:
		r.X0 = r.X1
	case board.South:
		r.Y0 = r.Y1
	default:
		r.X1 = r.X0
	}
	return r
}

// placeAt is where a finger is.
func (l *simLayout) placeAt(x, y float64) simPlace {
	at := simPlace{room: board.None, door: -1, outside: -1}
	size := l.puzzle.size
	u, v := (x-l.board.X0)/l.pitch-0.5, (y-l.board.Y0)/l.pitch-0.5
	// In a yard several openings may be near.
	closest := math.Inf(1)
	for i, o := range l.openings {
		dr, dc := o.Side.Step()
		du, dv := u-float64(size.Col(o.Room)), v-float64(size.Row(o.Room))
		out := du*float64(dc) + dv*float64(dr)
		across := du*float64(dr) + dv*float64(dc)
		if math.Abs(across) <= 0.5-simMargin && out >= simLeaving && out <= simBeyond && out < closest {
			at.outside, closest = i, out
		}
	}
	if at.outside >= 0 {
		return at
	}
	col, row := math.Round(u), math.Round(v)
	if math.Abs(u-col) > 0.5-simMargin || math.Abs(v-row) > 0.5-simMargin {
		return at
	}
	at.room = size.At(int(row), int(col))
	if !l.puzzle.isRoom(at.room) {
		at.room = board.None
		return at
	}
	nearest := math.Inf(-1)
	for i, o := range l.openings {
		dr, dc := o.Side.Step()
		if out := (u-col)*float64(dc) + (v-row)*float64(dr); o.Room == at.room && out > nearest {
			at.door, nearest = i, out
		}
	}
	return at
}
