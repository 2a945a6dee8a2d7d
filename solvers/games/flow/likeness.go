package flow

import (
	"image/color"
	"slices"
	"strings"
	"unicode"

	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Likeness is how much a text looks like the notation, 0 to 1: the share of its cells that a
// board may have, if each end appears twice, or of its characters that a pack's line may have.
func (Game) Likeness(text string) float64 {
	lines := strings.Split(text, "\n")
	if first := lines[0]; strings.Contains(first, ";") || strings.Count(first, ",") >= 3 {
		return grid.Share([]rune(text), func(r rune) bool { return strings.ContainsRune("0123456789,;:_|+WX\n", r) })
	}
	isHead := func(line string) bool {
		return sizeLine.MatchString(line) || line == Hex.String() || line == Warp.String() || strings.HasPrefix(line, "walls ")
	}
	rows := slices.DeleteFunc(lines, isHead)
	if len(rows) == 0 {
		return 1
	}
	shape := 1.0
	var characters, words []string
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			shape = grid.Misshapen
		}
		characters = append(characters, strings.Split(row, "")...)
		words = append(words, strings.Split(row, " ")...)
	}
	isLabel := func(cell string) bool { return unicode.In([]rune(cell)[0], unicode.Letter, unicode.Digit) }
	return shape * max(inTwos(characters, ".", isLabel), inTwos(words, "-", isNumber))
}

// inTwos is the share of texts that may be cells of a board: empty, no cell, a
// bridge, or one of two ends.
func inTwos(cells []string, empty string, isLabel func(string) bool) float64 {
	standing := map[string]int{}
	labelled := false
	for _, cell := range cells {
		if cell != "" && isLabel(cell) {
			standing[cell]++
			labelled = true
		}
	}
	share := grid.Share(cells, func(cell string) bool {
		return cell == empty || cell == "#" || cell == "+" || standing[cell] == 2
	})
	if !labelled {
		share *= grid.Misshapen * grid.Misshapen // no board is without ends
	}
	return share
}

// familiarGround is the contrast of a cell's ground with the usual one, 0 to 255, up to
// which it looks like a cell of the same board; the light under a pipe stays below it.
const familiarGround = 80

// Familiarity is the share of the cells that look like a cell of the game, 0 to 1: a cell that
// is wholly covered looks like an empty one on another ground.
func (Game) Familiarity(seen *screen.Observation) float64 {
	var grounds []color.RGBA
	for _, r := range seen.Readings {
		if len(r) == measures {
			grounds = append(grounds, r[rim].Colour)
		}
	}
	if len(grounds) == 0 {
		return 0
	}
	usual := screen.MedianColour(grounds)
	return grid.Share(seen.Readings, func(r []screen.Reading) bool {
		return len(r) == measures && lookOf(r) != odd && screen.Contrast(r[rim].Colour, usual) <= familiarGround
	})
}
