package algemy

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
)

// Solve finds a solution, or fails with solvers.ErrNoSolution when there is
// provably none (with the reason in words, when a short one is found), or with
// the context's error.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	m := p.model(false, csp.Config{})
	switch m.Solve(ctx) {
	case csp.Feasible:
		return m.solution(), nil
	case csp.Infeasible:
		return nil, solvers.NoSolution(p.reason(ctx))
	}
	return nil, ctx.Err()
}

// Enumerate lists the solutions, which are not lists of moves.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	return p.enumerate(ctx, o, func(s *Solution) bool { return yield(s) })
}

func (p *Puzzle) enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(*Solution) bool) (solvers.Stats, error) {
	m := p.model(false, csp.Config{})
	return engine.Enumerate(ctx, o, m.Model, m.sources, m.solution, yield)
}

// mixingRule is an entry of the mixing table: a crystal sees no colour of
// never, and all the colours of at least one of the sets.
type mixingRule struct {
	never ColourSet
	sets  []ColourSet
}

// Fills reports whether light of the colours that a crystal's cell sees fills the
// crystal.
func (p *Puzzle) Fills(c board.Cell, seen ColourSet) bool {
	return mixing(p.crystals[c], p.hard).allows(seen)
}

// mixing is the mixing table.
func mixing(crystal Crystal, hard bool) mixingRule {
	const r, o, y, g, b, v = 1 << Red, 1 << Orange, 1 << Yellow, 1 << Green, 1 << Blue, 1 << Violet
	switch crystal {
	case RedCrystal:
		return mixingRule{o | y | g | b | v, []ColourSet{r}}
	case YellowCrystal:
		return mixingRule{r | o | g | b | v, []ColourSet{y}}
	case BlueCrystal:
		return mixingRule{r | o | y | g | v, []ColourSet{b}}
	case WhiteCrystal:
		return mixingRule{hardColours, []ColourSet{0}}
	}
	if !hard {
		switch crystal {
		case OrangeCrystal:
			return mixingRule{b, []ColourSet{r | y}}
		case GreenCrystal:
			return mixingRule{r, []ColourSet{y | b}}
		case VioletCrystal:
			return mixingRule{y, []ColourSet{r | b}}
		}
		return mixingRule{0, []ColourSet{r | y | b}}
	}
	switch crystal {
	case OrangeCrystal:
		return mixingRule{g | b | v, []ColourSet{r | y, o}}
	case GreenCrystal:
		return mixingRule{r | o | v, []ColourSet{y | b, g}}
	case VioletCrystal:
		return mixingRule{o | y | g, []ColourSet{r | b, v}}
	}
	return mixingRule{0, []ColourSet{r | y | b, r | g, o | b, y | v, o | g, g | v, v | o}}
}

// allows reports whether the rule is kept when exactly these colours are seen.
func (r mixingRule) allows(seen ColourSet) bool {
	return seen&r.never == 0 && r.enough(seen)
}

// fewest is the least number of the available colours that keep the rule.
func (r mixingRule) fewest(available ColourSet) int {
	fewest := len(colourLetters)
	for _, set := range r.sets {
		if set&^available == 0 {
			fewest = min(fewest, bits.OnesCount8(uint8(set)))
		}
	}
	return fewest
}

// enough reports whether all the colours of one of the rule's sets are seen.
func (r mixingRule) enough(seen ColourSet) bool {
	return slices.ContainsFunc(r.sets, func(set ColourSet) bool { return set&^seen == 0 })
}

// needs are sets of colours. At least one colour of each must be seen: together they
// say that all colours of one of the rule's sets are. They are the complements of the
// largest sets of colours that are not enough.
func (r mixingRule) needs() []ColourSet {
	var needs []ColourSet
	for seen := range hardColours + 1 {
		largest := !r.enough(seen)
		for missing := hardColours &^ seen; missing != 0 && largest; missing &= missing - 1 {
			largest = r.enough(seen | missing&-missing)
		}
		if largest {
			needs = append(needs, hardColours&^seen)
		}
	}
	return needs
}

