package adrift

import "slices"

// Animation is the chains growing, one cell at a time, from their first ends. It
// is the empty board only for a solution whose cells do not form chains.
func (s *Solution) Animation() []string {
	p := s.puzzle
	drawn := slices.Clone(p.colour)
	pictures := []string{p.text(drawn)}
	for i, path := range s.Paths() {
		for _, c := range path {
			if p.colour[c] == free {
				drawn[c] = i
				pictures = append(pictures, p.text(drawn))
			}
		}
	}
	return pictures
}
