package app

import (
	"image"
	"math"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/alcazar"
)

// In pitches.
const (
	porch       = 0.5  // the width kept free around the board, for the path to leave
	margin      = 0.04 // along a room's sides, where the finger is in none
	leaving     = 0.44 // from a room's centre, where the finger is leaving through an opening
	beyondReach = 1.2  // from a room's centre, where the finger is not at its opening any more
)

// layout is where everything lies on a screen of one size with one level.
type layout struct {
	simapp.Layout
	header [2]float64 // the middle of the title, at its baseline
	board  simapp.Box // the middle of the rim

	puzzle   *alcazar.Puzzle
	openings []alcazar.Opening
}

// newLayout lays out a screen.
func newLayout(size image.Point, p *alcazar.Puzzle) *layout {
	w := float64(size.X)
	l := &layout{Layout: simapp.NewLayout(size), puzzle: p, openings: p.Openings()}
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
	rows, cols := float64(p.Size().Rows), float64(p.Size().Cols)
	l.Pitch = max(min(room.Width()/(cols+2*porch), room.Height()/(rows+2*porch)), 1)
	if l.Pitch > 8 {
		l.Pitch = math.Floor(l.Pitch) // whole pixels keep the lines sharp
	}
	x, y := room.Centre()
	l.board.X0, l.board.Y0 = math.Round(x-cols*l.Pitch/2), math.Round(y-rows*l.Pitch/2)
	l.board.X1, l.board.Y1 = l.board.X0+cols*l.Pitch, l.board.Y0+rows*l.Pitch
	return l
}

// centre is the middle of a room.
func (l *layout) centre(c board.Cell) [2]float64 {
	size := l.puzzle.Size()
	return [2]float64{l.board.X0 + (float64(size.Col(c))+0.5)*l.Pitch, l.board.Y0 + (float64(size.Row(c))+0.5)*l.Pitch}
}

// beyond is the place at a distance, in pitches, from the centre of an opening's
// room, straight out through the opening.
func (l *layout) beyond(o alcazar.Opening, pitches float64) [2]float64 {
	at := l.centre(o.Room)
	dr, dc := o.Side.Step()
	return [2]float64{at[0] + float64(dc)*pitches*l.Pitch, at[1] + float64(dr)*pitches*l.Pitch}
}

// room is the square of a room.
func (l *layout) room(c board.Cell) simapp.Box {
	at := l.centre(c)
	return simapp.BoxAround(at[0], at[1], l.Pitch/2, l.Pitch/2)
}

// side is the border on a room's side, from corner to corner.
func (l *layout) side(c board.Cell, d board.Dir) simapp.Box {
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

// Under is placeAt for simapp.
func (l *layout) Under(x, y float64) (place, bool) { return l.placeAt(x, y), true }

// placeAt is where a finger is.
func (l *layout) placeAt(x, y float64) place {
	at := place{room: board.None, door: -1, outside: -1}
	size := l.puzzle.Size()
	u, v := (x-l.board.X0)/l.Pitch-0.5, (y-l.board.Y0)/l.Pitch-0.5
	// In a yard several openings may be near.
	closest := math.Inf(1)
	for i, o := range l.openings {
		dr, dc := o.Side.Step()
		du, dv := u-float64(size.Col(o.Room)), v-float64(size.Row(o.Room))
		out := du*float64(dc) + dv*float64(dr)
		across := du*float64(dr) + dv*float64(dc)
		if math.Abs(across) <= 0.5-margin && out >= leaving && out <= beyondReach && out < closest {
			at.outside, closest = i, out
		}
	}
	if at.outside >= 0 {
		return at
	}
	col, row := math.Round(u), math.Round(v)
	if math.Abs(u-col) > 0.5-margin || math.Abs(v-row) > 0.5-margin {
		return at
	}
	at.room = size.At(int(row), int(col))
	if !l.puzzle.IsRoom(at.room) {
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

// Corner is where the picture's would be.
func (l *layout) Corner() (x, y float64) {
	return l.board.X0 - alcazar.Margin*l.Pitch, l.board.Y0 - alcazar.Margin*l.Pitch
}

// Places are the rooms, and those outside of the openings.
func (l *layout) Places() (places []simapp.Place) {
	for _, c := range l.puzzle.Rooms() {
		places = append(places, simapp.Place{Name: l.puzzle.Size().Name(c), At: l.centre(c)})
	}
	for _, o := range l.openings {
		const outside = 0.7 // from the middle of the room
		places = append(places, simapp.Place{Name: "outside of " + l.puzzle.Size().Name(o.Room), At: l.beyond(o, outside)})
	}
	return places
}
