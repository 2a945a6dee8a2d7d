package adrift

import (
	"image/color"
	"math"
	"strings"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// chainNote begins the note of a gesture that draws a chain.
const chainNote = "chain "

// Paint is the chains' colours.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA {
	colours := DarkLook().Chains(p)
	paint := make([]color.NRGBA, len(plan))
	for i, g := range plan {
		label := strings.TrimPrefix(g.Note, chainNote)
		if colour := strings.Index(p.labels, label); len(label) == 1 && colour >= 0 {
			paint[i] = colours[colour]
		}
	}
	return paint
}

// Tints are the colours of the chains' letters.
func (s *Solution) Tints() map[rune]color.NRGBA {
	tints := map[rune]color.NRGBA{}
	for i, c := range DarkLook().Chains(s.puzzle) {
		tints[rune(s.puzzle.labels[i])] = c
	}
	return tints
}

// Scene is the cube with the first chains drawn.
func (s *Solution) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// Picture is the cube with some of the chains, each end with its letter.
func (s *Solution) Picture(from, to int) solvers.Picture {
	p, n := s.puzzle, float64(s.puzzle.side)
	const margin = 0.4
	d := drawing{Puzzle: p, middle: [2]float64{margin + n*halfRoot3, margin + n}}
	d.Width, d.Height = 2*d.middle[0], 2*d.middle[1]
	look := LightLook()
	colours := look.Chains(p)
	for c := range board.Cell(p.cells()) {
		face, _, _ := p.place(c)
		ground := look.Faces[face]
		d.Polygon(ground, d.rhombus(c, 0.5)...)
		if p.Stone(c) {
			stone := look.Stones[face]
			d.Polygon(simapp.Mix(stone, color.NRGBA{A: 255}, 0.35), d.rhombus(c, 0.42)...)
			d.Polygon(stone, d.rhombus(c, 0.33)...)
		}
	}
	for c := range board.Cell(p.cells()) {
		corners := d.rhombus(c, 0.5)
		d.Thin(append(corners, corners[0])...)
	}
	for face := range 3 {
		d.Wall(d.corner(face, 0, 0), d.corner(face, 0, n), d.corner(face, n, n), d.corner(face, n, 0), d.corner(face, 0, 0))
	}
	paths := s.Paths()
	for i := max(from, 0); i < min(to, len(paths)); i++ {
		d.Stroke(colours[i], d.chain(paths[i])...)
	}
	for i, ends := range p.ends {
		for _, c := range ends {
			d.End(d.at(c), p.Label(i), colours[i])
		}
	}
	return d.Picture
}

// halfRoot3 is the distance of two opposite sides of a cell, in pitches.
const halfRoot3 = 0.8660254037844386

// drawing is a picture of a cube that is being drawn.
type drawing struct {
	*Puzzle
	solvers.Picture
	middle [2]float64 // where the three faces meet
}

// corner is a place on a face, in rows and columns from its first cell's outer
// corner. Rows of the top lead down to the left, its columns down to the right;
// rows of the others lead down.
func (d *drawing) corner(face int, row, col float64) [2]float64 {
	n := float64(d.side)
	x, y := (col-row)*halfRoot3, (row+col)/2-n
	switch face {
	case left:
		x, y = (col-n)*halfRoot3, (col-n)/2+row
	case right:
		x, y = col*halfRoot3, row-col/2
	}
	return [2]float64{d.middle[0] + x, d.middle[1] + y}
}

// near is a place on a cell's face, in rows and columns from the cell's middle.
func (d *drawing) near(c board.Cell, down, across float64) [2]float64 {
	face, row, col := d.place(c)
	return d.corner(face, float64(row)+0.5+down, float64(col)+0.5+across)
}

func (d *drawing) at(c board.Cell) [2]float64 { return d.near(c, 0, 0) }

// rhombus is the corners of a cell, or of a part of it around its middle.
func (d *drawing) rhombus(c board.Cell, half float64) [][2]float64 {
	return [][2]float64{d.near(c, -half, -half), d.near(c, -half, half), d.near(c, half, half), d.near(c, half, -half)}
}

// chain is the places that a chain goes through. Where it goes from one face to
// another, it bends on the edge between them.
func (d *drawing) chain(path []board.Cell) [][2]float64 {
	var points [][2]float64
	for k, c := range path {
		if k > 0 {
			points = append(points, d.between(path[k-1], c))
		}
		points = append(points, d.at(c))
	}
	return points
}

// between is the middle of the side that two neighbours share: the two nearest
// of the middles of their sides.
func (d *drawing) between(a, b board.Cell) [2]float64 {
	sides := [][2]float64{{-0.5, 0}, {0.5, 0}, {0, -0.5}, {0, 0.5}}
	best, nearest := [2]float64{}, math.Inf(1)
	for _, one := range sides {
		for _, other := range sides {
			p, q := d.near(a, one[0], one[1]), d.near(b, other[0], other[1])
			if far := math.Hypot(p[0]-q[0], p[1]-q[1]); far < nearest {
				best, nearest = p, far
			}
		}
	}
	return best
}
