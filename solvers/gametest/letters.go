package gametest

import (
	"slices"
	"strings"
)

// Relettered gives the letters in a Flow board, or in a solution of it, new names in the
// order in which they come, and sorts its walls: a screen shows colours and not the names
// that a pack gives them, so two boards are the same when they are the same relettered.
func Relettered(board string) string {
	for _, kind := range []string{"hex\n", "warp\n"} {
		if rest, ok := strings.CutPrefix(board, kind); ok {
			return kind + Relettered(rest)
		}
	}
	walls := ""
	if strings.HasPrefix(board, "walls") {
		walls, board, _ = strings.Cut(board, "\n")
		walls = sortedWalls(walls) + "\n"
	}
	return walls + RenamedRunes(strings.TrimSpace(board), func(r rune) bool { return !strings.ContainsRune(".#+\n", r) })
}

// sortedWalls sorts the words of a line of walls; "walls" itself stays the first.
func sortedWalls(line string) string {
	pairs := strings.Fields(line)
	slices.Sort(pairs[1:])
	return strings.Join(pairs, " ")
}

// RenamedRunes gives the runes of a text that are names new ones, beyond the letters that
// may stay, in the order in which they come.
func RenamedRunes(text string, name func(rune) bool) string {
	names := map[rune]rune{}
	return strings.Map(func(r rune) rune {
		if !name(r) {
			return r
		}
		if _, ok := names[r]; !ok {
			const first = 0x100
			names[r] = rune(first + len(names))
		}
		return names[r]
	}, text)
}
