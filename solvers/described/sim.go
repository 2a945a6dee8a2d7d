package described

import (
	"image/color"
	"slices"
	"strconv"
	"strings"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	squares "tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// looks are the app's: a light and a dark page around the same board.
func looks() []simapp.GridLook { return []simapp.GridLook{simapp.Light(gold), simapp.Dark(gold)} }

// Locate tells a level from its completion panel.
func (g *Game) Locate(seen *screen.Observation) screen.Place {
	return squares.Locate(seen, simapp.Seen(looks())...)
}

// App makes a simulated app of the game, which offers the levels in order. It draws what the
// look says and takes the touches that the description tells; a level is complete when the
// rules hold by plain evaluation.
func (g *Game) App(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	app := simapp.GridGame[*Puzzle]{
		Game: g, Title: g.Title(), Done: "All rules hold", Looks: looks(),
		Size: func(p *Puzzle) board.Size { return p.givens.size },
		New:  func(p *Puzzle) simapp.GridLevel { return newSimulated(p) },
	}
	for _, t := range g.touches {
		switch t.kind {
		case byKeys:
			app.Keys, app.Below = len(t.cycle), t.below
		case bySides:
			app.Corners = true
		}
	}
	return app.Make(levels, o)
}

// simulated is a level under a finger.
type simulated struct {
	played
	puzzle     *Puzzle
	cell, line *layer // nil without
	parts      [][2]board.Cell
	down, last board.Cell
	chosen     board.Cell // that the next key is for
	moved      bool
	erasing    bool
	moves      int
}

func newSimulated(p *Puzzle) *simulated {
	s := &simulated{played: p.blank(), puzzle: p, chosen: board.None}
	for _, l := range p.game.layers {
		if l.isOfCells() {
			s.cell = l
		} else {
			s.line = l
		}
	}
	return s
}

// Begin is a finger that comes down on a cell, a corner of one, or a key.
func (s *simulated) Begin(at board.Cell) bool {
	s.down, s.last, s.moved = at, at, false
	return true
}

// Enter draws lines from one place to the next. The first says whether they are drawn or
// taken away.
func (s *simulated) Enter(at board.Cell) {
	if at == s.last {
		return
	}
	if s.line != nil && s.puzzle.game.touchOf(s.line).kind != byCorners {
		for _, k := range s.line.linksOf(s.puzzle.givens.size) {
			if k.a == int(at) && k.b == int(s.last) || k.b == int(at) && k.a == int(s.last) {
				if !s.moved {
					s.erasing = s.sides[k.i] == 1
				}
				s.sides[k.i] = number(!s.erasing)
			}
		}
	}
	s.last, s.moved = at, true
}

// Lift makes a tap of a finger that did not move, and draws a rectangle.
func (s *simulated) Lift() {
	s.moves++
	size, game := s.puzzle.givens.size, s.puzzle.game
	if s.line != nil && game.touchOf(s.line).kind == byCorners && int(max(s.down, s.last)) < size.Cells() {
		s.rectangle()
		return
	}
	if s.cell == nil || s.moved {
		return
	}
	t := game.touchOf(s.cell)
	switch key := int(s.down) - size.Cells(); {
	case t.kind == byKeys && key < 0:
		s.chosen = s.down
	case t.kind == byKeys && s.chosen != board.None:
		if _, fixed := s.puzzle.given(s.cell, s.chosen); !fixed {
			s.cells[s.chosen] = t.cycle[key]
		}
	case t.choose && s.chosen != s.down:
		s.chosen = s.down
	case t.kind == byTaps && key < 0:
		if _, fixed := s.puzzle.given(s.cell, s.down); !fixed {
			s.cells[s.down] = t.cycle[(slices.Index(t.cycle, s.cells[s.down])+1)%len(t.cycle)]
		}
	}
}

// rectangle draws one between the cells where the finger came down and where it is; it takes
// the place of others that it covers in part.
func (s *simulated) rectangle() {
	size := s.puzzle.givens.size
	a := size.At(min(size.Row(s.down), size.Row(s.last)), min(size.Col(s.down), size.Col(s.last)))
	b := size.At(max(size.Row(s.down), size.Row(s.last)), max(size.Col(s.down), size.Col(s.last)))
	s.parts = slices.DeleteFunc(s.parts, func(p [2]board.Cell) bool {
		return size.Row(p[0]) <= size.Row(b) && size.Row(a) <= size.Row(p[1]) && size.Col(p[0]) <= size.Col(b) && size.Col(a) <= size.Col(p[1])
	})
	s.parts = append(s.parts, [2]board.Cell{a, b})
	for _, k := range size.Edges() {
		d := 1
		if size.Col(k.A) == size.Col(k.B) {
			d = 2
		}
		s.sides[s.line.side(size, k.A, d)] = number(s.partOf(k.A) != s.partOf(k.B))
	}
}

// partOf is the rectangle of a cell, -1 for none.
func (s *simulated) partOf(c board.Cell) int {
	size := s.puzzle.givens.size
	return slices.IndexFunc(s.parts, func(p [2]board.Cell) bool {
		return size.Row(p[0]) <= size.Row(c) && size.Row(c) <= size.Row(p[1]) && size.Col(p[0]) <= size.Col(c) && size.Col(c) <= size.Col(p[1])
	})
}

// Complete reports whether everything is decided and all rules hold.
func (s *simulated) Complete() bool {
	var values []int
	for _, l := range s.puzzle.game.layers {
		if !l.isOfCells() {
			values = append(values, s.sides...)
			continue
		}
		for _, r := range s.cells {
			values = append(values, l.valueOf(r))
		}
	}
	corners := s.line != nil && s.puzzle.game.touchOf(s.line).kind == byCorners
	for c := range s.cells {
		if corners && s.partOf(board.Cell(c)) < 0 {
			return false
		}
	}
	return !slices.Contains(values, -1) && (&Solution{values, s.puzzle}).Check() == nil
}

// Moves is the number of taps and strokes.
func (s *simulated) Moves() int { return s.moves }

// String is what is played: the layers one below the other.
func (s *simulated) String() string {
	var parts []string
	for _, l := range s.puzzle.game.layers {
		size := s.puzzle.givens.size
		if !l.isOfCells() {
			parts = append(parts, l.format(size, s.sides))
			continue
		}
		for row := range size.Rows {
			parts = append(parts, string(s.cells[row*size.Cols:(row+1)*size.Cols]))
		}
	}
	return strings.Join(parts, "\n")
}

// Picture is the board as it stands, with room for the keys.
func (s *simulated) Picture() solvers.Picture {
	p, values := s.puzzle, s.puzzle.undecided()
	var notes []board.Cell
	for i, l := range p.game.layers {
		of := values[p.givens.layout.first[i]:]
		if !l.isOfCells() {
			copy(of, s.sides)
			continue
		}
		for c, r := range s.cells {
			switch _, fixed := p.given(l, board.Cell(c)); {
			case fixed || r == nothing:
			case l.kind != numbersLayer && !slices.Contains(l.marks, r):
				notes = append(notes, board.Cell(c))
			default:
				of[c] = l.valueOf(r)
			}
		}
	}
	d := p.drawn(values)
	for _, c := range notes {
		at := d.At(c)
		around := rectangle(at[0], at[1], 0.2, 0.2)
		d.Note(around[0], around[2])
		d.Note(around[1], around[3])
	}
	if t := s.keys(); t != nil {
		d.Height += t.below + 0.5
	}
	return d.Picture
}

// keys is how cells are filled from keys; nil where there are none.
func (s *simulated) keys() *touch {
	if s.cell == nil || s.puzzle.game.touchOf(s.cell).kind != byKeys {
		return nil
	}
	return s.puzzle.game.touchOf(s.cell)
}

// Over is the keys, and the cell that is chosen.
func (s *simulated) Over() []solvers.Shape {
	t, size := s.keys(), s.puzzle.givens.size
	if t == nil {
		return nil
	}
	d := squares.Picture{Size: size}
	if s.chosen != board.None {
		at := d.At(s.chosen)
		around := rectangle(at[0], at[1], 1, 1)
		d.Line(2*thickLine, gold, append(around, around[0])...)
	}
	wide := float64(size.Cols) / float64(len(t.cycle))
	for i, r := range t.cycle {
		at := [2]float64{squares.Margin + (float64(i)+0.5)*wide, squares.Margin + float64(size.Rows) + t.below}
		around := rectangle(at[0], at[1], min(wide, 0.9), min(wide, 0.9))
		d.Polygon(givenPaper, around...)
		d.Line(thinLine, grey, append(around, around[0])...)
		d.Label(at, 0.4, string(r), black)
	}
	return d.Shapes
}

// Widths of lines, in pitches.
const (
	thinLine  = 0.02
	thickLine = 0.08
)

var (
	paper      = color.NRGBA{255, 255, 255, 255}
	givenPaper = color.NRGBA{240, 241, 244, 255}
	gold       = color.NRGBA{212, 152, 9, 255} // of buttons
)

// Draw paints the board by the look.
func (s *simulated) Draw(d *simapp.GridDrawing) {
	g, givens := s.puzzle.game, s.puzzle.givens
	grounds := make([]color.NRGBA, len(s.cells))
	for i := range grounds {
		grounds[i] = s.ground(board.Cell(i))
	}
	d.Grid(func(c board.Cell) color.NRGBA { return grounds[c] }, thinLine, grey)
	for _, e := range givens.size.Edges() {
		if givens.room != nil && givens.room[e.A] != givens.room[e.B] {
			d.Line(e, thickLine, black)
		}
	}
	d.Outline(thickLine, black)
	for i := range s.cells {
		s.drawCell(d, board.Cell(i), grounds[i])
	}
	s.drawLines(d)
	for _, name := range g.notations[0].signs {
		for _, e := range givens.sign[name] {
			a, b := d.Centre(e.A), d.Centre(e.B)
			x, y := (a[0]+b[0])/2, (a[1]+b[1])/2
			d.Circle(x, y, 0.2*d.Pitch, paper)
			g.look[name].draw(d, x, y, d.Pitch)
		}
	}
	for i, box := range d.Keys {
		box.Fill(d, givenPaper)
		x, y := box.Centre()
		d.Text(x, y+0.17*d.Pitch, 0.5*d.Pitch, 0.5, string(g.touchOf(s.cell).cycle[i]), black)
	}
}

// ground is the colour of a cell.
func (s *simulated) ground(c board.Cell) color.NRGBA {
	for _, name := range s.shows(c) {
		if f := s.puzzle.game.look[name]; f != nil && f.ground {
			return f.colour
		}
	}
	if part := s.partOf(c); part >= 0 {
		return simapp.Pastel(part % 11)
	}
	if s.cell != nil {
		if r, fixed := s.puzzle.given(s.cell, c); fixed && r != nothing {
			return givenPaper
		}
	}
	return paper
}

// shows are the names of what a cell shows.
func (s *simulated) shows(c board.Cell) (names []string) {
	k := s.puzzle.givens.clue[c]
	if k.name != "" {
		names = append(names, k.name)
	}
	if k.kind != noClue {
		names = append(names, ofClues)
	}
	if s.cell != nil && s.cells[c] != nothing {
		names = append(names, string(s.cells[c]))
	}
	return names
}

// drawCell draws the figures and the number of a cell.
func (s *simulated) drawCell(d *simapp.GridDrawing, c board.Cell, ground color.NRGBA) {
	at := d.Centre(c)
	under := ground
	for _, name := range s.shows(c) {
		if f := s.puzzle.game.look[name]; f != nil && !f.ground {
			f.draw(d, at[0], at[1], d.Pitch)
			if len(f.areas) > 0 { // within a ring there is still the ground
				under = f.colour
			}
		}
	}
	ink := black
	if !screen.Light(color.RGBA(under)) {
		ink = paper
	}
	k := s.puzzle.givens.clue[c]
	if room := s.puzzle.givens.room; room != nil && len(s.puzzle.givens.roomClue) > 0 && slices.Index(room, room[c]) == int(c) {
		k = s.puzzle.givens.roomClue[room[c]]
	}
	text := ""
	switch {
	case s.cell != nil && s.cell.kind == numbersLayer && s.cells[c] != nothing:
		text = string(s.cells[c])
		if k.kind == noClue {
			ink = blue
		}
	case k == unknown && s.puzzle.game.look[ofClues] == nil:
		text = anyNumber
	case (k.kind == numberClue || k.kind == labelClue) && k.number >= 0:
		text = strconv.Itoa(k.number)
	}
	if text != "" {
		d.Text(at[0], at[1]+0.15*d.Pitch, 0.42*d.Pitch, 0.5, text, ink)
	}
}

// drawLines draws what was drawn by strokes.
func (s *simulated) drawLines(d *simapp.GridDrawing) {
	if s.line == nil {
		return
	}
	size := s.puzzle.givens.size
	place := func(node int) [2]float64 {
		if s.line.kind == lineLayer {
			return d.Centre(board.Cell(node))
		}
		return [2]float64{d.Board.X0 + float64(node%(size.Cols+1))*d.Pitch, d.Board.Y0 + float64(node/(size.Cols+1))*d.Pitch}
	}
	for _, k := range s.line.linksOf(size) {
		if s.sides[k.i] == 1 {
			ink, width := black, 0.1
			if s.line.kind == lineLayer {
				ink, width = blue, 0.14
			}
			d.Polyline([][2]float64{place(k.a), place(k.b)}, width*d.Pitch, ink)
		}
	}
}

// draw draws a figure around a place.
func (f *figure) draw(c screen.Canvas, x, y, pitch float64) {
	f.parts(x, y, pitch, func(area [][2]float64) { c.Polygon(area, f.colour) }, func(line [][2]float64) { c.Polyline(line, f.width*pitch, f.colour) })
}

// parts are a figure's areas and lines around a place.
func (f *figure) parts(x, y, pitch float64, filled, drawn func(points [][2]float64)) {
	moved := func(points [][2]float64) (to [][2]float64) {
		for _, p := range points {
			to = append(to, [2]float64{x + p[0]*pitch, y + p[1]*pitch})
		}
		return to
	}
	for _, area := range f.areas {
		filled(moved(area))
	}
	for _, line := range f.lines {
		drawn(moved(line))
	}
}
