package grid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
	"tapwise/solvers/screen"
)

// Puzzle is a board of a [Game].
type Puzzle struct {
	Placing
	Game    *Game
	Clues   []byte // by cell: the character of its clue, or of the thing that is given
	Numbers []int  // by cell, 0 for none
	Signs   board.Signs
}

// Solution is what cells hold.
type Solution struct {
	Placed
	Puzzle *Puzzle
}

// Empty is a board without clues.
func (g *Game) Empty(size board.Size) *Puzzle {
	p := &Puzzle{Game: g, Signs: board.Signs{}, Numbers: make([]int, size.Cells()), Clues: bytes.Repeat([]byte{g.marks()[0].Char}, size.Cells())}
	p.Placing = Placing{Size: size, Cycle: chars(g.Things), Tint: g.Accent, Blank: func() *Picture { return p.picture(p.Empty()) }}
	for _, m := range g.Things[1:] {
		p.Names = append(p.Names, m.Name)
	}
	if g.Clues != nil {
		return p // the screen shows what the touches did
	}
	if p.Shown = p.shown; !g.Numbers {
		p.Given = p.Clues
	}
	p.Draw = func(d *Picture, s Placed, c board.Cell) {
		at, m := d.At(c), p.Faces(s)(c)
		d.Shapes = append(d.Shapes, Moved(append([]solvers.Shape{square(m.Ground)}, m.Shapes...), at[0], at[1], 1)...)
	}
	return p
}

// Copy is the same puzzle, to be changed.
func (p *Puzzle) Copy() *Puzzle {
	q := p.Game.Empty(p.Size)
	copy(q.Clues, p.Clues)
	copy(q.Numbers, p.Numbers)
	for e, sign := range p.Signs {
		q.Signs[e] = sign
	}
	return q
}

// String is the puzzle in its notation.
func (p *Puzzle) String() string {
	rows := p.Game.notation().Format(p.Size, strings.Split(string(p.Clues), ""))
	if p.Game.Numbers {
		rows = p.Game.notation().FormatNumbers(p.Size, p.Numbers)
	}
	return strings.Join(append([]string{rows}, p.Size.FormatSigns(chars(p.Game.Signs), p.Signs)...), "\n")
}

// ParseSolution reads a solution of this puzzle.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	placed, err := p.Placing.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: solution: %w", p.Game.ID, err)
	}
	return p.With(placed), nil
}

// With is the solution of what cells hold.
func (p *Puzzle) With(placed Placed) *Solution { return &Solution{placed, p} }

// Solve finds a solution.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	return solvers.SolveFirst(ctx, p)
}

// Enumerate lists all solutions. They are no lists of moves.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	if p.Game.Search == nil {
		m := p.model()
		return engine.Enumerate(ctx, o, m.Model, m.decided, func() solvers.Solution { return m.solution() }, yield)
	}
	if o.MaxMoves > 0 {
		return solvers.Stats{}, solvers.ErrNoMoves
	}
	return solvers.Stats{}, p.Game.Search(ctx, p, func(touched []board.Cell) bool { return yield(p.With(p.At(touched))) })
}

// Grade is how hard the puzzle is.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) {
	if p.Game.Search != nil {
		return solvers.GradeMoves(ctx, p)
	}
	solved := p.model()
	switch solved.Solve(ctx) {
	case csp.Infeasible:
		return solvers.Grade{}, solvers.ErrNoSolution
	case csp.Unknown:
		return solvers.Grade{}, ctx.Err()
	}
	return reason.Question{Size: len(solved.decided), Post: func([]reason.Ground) (*csp.Model, func(int) []csp.BoolVar) {
		m := p.model() // its literals are the same
		return m.Model, func(v int) []csp.BoolVar { return reason.As(m.decided[v], solved.Value(solved.decided[v])) }
	}}.Grade(ctx)
}

// Paint is one colour for all taps.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA { return Same(plan, p.Tint) }

