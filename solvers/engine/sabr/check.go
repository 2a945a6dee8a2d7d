package sabr

import (
	"context"
	"slices"
	"strings"

	"tapwise/solvers"
)

// Check tests a printed result, in the form of Result.String, against every
// section of the program: each board against the rules for its stage, and each
// step. It shares nothing with Solve but the reading of programs. A broken rule is
// a *solvers.RuleError; Rule is the section and Detail says where. It does not
// check that there is no result with fewer stages.
func (p *Program) Check(printed string) error {
	return p.CheckContext(context.Background(), printed)
}

// CheckContext is Check with a context. It fails with the context's error when that
// is done first.
func (p *Program) CheckContext(ctx context.Context, printed string) error {
	err := checker{p, ctx}.check(printed)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// checker is a check under way. When its context is done it soon ends, with any
// outcome.
type checker struct {
	*Program
	ctx context.Context
}

func (p checker) stopped() bool { return p.ctx.Err() != nil }

func (p checker) check(printed string) error {
	boards, steps, err := p.readPrinted(printed)
	if err != nil {
		return err
	}
	if len(p.steps) == 0 && len(boards) != 1 {
		return solvers.Broken("stages", "%d stages, expected one: the program has no steps", len(boards))
	}
	for stage, board := range boards {
		if err := p.checkStage(stage, stage == len(boards)-1, board); err != nil {
			return err
		}
	}
	for stage, lines := range steps {
		if err := p.checkStep(stage, lines, boards[stage], boards[stage+1]); err != nil {
			return err
		}
	}
	return nil
}

// readPrinted reads boards, as symbols by cell, and the lines between them.
func (p *Program) readPrinted(printed string) (boards [][]string, steps [][]string, err error) {
	lines := strings.Split(printed, "\n")
	if lines[len(lines)-1] != "" {
		return nil, nil, solvers.Broken("print", "the last line %q does not end", lines[len(lines)-1])
	}
	lines = lines[:len(lines)-1]
	take := func() (string, bool) {
		if len(lines) == 0 {
			return "", false
		}
		line := lines[0]
		lines = lines[1:]
		return line, true
	}
	for {
		board := make([]string, len(p.board))
		for _, items := range p.layout {
			line, _ := take()
			words := strings.Split(line, " ")
			// A blank after each word makes an empty one at the end.
			if len(words) != len(items)+1 || words[len(items)] != "" {
				return nil, nil, solvers.Broken("print", "stage %d has a line %q, expected %d words with a blank after each", len(boards), line, len(items))
			}
			for i, item := range items {
				switch {
				case item.dots == "":
					board[item.cell] = words[i]
				case item.dots != words[i]:
					return nil, nil, solvers.Broken("print", "stage %d has %q in the line %q, expected %q", len(boards), words[i], line, item.dots)
				}
			}
		}
		boards = append(boards, board)
		if line, ok := take(); !ok || line != "" {
			return nil, nil, solvers.Broken("print", "after stage %d comes the line %q, expected a blank one", len(boards)-1, line)
		}
		if len(lines) == 0 {
			return boards, steps, nil
		}
		// The lines of a board end with a blank, those of steps do not.
		var taken []string
		for len(lines) > 0 && !strings.HasSuffix(lines[0], " ") {
			line, _ := take()
			taken = append(taken, line)
		}
		if n := len(taken); n < 2 || taken[n-1] != "" {
			return nil, nil, solvers.Broken("print", "after stage %d come the lines %q, expected steps and a blank line", len(boards)-1, taken)
		}
		steps = append(steps, taken[:len(taken)-1])
	}
}

// checkStage tests the board of a stage against the sections on boards.
func (p checker) checkStage(stage int, last bool, board []string) error {
	if err := p.checkSymbols(stage, board); err != nil {
		return err
	}
	all := make([]int, len(board))
	for c := range all {
		all[c] = c
	}
	if stage == 0 && p.start != nil && !p.matches(p.start, all, board) {
		return solvers.Broken(wordStart, "stage %d does not fit", stage)
	}
	if last && p.end != nil && !p.matches(p.end, all, board) {
		return solvers.Broken(wordEnd, "stage %d does not fit", stage)
	}
	for _, check := range []func(stage int, board []string) error{p.checkRequires, p.checkOptions, p.checkDiffers} {
		if err := check(stage, board); err != nil {
			return err
		}
	}
	return nil
}

// checkSymbols wants each cell to hold a symbol of its list.
func (p checker) checkSymbols(stage int, board []string) error {
	for c, s := range board {
		list := p.lists[p.board[c].list]
		if !slices.ContainsFunc(list.symbols, func(w word) bool { return w.text == s }) {
			return solvers.Broken(wordSym, "stage %d: cell %s holds %q, which its list of symbols has not", stage, p.board[c].name.text, s)
		}
	}
	return nil
}

// failing returns the cells of the first place of an object that fails. When the
// check is stopped it may return any place.
func (p checker) failing(object int, fails func(cells []int) bool) (cells []int, ok bool) {
	if object == theBoard {
		all := make([]int, len(p.board))
		for c := range all {
			all[c] = c
		}
		return all, fails(all)
	}
	for _, in := range p.instances {
		if in.object == object && (fails(in.cells) || p.stopped()) {
			return in.cells, true
		}
	}
	return nil, false
}

// about reports whether a section of this span is about a stage.
func (p checker) about(s span, stage int) bool { return s.first <= stage && stage <= s.last }

// checkRequires tests the sections Req.
func (p checker) checkRequires(stage int, board []string) error {
	for i, r := range p.requires {
		if !p.about(r.span, stage) {
			continue
		}
		if cells, bad := p.failing(r.object, func(cells []int) bool { return !p.matches(r.rules, cells, board) }); bad {
			return solvers.Broken(wordReq, "stage %d: section Req number %d does not hold on %s", stage, i+1, p.describe(cells, board))
		}
	}
	return nil
}

// checkOptions tests the sections Opt. Those of one object and one name are a
// group, of which one has to fit each place.
func (p checker) checkOptions(stage int, board []string) error {
	for i, first := range p.options {
		if p.stopped() {
			return nil
		}
		isGroup := func(o require) bool { return o.object == first.object && o.name == first.name }
		if slices.IndexFunc(p.options, isGroup) != i {
			continue
		}
		var group []require
		for _, o := range p.options {
			if isGroup(o) && p.about(o.span, stage) {
				group = append(group, o)
			}
		}
		if len(group) == 0 {
			continue
		}
		cells, bad := p.failing(first.object, func(cells []int) bool {
			return !slices.ContainsFunc(group, func(o require) bool { return p.matches(o.rules, cells, board) })
		})
		if bad {
			return solvers.Broken(wordOpt, "stage %d: none of the %d Opt %q fits %s", stage, len(group), first.name, p.describe(cells, board))
		}
	}
	return nil
}

// checkDiffers tests the sections AllDif.
func (p checker) checkDiffers(stage int, board []string) error {
	for i, d := range p.differs {
		if !p.about(d.span, stage) {
			continue
		}
		for k, a := range d.cells {
			if p.stopped() {
				return nil
			}
			for _, b := range d.cells[:k] {
				if board[a] == board[b] {
					return solvers.Broken(wordAllDif, "stage %d: section AllDif number %d has equal cells %s", stage, i+1, p.describe([]int{b, a}, board))
				}
			}
		}
	}
	return nil
}

func (p checker) describe(cells []int, board []string) string {
	var list []string
	for _, c := range cells {
		list = append(list, p.board[c].name.text+"="+board[c])
	}
	return strings.Join(list, " ")
}

// possible is a step that fits two boards: a section, by its place among the
// steps, on an instance, and the cells it may change.
type possible struct {
	section      int
	instance     int
	simultaneous bool
	cells        []int
}

func (p checker) checkStep(stage int, lines []string, before, after []string) error {
	fitting := make([][]possible, len(lines))
	for i, line := range lines {
		known := false
		consider := func(section, instance int, label string, cells []int) {
			t := p.steps[section]
			if p.stopped() {
				return
			}
			text := strings.TrimSpace(t.name + " " + label)
			if text != line || !p.about(t.span, stage) {
				return
			}
			known = true
			var places []int
			places = append(append(places, cells...), cells...)
			values := make([]string, 0, len(places))
			for _, c := range cells {
				values = append(values, before[c])
			}
			for _, c := range cells {
				values = append(values, after[c])
			}
			var rules []rule
			rules = append(append(rules, t.before...), t.after...)
			if p.satisfiable(rules, places, values) {
				fitting[i] = append(fitting[i], possible{section, instance, t.simultaneous, cells})
			}
		}
		for k, t := range p.steps {
			if t.object == theBoard {
				var cells []int
				for c := range p.board {
					cells = append(cells, c)
				}
				consider(k, 0, "", cells)
				continue
			}
			for n, in := range p.instances {
				if in.object == t.object {
					consider(k, n, in.label, in.cells)
				}
			}
		}
		switch {
		case !known:
			return solvers.Broken(wordTrans, "step %d: no section makes %q at this stage", stage, line)
		case len(fitting[i]) == 0:
			return solvers.Broken(wordTrans, "step %d: %q does not fit the boards before and after it", stage, line)
		}
	}
	changed := map[int]bool{}
	for c := range before {
		if before[c] != after[c] {
			changed[c] = true
		}
	}
	if !p.explained(fitting, nil, changed) {
		return solvers.Broken(wordTrans, "step %d: %q do not explain all that changed, or may not be taken together", stage, lines)
	}
	return nil
}

// explained reports whether one possible step can be chosen for each line, no
// step twice, such that they may be taken together and touch all changed cells.
func (p checker) explained(fitting [][]possible, chosen []possible, changed map[int]bool) bool {
	if p.stopped() {
		return true
	}
	if len(fitting) == 0 {
		touched := map[int]bool{}
		for _, step := range chosen {
			if !step.simultaneous && len(chosen) > 1 {
				return false
			}
			for _, c := range step.cells {
				touched[c] = true
			}
		}
		for c := range changed {
			if !touched[c] {
				return false
			}
		}
		return true
	}
	for _, step := range fitting[0] {
		twice := slices.ContainsFunc(chosen, func(other possible) bool { return other.section == step.section && other.instance == step.instance })
		if !twice && p.explained(fitting[1:], append(chosen, step), changed) {
			return true
		}
	}
	return false
}

// matches reports whether a board fits rules for these cells.
func (p checker) matches(rules []rule, cells []int, board []string) bool {
	values := make([]string, len(cells))
	for i, c := range cells {
		values[i] = board[c]
	}
	return p.satisfiable(rules, cells, values)
}

// satisfiable reports whether there are values for the variables such that each
// rule fits the symbol in its place.
func (p checker) satisfiable(rules []rule, cells []int, symbols []string) bool {
	isSymbol := func(name string) bool {
		_, ok := p.symbols[name]
		return ok
	}
	binding := map[string]string{}
	candidates := map[string][]word{} // of variables that no place fixes
	var open []string
	for i, r := range rules {
		name := r.variable.text
		if name == "" && len(r.atoms) == 1 && !r.atoms[0].negated && !isSymbol(r.atoms[0].name.text) {
			name = r.atoms[0].name.text
		}
		if name == "" {
			continue
		}
		if value, ok := binding[name]; ok && value != symbols[i] {
			return false
		}
		binding[name] = symbols[i]
	}
	for i, r := range rules {
		for _, a := range r.atoms {
			name := a.name.text
			if isSymbol(name) || binding[name] != "" || candidates[name] != nil {
				continue
			}
			open = append(open, name)
			candidates[name] = p.lists[p.board[cells[i]].list].symbols
		}
	}
	holds := func(r rule, symbol string) bool {
		if r.anything {
			return true
		}
		for _, a := range r.atoms {
			value := a.name.text
			if !isSymbol(value) {
				if value = binding[value]; value == "" {
					return true // not decided yet
				}
			}
			if (value == symbol) != a.negated {
				return true
			}
		}
		return false
	}
	var search func(next int) bool
	search = func(next int) bool {
		if p.stopped() {
			return true
		}
		for i, r := range rules {
			if !holds(r, symbols[i]) {
				return false
			}
		}
		if next == len(open) {
			return true
		}
		for _, w := range candidates[open[next]] {
			binding[open[next]] = w.text
			if search(next + 1) {
				return true
			}
		}
		delete(binding, open[next])
		return false
	}
	return search(0)
}
