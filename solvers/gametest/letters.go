package gametest

import (
	"slices"
	"strings"

	"tapwise/solvers/board"
)

// Relettered gives the letters in a Flow board, or in a solution of it, new names in the order
// in which they appear, and sorts its walls: a screen shows colours and not the names that a
// pack gives them, so two boards are the same if they are equal after relettering.
func Relettered(text string) string {
	for _, kind := range []string{"hex\n", "warp\n"} {
		if rest, ok := strings.CutPrefix(text, kind); ok {
			return kind + Relettered(rest)
		}
	}
	walls := ""
	if strings.HasPrefix(text, "walls") {
		walls, text, _ = strings.Cut(text, "\n")
		walls = sortedWalls(walls) + "\n"
	}
	return walls + board.RenamedRunes(strings.TrimSpace(text), func(r rune) bool { return !strings.ContainsRune(".#+\n", r) })
}

// sortedWalls sorts the words of a line of walls; "walls" itself stays the first.
func sortedWalls(line string) string {
	pairs := strings.Fields(line)
	slices.Sort(pairs[1:])
	return strings.Join(pairs, " ")
}
