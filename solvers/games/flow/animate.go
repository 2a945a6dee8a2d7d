package flow

// Animation is the pipes growing, one cell at a time, from their first ends.
func (s *Solution) Animation() []string {
	p := s.puzzle
	if p.form.style != gridStyle {
		p = p.Grid()
	}
	drawn := newSolution(p, nil)
	for i, ends := range p.ends {
		drawn.pipe[ends[0]], drawn.pipe[ends[1]] = i, i
	}
	pictures := []string{p.cellsString(drawn.pipe)}
	for i, path := range s.Paths() {
		for _, c := range path {
			if p.kind[c] == plain && p.pipe[c] < 0 {
				drawn.pipe[c] = i
				pictures = append(pictures, p.cellsString(drawn.pipe))
			}
		}
	}
	return pictures
}
