package board

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Signs are marks on borders of neighbouring cells, a character each. In a notation each
// character has a line below the rows, "= 1,1|1,2 3,1|3,2", as ParseWalls reads.
type Signs map[Edge]byte

// CutSigns separates the lines of signs from the rows above them.
func CutSigns(characters, text string) (rows string, lines []string) {
	for {
		i := strings.LastIndexByte(text, '\n')
		if line := text[i+1:]; i < 0 || len(line) < 2 || line[1] != ' ' || strings.IndexByte(characters, line[0]) < 0 {
			return text, lines
		}
		text, lines = text[:i], slices.Insert(lines, 0, text[i+1:])
	}
}

// ParseSigns reads lines of signs. It requires the form that FormatSigns writes.
func (s Size) ParseSigns(characters string, lines []string) (Signs, error) {
	signs := Signs{}
	for _, line := range lines {
		edges, err := s.parseEdges(line[:1], line)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if signs[e] != 0 {
				return nil, fmt.Errorf("two signs between %s and %s, expected one", s.Name(e.A), s.Name(e.B))
			}
			signs[e] = line[0]
		}
	}
	if want := strings.Join(s.FormatSigns(characters, signs), "\n"); want != strings.Join(lines, "\n") {
		return nil, fmt.Errorf("lines of signs in another order, expected %q", Clip(want))
	}
	return signs, nil
}

// FormatSigns are the lines of signs, in the order of their characters.
func (s Size) FormatSigns(characters string, signs Signs) (lines []string) {
	for _, character := range []byte(characters) {
		edges := slices.DeleteFunc(slices.Collect(maps.Keys(signs)), func(e Edge) bool { return signs[e] != character })
		if len(edges) > 0 {
			lines = append(lines, s.formatEdges(string(character), edges))
		}
	}
	return lines
}
