package described

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// arguments are those of a call of a word, taken by name or place.
type arguments struct {
	word   string
	args   starlark.Tuple
	kwargs []starlark.Tuple
	used   int
}

// word makes a word of the language. What it makes costs steps, as what Starlark makes does.
func word(name string, f func(*starlark.Thread, *arguments) (starlark.Value, error)) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		a := &arguments{word: name, args: args, kwargs: kwargs}
		v, err := f(thread, a)
		if err == nil && (a.used < len(args) || len(a.kwargs) > 0) {
			err = fmt.Errorf("more arguments than expected")
			if len(a.kwargs) > 0 {
				err = fmt.Errorf("no argument is called %v", a.kwargs[0][0])
			}
		}
		if err != nil {
			if _, ok := err.(*starlark.EvalError); ok {
				return nil, err
			}
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := charge(thread, v); err != nil {
			return nil, err
		}
		return v, nil
	})
}

// keyword is an argument that is given by name only.
func (a *arguments) keyword(name string) starlark.Value {
	for i, kw := range a.kwargs {
		if string(kw[0].(starlark.String)) == name {
			a.kwargs = slices.Delete(slices.Clone(a.kwargs), i, i+1)
			return kw[1]
		}
	}
	return nil
}

// optional is the argument of a name, or else the next by place; nil when there is none.
func (a *arguments) optional(name string) starlark.Value {
	if v := a.keyword(name); v != nil {
		return v
	}
	if a.used < len(a.args) {
		a.used++
		return a.args[a.used-1]
	}
	return nil
}

func (a *arguments) value(name string) (starlark.Value, error) {
	if v := a.optional(name); v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("the argument %s is missing", name)
}

func (a *arguments) way(name string) (int, error) {
	v, err := a.value(name)
	if err != nil {
		return 0, err
	}
	return wayOf(v)
}

func take[V starlark.Value](a *arguments, name, expected string) (v V, err error) {
	got, err := a.value(name)
	if err != nil {
		return v, err
	}
	v, ok := got.(V)
	if !ok {
		return v, fmt.Errorf("%s: got %s, expected %s%s", name, kindOf(got), expected, likelyField(got))
	}
	return v, nil
}

func (a *arguments) field(conditions bool) (*field, error) {
	f, err := take[*field](a, "field", "a field, such as b.shaded")
	if err == nil && conditions && !f.at[0].boolean {
		return nil, fmt.Errorf("field: got a field of numbers, expected one of conditions")
	}
	return f, err
}

func (a *arguments) cell(name string) (*cell, error) {
	return take[*cell](a, name, "a cell")
}

func (a *arguments) number(name string, usual int) (int, error) {
	v := a.optional(name)
	if v == nil {
		return usual, nil
	}
	i, ok := v.(starlark.Int)
	n, fits := i.Int64()
	if !ok || !fits || n > maxNumber || n < -maxNumber {
		return 0, fmt.Errorf("%s: got %s, expected a number", name, kindOf(v))
	}
	return int(n), nil
}

func (a *arguments) text(name, usual string) (string, error) {
	v := a.optional(name)
	if v == nil {
		return usual, nil
	}
	s, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("%s: got %s, expected a string", name, kindOf(v))
	}
	return s, nil
}

// each goes through a list.
func each(v starlark.Value, visit func(starlark.Value) error) error {
	list, ok := v.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("got %s, expected a list", kindOf(v))
	}
	iterator := list.Iterate()
	defer iterator.Done()
	var x starlark.Value
	for iterator.Next(&x) {
		if err := visit(x); err != nil {
			return err
		}
	}
	return nil
}

func cellsOf(v starlark.Value) (cells []*cell, err error) {
	err = each(v, func(x starlark.Value) error {
		c, err := asCell(x)
		cells = append(cells, c)
		return err
	})
	return cells, err
}

