package cells

import (
	"image"
	"math"
	"slices"
)

// The limits of a board that was seen beyond doubt. Colours differ by 0 to 255.
const (
	surePairs    = 60   // how much more than its mate every other mark differs from a mark, for full confidence,
	sureApart    = 30   // and beyond doubt
	sureSeen     = 0.9  // least share of the empty cells whose areas were seen
	sureAmong    = 2    // least number of empty cells: a single one is like no other
	sureEmpty    = 6    // most that an empty cell differs from the others
	sureMark     = 40   // least that a mark differs from its ground
	sureRoom     = 0.03 // of the frame beyond the surroundings that are looked at, in pitches
	sureAlike    = 14   // most that places beside the board, or between its cells, differ
	unsure       = 0.9  // the most confidence in a board that is not beyond doubt
	beyondDoubt  = 0.95 // the least confidence in one that is
	nearestRim   = 0.06 // how far beyond the rim the surroundings begin, in pitches,
	farthestRim  = 0.2  // and how far they reach
	narrowRim    = 0.03 // the same where they are another colour than the cells:
	narrowReach  = 0.09 // buttons may lie close to such a board, and yet be told from a row of it
	besideEnd    = 0.45 // how far from the middle of a side what separates cells is looked at, in pitches
	acrossSide   = 0.09 // how far to both sides of the border it is looked at, in pitches
	sameSide     = 6    // most that its mean colour differs from side to side
	inProfile    = 13   // places of a profile
	leastBorders = 2    // borders of a kind that are compared
)

// Confidence is how clearly the board was seen, 0 to 1: by the share of its cells that were
// areas, and by how well its marks are distinguished. It is 0.95 or more only if nothing else
// can be there: all sides between cells look alike, so that none is a wall; all four sides of
// the board have the same plain surroundings, so that it neither goes on nor is cut off or
// covered; each cell is clearly empty or clearly not.
func (b Board) Confidence() float64 {
	c := 0.5 + 0.25*float64(b.count)/float64(len(b.Cells)) + 0.25*min(1, float64(b.Margin)/surePairs)
	if b.beyondDoubt() {
		return max(c, beyondDoubt)
	}
	return min(c, unsure)
}

func (b Board) beyondDoubt() bool {
	s := b.sorter
	return s != nil && b.Margin >= sureApart && s.clearCells() && s.clearSides() && s.clearRim()
}

// clearCells reports whether the empty cells were seen and look alike, and whether
// everything else clearly differs from them. A pipe has to join two ends.
func (s *sorter) clearCells() bool {
	empty, seen := 0, 0
	for cell, c := range s.board.Cells {
		ground := s.ground[s.parity(cell)]
		switch {
		case c.Mark == Empty:
			empty++
			if s.board.Seen[cell] {
				seen++
			}
			if !s.empty[cell] || unlike(s.patches[cell], ground, sureEmpty) > sureEmpty {
				return false
			}
		case c.Mark == Through && s.degree(cell) != 2, unlike(s.patches[cell], ground, sureMark) < sureMark:
			return false
		}
	}
	return empty >= sureAmong && (s.board.framed || float64(seen) >= sureSeen*float64(empty))
}

// profile is what was seen along a line.
type profile [inProfile][3]uint8

// along is the profile from one place to another.
func (s *sorter) along(x0, y0, x1, y1 float64) profile {
	var p profile
	for i := range p {
		part := float64(i) / (inProfile - 1)
		p[i] = s.pixel(x0+part*(x1-x0), y0+part*(y1-y0))
	}
	return p
}

// off is how much a profile without its tips lies outside another, each place of which
// spans what those beside it show: lines lie a part of a pixel elsewhere.
func (p profile) off(other profile) int {
	most := 0
	for i := 1; i < inProfile-1; i++ {
		c, darkest, brightest := p[i], other[i], other[i]
		for j := i - 1; j <= i+1; j++ {
			darkest, brightest = lesser(darkest, other[j]), greater(brightest, other[j])
		}
		for k := range c {
			most = max(most, int(c[k])-int(brightest[k]), int(darkest[k])-int(c[k]))
		}
	}
	return most
}

// middle is the median of profiles, place by place.
func middle(profiles []profile) profile {
	var m profile
	colours := make([][3]uint8, len(profiles))
	for i := range m {
		for j, p := range profiles {
			colours[j] = p[i]
		}
		m[i] = medianColour(colours)
	}
	return m
}

