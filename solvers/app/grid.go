package app

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// GridLevel is a level on a board of squares as a finger changes it.
type GridLevel interface {
	BoardLevel[board.Cell]
	// Draw paints the cells and what is on them.
	Draw(d *GridDrawing)
}

// GridGame is a game on a board of squares, as its app shows it.
type GridGame[P solvers.Puzzle] struct {
	Game  solvers.Game
	Title string     // of the app
	Done  string     // what a player did who completes a level: "You placed all queens"
	Looks []GridLook // by style; the first is the usual one
	Size  func(P) board.Size
	New   func(P) GridLevel
	// Keys are how many keys lie in a row as wide as the board, and Below how many pitches
	// lie between the board and their middles. To a level they are cells after the board's.
	Keys  int
	Below float64
	// Corners: a finger is at corners of cells, counted row by row, not in cells.
	Corners bool
}

// GridLook is the colours of an app of a grid in one style.
type GridLook struct {
	Style string
	Page  color.NRGBA // behind everything
	PanelLook
}

// Light and Dark are looks for apps of a grid: a page as bright or dark as a phone's own
// pages are, and panels with an accent.
func Light(accent color.NRGBA) GridLook {
	ink, card := color.NRGBA{32, 34, 38, 255}, color.NRGBA{249, 250, 252, 255}
	return GridLook{"light", color.NRGBA{244, 242, 238, 255}, PanelLook{Ink: ink, Card: card, Bar: ink, OnBar: card, Accent: accent, OnAccent: card}}
}

// Dark is Light for a dark page.
func Dark(accent color.NRGBA) GridLook {
	ink, card := color.NRGBA{232, 234, 238, 255}, color.NRGBA{44, 48, 56, 255}
	return GridLook{"dark", color.NRGBA{27, 30, 35, 255}, PanelLook{Ink: ink, Card: card, Bar: color.NRGBA{74, 80, 92, 255}, OnBar: ink, Accent: accent, OnAccent: color.NRGBA{A: 255}}}
}

// Pages are the usual looks: a light and a dark page around the same board.
func Pages(accent color.NRGBA) []GridLook { return []GridLook{Light(accent), Dark(accent)} }

// Seen are the looks of the panels as an eye measures them.
func Seen(looks []GridLook) []screen.PanelLook {
	var seen []screen.PanelLook
	for _, l := range looks {
		seen = append(seen, screen.OpaquePanel(l.Bar, l.Card, l.Accent))
	}
	return seen
}

// Grid is an app of levels on a board of squares.
type Grid struct {
	*BoardApp[board.Cell, GridLevel, *GridLayout]
	title string
	look  GridLook
}

// Make makes the app, as a [Maker] does. It fails without levels, with puzzles of
// another game and with a style that is none of the looks'.
func (g GridGame[P]) Make(levels []solvers.Puzzle, o Options) (screen.App, error) {
	look, err := g.lookOf(o.Style)
	if err != nil {
		return nil, err
	}
	a, err := BoardGame[P, board.Cell, GridLevel, *GridLayout]{
		Game: g.Game, Title: g.Title, Done: g.Done, Counts: "move", Last: "That was the last level of", New: g.New,
		Layout: func(size image.Point, p P) *GridLayout {
			l := newGridLayout(size, g.Size(p), g.Keys, g.Below)
			l.corners = g.Corners
			return l
		},
	}.Make(levels, o)
	if err != nil {
		return nil, err
	}
	return &Grid{a, g.Title, look}, nil
}

func (g GridGame[P]) lookOf(style string) (GridLook, error) {
	names := ""
	for i, l := range g.Looks {
		if style == l.Style || style == "" {
			return l, nil
		}
		if i > 0 {
			names += " or "
		}
		names += l.Style
	}
	return GridLook{}, fmt.Errorf("%s: style %q, expected %s", g.Game.Name(), style, names)
}

// GridLayout is where everything lies on a screen with a board of squares.
type GridLayout struct {
	Layout
	Header Box // the level's number and what is done
	Board  Box
	Cells  board.Size
	Keys   []Box

	corners bool
}

// Sizes of a screen around a board, in units.
const (
	buttonRadius = 0.06
	narrowPad    = 0.04 // beside a board, in widths of the screen
)