// terms are those of a field in some cells, or those of a list; conditions says which kind
// is expected.
func (a *arguments) terms(conditions bool) ([]*term, error) {
	expected := map[bool]string{true: "a condition", false: "a number"}[conditions]
	v, err := a.value("field or list")
	if err != nil {
		return nil, err
	}
	var terms []*term
	if f, ok := v.(*field); ok {
		over := a.optional("cells")
		if over == nil {
			terms = f.at
		} else {
			cells, err := cellsOf(over)
			if err != nil {
				return nil, err
			}
			for _, c := range cells {
				terms = append(terms, f.of(c))
			}
		}
	} else if err := each(v, func(x starlark.Value) error {
		t, err := asTerm(x, nil)
		terms = append(terms, t)
		return err
	}); err != nil {
		return nil, err
	}
	for i, t := range terms {
		if conditions && !t.boolean {
			return nil, fmt.Errorf("item %d is a %s, expected %s", i+1, t.Type(), expected)
		}
	}
	return terms, nil
}

// aggregate is a word that makes a term of terms.
func aggregate(name string, conditions bool, make func([]*term) *term) *starlark.Builtin {
	return word(name, func(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
		terms, err := a.terms(conditions)
		if err != nil {
			return nil, err
		}
		return make(terms), nil
	})
}

// globalRule is a rule about many cells with code of its own on either side: post tells it
// to the engine (in post.go), holds finds out whether a full board keeps it (in check.go).
type globalRule interface {
	post(p *poster)
	holds(e *evaluation) (where string, ok bool)
}

func global(rule globalRule) *term {
	return &term{op: opGlobal, boolean: true, hi: 1, detail: rule}
}

// fieldRule is a word that makes a rule of a field of conditions.
func fieldRule(name string, make func(*field) *term) *starlark.Builtin {
	return word(name, func(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
		f, err := a.field(true)
		if err != nil {
			return nil, err
		}
		return make(f), nil
	})
}

// words are those that rules may use.
func words() starlark.StringDict {
	d := starlark.StringDict{
		"ways":  starlark.Tuple{starlark.String("up"), starlark.String("right"), starlark.String("down"), starlark.String("left")},
		"count": aggregate("count", true, total), "total": aggregate("total", false, total),
		"some":          aggregate("some", true, func(t []*term) *term { return or(t...) }),
		"every":         aggregate("every", true, func(t []*term) *term { return and(t...) }),
		"none":          aggregate("none", true, func(t []*term) *term { return not(or(t...)) }),
		"all_different": aggregate("all_different", false, func(t []*term) *term { return global(&allDifferent{t}) }),
		"connected":     fieldRule("connected", func(f *field) *term { return global(&connected{f}) }),
		"no_loop":       fieldRule("no_loop", func(f *field) *term { return global(&noLoop{f}) }),
		"apart": fieldRule("apart", func(f *field) *term {
			var all []*term
			for _, e := range f.b.givens.size.Edges() {
				all = append(all, not(and(f.at[e.A], f.at[e.B])))
			}
			return and(all...)
		}),
		"no_block": word("no_block", noBlock), "implies": word("implies", implies), "sees": word("sees", sees),
		"areas": word("areas", areasWord), "one_loop": word("one_loop", oneLoopWord), "forms": word("forms", formsWord),
		"runs": word("runs", runsWord), "pairs": word("pairs", pairsWord), "way_between": word("way_between", wayBetween),
		"divided_into": word("divided_into", dividedInto), "twins": word("twins", twinsWord), "beams": word("beams", beamsWord), "joined": word("joined", joinedWord),
		"rectangles": shapeFamily(rectangles), "ells": shapeFamily(ells),
	}
	for name, v := range layerWords() {
		d[name] = v
	}
	return d
}

func noBlock(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	f, err := a.field(true)
	if err != nil {
		return nil, err
	}
	rows, err := a.number("rows", 2)
	if err != nil {
		return nil, err
	}
	cols, err := a.number("cols", 2)
	if err != nil {
		return nil, err
	}
	if rows < 1 || cols < 1 || rows*cols > 1000 {
		return nil, fmt.Errorf("a block of %d rows and %d columns, expected at least 1 of each", rows, cols)
	}
	var all []*term
	err = each(f.b.blocks(rows, cols), func(v starlark.Value) error {
		cells, err := cellsOf(v)
		var block []*term
		for _, c := range cells {
			block = append(block, f.of(c))
		}
		all = append(all, not(and(block...)))
		return err
	})
	return and(all...), err
}

