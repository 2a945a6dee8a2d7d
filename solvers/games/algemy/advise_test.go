package algemy

import (
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/reason"
	"tapwise/solvers/engine/reason/reasontest"
	"tapwise/solvers/gametest"
)

// TestAdvise tells all steps of levels, and tries the reasons out.
func TestAdvise(t *testing.T) {
	told, tried := 0, 0
	for _, level := range gametest.Levels(t, Game{}) {
		p := level.(*Puzzle)
		found := reason.Solution(p, nil).(*Solution)
		domain := []int{int(noSource)}
		for k := range Violet + 1 {
			if p.Colours().Has(k) {
				domain = append(domain, int(k))
			}
		}
		lines := p.lines()
		b := reasontest.Board{Says: func(v int) string { return p.Name(board.Cell(v)) }, Domain: func(v int) []int {
			if p.crystals[v] != Empty {
				return domain[:1]
			}
			return domain
		}, Holds: func(g reason.Ground, values []int) bool {
			if line, ok := g.Of.(apartOn); ok {
				return len(letters(lines.cells[line:line+1], values)) <= 1
			}
			var around [][]board.Cell
			for _, l := range lines.at[g.At[0]] {
				around = append(around, lines.cells[l])
			}
			seen := letters(around, values)
			if g.Rule == "lit" {
				return seen != ""
			}
			return suits(p.crystals[g.At[0]], seen, p.hard)
		}}
		for _, k := range found.sources {
			b.Values = append(b.Values, int(k))
		}
		n, m := b.Tell(t, found, func(v int) []board.Cell { return []board.Cell{board.Cell(v)} }, func(drawn solvers.Solution) reason.Question { return p.question(found, drawn) })
		told, tried = told+n, tried+m
	}
	t.Logf("%d steps are told, %d reasons are tried out", told, tried)
	if told < 20 || 3*tried < told {
		t.Error("too few to tell anything")
	}
}

// letters are those of the sources on some sight-lines, each once; those on one line all.
func letters(lines [][]board.Cell, values []int) (text string) {
	for _, line := range lines {
		for _, c := range line {
			if k := values[c]; k != int(noSource) && (len(lines) == 1 || !slices.Contains([]byte(text), Colour(k).String()[0])) {
				text += Colour(k).String()
			}
		}
	}
	return text
}