// Random is a random solution, nil where there is none.
func (p *Puzzle) Random(ctx context.Context, random *rand.Rand) (*Solution, error) {
	m := p.model()
	for _, b := range m.decided {
		if random.IntN(2) == 0 {
			b = b.Not()
		}
		m.AddHint(b)
	}
	if status := m.Solve(ctx); status != csp.Feasible {
		return nil, ctx.Err()
	}
	return m.solution(), nil
}

// Model is a puzzle's cells for the engine.
type Model struct {
	*csp.Model
	puzzle  *Puzzle
	holds   string          // what a cell may hold in a solution
	is      [][]csp.BoolVar // by cell, and by what it may hold
	decided []csp.BoolVar
}

func (p *Puzzle) model() *Model {
	m := &Model{Model: csp.NewModel(csp.Config{}), puzzle: p, holds: p.Cycle}
	if p.Given != nil {
		m.holds = p.Cycle[1:]
	}
	for c := range board.Cell(p.Size.Cells()) {
		var is []csp.BoolVar
		if len(m.holds) == 2 {
			one := m.NewBoolVar()
			is = []csp.BoolVar{one, one.Not()}
			m.decided = append(m.decided, one)
		} else {
			is = m.NewBoolVars(len(m.holds))
			m.AddExactlyOne(is...)
			m.decided = append(m.decided, is...)
		}
		if m.is = append(m.is, is); p.Fixed(c) {
			m.AddClause(m.Is(c, p.Given[c]))
		}
	}
	p.Game.Post(p, m)
	return m
}

// Is tells that a cell holds something.
func (m *Model) Is(c board.Cell, holds byte) csp.BoolVar {
	return m.is[c][strings.IndexByte(m.holds, holds)]
}

// All is Is for several cells.
func (m *Model) All(cells []board.Cell, holds byte) (literals []csp.BoolVar) {
	for _, c := range cells {
		literals = append(literals, m.Is(c, holds))
	}
	return literals
}

// Connect wants all cells that hold something to be connected.
func (m *Model) Connect(holds byte) {
	var nodes []csp.BoolVar
	var edges [][2]int
	for c := range m.is {
		nodes = append(nodes, m.Is(board.Cell(c), holds))
	}
	for _, e := range m.puzzle.Size.Edges() {
		edges = append(edges, [2]int{int(e.A), int(e.B)})
	}
	_ = m.AddConnected(nodes, edges) // which fails for edges of other nodes only
}

func (m *Model) solution() *Solution {
	s := m.puzzle.Empty()
	for c, is := range m.is {
		s.Cells[c] = m.holds[slices.IndexFunc(is, m.Value)]
	}
	return m.puzzle.With(s)
}

// shown is what cells hold on the screen.
func (p *Puzzle) shown(seen *screen.Observation) ([]byte, error) {
	on, holds, err := p.Game.see(seen)
	if err == nil && on.String() != p.String() {
		err = solvers.Refuse("the board on the screen is another one")
	}
	return holds, err
}

// after is what cells show after touches, in order.
func (p *Puzzle) after(touched []board.Cell) []byte {
	clues := bytes.Clone(p.Clues)
	for _, c := range touched {
		p.Game.Change(p.Size, clues, c)
	}
	return clues
}

// Faces is how each cell looks with what lies on the board.
func (p *Puzzle) Faces(s Placed) func(board.Cell) Mark {
	marks, cells := p.Game.marks(), s.Cells
	if p.Game.Clues != nil {
		cells = p.after(s.Things())
	}
	return func(c board.Cell) Mark {
		m := marks[strings.IndexByte(chars(marks), cells[c])]
		if m.Ground = p.Game.ground(m); p.Fixed(c) {
			m.Ground = p.Game.Given
		}
		if n := p.Numbers[c]; n > 0 {
			m.Shapes = append(slices.Clip(m.Shapes), solvers.Shape{Kind: solvers.TextShape, Points: [][2]float64{{0, 0}}, Size: 0.5, Text: strconv.Itoa(n), Colour: solvers.OnColour(m.Ground)})
		}
		return m
	}
}

