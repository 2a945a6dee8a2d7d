package grid

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Game is a game of things on squares as a value: what it does not say is alike in all of them. A game
// is the address of one, so that it is equal to itself only.
//
// The cells of a puzzle hold Clues, which taps change (Change); or Numbers; or else some of the
// things themselves, for good.
type Game struct {
	ID     string // its name
	Pack   string
	Boards []solvers.GenerateOptions
	// The fewest and most rows and columns, the fewest of a board that is looked for on a screen,
	// and the usual number; Equal says that there are as many of both.
	Least, LeastRead, Most, Usual int
	Equal                         bool
	OneSolution                   bool
	Accent                        color.NRGBA         // in pictures, and of the app's first buttons
	Panels                        []screen.PanelLook  // the app's
	Clues                         []Mark              // the first is that of a cell that is nothing special
	Numbers, Sparse               bool                // Sparse: cells may have none
	Things                        []Mark              // what a tap leads a cell through, from nothing on
	Given                         color.NRGBA         // the ground of cells whose things are given
	Signs                         []Mark              // between cells
	Valid                         func(*Puzzle) error // fails for a board that is no puzzle; nil: each is one
	Change                        func(size board.Size, clues []byte, c board.Cell)
	// Post states the rules to the engine. A game that needs none has a Search instead, which
	// yields the cells to touch, of the solution with the fewest touches first.
	Post   func(*Puzzle, *Model)
	Search func(ctx context.Context, p *Puzzle, yield func([]board.Cell) bool) error
	// Rules fails with a *RuleError. It shares no code with Post. That givens stand, and that
	// cells hold something where things can be given, has been checked.
	Rules func(*Solution) error
	// Make makes a puzzle of an empty one, or none: then it is called again.
	Make func(ctx context.Context, empty *Puzzle, random *rand.Rand) (*Puzzle, error)
}

// Name is the game's.
func (g *Game) Name() string { return g.ID }

// chars are the characters of marks.
func chars(marks []Mark) string {
	var text []byte
	for _, m := range marks {
		text = append(text, m.Char)
	}
	return string(text)
}

// marks are those of a puzzle's cells; of a board of numbers, those of the things on them.
func (g *Game) marks() []Mark {
	if g.Clues != nil {
		return g.Clues
	}
	return g.Things
}

// About tells of the app's levels and looks, of the generator's boards, and how the page draws
// them.
func (g *Game) About() solvers.About {
	a := solvers.About{Pack: g.Pack, Styles: []string{"light", "dark"}, Boards: g.Boards, Sides: solvers.AnySides, Fixed: chars(g.marks()), OneSolution: g.OneSolution}
	if g.Equal {
		a.Sides = solvers.EqualSides
	}
	if g.Numbers || g.Signs != nil {
		return a // the page's grid knows neither
	}
	a.Grid = &solvers.GridPage{Grounds: map[string]color.NRGBA{}, Marks: map[string]solvers.Picture{}}
	for _, m := range g.marks() {
		a.Grid.Entries = append(a.Grid.Entries, string(m.Char))
		a.Grid.Grounds[string(m.Char)] = g.ground(m)
		if m.Shapes != nil {
			a.Grid.Marks[string(m.Char)] = solvers.Picture{Width: 1, Height: 1, Shapes: Moved(m.Shapes, 0.5, 0.5, 1)}
		}
	}
	return a
}

func (g *Game) ground(m Mark) color.NRGBA {
	if m.Ground.A == 0 {
		return g.marks()[0].Ground
	}
	return m.Ground
}

// Spec is flat cells between lines of any width.
func (g *Game) Spec() screen.Spec {
	s := screen.Spec{Topologies: []screen.Topology{screen.Square}, MinSide: g.LeastRead, MaxSide: g.Most,
		Either: true, Panes: true, Equal: g.Equal, Boxes: true, Numbers: g.Numbers, Measures: PaneMeasures()}
	if g.Signs != nil {
		s.Measures = append(s.Measures, signMeasures()...)
	}
	return s
}

func (g *Game) notation() board.Notation {
	n := board.CharacterNotation(g.Least, g.Most, chars(g.marks()))
	if g.Numbers {
		n = board.NumberNotation(g.Least, g.Most)
	}
	n.Square = g.Equal
	return n
}

// Parse reads a puzzle: rows, and below them lines of signs.
func (g *Game) Parse(text string) (solvers.Puzzle, error) {
	rows, lines := board.CutSigns(chars(g.Signs), strings.TrimRight(text, "\n"))
	p := &Puzzle{}
	size, entries, err := g.notation().Parse(rows)
	if err == nil {
		if p = g.Empty(size); g.Numbers {
			_, p.Numbers, _ = g.notation().ParseNumbers(rows)
		} else {
			copy(p.Clues, strings.Join(entries, ""))
		}
		p.Signs, err = size.ParseSigns(chars(g.Signs), lines)
	}
	if err == nil {
		err = g.valid(p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ID, err)
	}
	return p, nil
}