// lines are the sight-lines of a board.
type lines struct {
	cells [][]board.Cell // of each sight-line
	// at holds, by cell, the sight-lines through an empty cell, and those that
	// begin or end next to a crystal.
	at [][]int
}

func (p *Puzzle) lines() lines {
	l := lines{at: make([][]int, p.cells())}
	for _, ray := range p.rays {
		start := 0
		for i := 0; i <= len(ray); i++ {
			if i < len(ray) && p.crystals[ray[i]] == Empty {
				continue
			}
			// From start to before i there are no crystals.
			if i > start {
				for _, c := range ray[max(start-1, 0):min(i+1, len(ray))] {
					l.at[c] = append(l.at[c], len(l.cells))
				}
				l.cells = append(l.cells, ray[start:i])
			}
			start = i + 1
		}
	}
	return l
}

// model is a puzzle as constraints.
type model struct {
	*csp.Model
	puzzle  *Puzzle
	lines   lines
	colours []Colour      // that sources may have
	sources []csp.BoolVar // by cell and colour, len(colours) a cell; false on crystals
	demands []csp.BoolVar // by cell: switches on what its crystal needs, or that it is lit
}

// model makes the constraints. The demands of the cells always hold or, if
// optional, where the literals in demands are true.
func (p *Puzzle) model(optional bool, config csp.Config) *model {
	m := &model{Model: csp.NewModel(config), puzzle: p, lines: p.lines()}
	for k := range Violet + 1 {
		if p.Colours().Has(k) {
			m.colours = append(m.colours, k)
		}
	}
	n := len(m.colours)
	m.demands = make([]csp.BoolVar, p.cells())
	if optional {
		m.demands = m.NewBoolVars(p.cells())
	}
	m.sources = make([]csp.BoolVar, n*p.cells())
	source := make([]csp.BoolVar, p.cells()) // of any colour
	for c, crystal := range p.crystals {
		if crystal != Empty {
			for k := range n {
				m.sources[n*c+k] = m.False()
			}
			continue
		}
		copy(m.sources[n*c:], m.NewBoolVars(n))
		source[c] = m.oneOf(m.sources[n*c : n*c+n])
	}
	shines := make([][]csp.BoolVar, len(m.lines.cells)) // by sight-line and colour
	var literals []csp.BoolVar
	for l, cells := range m.lines.cells {
		literals = literals[:0]
		for _, c := range cells {
			literals = append(literals, source[c])
		}
		m.AddAtMostOne(literals...)
		for k := range n {
			literals = literals[:0]
			for _, c := range cells {
				literals = append(literals, m.sources[n*int(c)+k])
			}
			shines[l] = append(shines[l], m.anyOf(literals))
		}
		m.AddAtMostOne(shines[l]...)
	}
	for c, crystal := range p.crystals {
		demand := m.demands[c].Not()
		if crystal == Empty {
			literals = append(literals[:0], demand)
			for _, l := range m.lines.at[c] {
				literals = append(literals, shines[l]...)
			}
			m.AddClause(literals...)
			continue
		}
		rule := mixing(crystal, p.hard)
		for _, l := range m.lines.at[c] {
			for k, colour := range m.colours {
				if rule.never.Has(colour) {
					m.AddClause(demand, shines[l][k].Not())
				}
			}
		}
		for _, need := range rule.needs() {
			literals = append(literals[:0], demand)
			for _, l := range m.lines.at[c] {
				for k, colour := range m.colours {
					if need.Has(colour) {
						literals = append(literals, shines[l][k])
					}
				}
			}
			m.AddClause(literals...)
		}
	}
	return m
}

