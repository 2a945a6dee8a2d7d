package algemy

import (
	"strings"

	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Likeness is how much a text looks like the notation, 0 to 1: the share of its cells that a
// board may have. A first line that no other notation has counts for more than they do.
func (g Game) Likeness(text string) float64 {
	if rest, found := strings.CutPrefix(text, "easy"); found {
		return (2 + g.Likeness(strings.TrimPrefix(rest, "\n"))) / 3
	}
	if rest, found := strings.CutPrefix(text, "hard"); found {
		return (2 + g.Likeness(strings.TrimPrefix(rest, "\n"))) / 3
	}
	lines := strings.Split(text, "\n")
	side := len(strings.Split(lines[0], " "))
	shape := 1.0
	if len(lines) != side && len(lines) != 2*side-1 {
		shape = grid.Misshapen
	}
	var cells []string
	for _, line := range lines {
		cells = append(cells, strings.Split(line, " ")...)
	}
	return shape * grid.Share(cells, func(cell string) bool {
		return len(cell) == 1 && strings.Contains("-"+crystalLetters, cell)
	})
}

// Familiarity is the share of the cells that look like a cell of the game, 0 to 1.
func (Game) Familiarity(seen *screen.Observation) float64 {
	g, err := latticeOf(seen)
	if err != nil {
		return 0
	}
	v := newPicture(g)
	v.measureGround(seen)
	known := 0
	for c, r := range seen.Readings {
		if !isWheel(r) && v.lookAt(board.Cell(c), r) == nil {
			known++
		}
	}
	return float64(known) / float64(g.cells())
}
