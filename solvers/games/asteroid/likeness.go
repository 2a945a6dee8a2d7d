package asteroid

import (
	"regexp"
	"strings"

	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// boardLine is a line of the notation: the rim, or half a row of tiles.
var boardLine = regexp.MustCompile(`^(\+--\+--\+--\+|\|([aAS ]{2}\|){3})$`)

// Likeness is how much a text looks like the notation, 0 to 1: the share of its lines
// that a board may have.
func (Game) Likeness(text string) float64 {
	lines := strings.Split(text, "\n")
	shape := 1.0
	if len(lines) != height {
		shape = grid.Misshapen
	}
	return shape * grid.Share(lines, boardLine.MatchString)
}

// Familiarity is the share of the probes that are either clear or covered without
// doubt, 0 to 1.
func (g Game) Familiarity(seen *screen.Observation) float64 {
	if grid.CheckBoard(g.Spec(), seen) != nil {
		return 0
	}
	v := &picture{readings: seen.Readings}
	_, err := v.findHole()
	known := 0
	for c := range board.Cell(cells) {
		for i := range probeCount {
			if v.isClear(c, i, false) || err == nil && v.isClear(c, i, true) || v.isCovered(c, i) {
				known++
			}
		}
	}
	return float64(known) / (cells * probeCount)
}
