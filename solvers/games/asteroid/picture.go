package asteroid

import (
	"fmt"
	"image/color"
	"math"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// moveColour is the colour of the arrows that show moves.
var moveColour = color.NRGBA{226, 0, 116, 255}

// Steps are the moves. A board that was played in part is another puzzle, so that
// none of them is drawn already.
func (s *Solution) Steps(solvers.Solution) []solvers.Step {
	steps := make([]solvers.Step, len(s.moves))
	for i, m := range s.moves {
		steps[i] = solvers.Step{Text: m.words(), Cells: []board.Cell{m.From}}
	}
	return steps
}

// Paint is the colour of the moves' arrows.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA {
	paint := make([]color.NRGBA, len(plan))
	for i := range plan {
		paint[i] = moveColour
	}
	return paint
}

// Tints are the colours of the spacecraft and the asteroids.
func (s *Solution) Tints() map[rune]color.NRGBA {
	look := SpaceLook()
	return map[rune]color.NRGBA{'S': look.Craft, 'a': look.Rock, 'A': look.Rock}
}

// Lengths of a picture with several boards, in tiles.
const (
	boardWide = 4.4 // from one board to the next, what sticks out of the tiles included
	boardHigh = 5.0 // with the words above it
	words     = 0.3 // the height of their letters
	pageShape = 1.4 // a page's height, as a share of its width
)

// Picture is a board for each of the moves, before it is made, with an arrow on the tile that
// moves and the move's number, from 1; row by row as on a page. Without moves it is the start.
func (s *Solution) Picture(from, to int) solvers.Picture {
	from, to = max(from, 0), min(to, len(s.moves))
	n := to - from
	if n <= 0 {
		return s.one(s.after(from), nil, "")
	}
	across := min(n, max(1, int(math.Round(math.Sqrt(float64(n)*boardHigh/boardWide/pageShape)))))
	down := (n + across - 1) / across
	d := drawing{Picture: solvers.Picture{Width: boardWide * float64(across), Height: boardHigh * float64(down)}}
	for i := range n {
		move := s.moves[from+i]
		at := [2]float64{boardWide * float64(i%across), boardHigh * float64(i/across)}
		d.board(at, s.after(from+i), &move, fmt.Sprintf("%d.  %s", from+i+1, move.way()))
	}
	return d.Picture
}

// Scene is the board after the first moves, with an arrow for the next.
func (s *Solution) Scene(done int) solvers.Picture {
	if done >= len(s.moves) {
		return s.one(s.after(done), nil, fmt.Sprintf("out in %s", board.Count(len(s.moves), "move")))
	}
	move := s.moves[done]
	return s.one(s.after(done), &move, fmt.Sprintf("%d of %d:  %s", done+1, len(s.moves), move.way()))
}

// one is a picture of one board.
func (s *Solution) one(at [cells]piece, move *Move, title string) solvers.Picture {
	d := drawing{Picture: solvers.Picture{Width: boardWide, Height: boardHigh}}
	d.board([2]float64{}, at, move, title)
	return d.Picture
}

// Margin is the paper around the tiles in Tiles.Picture, in tiles.
const Margin = (boardWide - 3) / 2

// Picture is the board.
func (t Tiles) Picture() solvers.Picture {
	d := drawing{Picture: solvers.Picture{Width: boardWide, Height: boardWide}}
	d.board([2]float64{0, boardWide - boardHigh}, t.at, nil, "")
	return d.Picture
}

// Picture is the board at the start.
func (p *Puzzle) Picture() solvers.Picture { return p.Tiles().Picture() }

// Spot is the middle of a tile on it.
func (p *Puzzle) Spot(c board.Cell) [2]float64 {
	return [2]float64{Margin + float64(size.Col(c)) + 0.5, Margin + float64(size.Row(c)) + 0.5}
}

// after is the board after the first moves, as far as they can be made.
func (s *Solution) after(done int) [cells]piece {
	at := s.puzzle.at
	for _, m := range s.moves[:min(done, len(s.moves))] {
		to := size.Beside(m.From, m.Dir)
		if at[m.From] != hole && !m.Exit && to != board.None && at[to] == hole {
			at[to] = at[m.From]
		}
		at[m.From] = hole
	}
	return at
}

// drawing is a picture that is being drawn.
type drawing struct{ solvers.Picture }

// board draws a board with its words in an area of the picture.
func (d *drawing) board(corner [2]float64, at [cells]piece, move *Move, title string) {
	look := FlatLook()
	place := func(x, y float64) [2]float64 {
		return [2]float64{corner[0] + (boardWide-3)/2 + x, corner[1] + boardHigh - 3 - (boardWide-3)/2 + y}
	}
	middle := func(c board.Cell) [2]float64 { return place(float64(size.Col(c))+0.5, float64(size.Row(c))+0.5) }
	if title != "" {
		d.Write(place(1.5, -0.85), words, title, look.Ink)
	}
	d.Polygon(look.Floor, place(0, 0), place(3, 0), place(3, 3), place(0, 3))
	c := sketch{picture: &d.Picture}
	for cell, p := range at {
		if p != hole {
			m := middle(board.Cell(cell))
			c.RoundRect(m[0]-0.48, m[1]-0.48, m[0]+0.48, m[1]+0.48, 0.06, look.Line)
			c.RoundRect(m[0]-0.46, m[1]-0.46, m[0]+0.46, m[1]+0.46, 0.05, look.Tile)
		}
	}
	d.Wall(place(1, 3), place(0, 3), place(0, 0), place(3, 0), place(3, 3), place(2, 3)) // open at the exit
	pieces := pen{c, &look, 1}
	for cell, p := range at {
		if p != hole {
			m := middle(board.Cell(cell))
			pieces.piece(p, m[0], m[1])
		}
	}
	if move == nil {
		return
	}
	row, col := move.Dir.Step()
	m, way := middle(move.From), [2]float64{float64(col), float64(row)}
	reach := func(far float64) [2]float64 { return [2]float64{m[0] + far*way[0], m[1] + far*way[1]} }
	const from, bend, tip = -0.3, 0.45, 0.85
	d.Line(0.22, look.Tile, reach(from), reach(bend))
	d.Line(0.14, moveColour, reach(from), reach(bend))
	d.Arrow(reach(tip), way, moveColour)
}

// sketch is a Brush for pictures.
type sketch struct{ picture *solvers.Picture }

// Polygon draws a filled polygon.
func (s sketch) Polygon(points [][2]float64, c color.NRGBA) { s.picture.Polygon(c, points...) }

// Circle draws a disc.
func (s sketch) Circle(x, y, radius float64, c color.NRGBA) {
	s.picture.Disc([2]float64{x, y}, radius, c)
}

// RoundRect draws a rectangle with round corners.
func (s sketch) RoundRect(x0, y0, x1, y1, radius float64, c color.NRGBA) {
	radius = min(radius, (x1-x0)/2, (y1-y0)/2)
	const turns = 8 // straight pieces of a corner
	var points [][2]float64
	for corner, at := range [4][2]float64{{x1 - radius, y0 + radius}, {x1 - radius, y1 - radius}, {x0 + radius, y1 - radius}, {x0 + radius, y0 + radius}} {
		for i := range turns + 1 {
			sin, cos := math.Sincos((float64(corner) + float64(i)/turns) * math.Pi / 2)
			points = append(points, [2]float64{at[0] + radius*sin, at[1] - radius*cos})
		}
	}
	s.picture.Polygon(c, points...)
}
