package flow

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// pipeNote begins the note of a gesture that draws a pipe.
const pipeNote = "pipe "

// Paint is the pipes' colours.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA {
	colours := p.Colours()
	paint := make([]color.NRGBA, len(plan))
	for i, g := range plan {
		if pipe := slices.Index(p.labels, strings.TrimPrefix(g.Note, pipeNote)); pipe >= 0 {
			paint[i] = colours[pipe]
		}
	}
	return paint
}

// Tints are the colours of the pipes' characters, nil for a board with more pipes
// than there are characters.
func (s *Solution) Tints() map[rune]color.NRGBA {
	p := s.puzzle
	if p.form.style != gridStyle {
		p = p.Grid()
	}
	tints := map[rune]color.NRGBA{}
	for i, c := range p.Colours() {
		letters := []rune(p.labels[i])
		if len(letters) != 1 {
			return nil
		}
		tints[letters[0]] = c
	}
	return tints
}

// Scene is the board with the first pipes drawn.
func (s *Solution) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// Picture is the board with some of the pipes.
func (s *Solution) Picture(from, to int) solvers.Picture {
	return s.puzzle.Sketch(solvers.Some(s.Paths(), from, to))
}

// Picture is the board with nothing drawn.
func (p *Puzzle) Picture() solvers.Picture { return p.Sketch(nil) }

// Spot is the middle of a cell in pictures.
func (p *Puzzle) Spot(c board.Cell) [2]float64 { return newDrawing(p).at(c) }

// Sketch is the board with lines, by pipe and however far they are drawn, each end with its label.
func (p *Puzzle) Sketch(lines [][]board.Cell) solvers.Picture {
	d := newDrawing(p)
	d.lattice()
	for c, k := range d.kind {
		if k == bridge {
			d.bridge(board.Cell(c))
		}
	}
	for i, line := range lines {
		if len(line) > 1 {
			d.pipe(d.colours[i], line)
		}
	}
	for i, line := range lines {
		d.overBridges(d.colours[i], line)
	}
	for i, ends := range d.ends {
		for _, c := range ends {
			d.End(d.at(c), d.labels[i], d.colours[i])
		}
	}
	return d.Picture
}

// drawing is a picture of a board that is being drawn.
type drawing struct {
	*Puzzle
	solvers.Picture
	margin  float64
	colours []color.NRGBA
}

// halfRoot3 is the distance between columns of hexagons, in pitches.
const halfRoot3 = 0.8660254037844386

func newDrawing(p *Puzzle) *drawing {
	d := &drawing{Puzzle: p, margin: 0.4, colours: p.Colours()}
	if p.topology == Warp {
		d.margin = 0.8 // pipes reach over the rim
	}
	d.Width, d.Height = float64(p.size.Cols), float64(p.size.Rows)
	if p.topology == Hex {
		// The outermost corners are a third of the root of three from the centre.
		d.Width, d.Height = float64(p.size.Cols-1)*halfRoot3+2/math.Sqrt(3), d.Height+0.5
	}
	d.Width += 2 * d.margin
	d.Height += 2 * d.margin
	return d
}

// at is the middle of a cell, in pitches.
func (d *drawing) at(c board.Cell) [2]float64 {
	row, col := float64(d.size.Row(c)), d.size.Col(c)
	if d.topology != Hex {
		return [2]float64{d.margin + float64(col) + 0.5, d.margin + row + 0.5}
	}
	if col%2 == 0 {
		row += 0.5
	}
	return [2]float64{d.margin + 1/math.Sqrt(3) + float64(col)*halfRoot3, d.margin + row + 0.5}
}

// corners are the two ends of a cell's side.
func (d *drawing) corners(c board.Cell, dir board.Dir) (a, b [2]float64) {
	m, n := d.at(c), float64(d.Dirs())
	radius := 0.5 / math.Cos(math.Pi/n)
	corner := func(turn float64) [2]float64 {
		sin, cos := math.Sincos(2 * math.Pi * (float64(dir) + turn) / n)
		return [2]float64{m[0] + radius*sin, m[1] - radius*cos}
	}
	return corner(-0.5), corner(0.5)
}