// anyOf is a literal that is true when one of the literals is.
func (m *model) anyOf(literals []csp.BoolVar) csp.BoolVar {
	if len(literals) == 1 {
		return literals[0]
	}
	any := m.NewBoolVar()
	for _, b := range literals {
		m.AddImplication(b, any)
	}
	m.AddClause(append(slices.Clone(literals), any.Not())...)
	return any
}

// oneOf is anyOf for literals that exclude each other.
func (m *model) oneOf(literals []csp.BoolVar) csp.BoolVar {
	m.AddAtMostOne(literals...)
	return m.anyOf(literals)
}

// solution reads the solution found last.
func (m *model) solution() *Solution {
	s := &Solution{puzzle: m.puzzle, sources: make([]Colour, m.puzzle.cells())}
	n := len(m.colours)
	for c := range s.sources {
		s.sources[c] = noSource
		for k, colour := range m.colours {
			if m.Value(m.sources[n*c+k]) {
				s.sources[c] = colour
			}
		}
	}
	return s
}

const (
	mostBlamed      = 4     // crystals and cells in a reason
	reasonConflicts = 20000 // of each search for a shorter reason
)

// reason says why there is no solution, when a few crystals and cells are to
// blame; otherwise it is empty.
func (p *Puzzle) reason(ctx context.Context) string {
	m := p.model(true, csp.Config{MaxConflicts: reasonConflicts})
	var blamed []board.Cell
	for c := range board.Cell(p.cells()) {
		blamed = append(blamed, c)
	}
	// The cells first: they are given up before the crystals.
	slices.SortStableFunc(blamed, func(a, b board.Cell) int {
		return strings.Compare(p.crystals[a].String(), p.crystals[b].String())
	})
	// impossible tries a set of demands, and leaves the ones to blame in blamed.
	impossible := func(demands []board.Cell) bool {
		var assumptions []csp.BoolVar
		for _, c := range demands {
			assumptions = append(assumptions, m.demands[c])
		}
		if m.Solve(ctx, assumptions...) != csp.Infeasible {
			return false
		}
		core := m.Core()
		blamed = slices.DeleteFunc(demands, func(c board.Cell) bool { return !slices.Contains(core, m.demands[c]) })
		return true
	}
	if !impossible(blamed) {
		return ""
	}
	for i := 0; i < len(blamed); {
		// The ones before i are needed in any case.
		if !impossible(slices.Delete(slices.Clone(blamed), i, i+1)) {
			i++
		}
	}
	if len(blamed) > mostBlamed {
		return ""
	}
	slices.Sort(blamed)
	return p.blame(blamed)
}

// blame says in words that the demands of the cells are impossible.
func (p *Puzzle) blame(cells []board.Cell) string {
	var crystals, lit []string
	for _, c := range cells {
		if k := p.crystals[c]; k != Empty {
			crystals = append(crystals, fmt.Sprintf("%s at %s", k, p.Name(c)))
		} else {
			lit = append(lit, p.Name(c))
		}
	}
	switch {
	case len(lit) > 0 && len(crystals) > 1:
		return fmt.Sprintf("no light can reach %s without spoiling one of the crystals %s", inWords(lit), inWords(crystals))
	case len(lit) > 0:
		return fmt.Sprintf("no light can reach %s without spoiling the crystal %s", inWords(lit), inWords(crystals))
	case len(crystals) > 1:
		return fmt.Sprintf("the crystals %s cannot all be right", inWords(crystals))
	}
	sides := len(p.lines().at[cells[0]])
	fewest := mixing(p.crystals[cells[0]], p.hard).fewest(p.Colours())
	switch {
	case sides == 0:
		return fmt.Sprintf("no light can reach the crystal %s", crystals[0])
	case sides < fewest:
		return fmt.Sprintf("the crystal %s needs light of %d colours, more than reach it over %d sight-line%s",
			crystals[0], fewest, sides, map[bool]string{true: "s"}[sides > 1])
	}
	return fmt.Sprintf("the light sources that the crystal %s needs would see each other", crystals[0])
}

// inWords joins a list for people.
func inWords(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
