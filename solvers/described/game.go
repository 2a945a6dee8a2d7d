package described

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	squares "tapwise/solvers/grid"
)

// Game is a described puzzle. It is made by Load and does not change.
type Game struct {
	file, name, title, source string
	layers                    []*layer
	notations                 []*notation
	rules                     *starlark.Function
	examples                  []Example
	levels                    []string
	sizes                     [][2]int // columns and rows of new puzzles
	look                      map[string]*figure
	touches                   []*touch
	lacks                     []string // what may be shown and has no figure
}

// Name is the file's, without its folder and its end.
func (g *Game) Name() string { return g.name }

// Title is what people call the puzzle.
func (g *Game) Title() string { return cmp.Or(g.title, g.name) }

// Source is the description's text.
func (g *Game) Source() string { return g.source }

// Examples are those of the file.
func (g *Game) Examples() []Example { return g.examples }

// About tells of the rules, as the words below `def rules` have them, of the levels and of the
// generator's boards.
func (g *Game) About() solvers.About {
	pack := strings.Join(g.levels, "\n\n")
	if pack == "" && len(g.examples) > 0 {
		pack = g.examples[0].Puzzle
	}
	about := solvers.About{Rules: g.rules.Doc(), Pack: pack, Sides: solvers.AnySides, OneSolution: true}
	for _, s := range g.generated() {
		about.Boards = append(about.Boards, solvers.GenerateOptions{Cols: s[0], Rows: s[1], Unique: true})
	}
	return about
}

func (g *Game) generated() [][2]int {
	if g.sizes == nil {
		return [][2]int{{6, 6}}
	}
	return g.sizes
}

// Likeness is 1 for what a notation reads, and less for what only begins like it.
func (g *Game) Likeness(text string) float64 {
	most := 0.0
	for _, n := range g.notations {
		if _, err := n.parse(text); err == nil {
			return 1
		}
		if n.name != "" && strings.Contains(text, "?"+n.name+"/") {
			most = squares.Misshapen
		}
		if n.name == "" {
			rows := strings.Fields(text)
			most = max(most, squares.Misshapen*squares.Share(rows, func(w string) bool { _, ok := n.clueOf(w[:1]); return ok }))
		}
	}
	return most
}

// Parse reads a puzzle in one of the notations, and makes its rules.
func (g *Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(g.parse(text)) }

func (g *Game) parse(text string) (*Puzzle, error) {
	text = strings.TrimRight(text, "\n")
	var first error
	for _, n := range g.notations {
		found, err := n.parse(text)
		if err == nil {
			return g.puzzle(found, n.format(found)) // there may be several ways to say one board
		}
		if first == nil || n.name != "" && strings.Contains(text, "?") || n.name == "" && !strings.Contains(text, "?") {
			first = err
		}
	}
	return nil, fmt.Errorf("%s: %w", g.name, first)
}

// rule is a named rule of a puzzle: conditions that must all hold.
type rule struct {
	name  string
	terms []*term
}

// Puzzle is what is given, and the rules that follow.
type Puzzle struct {
	game   *Game
	text   string
	givens *givens
	rules  []rule
}

// puzzle evaluates the description on a board.
func (g *Game) puzzle(found *givens, text string) (*Puzzle, error) {
	found.layout = layOut(found.size, g.layers)
	p := &Puzzle{game: g, text: text, givens: found}
	b := newGrid(found, g.layers)
	for _, n := range g.notations {
		b.signNames = append(b.signNames, n.signs...)
	}
	v, err := starlark.Call(boundedThread(), g.rules, starlark.Tuple{b}, nil)
	if err == nil {
		v.Freeze()
		err = p.take(v)
	}
	if err != nil {
		return nil, g.located(err, environment())
	}
	return p, nil
}

// take takes the rules that the description returned.
func (p *Puzzle) take(v starlark.Value) error {
	at := func(format string, a ...any) error {
		return &FileError{p.game.file, int(p.game.rules.Position().Line), fmt.Sprintf(format, a...)}
	}
	rules, ok := v.(*starlark.Dict)
	if !ok {
		return at("rules returned %s, expected a dict of names and conditions: return {\"name\": …}", kindOf(v))
	}
	for _, item := range rules.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok || name == "" {
			return at("a rule is called %s, expected a string", kindOf(item[0]))
		}
		r := rule{name: name}
		if err := r.add(item[1]); err != nil {
			return at("rule %q: %v", name, err)
		}
		p.rules = append(p.rules, r)
	}
	return nil
}