// lattice draws the lines between cells, and then the walls and the rim. Sides
// that lie in one line are drawn as one stroke.
func (d *drawing) lattice() {
	for _, draw := range []struct {
		thick bool
		line  func(...[2]float64)
	}{{false, d.Thin}, {true, d.Wall}} {
		for dir := range board.Dir(d.Dirs()) {
			runs := map[[2]float64][][2]float64{} // by end: the two points of a line that may go on there
			for c := range board.Cell(d.size.Cells()) {
				if d.kind[c] == hole || !d.drawsSide(c, dir) || d.thick(c, dir) != draw.thick {
					continue
				}
				a, b := d.corners(c, dir)
				if d.topology == Hex {
					draw.line(a, b)
					continue
				}
				// Cells come row by row, and lines go on to the right or down.
				if a[0] > b[0] || a[1] > b[1] {
					a, b = b, a
				}
				begin := a
				if run, ok := runs[round(a)]; ok {
					begin = run[0]
					delete(runs, round(a))
				}
				runs[round(b)] = [][2]float64{begin, b}
			}
			for _, end := range sortedKeys(runs) {
				draw.line(runs[end]...)
			}
		}
	}
}

// round makes the common end of two neighbouring sides equal.
func round(at [2]float64) [2]float64 {
	const fine = 1 << 10 // of a pitch
	return [2]float64{math.Round(at[0]*fine) / fine, math.Round(at[1]*fine) / fine}
}

// sortedKeys are the places in the order of rows.
func sortedKeys(runs map[[2]float64][][2]float64) [][2]float64 {
	var keys [][2]float64
	for at := range runs {
		keys = append(keys, at)
	}
	slices.SortFunc(keys, func(a, b [2]float64) int {
		if a[1] != b[1] {
			return int(math.Copysign(1, a[1]-b[1]))
		}
		return int(math.Copysign(1, a[0]-b[0]))
	})
	return keys
}

// drawsSide reports whether a side is drawn with this cell, not with the one beyond
// it.
func (d *drawing) drawsSide(c board.Cell, dir board.Dir) bool {
	return d.inward(c, dir) == board.None || int(dir) < d.Dirs()/2
}

// inward is the cell beyond a side, board.None beyond the rim, also on a warp
// board.
func (d *drawing) inward(c board.Cell, dir board.Dir) board.Cell {
	n := d.beside(c, dir)
	if n == board.None || d.kind[n] == hole || d.overRim(c, n).X != 0 || d.overRim(c, n).Y != 0 {
		return board.None
	}
	return n
}

// thick reports whether no pipe crosses a side. The rim of a warp board, which
// pipes do cross, is thin.
func (d *drawing) thick(c board.Cell, dir board.Dir) bool { return d.Neighbour(c, dir) == board.None }

// bridge draws the two ways over a bridge.
func (d *drawing) bridge(c board.Cell) {
	m := d.at(c)
	const side = 0.26 // of a way, from the middle
	for _, sx := range []float64{-1, 1} {
		for _, sy := range []float64{-1, 1} {
			d.Line(0.05, color.NRGBA{110, 114, 124, 255}, [2]float64{m[0] + sx*0.45, m[1] + sy*side},
				[2]float64{m[0] + sx*side, m[1] + sy*side}, [2]float64{m[0] + sx*side, m[1] + sy*0.45})
		}
	}
}

// pipe draws a pipe. Where it leaves a warp board over the rim, it ends outside and
// begins again outside the opposite rim.
func (d *drawing) pipe(c color.NRGBA, path []board.Cell) {
	const out = 0.85 // from the middle of the last cell
	var points [][2]float64
	for k, cell := range path {
		if k > 0 && d.topology == Warp {
			if way := d.overRim(path[k-1], cell); way.X != 0 || way.Y != 0 {
				x, y := out*float64(way.X), out*float64(way.Y)
				last, next := d.at(path[k-1]), d.at(cell)
				d.Stroke(c, append(points, [2]float64{last[0] + x, last[1] + y})...)
				points = [][2]float64{{next[0] - x, next[1] - y}}
			}
		}
		points = append(points, d.at(cell))
	}
	d.Stroke(c, points...)
}

// overBridges draws a pipe once more on the bridges that it crosses along their
// row: there it goes over the other pipe.
func (d *drawing) overBridges(c color.NRGBA, path []board.Cell) {
	for k := 1; k+1 < len(path); k++ {
		if d.kind[path[k]] != bridge || d.size.Row(path[k-1]) != d.size.Row(path[k]) {
			continue
		}
		m := d.at(path[k])
		line := func(half float64) [][2]float64 { return [][2]float64{{m[0] - half, m[1]}, {m[0] + half, m[1]}} }
		d.Line(0.62, color.NRGBA{255, 255, 255, 255}, line(0.12)...)
		d.Stroke(c, line(0.3)...)
		d.Line(solvers.StrokeWidth, c, line(0.5)...) // the ends of the rim go under it
	}
}
