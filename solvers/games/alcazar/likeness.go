package alcazar

import (
	"regexp"
	"strings"

	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// plainLine is a line of a plain drawing: posts and walls, or rooms.
var plainLine = regexp.MustCompile(`^(\+((---|   | \* )\+)+|[| ](...[| *])+)$`)

// Likeness is how much a text looks like the notation, 0 to 1: the share of its
// characters that one of the forms may have, or of its lines in a plain drawing.
func (Game) Likeness(text string) float64 {
	lines := strings.Split(text, "\n")
	shape := 1.0
	if len(lines)%2 == 0 {
		shape = grid.Misshapen
	}
	most := 0.0
	characters := []rune(strings.ReplaceAll(text, "\n", ""))
	if strings.HasPrefix(text, "+") {
		// Other drawings are made of the same characters.
		most = max(grid.Share(lines, plainLine.MatchString), grid.Share(characters, func(r rune) bool { return strings.ContainsRune("+-| *#", r) })/2)
	}
	for _, form := range []struct{ must, may string }{{"x0", " -|#"}, {"▒", "╪╫#" + boxPosts}} {
		if strings.ContainsAny(text, form.must) {
			all := form.must + form.may
			most = max(most, grid.Share(characters, func(r rune) bool { return strings.ContainsRune(all, r) }))
		}
	}
	return shape * most
}

// Familiarity is the share of the rooms with a floor and sides that look like those
// of the game, 0 to 1.
func (g Game) Familiarity(seen *screen.Observation) float64 {
	l := seen.Layout
	size := board.Size{Rows: l.Rows, Cols: l.Cols}
	wall, ok := wallsOf(seen)
	if grid.CheckBoard(g.Spec(), seen) != nil || !ok {
		return 0
	}
	usual := usualFloor(seen)
	b := Board{Size: size, NoRoom: make([]bool, size.Cells())}
	covered := make([]bool, size.Cells())
	for c := range board.Cell(size.Cells()) {
		var err error
		b.NoRoom[c], err = isYard(seen.Readings[c], usual, size, c)
		covered[c] = err != nil
	}
	known := 0
	for c := range board.Cell(size.Cells()) {
		row, col := size.Row(c), size.Col(c)
		fine := !covered[c]
		for _, side := range []struct {
			dir  board.Dir
			line screen.Line
		}{
			{board.North, seen.Horizontal[row*l.Cols+col]}, {board.South, seen.Horizontal[(row+1)*l.Cols+col]},
			{board.West, seen.Vertical[row*(l.Cols+1)+col]}, {board.East, seen.Vertical[row*(l.Cols+1)+col+1]},
		} {
			_, err := isOpen(b, c, side.dir, side.line, wall, l.Pitch)
			fine = fine && err == nil
		}
		if fine {
			known++
		}
	}
	return float64(known) / float64(size.Cells())
}