// add adds a condition, or all of a list.
func (r *rule) add(v starlark.Value) error {
	switch v := v.(type) {
	case *field:
		r.terms = append(r.terms, v.at...)
	case *starlark.List, starlark.Tuple:
		return each(v, r.add)
	default:
		t, err := asTerm(v, nil)
		if err != nil {
			return err
		}
		r.terms = append(r.terms, t)
	}
	for _, t := range r.terms {
		if !t.boolean {
			return fmt.Errorf("a number, expected a condition: compare it, as in count(…) == 2")
		}
		if inner := innerGlobal(t, map[*term]bool{}); inner {
			return fmt.Errorf("a rule about the whole board, such as connected or one_loop, stands within ~, | or a comparison, expected it by itself or in a list")
		}
	}
	return nil
}

// innerGlobal reports whether a rule with code of its own is a part of another condition
// than "and".
func innerGlobal(t *term, seen map[*term]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	for _, a := range t.args {
		if a.op == opGlobal && t.op != opAnd || innerGlobal(a, seen) {
			return true
		}
	}
	return false
}

// String is the puzzle as it was written.
func (p *Puzzle) String() string { return p.text }

// Rules are the rules' names, in order.
func (p *Puzzle) Rules() (names []string) {
	for _, r := range p.rules {
		names = append(names, r.name)
	}
	return names
}

// ParseSolution reads a solution: the layers one below the other.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	values, err := p.givens.layout.parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: solution: %w", p.game.name, err)
	}
	return &Solution{values, p}, nil
}

// Solve finds a solution.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	return solvers.SolveFirst(ctx, p)
}

// Enumerate lists the solutions.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	began := time.Now()
	post, decided := newPoster(p.givens.layout)
	for _, r := range p.rules {
		for _, t := range r.terms {
			if err := ctx.Err(); err != nil {
				return solvers.Stats{}, err
			}
			post.require(t)
		}
	}
	posting := time.Since(began).Seconds()
	stats, err := engine.Enumerate(ctx, o, post.m, decided, func() solvers.Solution {
		return &Solution{post.values(p.givens.layout), p}
	}, yield)
	stats.Seconds += posting
	return stats, err
}

// Solution is what the variables of a board are.
type Solution struct {
	values []int
	puzzle *Puzzle
}

// String is the layers one below the other.
func (s *Solution) String() string { return s.puzzle.givens.layout.format(s.values) }

var (
	black = color.NRGBA{30, 32, 38, 255}
	blue  = color.NRGBA{40, 100, 210, 255}
	grey  = color.NRGBA{120, 124, 132, 255}
)

// Picture is the board, on which nothing is decided.
func (p *Puzzle) Picture() solvers.Picture { return p.drawn(p.undecided()).Picture }

// Spot is the middle of a cell on it.
func (p *Puzzle) Spot(c board.Cell) [2]float64 { return (&squares.Picture{Size: p.givens.size}).At(c) }

// undecided is a value for each variable that says nothing of it.
func (p *Puzzle) undecided() []int { return slices.Repeat([]int{unknownValue}, p.givens.layout.n) }

// Picture is the board, with what is decided when the step is asked for.
func (s *Solution) Picture(from, to int) solvers.Picture {
	values := s.puzzle.undecided()
	for i, m := range s.moves() {
		for _, v := range m.values {
			if i >= from && i < to {
				values[v] = s.values[v]
			}
		}
	}
	return s.puzzle.drawn(values).Picture
}

