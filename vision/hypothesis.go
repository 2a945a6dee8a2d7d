package vision

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	"tapwise/solvers/screen"
)

// hypothesis is a board as one of the finders sees it. Finders return hypotheses and
// change nothing; what speaks against one is kept with it, and which of them counts is
// decided once all are known ([search.choose]).
type hypothesis struct {
	finder     string        // the finder's name, in words
	layout     screen.Layout // no rows where the finder found no board
	lattice    lattice       // of a board of upright squares; not ok for others
	fit        float64       // of a board of upright squares: how well lines fit the lattice, before the support of its sides counts
	confidence float64
	horizontal []screen.Line
	vertical   []screen.Line
	sides      []screen.Line
	readings   [][]screen.Reading // nil where they are yet to be taken
	doubts     []string           // what speaks against it, and goes with it if it is chosen
	lacks      []string           // why it cannot be chosen
	figures    []screen.Figure    // what was drawn to find it
	lesser     bool               // its finder has a likelier one
	rim        bool               // it is another, with one row or column more or less
}

// ok reports whether there is a board that may be chosen.
func (h hypothesis) ok() bool { return h.layout.Rows > 0 && len(h.lacks) == 0 }

// doubt adds a doubt about a board, and lessens the confidence in it.
func (h *hypothesis) doubt(why string) {
	h.confidence *= latticeLimits.doubtful
	h.doubts = append(h.doubts, why)
}

// lacking is what a finder returns that found no board.
func lacking(finder, why string, figures ...screen.Figure) hypothesis {
	return hypothesis{finder: finder, lacks: []string{why}, figures: figures}
}

// report writes a hypothesis into an observation, and takes the measures that are
// missing.
func (h hypothesis) report(v *view, spec screen.Spec, seen *screen.Observation) {
	if h.layout.Rows == 0 {
		if seen.Doubts = h.lacks; len(h.lacks) == 0 {
			seen.Doubts = []string{"no lattice of lines found"}
		}
		return
	}
	seen.Layout, seen.Confidence = h.layout, h.confidence
	seen.Horizontal, seen.Vertical, seen.Sides = h.horizontal, h.vertical, h.sides
	seen.Doubts = h.doubts
	if seen.Readings = h.readings; h.readings == nil {
		seen.Readings = v.measure(h.layout, spec.Measures)
	}
}

// search is the search for a board on one frame: what the finders look at, and what
// they found so far.
type search struct {
	*view
	masks *masks
	discs *discFinder
	spec  screen.Spec
	on    screen.Frame
	found []hypothesis // in the order in which they were found
	lines lattice      // of the lines of upright squares, as seen last
	panes *hypothesis  // what flat squares show, once they were looked for
	sure  bool         // they show a board beyond doubt
	// dashed: they were found only once dashed lines were drawn through.
	dashed bool
}

func newSearch(v *view, m *masks, spec screen.Spec, on screen.Frame) *search {
	return &search{view: v, masks: m, discs: newDiscFinder(v, m), spec: spec, on: on}
}

// finder looks for a board in one way.
type finder struct {
	// needed says whether to look in this way, given what was found so far.
	needed func(*search) bool
	// find returns what was found, the surest first.
	find func(*search) ([]hypothesis, error)
	// lines: it finds upright squares by their lines.
	lines bool
	// instead: it looks more closely than those before, and what they found does not
	// count any more.
	instead bool
}

// finders are the ways to find a board, in order. What finds a board surely stops the
// others, since each takes time, unless all candidates are asked for. Discs show
// hexagons in columns sooner than lines do.
func finders() []finder {
	return []finder{
		{needed: (*search).mayBePanes, find: (*search).panesFirst},
		{needed: (*search).mayBeHexes, find: (*search).hexesFirst},
		{needed: func(s *search) bool { return len(s.spec.Topologies) > 0 && !s.certain() }, find: (*search).findLines, lines: true},
		{needed: func(s *search) bool { return s.mayBeHexes() && s.unsure() }, find: (*search).hexesAgain},
		{needed: (*search).mayHideMore, find: (*search).linesCloser, lines: true, instead: true},
		{needed: func(s *search) bool { return s.spec.Discs && s.unsure() }, find: (*search).squaresOfDiscs},
		{needed: func(s *search) bool { return s.spec.Slanted && s.unsure() }, find: (*search).slanted},
		{needed: (*search).wantsOthers, find: (*search).rims},
		{needed: func(s *search) bool { return s.spec.Hint != nil && !s.sizeFound() }, find: (*search).hinted},
		{needed: func(s *search) bool { return s.spec.Panes && !s.certain() }, find: (*search).findPanes, instead: true},
	}
}

// gather looks for the board in all ways that are needed.
func (s *search) gather() error {
	for _, f := range finders() {
		if !f.needed(s) {
			continue
		}
		found, err := f.find(s)
		if err != nil {
			return err
		}
		if f.instead {
			for i := range s.found {
				if s.found[i].ok() {
					s.found[i].lacks = []string{"a closer look does not show it"}
				}
			}
		}
		if f.lines {
			s.lines = lattice{}
			if len(found) > 0 {
				s.lines = found[0].lattice
			}
		}
		s.found = append(s.found, found...)
	}
	return nil
}

