package described

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"tapwise/solvers/board"
)

// The rules that have code of their own in post.go and check.go.
type (
	allDifferent struct{ terms []*term }
	connected    struct{ f *field }
	noLoop       struct{ f *field }
	oneLoop      struct{ l *lines }
	joined       struct{ l *lines }
	// islands are the areas of a field: each holds exactly one of the seeds, and has as many
	// cells as it says, any number where size is 0.
	islands struct {
		f     *field
		seeds []seed
	}
	seed struct {
		at   board.Cell
		size int
	}
	// beams lead from the dots of some cells to others of them, see beamsWord.
	beams struct {
		l    *lines
		dots map[board.Cell]int // the way that the cell's beam starts
		most int                // turns that are told apart
	}
	// way is the only one between two cells of a field without loops.
	way struct {
		f        *field
		from, to board.Cell
	}
	// forms is true when the true terms, one for each cell, have a shape.
	forms struct {
		size  board.Size
		cells []board.Cell
		shape [][2]int // row and column of its squares
	}
)

func takeLines(a *arguments, kinds ...layerKind) (*lines, error) {
	l, err := take[*lines](a, "lines", "a layer of lines, such as b.line")
	if err == nil && !slices.Contains(kinds, l.layer.kind) {
		return nil, fmt.Errorf("lines: got %s, expected %v", l.layer.kind, kinds[0])
	}
	return l, err
}

func oneLoopWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	l, err := takeLines(a, lineLayer, fenceLayer)
	if err != nil {
		return nil, err
	}
	return global(&oneLoop{l}), nil
}

func joinedWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	l, err := takeLines(a, lineLayer, fenceLayer)
	if err != nil {
		return nil, err
	}
	return global(&joined{l}), nil
}

func areasWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	f, err := a.field(true)
	if err != nil {
		return nil, err
	}
	sizes, err := a.value("sizes")
	if err != nil {
		return nil, err
	}
	seeds, possible, err := seedsOf(sizes)
	if !possible || err != nil {
		return truth(false), err
	}
	return global(&islands{f, seeds}), nil
}

// seedsOf are the cells with the sizes of their areas. It reports false if no area has such a size.
func seedsOf(v starlark.Value) (seeds []seed, possible bool, err error) {
	sizes, ok := v.(*starlark.Dict)
	if !ok {
		return nil, false, fmt.Errorf("sizes: got %s, expected a dict of cells and the sizes of their areas, as in {c: c.clue for c in b.clues}", kindOf(v))
	}
	for _, item := range sizes.Items() {
		c, err := asCell(item[0])
		if err != nil {
			return nil, false, err
		}
		s := seed{at: c.at}
		if n, ok := item[1].(starlark.Int); ok {
			if s.size, ok = smallInt(n); !ok || s.size < 1 {
				return nil, false, nil
			}
		} else if item[1] != starlark.String(anyNumber) {
			return nil, false, fmt.Errorf("the size of the area of %s is %s, expected a number or %q", c, kindOf(item[1]), anyNumber)
		}
		seeds = append(seeds, s)
	}
	return seeds, true, nil
}

func smallInt(i starlark.Int) (int, bool) {
	n, ok := i.Int64()
	return int(n), ok && n >= -maxNumber && n <= maxNumber
}

// wayBetween is a field: the cells on the only way between two cells of a field that is
// connected and has no loop.
func wayBetween(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	f, err := a.field(true)
	if err != nil {
		return nil, err
	}
	from, err := a.cell("from")
	if err != nil {
		return nil, err
	}
	to, err := a.cell("to")
	if err != nil {
		return nil, err
	}
	w := &way{f, from.at, to.at}
	on := &field{b: f.b}
	for c := range f.at {
		t := condition(opWay)
		t.k, t.detail = c, w
		on.at = append(on.at, t)
	}
	return on, nil
}