// drawn is the board, with the variables that are decided.
func (p *Puzzle) drawn(values []int) *squares.Picture {
	g, look := p.givens, p.game.look
	var walls []board.Edge
	for _, e := range g.size.Edges() {
		if g.room != nil && g.room[e.A] != g.room[e.B] {
			walls = append(walls, e)
		}
	}
	d := squares.NewPicture(g.size, func(c board.Cell) color.NRGBA { return p.ground(c) }, walls)
	for i, y := range g.layout.layers {
		y.paint(d, values[g.layout.first[i]:], look)
	}
	for c, k := range g.clue {
		at := d.At(board.Cell(c))
		if k.kind != noClue {
			look[ofClues].paint(d, at)
		}
		if text := k.text(); text != "" && (k.kind != namedClue || !look[k.name].paint(d, at)) {
			d.Label(at, 0.4, text, solvers.OnColour(p.ground(board.Cell(c))))
		}
	}
	for _, name := range sortedKeys(g.sign) {
		for _, e := range g.sign[name] {
			a, b := d.At(e.A), d.At(e.B)
			at := [2]float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}
			d.Disc(at, 0.17, solvers.Paper) // on the line between the cells
			if !look[name].paint(d, at) {
				d.Label(at, 0.25, name[:1], grey)
			}
		}
	}
	return d
}

// ground is the colour of a cell as it is given.
func (p *Puzzle) ground(c board.Cell) color.NRGBA {
	k := p.givens.clue[c]
	for _, name := range []string{k.name, ofClues} {
		if f := p.game.look[name]; f != nil && f.ground && k.kind != noClue {
			return f.colour
		}
	}
	if p.givens.colour != nil && p.givens.colour[c] == 1 {
		return color.NRGBA{200, 203, 210, 255}
	}
	return paper
}

// paint draws a figure around a place. It reports false where there is none, or it is the ground.
func (f *figure) paint(d *squares.Picture, at [2]float64) bool {
	if f == nil || f.ground {
		return false
	}
	f.parts(at[0], at[1], 1, func(area [][2]float64) { d.Polygon(f.colour, area...) }, func(line [][2]float64) { d.Line(f.width, f.colour, line...) })
	return true
}

// text is a clue on a picture.
func (c clue) text() string {
	switch c.kind {
	case numberClue:
		return strconv.Itoa(c.number)
	case namedClue:
		return c.name[:1]
	case listClue:
		return strings.ReplaceAll(c.list, "0", anyNumber)
	case arrowClue:
		text := ""
		if c.way >= 0 {
			text = string([]rune("↑→↓←")[c.way])
		}
		if c.number >= 0 {
			text = strconv.Itoa(c.number) + text
		}
		return cmp.Or(text, "o")
	}
	return ""
}

// paint draws a layer.
func (l *layer) paint(d *squares.Picture, values []int, look map[string]*figure) {
	for c := range board.Cell(d.Size.Cells()) {
		at := d.At(c)
		if l.kind >= lineLayer {
			for way := range ways {
				i := l.side(d.Size, c, way)
				if i < 0 || values[i] < 1 {
					continue
				}
				down, across := board.Dir(way).Step()
				y, x := float64(down)/2, float64(across)/2
				if l.kind == lineLayer {
					d.Line(0.12, blue, at, [2]float64{at[0] + x, at[1] + y})
				} else {
					d.Line(0.12, blue, [2]float64{at[0] + x - y, at[1] + y - x}, [2]float64{at[0] + x + y, at[1] + y + x})
				}
			}
			continue
		}
		switch v := values[c]; {
		case v < 0 || l.kind != numbersLayer && l.rune(v) == nothing:
		case l.kind == numbersLayer:
			d.Label(at, 0.5, strconv.Itoa(v), blue)
		case look[string(l.marks[v])] != nil && look[string(l.marks[v])].ground:
			d.Polygon(look[string(l.marks[v])].colour, [2]float64{at[0] - .5, at[1] - .5}, [2]float64{at[0] + .5, at[1] - .5}, [2]float64{at[0] + .5, at[1] + .5}, [2]float64{at[0] - .5, at[1] + .5})
		case look[string(l.marks[v])].paint(d, at):
		default:
			d.End(at, string(l.marks[v]), blue)
		}
	}
}

// Scene is the board before and after the solution.
func (s *Solution) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// Animation is the whole solution.
func (s *Solution) Animation() []string { return []string{s.String()} }

// Tints are none.
func (s *Solution) Tints() map[rune]color.NRGBA { return nil }