// Borders calls yield with the mark of each sign and where it is: so many pitches from the
// middle of the first cell.
func (p *Puzzle) Borders(yield func(m Mark, c board.Cell, right, down float64)) {
	for _, e := range p.Size.Edges() {
		for _, m := range p.Game.Signs {
			if p.Signs[e] == m.Char {
				yield(m, e.A, float64(p.Size.Col(e.B)-p.Size.Col(e.A))/2, float64(p.Size.Row(e.B)-p.Size.Row(e.A))/2)
			}
		}
	}
}

// picture is the board with what lies on it.
func (p *Puzzle) picture(s Placed) *Picture {
	face := p.Faces(s)
	d := NewPicture(p.Size, func(c board.Cell) color.NRGBA { return face(c).Ground }, nil)
	for c := range board.Cell(p.Size.Cells()) {
		at := d.At(c)
		d.Shapes = append(d.Shapes, Moved(face(c).Shapes, at[0], at[1], 1)...)
	}
	p.Borders(func(m Mark, c board.Cell, right, down float64) {
		at := d.At(c)
		d.Shapes = append(d.Shapes, Moved(m.Shapes, at[0]+right, at[1]+down, 1)...)
	})
	return d
}

// Check tests the rules. Where things can be given, cells hold them ("given") and none is left
// empty ("full").
func (s *Solution) Check() error {
	for i, holds := range s.Cells {
		switch c := board.Cell(i); {
		case s.Given == nil:
		case s.Fixed(c) && holds != s.Given[c]:
			return solvers.Broken("given", "%s holds %q, expected %q", s.Size.Name(c), holds, s.Given[c])
		case holds == s.Cycle[0]:
			return solvers.Broken("full", "%s is empty", s.Size.Name(c))
		}
	}
	return s.Puzzle.Game.Rules(s)
}

// Remaining is the taps that are missing. Where touches change the clues, the board as it now
// stands is solved: of several solutions the first has the fewest touches, so that no more
// remain than were planned.
func (s *Solution) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	if s.Shown != nil {
		return s.Placed.Remaining(seen)
	}
	g := *s.Puzzle.Game
	g.Valid = nil // a level that is won need not be a puzzle
	on, _, err := g.see(seen)
	switch {
	case err != nil:
		return nil, err
	case on.Size != s.Size:
		return nil, solvers.Refuse("a board of %s, expected %s", on.Size, s.Size)
	}
	rest, err := on.Solve(context.Background())
	if errors.Is(err, solvers.ErrNoSolution) {
		return nil, solvers.Refuse("the board on the screen has no solution")
	}
	if err != nil {
		return nil, err
	}
	return rest.Plan(seen.Layout), nil
}

// Sketch is the board with everything on it.
func (s *Solution) Sketch() solvers.Picture {
	if s.Shown != nil {
		return s.Placed.Sketch()
	}
	return s.Puzzle.picture(s.Placed).Picture
}

// Scene is the board after the first steps.
func (s *Solution) Scene(done int) solvers.Picture {
	if s.Shown != nil {
		return s.Placed.Scene(done)
	}
	return s.Puzzle.picture(s.first(done)).Picture
}

// Animation is the board after each step.
func (s *Solution) Animation() []string {
	if s.Shown != nil {
		return s.Placed.Animation()
	}
	var pictures []string
	for done := range len(s.Things()) + 1 {
		pictures = append(pictures, s.Puzzle.Game.notation().Format(s.Size, strings.Split(string(s.Puzzle.after(s.Things()[:done])), "")))
	}
	return pictures
}

// Tints are the colours of the animation's characters.
func (s *Solution) Tints() map[rune]color.NRGBA {
	if s.Shown != nil {
		return s.Placed.Tints()
	}
	tints := map[rune]color.NRGBA{}
	for _, m := range s.Puzzle.Game.Clues[1:] {
		tints[rune(m.Char)] = m.Ground
	}
	return tints
}
