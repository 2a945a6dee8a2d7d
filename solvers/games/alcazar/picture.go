package alcazar

import (
	"image/color"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// pathColour is the path's colour on the screen that the puzzle was read from, else
// the app's usual one.
func (p *Puzzle) pathColour() color.NRGBA {
	if p.path.A > 0 {
		return p.path
	}
	return LightLook().Paths[0]
}

// Paint is the path's colour.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA {
	paint := make([]color.NRGBA, len(plan))
	for i := range plan {
		paint[i] = p.pathColour()
	}
	return paint
}

// Tints are the path's colour, for the characters that it is drawn with.
func (s *Solution) Tints() map[rune]color.NRGBA {
	tints := map[rune]color.NRGBA{}
	marks := "-|"
	switch s.puzzle.form {
	case Plain:
		marks = "*"
	case Box:
		marks = string(strokes[1:])
	}
	for _, mark := range marks {
		tints[mark] = s.puzzle.pathColour()
	}
	return tints
}

// Scene is the board with the path's first legs drawn.
func (s *Solution) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// Picture is the board with some of the path's legs.
func (s *Solution) Picture(from, to int) solvers.Picture {
	d := s.puzzle.blank()
	d.legs(s.legs(), from, to)
	return d.Picture
}

// Picture is the board without a path.
func (p *Puzzle) Picture() solvers.Picture { return p.blank().Picture }

// Spot is the middle of a room on it.
func (p *Puzzle) Spot(c board.Cell) [2]float64 { return (&drawing{Puzzle: p}).at(c) }

// Sketch is the board with a path however far it is drawn: through rooms, and in and out by openings,
// which are nil where it does not come in or leave.
func (p *Puzzle) Sketch(in *Opening, rooms []board.Cell, out *Opening) solvers.Picture {
	d := p.blank()
	var points [][2]float64
	if in != nil {
		points = append(points, d.beside(in.Room, in.Side, beyond))
	}
	for _, room := range rooms {
		points = append(points, d.at(room))
	}
	if out != nil {
		points = append(points, d.beside(out.Room, out.Side, beyond))
	}
	if len(points) > 1 {
		d.Stroke(d.pathColour(), points...)
	}
	return d.Picture
}

func (p *Puzzle) blank() *drawing {
	d := &drawing{Puzzle: p}
	d.Width, d.Height = float64(p.size.Cols)+2*Margin, float64(p.size.Rows)+2*Margin
	for c := range board.Cell(p.size.Cells()) {
		if !p.isRoom(c) {
			at := d.at(c)
			d.Polygon(noFloor, [2]float64{at[0] - 0.5, at[1] - 0.5}, [2]float64{at[0] + 0.5, at[1] - 0.5},
				[2]float64{at[0] + 0.5, at[1] + 0.5}, [2]float64{at[0] - 0.5, at[1] + 0.5})
		}
	}
	for _, walls := range []bool{false, true} {
		for c := range board.Cell(p.size.Cells()) {
			for side := range board.Dir(4) {
				next := p.size.Beside(c, side)
				if next != board.None && side > board.East {
					continue // drawn as the neighbour's
				}
				if !p.isRoom(c) && !p.isRoom(next) {
					continue
				}
				switch open := p.Open(c, side); {
				case !open && walls:
					d.Wall(d.post(c, side, -1), d.post(c, side, 1))
				case open && !walls && next != board.None:
					d.Thin(d.post(c, side, -1), d.post(c, side, 1))
				}
			}
		}
	}
	return d
}

// noFloor is the colour of a place without a room.
var noFloor = color.NRGBA{205, 208, 214, 255}

// Margin is the paper around the board in pictures, in pitches.
const Margin = 0.9

// beyond is how far from the middles of its first and last room the path begins and ends.
const beyond = 0.55

// drawing is a picture of a board that is being drawn.
type drawing struct {
	*Puzzle
	solvers.Picture
}

func (d *drawing) at(c board.Cell) [2]float64 {
	return [2]float64{Margin + float64(d.size.Col(c)) + 0.5, Margin + float64(d.size.Row(c)) + 0.5}
}

// beside is the point at a distance from a room's middle, in a direction.
func (d *drawing) beside(c board.Cell, side board.Dir, far float64) [2]float64 {
	m := d.at(c)
	row, col := side.Step()
	return [2]float64{m[0] + far*float64(col), m[1] + far*float64(row)}
}

// post is one of the two ends of a room's side.
func (d *drawing) post(c board.Cell, side board.Dir, turn int) [2]float64 {
	at := d.beside(c, side, 0.5)
	row, col := ((side + 1) % 4).Step()
	half := 0.5 * float64(turn)
	return [2]float64{at[0] + half*float64(col), at[1] + half*float64(row)}
}

// legs draws some of the path's legs, with an arrow where the last one ends.
func (d *drawing) legs(legs []leg, from, to int) {
	var points [][2]float64
	c := d.pathColour()
	from, to = max(from, 0), min(to, len(legs))
	for i := from; i < to; i++ {
		l := legs[i]
		if l.in {
			points = append(points, d.beside(l.rooms[0], l.dir.Opposite(), beyond))
		}
		for _, room := range l.rooms {
			points = append(points, d.at(room))
		}
		if l.out {
			points = append(points, d.beside(l.rooms[len(l.rooms)-1], l.dir, beyond))
		}
	}
	if len(points) == 0 {
		return
	}
	d.Stroke(c, points...)
	last := legs[to-1]
	row, col := last.dir.Step()
	tip := points[len(points)-1]
	reach := 0.3
	d.Arrow([2]float64{tip[0] + reach*float64(col), tip[1] + reach*float64(row)}, [2]float64{float64(col), float64(row)}, c)
}