// mayBeHexes reports whether the spec asks for hexagons in columns, which are found by
// the discs in them.
func (s *search) mayBeHexes() bool {
	return s.spec.Discs && slices.Contains(s.spec.Topologies, screen.Hex)
}

// certain reports whether no other way than that which found the board is needed:
// hexagons in columns are found only where all their lines are seen, and so are panes at
// the first look.
func (s *search) certain() bool {
	return s.sure || !s.spec.Candidates && s.best().layout.Topology == screen.Hex
}

// unsure reports whether to look for the board in other ways. A frame that shows more
// than one board does so however it is looked at.
func (s *search) unsure() bool {
	return len(s.spec.Topologies) > 0 && !s.lines.several && (s.spec.Candidates || s.best().confidence < boardLimits.confidence)
}

// best is the hypothesis of the greatest confidence, whatever a hint says: of several
// as certain, the first. Those that another of the same finder stands before do not
// count.
func (s *search) best() (best hypothesis) {
	for _, h := range s.found {
		if h.ok() && !h.lesser && h.confidence > best.confidence {
			best = h
		}
	}
	return best
}

// choose is the hypothesis that counts: the best or, where a hint knows the board's
// size and the best has another, the first of that size.
func (s *search) choose() hypothesis {
	chosen := s.best()
	if !s.agrees(chosen) {
		for _, h := range s.found {
			if h.ok() && s.agrees(h) {
				chosen = h
				break
			}
		}
	}
	if chosen.ok() {
		return s.inPlace(chosen)
	}
	// Why the last way found nothing is told where a hint says where to look.
	if s.spec.Hint != nil && len(s.found) > 0 {
		chosen.lacks = s.found[len(s.found)-1].lacks
	}
	return chosen
}

// agrees reports whether a hypothesis has the rows and columns that the hint knows.
func (s *search) agrees(h hypothesis) bool {
	hint := s.spec.Hint
	return hint == nil || (hint.Rows == 0 || h.layout.Rows == hint.Rows) && (hint.Cols == 0 || h.layout.Cols == hint.Cols)
}

// sizeFound reports whether there is a hypothesis of the size that the hint knows, or
// any where it knows none.
func (s *search) sizeFound() bool {
	return slices.ContainsFunc(s.found, func(h hypothesis) bool { return h.ok() && s.agrees(h) })
}

// inPlace is a hypothesis about a board that is more certain because it lies as the
// hint says.
func (s *search) inPlace(h hypothesis) hypothesis {
	if s.spec.Hint != nil && len(h.doubts) == 0 && fills(h.layout, s.spec.Hint.Room) {
		h.confidence = max(h.confidence, boardLimits.inPlace)
	}
	return h
}

// wantsOthers reports whether the less likely hypotheses matter: where all candidates
// are asked for, or where the board found has not the size that the hint knows.
func (s *search) wantsOthers() bool {
	return s.spec.Candidates || s.best().ok() && !s.sizeFound()
}

// candidates are the observations of all hypotheses, those of the greatest confidence
// first, and then the ways in which nothing was found.
func (s *search) candidates(boxes []screen.Box) []screen.Candidate {
	sorted := slices.Clone(s.found)
	rank := func(h hypothesis) int {
		switch {
		case h.layout.Rows == 0:
			return 3
		case !h.ok():
			return 2
		case h.lesser:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(sorted, func(a, b hypothesis) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.confidence, a.confidence))
	})
	chosen := s.choose()
	var all []screen.Candidate
	for _, h := range sorted {
		lacks := h.lacks
		switch {
		case !h.ok():
		case !h.rim && !chosen.layout.Board.In(h.layout.Board.Inset(-round(chosen.layout.Pitch/2))):
			lacks = []string{fmt.Sprintf("only part of the board of %d columns and %d rows, or beside it", chosen.layout.Cols, chosen.layout.Rows)}
		case !s.agrees(h):
			lacks = []string{fmt.Sprintf("%d columns and %d rows, expected %s", h.layout.Cols, h.layout.Rows, wantedSize(s.spec.Hint))}
		}
		seen := &screen.Observation{On: s.on, Boxes: boxes}
		s.inPlace(h).report(s.view, s.spec, seen)
		all = append(all, screen.Candidate{Finder: h.finder, Seen: seen, Lacks: lacks, Figures: h.figures})
	}
	return all
}

// wantedSize says in words what a hint knows of the board's size.
func wantedSize(hint *screen.Hint) string {
	size := func(n int) string {
		if n == 0 {
			return "any number"
		}
		return fmt.Sprint(n)
	}
	return size(hint.Cols) + " and " + size(hint.Rows)
}

// rectangle is the figure of a rectangle's sides.
func rectangle(name string, r image.Rectangle) screen.Figure {
	return screen.Figure{Name: name, Points: []image.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}}
}
