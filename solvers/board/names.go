package board

import "strings"

// RenamedRunes gives new names to the runes of a text that are names, beyond the letters that
// may stay, in the order in which they appear.
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
