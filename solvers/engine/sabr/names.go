package sabr

import (
	"fmt"
	"slices"
)

// mostPlaced is the most rules that are checked where they lie, counted once
// for each cell and each kind of place. It is about a second's work and a hundred
// times more than large programs need.
const mostPlaced = 5_000_000

// checkNames finds out, once everything is read, which names are variables. It
// refuses a variable in which two lists of symbols meet, and collects warnings.
func (p *Program) checkNames() error {
	places := make([][]occurrence, len(p.objects)+1) // by object, the Board last
	for object := range p.objects {
		places[object] = p.kindsOf(p.occurrences(object))
	}
	places[len(p.objects)] = p.whole
	placed := 0
	check := func(object int, rules []rule) error {
		p.warnLonely(rules)
		if object == theBoard {
			object = len(p.objects)
		}
		for _, o := range places[object] {
			if placed += len(rules); placed > mostPlaced {
				return p.fault(rules[0].at, "the program has more than %d rules on cells, counting them for each DesObj with other lists of symbols", mostPlaced)
			}
			cells := o.cells
			if len(rules) == 2*len(cells) {
				cells = slices.Concat(cells, cells)
			}
			if err := p.checkVariables(rules, cells); err != nil {
				return err
			}
		}
		return nil
	}
	type list struct {
		object int
		rules  []rule
	}
	lists := []list{{theBoard, p.start}, {theBoard, p.end}}
	for _, r := range slices.Concat(p.requires, p.options) {
		lists = append(lists, list{r.object, r.rules})
	}
	for _, t := range p.steps {
		lists = append(lists, list{t.object, slices.Concat(t.before, t.after)})
	}
	for _, l := range lists {
		if l.rules == nil {
			continue
		}
		if err := check(l.object, l.rules); err != nil {
			return err
		}
	}
	slices.SortStableFunc(p.warnings, func(a, b *Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	p.warnings = slices.CompactFunc(p.warnings, func(a, b *Error) bool { return a.Line == b.Line && a.Column == b.Column })
	return nil
}

// kindsOf keeps one occurrence, the first, of those whose cells hold the same lists
// of symbols in the same order: names mean the same on all of them.
func (p *Program) kindsOf(list []occurrence) []occurrence {
	var kinds []occurrence
	seen := map[string]bool{}
	for _, o := range list {
		if key := numbersKey(p.listsOf(o.cells)); !seen[key] {
			seen[key] = true
			kinds = append(kinds, o)
		}
	}
	return kinds
}

func (p *Program) fault(w word, format string, a ...any) *Error {
	return &Error{p.file, w.line, w.column, w.text, fmt.Sprintf(format, a...)}
}

// variablesOf are the names in a rule that are not symbols.
func (p *Program) variablesOf(r rule) []word {
	var names []word
	if r.variable.text != "" {
		names = append(names, r.variable)
	}
	for _, a := range r.atoms {
		if _, ok := p.symbols[a.name.text]; !ok {
			names = append(names, a.name)
		}
	}
	return names
}

// warnLonely warns of variables that stand in one place only.
func (p *Program) warnLonely(rules []rule) {
	count := map[string]int{}
	for _, r := range rules {
		for _, v := range p.variablesOf(r) {
			count[v.text]++
		}
	}
	for _, r := range rules {
		for _, v := range p.variablesOf(r) {
			if count[v.text] == 1 && r.variable.text != v.text {
				p.warnings = append(p.warnings, p.fault(v, "%s is no symbol, and as a variable it stands in one place only", v.quoted()))
			}
		}
	}
}

// checkVariables wants each variable to stand for symbols of one list when the
// rules lie on these cells.
func (p *Program) checkVariables(rules []rule, cells []int) error {
	type origin struct{ list, cell int }
	first := map[string]origin{}
	for i, r := range rules {
		here := p.board[cells[i]]
		for _, v := range p.variablesOf(r) {
			o, ok := first[v.text]
			if !ok {
				first[v.text] = origin{here.list, cells[i]}
			} else if o.list != here.list {
				return p.fault(v, "two lists of symbols meet in the variable %s: cell %s holds %s, cell %s holds %s", v.quoted(),
					p.board[o.cell].name.text, p.listName(o.list), here.name.text, p.listName(here.list))
			}
		}
		for _, a := range r.atoms {
			s, ok := p.symbols[a.name.text]
			if !ok || s.list == here.list {
				continue
			}
			if r.variable.text != "" {
				return p.fault(a.name, "two lists of symbols meet in the variable %q: cell %s holds %s, %s is one of %s", r.variable.text,
					here.name.text, p.listName(here.list), a.name.quoted(), p.listName(s.list))
			}
			if len(r.atoms) == 1 && !a.negated {
				p.warnings = append(p.warnings, p.fault(a.name, "the cell %s can never hold %s: it holds %s",
					here.name.text, a.name.quoted(), p.listName(here.list)))
			}
		}
	}
	return nil
}

// listName names a list of symbols in words.
func (p *Program) listName(list int) string {
	if name := p.lists[list].name.text; name != "" {
		return "the symbols " + name
	}
	return "the symbols without a name"
}