// valid fails for a board that is no puzzle.
func (g *Game) valid(p *Puzzle) error {
	if c := slices.Index(p.Numbers, 0); c >= 0 && g.Numbers && !g.Sparse {
		return fmt.Errorf("no number at %s", p.Size.Name(board.Cell(c)))
	}
	if g.Valid == nil {
		return nil
	}
	return g.Valid(p)
}

// Likeness is how much of a text looks like the notation.
func (g *Game) Likeness(text string) float64 {
	rows, _ := board.CutSigns(chars(g.Signs), text)
	return g.notation().Likeness(rows)
}

// Locate tells a level from its completion panel.
func (g *Game) Locate(seen *screen.Observation) screen.Place { return Locate(seen, g.Panels...) }

// Generate makes a puzzle of the size that is asked for. There are no variants.
func (g *Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	size := board.Size{Rows: cmp.Or(o.Rows, o.Cols, g.Usual), Cols: cmp.Or(o.Cols, o.Rows, g.Usual)}
	if min(size.Rows, size.Cols) < g.Least || max(size.Rows, size.Cols) > g.Most || g.Equal && size.Rows != size.Cols || o.Colours != 0 || o.Variant != "" {
		return nil, fmt.Errorf("%s: a board of %s wanted, %d colours and variant %q, expected %d to %d rows and columns%s and neither colours nor variants",
			g.ID, size, o.Colours, o.Variant, g.Least, g.Most, map[bool]string{true: ", as many of both,"}[g.Equal])
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p, err := g.Make(ctx, g.Empty(size), random); err != nil || p != nil && g.valid(p) == nil {
			return solvers.AsPuzzle(p, err)
		}
	}
}

// cell is which mark a cell has, and whether it is given; false where it is none, or not clear
// which.
func (g *Game) cell(readings []screen.Reading) (mark Mark, given, ok bool) {
	measures := PaneMeasures()[corners:]
	if len(readings) < corners+len(measures) {
		return mark, false, false
	}
	ground, clear := Ground(readings)
	found := 0
	for i, m := range g.marks() {
		for _, fixed := range []bool{false, true} {
			on := g.ground(m)
			if fixed {
				on = g.Given
			}
			if fixed && (i == 0 || g.Given.A == 0) || screen.Contrast(ground, color.RGBA(on)) > nearColour {
				continue
			}
			if g.Numbers || fits(readings[corners:], measures, m.Shapes, on) {
				mark, given = m, fixed
				found++
			}
		}
	}
	return mark, given, clear && found == 1
}

// see makes a puzzle of what was seen, and what lies on it.
func (g *Game) see(seen *screen.Observation) (*Puzzle, []byte, error) {
	if err := Check(g.Spec(), seen); err != nil {
		return nil, nil, err
	}
	p := g.Empty(SizeOf(seen))
	holds, err := ReadCells(seen, func(c board.Cell, readings []screen.Reading) (byte, error) {
		mark, given, ok := g.cell(readings)
		switch {
		case !ok:
			return 0, solvers.RefuseAt(c, "%s looks like nothing that a cell holds: its ground is %v", p.Size.Name(c), readings[0].Colour)
		case g.Numbers && seen.Numbers[c].Seen == screen.UnclearNumber:
			return 0, solvers.RefuseAt(c, "the number at %s is not clear", p.Size.Name(c))
		case g.Numbers:
			p.Numbers[c] = seen.Numbers[c].Value
		case given || g.Clues != nil:
			p.Clues[c] = mark.Char
		}
		return mark.Char, nil
	})
	if err == nil && g.Signs != nil {
		p.Signs, err = g.signs(seen)
	}
	if err == nil {
		if invalid := g.valid(p); invalid != nil {
			err = solvers.Refuse("misread: %v", invalid)
		}
	}
	return p, holds, err
}

// Read makes a puzzle of a board on the screen.
func (g *Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	p, _, err := g.see(seen)
	return solvers.AsPuzzle(p, err)
}

// Familiarity is the share of the cells that look like one of the game's.
func (g *Game) Familiarity(seen *screen.Observation) float64 {
	if CheckBoard(g.Spec(), seen) != nil {
		return 0
	}
	n := 0
	for c, readings := range seen.Readings {
		if _, _, ok := g.cell(readings); ok && (!g.Numbers || seen.Numbers[c].Seen == screen.ReadNumber) {
			n++
		}
	}
	return lined(seen) * float64(n) / float64(len(seen.Readings))
}
