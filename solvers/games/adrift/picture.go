package adrift

import (
	"image/color"
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

// Picture is the cube with some of the chains.
func (s *Solution) Picture(from, to int) solvers.Picture {
	return s.puzzle.Sketch(solvers.Some(s.Paths(), from, to))
}

// Picture is the cube without chains.
func (p *Puzzle) Picture() solvers.Picture { return p.Sketch(nil) }

// Spot is the middle of a cell on it.
func (p *Puzzle) Spot(c board.Cell) [2]float64 {
	n := float64(p.side)
	return p.See(Margin+n*HalfRoot3, Margin+n, 1).Middle(c)
}

// Margin is the paper around the cube in pictures, in pitches.
const Margin = 0.4

// Sketch is the cube with chains, by colour and however far they are drawn, each end with its letter.
func (p *Puzzle) Sketch(chains [][]board.Cell) solvers.Picture {
	n := float64(p.side)
	x, y := Margin+n*HalfRoot3, Margin+n
	d := drawing{View: p.See(x, y, 1)}
	d.Width, d.Height = 2*x, 2*y
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
	for _, face := range d.Faces {
		d.Wall(face.At(0, 0), face.At(0, n), face.At(n, n), face.At(n, 0), face.At(0, 0))
	}
	for i, chain := range chains {
		if len(chain) > 1 {
			d.Stroke(colours[i], d.chain(chain)...)
		}
	}
	for i, ends := range p.ends {
		for _, c := range ends {
			d.End(d.Middle(c), p.Label(i), colours[i])
		}
	}
	return d.Picture
}

// drawing is a picture of a cube that is being drawn.
type drawing struct {
	View
	solvers.Picture
}

// rhombus is the corners of a cell, or of a part of it around its middle.
func (d *drawing) rhombus(c board.Cell, half float64) [][2]float64 {
	near, far := 0.5-half, 0.5+half
	return [][2]float64{d.Spot(c, near, near), d.Spot(c, near, far), d.Spot(c, far, far), d.Spot(c, far, near)}
}

// chain is the places that a chain goes through. Where it goes from one face to
// another, it bends on the edge between them.
func (d *drawing) chain(path []board.Cell) [][2]float64 {
	var points [][2]float64
	for k, c := range path {
		if k > 0 {
			points = append(points, d.Between(path[k-1], c))
		}
		points = append(points, d.Middle(c))
	}
	return points
}
