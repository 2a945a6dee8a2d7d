package sabr

import "slices"

// A pattern is a rule list with its names looked up, for one object and the
// lists of symbols that its cells hold.
type pattern struct {
	places    []placeRule
	variables []patternVariable
}

// placeRule is the rule for one cell. A symbol s fits if allowed[s], or if it
// is the value of a variable in same, or differs from that of one in other.
// All of that must hold besides the cell being equal to the variable in equal.
type placeRule struct {
	list     int // of symbols, of the cell
	symbols  int // the number of symbols of the list
	anything bool
	equal    int // a variable, or -1
	allowed  []bool
	choices  int // the number of symbols allowed
	same     []int
	other    []int
}

// patternVariable is a variable of a rule list.
type patternVariable struct {
	symbols int // the number of symbols of its list
	// place is where the cell is equal to the variable, whatever else holds;
	// -1 if there is no such place.
	place int
}

// patternCost is the approximate size of a pattern of these rules in bytes, which
// is also the number of steps that it takes to make.
func (p *Program) patternCost(rules []rule, lists []int) int {
	cost := 0
	for i, r := range rules {
		cost += placeCost + len(r.atoms)
		if !r.anything {
			cost += len(p.lists[lists[i]].symbols)
		}
	}
	return cost
}

// placeCost is the size of a placeRule.
const placeCost = 128

// newPattern looks up the names of rules for cells that hold these lists.
func (p *Program) newPattern(rules []rule, lists []int) *pattern {
	t := &pattern{places: make([]placeRule, len(rules))}
	ids := map[string]int{}
	for i, r := range rules {
		n := len(p.lists[lists[i]].symbols)
		variable := func(name string) int { return t.variable(ids, name, n) }
		place := &t.places[i]
		*place = placeRule{list: lists[i], symbols: n, equal: -1, anything: r.anything}
		if r.anything {
			continue
		}
		if r.variable.text != "" {
			place.equal = variable(r.variable.text)
		}
		place.allowed = make([]bool, n)
		p.addAtoms(place, r.atoms, variable)
		for _, allowed := range place.allowed {
			if allowed {
				place.choices++
			}
		}
		if v := place.equal; v >= 0 && t.variables[v].place < 0 {
			t.variables[v].place = i
		}
	}
	return t
}

// variable is the index of the variable with a name, which is new when ids does
// not have it: it then has the symbols of the list of its first place.
func (t *pattern) variable(ids map[string]int, name string, symbols int) int {
	id, ok := ids[name]
	if !ok {
		id = len(t.variables)
		ids[name] = id
		t.variables = append(t.variables, patternVariable{symbols, -1})
	}
	return id
}

// addAtoms adds the atoms of a rule to its place, each once. A name that is no
// symbol is a variable.
func (p *Program) addAtoms(place *placeRule, atoms []atom, variable func(name string) int) {
	written := map[atom]bool{}
	except := -1 // the symbol that is not allowed when all others are
	for _, a := range atoms {
		s, isSymbol := p.symbols[a.name.text]
		same := atom{a.negated, word{text: a.name.text}}
		if written[same] {
			continue
		}
		written[same] = true
		ours := isSymbol && s.list == place.list
		switch {
		case isSymbol && !a.negated:
			if ours {
				place.allowed[s.index] = true
			}
		case isSymbol && except < 0 && ours:
			except = s.index
		case isSymbol:
			if except < 0 || !ours || except != s.index {
				except = place.symbols // !a or !b is anything
			}
		case a.negated:
			place.other = append(place.other, variable(a.name.text))
		case len(atoms) == 1 && place.equal < 0:
			place.equal = variable(a.name.text)
			place.allowAllBut(-1)
		default:
			place.same = append(place.same, variable(a.name.text))
		}
	}
	if except >= 0 {
		place.allowAllBut(except)
	}
}

// allowAllBut allows all symbols but one, which stays as it is.
func (r *placeRule) allowAllBut(except int) {
	for s := range r.allowed {
		r.allowed[s] = r.allowed[s] || s != except
	}
}

// A box is a set of symbols for each place; the symbols of a place are chosen
// independently of those of others.
type box [][]bool

// boxCount is the number of boxes to try, one for each choice of values of the
// variables. ok is false if there are more than limit.
func (t *pattern) boxCount(limit int) (total int, ok bool) {
	total = 1
	for _, v := range t.variables {
		if total *= v.symbols; total > limit {
			return 0, false
		}
	}
	return total, total <= limit
}

// boxes are the boxes whose union is all that fits the pattern, without empty
// ones. total is their number with those, from boxCount.
func (t *pattern) boxes(total int) (list []box) {
	values := make([]int, len(t.variables))
	for range total {
		if b := t.box(values); b != nil {
			list = append(list, b)
		}
		for i := range values {
			if values[i]++; values[i] < t.variables[i].symbols {
				break
			}
			values[i] = 0
		}
	}
	return list
}

// box holds the symbols that fit when the variables have these values; it is nil
// if no board does.
func (t *pattern) box(values []int) box {
	b := make(box, len(t.places))
	for i := range t.places {
		place := &t.places[i]
		b[i] = make([]bool, place.symbols)
		for s := range b[i] {
			b[i][s] = place.fits(s, values)
		}
		if !slices.Contains(b[i], true) {
			return nil
		}
	}
	return b
}

// fits reports whether a symbol fits the place when the variables have these
// values.
func (r *placeRule) fits(s int, values []int) bool {
	if r.anything {
		return true
	}
	if r.equal >= 0 && values[r.equal] != s {
		return false
	}
	if r.allowed[s] {
		return true
	}
	for _, v := range r.same {
		if values[v] == s {
			return true
		}
	}
	for _, v := range r.other {
		if values[v] != s {
			return true
		}
	}
	return false
}
