package algemy

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// A Row is a row of packs in the game's menu: how difficult its levels are.
type Row int

// The rows, from the easiest to the most difficult.
const (
	Thin   Row = iota // easy colours
	Medium            // easy colours, levels that take more thought
	Bold              // hard colours
)

func (r Row) String() string { return [...]string{"thin", "medium", "bold"}[r] }

// Grades are the three rows of packs.
func (Game) Grades() []string {
	return []string{Thin.String(), Medium.String(), Bold.String()}
}

// A Pack is a number of levels of one kind.
type Pack struct {
	Shape  Shape
	Row    Row
	Side   int
	Levels int
}

// level is a puzzle, and the effort that proved its solution to be the only one.
type level struct {
	*Puzzle
	effort solvers.Stats
}

func byEffort(a, b level) int {
	return cmp.Or(cmp.Compare(a.effort.Conflicts, b.effort.Conflicts), cmp.Compare(a.effort.Nodes, b.effort.Nodes))
}

// Generate makes a puzzle. Rows is the board's side, 5 when it is 0; Cols is
// the same or 0. Variant is a shape (square or hexagon) and a row of the game's
// packs (thin, medium or bold), joined by '-', such as "hexagon-bold". Each may be
// left out: then it is the first of those named. Colours is 3, or 6 for a bold row,
// or 0.
func (Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	pack, err := packOf(o)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	l, err := pack.level(ctx, random, o.Unique)
	if err != nil {
		return nil, err
	}
	return l.Puzzle, nil
}

// packOf is the pack with puzzles of the kind that the options ask for.
func packOf(o solvers.GenerateOptions) (Pack, error) {
	pack := Pack{Side: cmp.Or(o.Rows, o.Cols, 5)}
	if o.Cols != 0 && o.Cols != pack.Side {
		return pack, fmt.Errorf("algemy: %d rows and %d columns wanted, expected one number, the side", o.Rows, o.Cols)
	}
	if pack.Side < MinSide || pack.Side > MaxSide {
		return pack, fmt.Errorf("algemy: side of %d cells wanted, expected %d to %d", pack.Side, MinSide, MaxSide)
	}
	rowGiven := false
	if o.Variant != "" {
		words := strings.Split(o.Variant, "-")
		if words[0] == "square" || words[0] == "hexagon" {
			if words[0] == "hexagon" {
				pack.Shape = Hexagon
			}
			words = words[1:]
		}
		if len(words) > 0 {
			row := slices.Index([]string{"thin", "medium", "bold"}, words[0])
			if row < 0 || len(words) > 1 {
				return pack, fmt.Errorf("algemy: variant %q, expected square or hexagon, and thin, medium or bold, joined by '-'", o.Variant)
			}
			pack.Row = Row(row)
			rowGiven = true
		}
	}
	switch {
	case o.Colours == 6 && !rowGiven:
		pack.Row = Bold
	case o.Colours != 0 && o.Colours != 3 && o.Colours != 6, o.Colours != 0 && (o.Colours == 6) != (pack.Row == Bold):
		return pack, fmt.Errorf("algemy: %d colours wanted, expected 3, or 6 in the bold row", o.Colours)
	}
	return pack, nil
}

// candidates is the number of puzzles from which a thin or medium level is chosen.
const candidates = 3

// level makes a level of a pack.
func (p Pack) level(ctx context.Context, random *rand.Rand, unique bool) (level, error) {
	if !unique {
		d := p.newDraft(random)
		d.paint()
		return level{Puzzle: d.puzzle()}, nil
	}
	n := candidates
	if p.Row == Bold {
		n = 1
	}
	var made []level
	for len(made) < n {
		l, ok, err := p.newDraft(random).unique(ctx)
		if err != nil {
			return level{}, err
		}
		if ok && !l.easyToo(ctx) {
			made = append(made, l)
		}
	}
	slices.SortStableFunc(made, byEffort)
	if p.Row == Thin {
		return made[0], nil
	}
	return made[len(made)-1], nil
}

// easyToo reports whether a level of six colours can be solved with three as
// well: then nothing on the board would tell that it has six.
func (p *Puzzle) easyToo(ctx context.Context) bool {
	if !p.hard {
		return false
	}
	easy := *p
	easy.hard = false
	return easy.model(false, csp.Config{}).Solve(ctx) == csp.Feasible
}

// draft is an unfinished level: a puzzle and the solution that it is to have.
type draft struct {
	Puzzle
	sources []Colour
	random  *rand.Rand
}

// newDraft draws a few crystals and light sources that keep every rule but
// mixing: the crystals have no colours yet.
func (p Pack) newDraft(random *rand.Rand) *draft {
	d := &draft{Puzzle: Puzzle{lattice: newLattice(p.Shape, p.Side), hard: p.Row == Bold}, random: random}
	d.crystals = slices.Repeat([]Crystal{Empty}, d.cells())
	d.sources = slices.Repeat([]Colour{noSource}, d.cells())
	// An eighth of the cells to begin with.
	for _, c := range random.Perm(d.cells())[:(d.cells()+7)/8] {
		d.crystals[c] = WhiteCrystal
	}
	d.light()
	return d
}

