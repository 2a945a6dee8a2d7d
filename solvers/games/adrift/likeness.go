package adrift

import (
	"slices"
	"strings"

	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Likeness is how much a text looks like the notation, 0 to 1: the share of its cells that a
// board may have, if each end appears twice. If none does, letters may be ends whose mates are
// missing, but numbers more often belong to another game.
func (Game) Likeness(text string) float64 {
	lines := strings.Split(text, "\n")
	shape := 1.0
	var cells []string
	standing := map[string]int{}
	pairs := false
	for _, line := range lines {
		row := strings.Split(line, " ")
		if 3*len(row) != len(lines) {
			shape = grid.Misshapen
		}
		cells = append(cells, row...)
		for _, cell := range row {
			standing[cell]++
			pairs = pairs || isEnd(cell) && standing[cell] == 2
		}
	}
	return shape * grid.Share(cells, func(cell string) bool {
		return cell == "." || cell == "X" || isEnd(cell) && (standing[cell] == 2 || !pairs && cell > "9")
	})
}

func isEnd(cell string) bool { return len(cell) == 1 && isLabel(cell[0]) }

// Familiarity is the share of the cells that look like a cell of the game times the
// share of the lines between them that are seen, 0 to 1.
func (Game) Familiarity(seen *screen.Observation) float64 {
	lines := slices.Concat(seen.Horizontal, seen.Vertical)
	return grid.Share(seen.Readings, func(r []screen.Reading) bool { return len(r) == measures && lookOf(r, [4]bool{}) != odd }) *
		grid.Share(lines, func(line screen.Line) bool { return line.Support >= leastSide })
}
