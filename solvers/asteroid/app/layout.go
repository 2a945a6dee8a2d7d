package app

import (
	"image"

	"tapwise/solvers/asteroid"
	"tapwise/solvers/board"
	"tapwise/solvers/simapp"
)

// button is something to tap.
type button int

const (
	noButton button = iota
	previousButton
	restartButton
	nextButton
	playButton  // of the start page
	closeButton // the X of a panel
	nextLevelButton
	againButton
	androidBackButton
	buttons

	okButton = nextLevelButton // the message has its only button there
)

// layout is where everything lies on a screen of one size.
type layout struct {
	size       image.Point
	landscape  bool
	unit       float64    // the width of an upright phone's screen; most sizes are parts of it
	content    simapp.Box // the screen without Android's bar
	navigation simapp.Box
	buttons    [buttons]simapp.Box
	heading    [2]float64 // the level's number: middle of its baseline
	counter    [2]float64 // the moves: likewise

	board      simapp.Box
	pitch      float64 // distance of neighbouring tiles' centres
	centres    [][2]float64
	panel      simapp.Box
	panelTitle simapp.Box
}

// newLayout lays out a screen. Tiles are so large that what sticks out of
// the outer ones by a third of a tile is still on the screen.
func newLayout(s image.Point) *layout {
	w, h := float64(s.X), float64(s.Y)
	l := &layout{size: s, landscape: w > h}
	var x, y float64 // the board's centre
	if l.landscape {
		l.unit = min(h, 0.62*w)
		l.content = simapp.NewBox(0, 0, w-0.117*l.unit, h)
		l.navigation = simapp.NewBox(l.content.X1, 0, w, h)
		l.pitch = 0.245 * l.unit
		x, y = (0.3*l.unit+l.content.X1)/2, h/2
	} else {
		l.unit = min(w, 0.6*h)
		l.content = simapp.NewBox(0, 0, w, h-0.117*l.unit)
		l.navigation = simapp.NewBox(0, l.content.Y1, w, h)
		l.pitch = 0.262 * l.unit
		x, y = w/2, 0.47*h
	}
	l.pitch = max(l.pitch, 1)
	l.board = simapp.BoxAround(x, y, 1.5*l.pitch, 1.5*l.pitch)
	size := asteroid.Size()
	for c := range board.Cell(size.Cells()) {
		l.centres = append(l.centres, [2]float64{x + float64(size.Col(c)-1)*l.pitch, y + float64(size.Row(c)-1)*l.pitch})
	}
	l.placeButtons()
	l.placePanel()
	return l
}

// placeButtons lays out what is above and below the board, or at the left
// side of a screen that lies.
func (l *layout) placeButtons() {
	w, h, u := float64(l.size.X), float64(l.size.Y), l.unit
	cx, cy := l.content.Centre()
	l.buttons[playButton] = simapp.BoxAround(cx, cy, 0.16*u, 0.07*u)
	r := 0.055 * u
	if l.landscape {
		l.heading = [2]float64{0.15 * u, h/2 - 0.36*u}
		l.counter = [2]float64{0.15 * u, h/2 - 0.27*u}
		for i := range 3 {
			l.buttons[previousButton+button(i)] = simapp.BoxAround(0.15*u, h/2+(0.02+0.17*float64(i))*u, r, r)
		}
		x, _ := l.navigation.Centre()
		l.buttons[androidBackButton] = simapp.BoxAround(x, 0.76*h, r, r)
		return
	}
	top := l.board.Y0 - l.pitch/3
	l.heading = [2]float64{cx, 0.55 * top}
	l.counter = [2]float64{cx, 0.55*top + 0.07*u}
	for i := range 3 {
		l.buttons[previousButton+button(i)] = simapp.BoxAround(cx+0.24*float64(i-1)*u, l.content.Y1-0.085*u, r, r)
	}
	_, y := l.navigation.Centre()
	l.buttons[androidBackButton] = simapp.BoxAround(0.24*w, y, r, r)
}

// placePanel lays out a panel with a title, a line and two buttons.
func (l *layout) placePanel() {
	u := l.unit
	x, y := l.content.Centre()
	b := simapp.BoxAround(x, y, 0.39*u, 0.295*u)
	l.panel = b
	l.panelTitle = simapp.NewBox(b.X0, b.Y0, b.X1, b.Y0+0.11*u)
	l.buttons[closeButton] = simapp.NewBox(b.X1-0.11*u, b.Y0, b.X1, b.Y0+0.11*u)
	l.buttons[nextLevelButton] = simapp.BoxAround(x, b.Y0+0.33*u, 0.33*u, 0.06*u)
	l.buttons[againButton] = simapp.BoxAround(x, b.Y0+0.49*u, 0.33*u, 0.06*u)
}

// cellAt is the place under the finger, or board.None.
func (l *layout) cellAt(x, y float64) board.Cell {
	if !l.board.Contains(x, y) {
		return board.None
	}
	return asteroid.Size().At(int((y-l.board.Y0)/l.pitch), int((x-l.board.X0)/l.pitch))
}