// beamsWord makes beams of a dict of cells and the ways that their beams start: rule is kept
// when each beam leads to a side of another of the cells at which none starts, without
// meeting another; and turns is a field of how often the beam of a cell turns.
func beamsWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	l, err := takeLines(a, lineLayer)
	if err != nil {
		return nil, err
	}
	starts, err := take[*starlark.Dict](a, "starts", "a dict of cells and ways")
	if err != nil {
		return nil, err
	}
	most, err := a.number("most", 20)
	if err != nil {
		return nil, err
	}
	rule := &beams{l: l, dots: map[board.Cell]int{}, most: min(max(most, 0), 400)}
	for _, item := range starts.Items() {
		c, err := asCell(item[0])
		if err != nil || c == nil {
			return nil, fmt.Errorf("starts: got %s, expected cells", kindOf(item[0]))
		}
		if rule.dots[c.at], err = wayOf(item[1]); err != nil {
			return nil, err
		}
	}
	turns := &field{b: l.b}
	for c := range l.b.cells {
		t := constant(0)
		if _, ok := rule.dots[board.Cell(c)]; ok {
			t = &term{op: opBeam, k: c, hi: rule.most + 1, detail: rule}
		}
		turns.at = append(turns.at, t)
	}
	return starlark.Tuple{global(rule), turns}, nil
}

func formsWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	f, err := a.field(true)
	if err != nil {
		return nil, err
	}
	v, err := a.value("cells")
	if err != nil {
		return nil, err
	}
	cells, err := cellsOf(v)
	if err != nil {
		return nil, err
	}
	picture, err := a.text("shape", "")
	if err != nil {
		return nil, err
	}
	rule := &forms{size: f.b.givens.size}
	for y, row := range strings.FieldsFunc(picture, func(r rune) bool { return r == '/' || r == ' ' || r == '\n' }) {
		for x, r := range []rune(row) {
			if r == '#' {
				rule.shape = append(rule.shape, [2]int{y, x})
			}
		}
	}
	if len(rule.shape) == 0 || len(rule.shape) > 100 {
		return nil, fmt.Errorf("shape: got %q, expected rows of # and . with a / between them, such as \"##/#.\"", picture)
	}
	t := condition(opForms)
	t.detail = rule
	for _, c := range cells {
		if c != nil {
			rule.cells = append(rule.cells, c.at)
			t.args = append(t.args, f.of(c))
		}
	}
	return t, nil
}

// runsOf are the runs of a row of conditions around a place: their lengths can be compared.
type runsOf struct {
	value
	terms []*term
}

func (*runsOf) String() string { return "<runs>" }

// Type is "runs".
func (*runsOf) Type() string { return "runs" }

// maxRound bounds the places of runs.
const maxRound = 8

func runsWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	terms, err := a.terms(true)
	if err != nil {
		return nil, err
	}
	if len(terms) > maxRound {
		return nil, fmt.Errorf("%d places, expected at most %d", len(terms), maxRound)
	}
	return &runsOf{terms: terms}, nil
}

// are is the condition that the runs have the lengths of one of some lists, in any order;
// 0 stands for any length.
func (r *runsOf) are(lists starlark.Value) (*term, error) {
	var allowed [][]int
	err := each(lists, func(v starlark.Value) error {
		var lengths []int
		err := each(v, func(n starlark.Value) error {
			i, ok := n.(starlark.Int)
			if n == starlark.String(anyNumber) {
				lengths = append(lengths, 0)
				return nil
			}
			l, fits := smallInt(i)
			if !ok || !fits || l < 0 {
				return fmt.Errorf("length: got %s, expected a number or %q", kindOf(n), anyNumber)
			}
			if l > 0 {
				lengths = append(lengths, l)
			}
			return nil
		})
		allowed = append(allowed, lengths)
		return err
	})
	if err != nil {
		return nil, err
	}
	t := condition(opRuns, r.terms...)
	t.detail = allowed
	return t, nil
}