// BoardRoom lays out the four buttons and the header of an app of levels, and returns the
// header and the room that is left for the board.
func (l *Layout) BoardRoom() (header, room Box) {
	u, w := l.Unit, float64(l.Size.X)
	if l.Landscape {
		step := l.Content.Height() / 4
		for i, b := range []Button{HintButton, RestartButton, NextButton, PreviousButton} {
			l.Buttons[b] = BoxAround(w-0.1*u, l.Content.Y0+(float64(i)+0.5)*step, buttonRadius*u, buttonRadius*u)
		}
		return Box{0.03 * u, l.Content.Y0 + 0.03*u, 0.33 * u, l.Content.Y0 + 0.3*u}, Box{0.35 * u, l.Content.Y0 + 0.01*u, w - 0.2*u, l.Content.Y1 - 0.01*u}
	}
	header = Box{0.05 * u, l.Content.Y0 + 0.02*u, w - 0.05*u, l.Content.Y0 + 0.2*u}
	y := l.Content.Y1 - 0.09*u
	for b, x := range map[Button]float64{PreviousButton: 0.11 * u, RestartButton: w/2 - 0.11*u, HintButton: w/2 + 0.11*u, NextButton: w - 0.11*u} {
		l.Buttons[b] = BoxAround(x, y, buttonRadius*u, buttonRadius*u)
	}
	return header, Box{0.02 * w, header.Y1 + 0.01*u, 0.98 * w, y - 0.09*u}
}

func newGridLayout(size image.Point, cells board.Size, keys int, below float64) *GridLayout {
	const keyHeight = 0.9 // pitches
	rows := float64(cells.Rows)
	if keys > 0 {
		rows += below + keyHeight/2
	}
	l := &GridLayout{Layout: NewLayout(size), Cells: cells}
	var room Box
	l.Header, room = l.BoardRoom()
	pad := narrowPad * l.Unit
	l.Pitch = max(math.Floor(min((room.Width()-2*pad)/float64(cells.Cols), (room.Height()-2*pad)/rows)), 1)
	x, y := room.Centre()
	x0, y0 := math.Round(x-l.Pitch*float64(cells.Cols)/2), math.Round(y-l.Pitch*rows/2)
	l.Board = Box{x0, y0, x0 + l.Pitch*float64(cells.Cols), y0 + l.Pitch*float64(cells.Rows)}
	for i := range keys {
		w := l.Board.Width() / float64(keys)
		l.Keys = append(l.Keys, BoxAround(x0+(float64(i)+0.5)*w, l.Board.Y1+below*l.Pitch, 0.46*w, keyHeight/2*l.Pitch))
	}
	return l
}

// Cell is a cell's square.
func (l *GridLayout) Cell(c board.Cell) Box {
	x, y := l.Board.X0+float64(l.Cells.Col(c))*l.Pitch, l.Board.Y0+float64(l.Cells.Row(c))*l.Pitch
	return Box{x, y, x + l.Pitch, y + l.Pitch}
}

// Centre is the middle of a cell.
func (l *GridLayout) Centre(c board.Cell) [2]float64 {
	x, y := l.Cell(c).Centre()
	return [2]float64{x, y}
}

// CellAt is the cell at a place, board.None beside the board.
func (l *GridLayout) CellAt(x, y float64) board.Cell {
	return l.Cells.At(int(math.Floor((y-l.Board.Y0)/l.Pitch)), int(math.Floor((x-l.Board.X0)/l.Pitch)))
}

// Under is CellAt for a [BoardLayout].
func (l *GridLayout) Under(x, y float64) (board.Cell, bool) {
	for i, key := range l.Keys {
		if key.Contains(x, y) {
			return board.Cell(l.Cells.Cells() + i), true
		}
	}
	if l.corners {
		corners := board.Size{Rows: l.Cells.Rows + 1, Cols: l.Cells.Cols + 1}
		c := corners.At(int(math.Floor((y-l.Board.Y0)/l.Pitch+0.5)), int(math.Floor((x-l.Board.X0)/l.Pitch+0.5)))
		return c, c != board.None
	}
	c := l.CellAt(x, y)
	return c, c != board.None
}

// Corner is where the picture's would be.
func (l *GridLayout) Corner() (x, y float64) {
	return l.Board.X0 - grid.Margin*l.Pitch, l.Board.Y0 - grid.Margin*l.Pitch
}

// Places are the cells, or their corners, and the keys.
func (l *GridLayout) Places() (places []Place) {
	size, at, what := l.Cells, 0.5, ""
	if l.corners {
		size, at, what = board.Size{Rows: size.Rows + 1, Cols: size.Cols + 1}, 0, "corner at "
	}
	for c := range board.Cell(size.Cells()) {
		places = append(places, Place{what + size.Name(c), [2]float64{l.Board.X0 + (float64(size.Col(c))+at)*l.Pitch, l.Board.Y0 + (float64(size.Row(c))+at)*l.Pitch}})
	}
	for i, key := range l.Keys {
		x, y := key.Centre()
		places = append(places, Place{fmt.Sprintf("key %d", i+1), [2]float64{x, y}})
	}
	return places
}

