package app

import (
	"image"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/asteroid"
)

// layout is where everything lies on a screen of one size.
type layout struct {
	simapp.Layout
	heading [2]float64 // the level's number: middle of its baseline
	counter [2]float64 // the number of moves: likewise

	board   simapp.Box
	centres [][2]float64 // the places', row by row
}

// newLayout lays out a screen. Tiles are so large that what sticks out of
// the outer ones by a third of a tile is still on the screen.
func newLayout(s image.Point) *layout {
	w, h := float64(s.X), float64(s.Y)
	l := &layout{Layout: simapp.NewKeyLayout(s)}
	var x, y float64 // the board's centre
	if l.Landscape {
		l.Pitch = 0.245 * l.Unit
		x, y = (0.3*l.Unit+l.Content.X1)/2, h/2
	} else {
		l.Pitch = 0.262 * l.Unit
		x, y = w/2, 0.47*h
	}
	l.Pitch = max(l.Pitch, 1)
	l.board = simapp.BoxAround(x, y, 1.5*l.Pitch, 1.5*l.Pitch)
	size := asteroid.Size()
	for c := range board.Cell(size.Cells()) {
		l.centres = append(l.centres, [2]float64{x + float64(size.Col(c)-1)*l.Pitch, y + float64(size.Row(c)-1)*l.Pitch})
	}
	l.placeButtons()
	return l
}

// placeButtons lays out the texts and buttons above and below the board, or at the
// left of a screen that lies.
func (l *layout) placeButtons() {
	h, u := float64(l.Size.Y), l.Unit
	cx, cy := l.Content.Centre()
	l.Buttons[playButton] = simapp.BoxAround(cx, cy, 0.16*u, 0.07*u)
	r := 0.055 * u
	l.PlaceBackKey(r)
	if l.Landscape {
		l.heading = [2]float64{0.15 * u, h/2 - 0.36*u}
		l.counter = [2]float64{0.15 * u, h/2 - 0.27*u}
		for i := range 3 {
			l.Buttons[simapp.PreviousButton+simapp.Button(i)] = simapp.BoxAround(0.15*u, h/2+(0.02+0.17*float64(i))*u, r, r)
		}
		return
	}
	top := l.board.Y0 - l.Pitch/3
	l.heading = [2]float64{cx, 0.55 * top}
	l.counter = [2]float64{cx, 0.55*top + 0.07*u}
	for i := range 3 {
		l.Buttons[simapp.PreviousButton+simapp.Button(i)] = simapp.BoxAround(cx+0.24*float64(i-1)*u, l.Content.Y1-0.085*u, r, r)
	}
}

// Panel lays out a panel, which has room for a line and two buttons.
func (l *layout) Panel(p simapp.Panel) simapp.PanelPlace {
	u := l.Unit
	place := l.SmallPanel(0.295)
	x, _ := place.Box.Centre()
	for range p.Lines {
		place.Text = append(place.Text, place.Title.Y1+0.095*u)
	}
	for i := range p.Buttons {
		place.Buttons = append(place.Buttons, simapp.BoxAround(x, place.Box.Y0+(0.33+0.16*float64(i))*u, 0.33*u, 0.06*u))
	}
	return place
}

// cellAt is the place under the finger, or board.None.
func (l *layout) cellAt(x, y float64) board.Cell {
	if !l.board.Contains(x, y) {
		return board.None
	}
	return asteroid.Size().At(int((y-l.board.Y0)/l.Pitch), int((x-l.board.X0)/l.Pitch))
}