// alike reports whether profiles are alike, and what they have in common.
func alike(profiles []profile) (profile, bool) {
	m := middle(profiles)
	return m, !slices.ContainsFunc(profiles, func(p profile) bool { return max(p.off(m), m.off(p)) > sureAlike })
}

// clearSides reports whether what separates cells looks alike everywhere: a wall differs,
// and so does a place without a cell.
func (s *sorter) clearSides() bool {
	l := s.board.Lattice
	for d := 1; d <= 2; d++ { // east and south
		var kinds [2][][3]int // in turn, as the grounds may be
		for cell := range s.board.Cells {
			row, col := cell/l.Cols, cell%l.Cols
			if row+steps[d].Y >= l.Rows || col+steps[d].X >= l.Cols {
				continue
			}
			x, y := l.Centre(row, col)
			dx, dy := float64(steps[d].X), float64(steps[d].Y)
			for _, aside := range []float64{-besideEnd, besideEnd} {
				k := 0
				if s.inTurn {
					k = s.parity(cell)
				}
				kinds[k] = append(kinds[k], s.across(x+(dx/2+aside*dy)*l.Pitch, y+(dy/2+aside*dx)*l.Pitch, steps[d]))
			}
		}
		for _, means := range kinds {
			if len(means) > 0 && (len(means) < leastBorders || spreadOf(means) > sameSide) {
				return false
			}
		}
	}
	return true
}

// across is the mean colour across a border, times ten. Where within a pixel a line lies
// does not change it.
func (s *sorter) across(x, y float64, to image.Point) (mean [3]int) {
	far := acrossSide * s.board.Pitch
	count := 0
	for along := -far; along <= far; along++ {
		for c, value := range s.pixel(x+along*float64(to.X), y+along*float64(to.Y)) {
			mean[c] += 10 * int(value)
		}
		count++
	}
	for c := range mean {
		mean[c] /= count
	}
	return mean
}

// spreadOf is the most that any of some colours, times ten, differs from their median.
func spreadOf(colours [][3]int) int {
	most := 0
	for c := range 3 {
		values := make([]int, len(colours))
		for i, colour := range colours {
			values[i] = colour[c]
		}
		usual := median(values)
		for _, v := range values {
			most = max(most, abs(v-usual))
		}
	}
	return (most + 5) / 10
}

// clearRim reports whether the board has the same plain surroundings on all four sides. A
// strip that is narrower will do where cells clearly differ from what surrounds them: a
// further row of them would, too.
func (s *sorter) clearRim() bool {
	if _, ok := s.surroundings(nearestRim, farthestRim); ok {
		return true
	}
	around, ok := s.surroundings(narrowRim, narrowReach)
	if !ok {
		return false
	}
	for parity := range s.ground {
		if ground := s.ground[parity]; difference(ground.at(ground.n/2, ground.n/2), around[inProfile/2]) < sureMark {
			return false
		}
	}
	return true
}

// surroundings is what lies so many pitches beyond the rim, from and to, if it is the same
// along all four sides.
func (s *sorter) surroundings(from, to float64) (profile, bool) {
	l := s.board.Lattice
	right, bottom := l.Centre(l.Rows-1, l.Cols-1)
	half, room := l.Pitch/2, (to+sureRoom)*l.Pitch
	if !image.Rect(int(math.Floor(l.X-half-room)), int(math.Floor(l.Y-half-room)),
		int(math.Ceil(right+half+room)), int(math.Ceil(bottom+half+room))).In(s.frame.Rect) {
		return profile{}, false
	}
	var sides []profile
	for d, step := range steps {
		dx, dy := float64(step.X), float64(step.Y)
		x, y, count := l.X, l.Y, l.Cols
		switch d {
		case 1:
			x, count = right, l.Rows
		case 2:
			y = bottom
		case 3:
			count = l.Rows
		}
		var outwards []profile
		// Four places a cell, of which one lies at the border to the next, where a thin
		// line may go on.
		for i := range 4*count - 3 {
			for aside := -1.0; aside <= 1; aside++ {
				u, v := x+(float64(i)/4*l.Pitch+aside)*math.Abs(dy), y+(float64(i)/4*l.Pitch+aside)*math.Abs(dx)
				near, far := half+from*l.Pitch, half+to*l.Pitch
				outwards = append(outwards, s.along(u+near*dx, v+near*dy, u+far*dx, v+far*dy))
			}
		}
		side, ok := alike(outwards)
		if !ok {
			return side, false
		}
		sides = append(sides, side)
	}
	return alike(sides)
}
