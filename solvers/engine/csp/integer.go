package csp

import "fmt"

// IntVar is an integer variable with finitely many values. It belongs to the
// Model that made it.
type IntVar int32

// intData describes lo <= x <= hi. atLeast[i] is the literal [x >= lo+1+i];
// equal[i] is [x = lo+i], made when first asked for.
type intData struct {
	lo, hi  int
	atLeast []BoolVar
	equal   []BoolVar
}

// NewIntVar returns a new integer variable with lo <= x <= hi. It costs one
// Boolean variable per value. An empty range makes the model infeasible.
func (m *Model) NewIntVar(lo, hi int) IntVar {
	if hi < lo {
		m.AddClause()
		hi = lo
	}
	d := intData{lo: lo, hi: hi, atLeast: m.NewBoolVars(hi - lo)}
	for i := 1; i < len(d.atLeast); i++ {
		m.AddImplication(d.atLeast[i], d.atLeast[i-1])
	}
	m.ints = append(m.ints, d)
	return IntVar(len(m.ints) - 1)
}

// Bounds returns the range x was made with.
func (m *Model) Bounds(x IntVar) (lo, hi int) { return m.ints[x].lo, m.ints[x].hi }

// AtLeast returns the literal that is true when x >= v.
func (m *Model) AtLeast(x IntVar, v int) BoolVar {
	d := &m.ints[x]
	switch {
	case v <= d.lo:
		return m.True()
	case v > d.hi:
		return m.False()
	}
	return d.atLeast[v-d.lo-1]
}

// AtMost returns the literal that is true when x <= v.
func (m *Model) AtMost(x IntVar, v int) BoolVar { return m.AtLeast(x, v+1).Not() }

// Equal returns the literal that is true when x = v.
func (m *Model) Equal(x IntVar, v int) BoolVar {
	d := &m.ints[x]
	switch {
	case v < d.lo || v > d.hi:
		return m.False()
	case v == d.lo:
		return m.AtMost(x, v)
	case v == d.hi:
		return m.AtLeast(x, v)
	}
	if d.equal == nil {
		d.equal = make([]BoolVar, d.hi-d.lo+1)
		for i := range d.equal {
			d.equal[i] = noVar
		}
	}
	if b := d.equal[v-d.lo]; b != noVar {
		return b
	}
	b := m.NewBoolVar()
	d.equal[v-d.lo] = b
	low, high := m.AtLeast(x, v), m.AtMost(x, v)
	m.AddImplication(b, low)
	m.AddImplication(b, high)
	m.AddClause(b, low.Not(), high.Not())
	return b
}

// Literals returns Boolean literals that together determine x, for Enumerate.
func (m *Model) Literals(x IntVar) []BoolVar { return m.ints[x].atLeast }

// IntValue returns the value of x in the solution found last.
func (m *Model) IntValue(x IntVar) int {
	v := m.ints[x].lo
	for _, b := range m.ints[x].atLeast {
		if m.Value(b) {
			v++
		}
	}
	return v
}

// AddAllowedAssignments requires the values of vars to form one of the tuples
// (a table constraint). Each tuple has one value for each variable. It
// propagates to domain consistency.
func (m *Model) AddAllowedAssignments(vars []IntVar, tuples [][]int) error {
	for i, t := range tuples {
		if len(t) != len(vars) {
			return fmt.Errorf("csp: tuple %d has %d values, expected %d", i, len(t), len(vars))
		}
	}
	chosen := m.NewBoolVars(len(tuples))
	m.AddExactlyOne(chosen...)
	for i, x := range vars {
		support := map[int][]BoolVar{}
		for k, t := range tuples {
			b := m.Equal(x, t[i])
			m.AddImplication(chosen[k], b)
			support[t[i]] = append(support[t[i]], chosen[k])
		}
		lo, hi := m.Bounds(x)
		for v := lo; v <= hi; v++ {
			m.AddClause(append(support[v], m.Equal(x, v).Not())...)
		}
	}
	return nil
}

// AddForbiddenAssignments requires the values of vars to form none of the
// tuples.
func (m *Model) AddForbiddenAssignments(vars []IntVar, tuples [][]int) error {
	for i, t := range tuples {
		if len(t) != len(vars) {
			return fmt.Errorf("csp: tuple %d has %d values, expected %d", i, len(t), len(vars))
		}
		clause := make([]BoolVar, 0, len(t))
		for k, x := range vars {
			clause = append(clause, m.Equal(x, t[k]).Not())
		}
		m.AddClause(clause...)
	}
	return nil
}

// AddAllDifferent requires the variables to have pairwise different values. When
// there are as many variables as values every value is taken.
func (m *Model) AddAllDifferent(vars ...IntVar) {
	if len(vars) == 0 {
		return
	}
	lo, hi := m.Bounds(vars[0])
	for _, x := range vars[1:] {
		l, h := m.Bounds(x)
		lo, hi = min(lo, l), max(hi, h)
	}
	var column []BoolVar
	spare := -len(vars) // values that need not be taken
	for v := lo; v <= hi; v++ {
		column = column[:0]
		for _, x := range vars {
			if b := m.Equal(x, v); b != m.False() {
				column = append(column, b)
			}
		}
		m.AddAtMostOne(column...)
		if len(column) > 0 {
			spare++
		}
	}
	if spare < 0 {
		m.AddClause()
	}
	if spare == 0 {
		for v := lo; v <= hi; v++ {
			column = column[:0]
			for _, x := range vars {
				if b := m.Equal(x, v); b != m.False() {
					column = append(column, b)
				}
			}
			if len(column) > 0 {
				m.AddClause(column...)
			}
		}
	}
}