func implies(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	var both [2]*term
	for i, name := range []string{"first", "then"} {
		v, err := a.value(name)
		if err != nil {
			return nil, err
		}
		if both[i], err = asTerm(v, nil); err != nil {
			return nil, err
		}
		if !both[i].boolean {
			return nil, fmt.Errorf("%s: got a number, expected a condition", name)
		}
	}
	return or(not(both[0]), both[1]), nil
}

// sees counts the cells of a field that can be seen from a cell, up to the first that is not
// of the field: in one direction or in all four. The cell itself is not counted.
func sees(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	f, err := a.field(true)
	if err != nil {
		return nil, err
	}
	from, err := a.cell("cell")
	if err != nil {
		return nil, err
	}
	directions := []int{0, 1, 2, 3}
	if v := a.optional("way"); v != nil {
		d, err := wayOf(v)
		if err != nil {
			return nil, err
		}
		directions = []int{d}
	}
	var seen []*term
	for _, d := range directions {
		so := truth(true)
		for c := from.beside(d); c != nil; c = c.beside(d) {
			if so = and(so, f.of(c)); so.op == opAnd {
				so.from = from
			}
			seen = append(seen, so)
		}
	}
	return total(seen), nil
}

// pairsWord lists the pairs of a list.
func pairsWord(thread *starlark.Thread, a *arguments) (starlark.Value, error) {
	v, err := a.value("list")
	if err != nil {
		return nil, err
	}
	var items, all []starlark.Value
	err = each(v, func(x starlark.Value) error {
		for _, y := range items {
			all = append(all, starlark.Tuple{y, x})
		}
		items = append(items, x)
		return spend(thread, 10*len(items))
	})
	return starlark.NewList(all), err
}

// layerWords are the words that say what a solution decides.
func layerWords() starlark.StringDict {
	d := starlark.StringDict{}
	for _, l := range []struct {
		word  string
		kind  layerKind
		name  string
		marks string
	}{
		{"shading", marksLayer, "shaded", ".#"}, {"marks", marksLayer, "", ""}, {"symbols", symbolsLayer, "symbol", ""},
		{"numbers", numbersLayer, "number", ""}, {"line", lineLayer, "line", ""}, {"fence", fenceLayer, "fence", ""}, {"walls", wallsLayer, "walls", ""},
	} {
		d[l.word] = word(l.word, func(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
			made := &layer{kind: l.kind, name: l.name}
			var err error
			if l.kind == marksLayer || l.kind == symbolsLayer {
				marks, err := a.text("marks", l.marks)
				if err != nil {
					return nil, err
				}
				made.marks = []rune(marks)
				if err := checkMarks(made); err != nil {
					return nil, err
				}
			}
			if l.kind == numbersLayer {
				if made.lo, err = a.number("least", 1); err != nil {
					return nil, err
				}
				if made.hi, err = a.number("most", 9); err != nil {
					return nil, err
				}
				if made.hi < made.lo || made.hi-made.lo > 1000 || made.lo < 0 {
					return nil, fmt.Errorf("numbers from %d to %d, expected the least and the most of at most 1000, from 0", made.lo, made.hi)
				}
			}
			if made.name, err = a.text("name", l.name); err != nil {
				return nil, err
			}
			if made.name == "" || slices.Contains(boardAttrs, made.name) {
				return nil, fmt.Errorf("name: got %q, expected one that the board does not have", made.name)
			}
			return made, nil
		})
	}
	return d
}

func checkMarks(l *layer) error {
	if n := len(l.marks); n < 2 || l.kind == marksLayer && n != 2 || n > 100 {
		return fmt.Errorf("marks: got %q, expected the character of an empty cell and then the others, such as \".L\"", string(l.marks))
	}
	for i, r := range l.marks {
		if slices.Index(l.marks, r) < i || strings.ContainsRune(" \n\t\r", r) || r < ' ' {
			return fmt.Errorf("marks: %q in %q, expected different characters that are no blanks", r, string(l.marks))
		}
	}
	return nil
}
