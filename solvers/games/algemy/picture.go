package algemy

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Paint is a light source's colour for the tap on its cell. The next tap, on the wheel, lights
// nothing where it touches.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA {
	paint := make([]color.NRGBA, len(plan))
	for i := 1; i < len(plan); i += 2 {
		for colour := Red; colour <= Violet; colour++ {
			if strings.HasPrefix(plan[i].Note, sourceNote(colour, "")) {
				paint[i-1] = DayPalette().Light[colour]
			}
		}
	}
	return paint
}

// Tints are the colours of sources and crystals, and of the light on cells.
func (s *Solution) Tints() map[rune]color.NRGBA {
	tints := map[rune]color.NRGBA{}
	for _, letter := range crystalLetters {
		tints[letter] = DayPalette().Crystal(Crystal(letter))
	}
	for colour := Red; colour <= Violet; colour++ {
		small := rune(colourLetters[colour]) + 'a' - 'A'
		tints[small] = simapp.Mix(DayPalette().Light[colour], color.NRGBA{255, 255, 255, 255}, 0.45)
	}
	return tints
}

// Scene is the board with the first light sources on it.
func (s *Solution) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// Picture is the board without light sources.
func (p *Puzzle) Picture() solvers.Picture { return NewSolution(p, nil).Picture(0, 0) }

// Spot is the middle of a cell in pictures.
func (p *Puzzle) Spot(c board.Cell) [2]float64 { return newDrawing(p).at(c) }

// Picture is the board with some of the light sources and their beams.
func (s *Solution) Picture(from, to int) solvers.Picture {
	d := newDrawing(s.puzzle)
	var shown []board.Cell
	for c, colour := range s.sources {
		if colour != noSource {
			shown = append(shown, board.Cell(c))
		}
	}
	shown = shown[min(max(from, 0), len(shown)):max(min(to, len(shown)), min(max(from, 0), len(shown)))]
	l := s.puzzle.lines()
	for _, c := range shown {
		for _, line := range l.at[c] {
			d.beam(DayPalette().Light[s.sources[c]], c, l.cells[line])
		}
	}
	for c := range board.Cell(d.cells()) {
		d.outline(c)
	}
	for c, k := range d.crystals {
		if k != Empty {
			d.crystal(board.Cell(c), k)
		}
	}
	for _, c := range shown {
		colour := s.sources[c]
		d.Disc(d.at(c), 0.4, color.NRGBA{255, 255, 255, 255})
		d.End(d.at(c), colour.String(), DayPalette().Light[colour])
	}
	return d.Picture
}

// drawing is a picture of a board that is being drawn.
type drawing struct {
	*Puzzle
	solvers.Picture
}

const (
	margin    = 0.4
	beamShine = 0.55 // the opacity of a beam
)

func newDrawing(p *Puzzle) *drawing {
	d := &drawing{Puzzle: p}
	for c := range board.Cell(p.cells()) {
		at := d.at(c)
		d.Width, d.Height = max(d.Width, at[0]), max(d.Height, at[1])
	}
	first := d.at(0)
	d.Width += 0.5 + margin
	d.Height += first[1] // as far below the last row as above the first
	return d
}

// at is the middle of a cell, in pitches.
func (d *drawing) at(c board.Cell) [2]float64 {
	m := d.middle(c) // in half pitches
	if d.shape == Hexagon {
		return [2]float64{margin + 0.5 + float64(m.x)/2, margin + 1/math.Sqrt(3) + float64(m.y)/2*math.Sqrt(3)/2}
	}
	return [2]float64{margin + 0.5 + float64(m.x)/2, margin + 0.5 + float64(m.y)/2}
}

// around is n places on a circle around a cell, clockwise. The first lies above
// it, turned by a share of the way to the second.
func (d *drawing) around(c board.Cell, n int, radius, turn float64) [][2]float64 {
	m := d.at(c)
	places := make([][2]float64, n)
	for i := range places {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + turn) / float64(n))
		places[i] = [2]float64{m[0] + radius*sin, m[1] - radius*cos}
	}
	return places
}

// outline draws the sides of a cell.
func (d *drawing) outline(c board.Cell) {
	corners := d.around(c, 4, math.Sqrt2/2, 0.5)
	if d.shape == Hexagon {
		corners = d.around(c, 6, 1/math.Sqrt(3), 0)
	}
	d.Line(0.03, color.NRGBA{90, 94, 104, 255}, append(corners, corners[0])...)
}

// crystal draws a cut gem with its letter.
func (d *drawing) crystal(c board.Cell, k Crystal) {
	colour := DayPalette().Crystal(k)
	d.Polygon(color.NRGBA{30, 32, 38, 255}, d.around(c, 6, 0.44, 0)...)
	d.Polygon(colour, d.around(c, 6, 0.40, 0)...)
	for _, corner := range d.around(c, 3, 0.40, 0.5) {
		d.Line(0.02, simapp.Faded(solvers.OnColour(colour), 0.5), d.at(c), corner)
	}
	d.Disc(d.at(c), 0.24, colour)
	d.Label(d.at(c), 0.34, k.String(), solvers.OnColour(colour))
}

// beam draws the light of a source along a sight-line, up to the sides of the
// last cells.
func (d *drawing) beam(c color.NRGBA, source board.Cell, line []board.Cell) {
	first, last := d.at(line[0]), d.at(line[len(line)-1])
	length := math.Hypot(last[0]-first[0], last[1]-first[1])
	if length == 0 || !slices.Contains(line, source) {
		return // it lights its own cell only
	}
	x, y := (last[0]-first[0])/length/2, (last[1]-first[1])/length/2
	const width = solvers.StrokeWidth / 2
	corners := [][2]float64{
		{first[0] - x - 2*width*y, first[1] - y + 2*width*x}, {last[0] + x - 2*width*y, last[1] + y + 2*width*x},
		{last[0] + x + 2*width*y, last[1] + y - 2*width*x}, {first[0] - x + 2*width*y, first[1] - y - 2*width*x},
	}
	d.Polygon(simapp.Faded(c, beamShine), corners...)
}
