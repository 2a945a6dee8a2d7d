package app

import (
	"image/color"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Things makes the app of a game of things on squares. Done is what a player did who completes a
// level: "You placed all queens".
func Things(g *grid.Game, title, done string) Maker {
	return GridGame[*grid.Puzzle]{
		Game: g, Title: title, Done: done, Looks: Pages(g.Accent),
		Size: func(p *grid.Puzzle) board.Size { return p.Size },
		New:  func(p *grid.Puzzle) GridLevel { return &things{Tapped{Placed: p.Empty()}, p} },
	}.Make
}

// things is a level as taps change it.
type things struct {
	Tapped
	puzzle *grid.Puzzle
}

// Complete reports whether the level is won.
func (l *things) Complete() bool { return l.puzzle.With(l.Placed).Check() == nil }

// Picture is the board as it stands.
func (l *things) Picture() solvers.Picture { return l.puzzle.With(l.Placed).Sketch() }

// Draw paints the cells, what they hold, and the signs between them.
func (l *things) Draw(d *GridDrawing) {
	const line, outline = 0.03, 0.06 // pitches
	face, black := l.puzzle.Faces(l.Placed), color.NRGBA{A: 255}
	d.Grid(func(c board.Cell) color.NRGBA { return face(c).Ground }, line, black)
	d.Outline(outline, black)
	for c := range board.Cell(l.Size.Cells()) {
		at := d.Centre(c)
		paint(d, grid.Moved(face(c).Shapes, at[0], at[1], d.Pitch))
	}
	l.puzzle.Borders(func(m grid.Mark, c board.Cell, right, down float64) {
		at := d.Centre(c)
		paint(d, grid.Moved(m.Shapes, at[0]+right*d.Pitch, at[1]+down*d.Pitch, d.Pitch))
	})
}

// paint draws shapes.
func paint(c screen.Canvas, shapes []solvers.Shape) {
	for _, s := range shapes {
		switch at := s.Points[0]; s.Kind {
		case solvers.LineShape:
			c.Polyline(s.Points, s.Size, s.Colour)
		case solvers.DiscShape:
			c.Circle(at[0], at[1], s.Size, s.Colour)
		case solvers.PolygonShape:
			c.Polygon(s.Points, s.Colour)
		case solvers.TextShape:
			c.Text(at[0], at[1]+0.36*s.Size, s.Size, 0.5, s.Text, s.Colour)
		}
	}
}