// puzzle is the draft's puzzle as it now is.
func (d *draft) puzzle() *Puzzle {
	p := d.Puzzle
	p.crystals = slices.Clone(d.crystals)
	return &p
}

// light adds light sources, in random order, until all is lit. Of two random
// colours a source gets the one that leaves fewer crystals brown: otherwise
// most would be on boards with six colours.
func (d *draft) light() {
	l := d.lines()
	var colours []Colour
	for c := Red; c <= Violet; c++ {
		if d.Colours().Has(c) {
			colours = append(colours, c)
		}
	}
	ends := make([][]board.Cell, len(l.cells)) // the crystals at each sight-line
	for c, crystal := range d.crystals {
		if crystal != Empty {
			for _, line := range l.at[c] {
				ends[line] = append(ends[line], board.Cell(c))
			}
		}
	}
	brown := func(at board.Cell, colour Colour) int {
		n := 0
		for _, line := range l.at[at] {
			for _, c := range ends[line] {
				if crystalFor(d.seen(l, c)|Set(colour), d.hard) == BrownCrystal {
					n++
				}
			}
		}
		return n
	}
	for _, i := range d.random.Perm(d.cells()) {
		c := board.Cell(i)
		if d.crystals[c] != Empty || d.seen(l, c) != 0 {
			continue
		}
		first, second := colours[d.random.IntN(len(colours))], colours[d.random.IntN(len(colours))]
		if brown(c, second) < brown(c, first) {
			first = second
		}
		d.sources[c] = first
	}
}

// seen is the colours of the light sources on the sight-lines at a cell.
func (d *draft) seen(l lines, c board.Cell) ColourSet {
	var seen ColourSet
	for _, line := range l.at[c] {
		for _, c := range l.cells[line] {
			if d.sources[c] != noSource {
				seen |= Set(d.sources[c])
			}
		}
	}
	return seen
}

// paint gives each crystal the colour that suits what it sees. There is one
// for every set of colours.
func (d *draft) paint() {
	l := d.lines()
	for c, crystal := range d.crystals {
		if crystal != Empty {
			d.crystals[c] = crystalFor(d.seen(l, board.Cell(c)), d.hard)
		}
	}
}

// crystalFor is the crystal that is right for a set of colours.
func crystalFor(seen ColourSet, hard bool) Crystal {
	for _, letter := range crystalLetters {
		if mixing(Crystal(letter), hard).allows(seen) {
			return Crystal(letter)
		}
	}
	return Empty
}

// unique adds crystals until there is one solution, and then removes those that are
// not needed. It gives up (not ok) on boards that fill with crystals.
func (d *draft) unique(ctx context.Context) (made level, ok bool, err error) {
	for {
		d.paint()
		other, stats, err := d.other(ctx)
		if err != nil {
			return level{}, false, err
		}
		if other == nil {
			made = level{d.puzzle(), stats}
			break
		}
		d.distinguish(other)
		n := 0
		for _, crystal := range d.crystals {
			if crystal != Empty {
				n++
			}
		}
		if 2*n > d.cells() {
			return level{}, false, nil
		}
	}
	for _, c := range d.random.Perm(d.cells()) {
		if made.crystals[c] == Empty {
			continue
		}
		fewer, ok := d.without(board.Cell(c))
		if !ok {
			continue
		}
		other, stats, err := fewer.other(ctx)
		if err != nil {
			return level{}, false, err
		}
		if other == nil {
			d = fewer
			made = level{d.puzzle(), stats}
		}
	}
	return made, true, nil
}

// other is a solution other than the draft's, nil when there is none.
func (d *draft) other(ctx context.Context) (*Solution, solvers.Stats, error) {
	var other *Solution
	stats, err := d.enumerate(ctx, solvers.EnumerateOptions{}, func(s *Solution) bool {
		if !slices.Equal(s.sources, d.sources) {
			other = s
		}
		return other == nil
	})
	return other, stats, err
}

// distinguish puts a crystal where it sees a difference between the draft's
// solution and another, and mends the light around it.
func (d *draft) distinguish(other *Solution) {
	l := d.lines()
	var places, last []board.Cell
	for c := range board.Cell(d.cells()) {
		if d.sources[c] == other.sources[c] {
			continue
		}
		last = append(last, c)
		for _, line := range l.at[c] {
			for _, near := range l.cells[line] {
				if d.sources[near] == noSource {
					places = append(places, near)
				}
			}
		}
	}
	if len(places) == 0 {
		places = last
	}
	c := places[d.random.IntN(len(places))]
	d.crystals[c] = WhiteCrystal
	d.sources[c] = noSource
	d.light()
}

// without is the draft without one of its crystals. It is not ok when light sources
// would then see each other.
func (d *draft) without(c board.Cell) (*draft, bool) {
	fewer := *d
	fewer.crystals = slices.Clone(d.crystals)
	fewer.sources = slices.Clone(d.sources)
	fewer.crystals[c] = Empty
	l := fewer.lines()
	for _, line := range l.at[c] {
		n := 0
		for _, near := range l.cells[line] {
			if fewer.sources[near] != noSource {
				n++
			}
		}
		if n > 1 {
			return nil, false
		}
	}
	fewer.light()
	fewer.paint()
	return &fewer, true
}