// GridDrawing is the screen that a level is painted on.
type GridDrawing struct {
	screen.Canvas
	*GridLayout
	Dark bool // the look's page is dark
}

// Line paints the border of two neighbouring cells, so many pitches wide, and as far
// beyond its ends as it is to each side.
func (d *GridDrawing) Line(e board.Edge, width float64, c color.NRGBA) {
	b := d.Cell(e.B)
	half := max(math.Round(width*d.Pitch/2), 0.5)
	if d.Cells.Row(e.A) == d.Cells.Row(e.B) {
		Box{b.X0 - half, b.Y0 - half, b.X0 + half, b.Y1 + half}.Fill(d, c)
	} else {
		Box{b.X0 - half, b.Y0 - half, b.X1 + half, b.Y0 + half}.Fill(d, c)
	}
}

// Outline paints the board's outline, so many pitches wide.
func (d *GridDrawing) Outline(width float64, c color.NRGBA) {
	half := max(width*d.Pitch/2, 0.5)
	b := d.Board
	Box{b.X0 - half, b.Y0 - half, b.X1 + half, b.Y1 + half}.Frame(d, 2*half, c)
}

// Draw paints the screen.
func (a *Grid) Draw(c screen.Canvas, now time.Duration) {
	if !a.Prepare(c, now) {
		return
	}
	l := a.Layout()
	c.Fill(a.look.Page)
	a.drawHeader(c)
	a.Play.Draw(&GridDrawing{c, l, !screen.Light(color.RGBA{a.look.Page.R, a.look.Page.G, a.look.Page.B, 255})})
	a.DrawRoundButtons(c, a.look.Ink, Faded(a.look.Ink, 0.3), Faded(a.look.Ink, 0.12))
	a.DrawOver(c, &l.Layout, now, a.look.PanelLook)
}

// drawHeader writes the level's number, the pack's name, the board's size and the moves.
func (a *Grid) drawHeader(c screen.Canvas) {
	h, u := a.Layout().Header, a.Layout().Unit
	title := a.title + " " + strconv.Itoa(a.Level())
	c.Text(h.X0, h.Y0+0.075*u, Fitting(title, 0.07*u, h.Width()), 0, title, a.look.Ink)
	facts := fmt.Sprintf("%s   %s   %s", a.Title, a.Layout().Cells, board.Count(a.Moves(), "move"))
	c.Text(h.X0, h.Y0+0.14*u, Fitting(facts, 0.038*u, h.Width()), 0, facts, Mix(a.look.Ink, a.look.Page, 0.3))
}

// RoundButton draws one of the buttons beside a board: its disc and its sign.
func RoundButton(c screen.Canvas, b Button, box Box, disc, ink color.NRGBA) {
	x, y := box.Centre()
	r := box.Width() / 2
	c.Circle(x, y, r, disc)
	switch b {
	case PreviousButton:
		Chevron(c, x, y, -r, ink)
	case NextButton:
		Chevron(c, x, y, r, ink)
	case RestartButton:
		TurnArrow(c, x, y, r, 0.13, ink)
	case HintButton:
		c.Text(x, y+0.4*r, 1.15*r, 0.5, "?", ink)
	}
}

// Chevron draws an angle that points to the right, or to the left when r is less than 0.
func Chevron(c screen.Canvas, x, y, r float64, colour color.NRGBA) {
	c.Polyline([][2]float64{{x - 0.18*r, y - 0.42*r}, {x + 0.24*r, y}, {x - 0.18*r, y + 0.42*r}}, 0.16*math.Abs(r), colour)
}

// Grid paints the cells, each in its colour, and thin lines between them, so many pitches
// wide.
func (d *GridDrawing) Grid(ground func(board.Cell) color.NRGBA, width float64, line color.NRGBA) {
	for c := range board.Cell(d.Cells.Cells()) {
		d.Cell(c).Fill(d, ground(c))
	}
	for _, e := range d.Cells.Edges() {
		d.Line(e, width, line)
	}
}

// RegionPage has so many regions put on a board, in the colours of Pastel.
func RegionPage(regions int) *solvers.GridPage {
	p := &solvers.GridPage{Regions: true, Grounds: map[string]color.NRGBA{}}
	var colours []color.NRGBA
	for k := range regions {
		p.Entries, colours = append(p.Entries, board.RegionLabel(k)), append(colours, Pastel(k))
	}
	colours, _ = solvers.Grounds(colours)
	for k, c := range colours {
		p.Grounds[p.Entries[k]] = c
	}
	return p
}

// Crown paints a crown of three spikes on a cell, 0.6 of it wide.
func (d *GridDrawing) Crown(c board.Cell, colour color.NRGBA) {
	d.Polygon(solvers.Crown(d.Centre(c), d.Pitch), colour)
}
