package csp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
)

// A sample is a small random model together with a checker that shares nothing
// with the engine: brute force over all assignments.
type sample struct {
	bools  int
	ranges [][2]int
	rules  []rule
	text   []string
}

// A rule adds itself to a model and judges an assignment.
type rule struct {
	add   func(m *Model, b []BoolVar, x []IntVar)
	check func(b []bool, x []int) bool
}

// lit picks a literal: index<<1 | negated.
func lit(r *rand.Rand, n int) int { return r.IntN(2 * n) }

func lits(r *rand.Rand, n, count int) []int {
	l := make([]int, count)
	for i := range l {
		l[i] = lit(r, n)
	}
	return l
}

func of(b []BoolVar, l []int) []BoolVar {
	out := make([]BoolVar, len(l))
	for i, k := range l {
		out[i] = b[k/2] ^ BoolVar(k&1)
	}
	return out
}

func truth(b []bool, k int) bool { return b[k/2] != (k&1 == 1) }

func count(b []bool, l []int) int {
	n := 0
	for _, k := range l {
		if truth(b, k) {
			n++
		}
	}
	return n
}

func newSample(r *rand.Rand) *sample {
	s := &sample{bools: 3 + r.IntN(6)}
	for range r.IntN(3) {
		lo := r.IntN(5) - 2
		s.ranges = append(s.ranges, [2]int{lo, lo + r.IntN(4)})
	}
	for range 1 + r.IntN(7) {
		s.addRule(r)
	}
	return s
}

// addRule adds a random rule. Rules on integers are drawn only where there are
// integers.
func (s *sample) addRule(r *rand.Rand) {
	kinds := []func(s *sample, r *rand.Rand) (string, rule){
		counting("or", 1, 4, (*Model).AddBoolOr, func(n int) bool { return n > 0 }),
		counting("or", 1, 4, (*Model).AddBoolOr, func(n int) bool { return n > 0 }),
		implicationRule,
		counting("exactly one", 2, 6, (*Model).AddExactlyOne, func(n int) bool { return n == 1 }),
		counting("at most one", 2, 6, (*Model).AddAtMostOne, func(n int) bool { return n <= 1 }),
		bounding("at most ", 2, 6, 0, 5, (*Model).AddAtMostK, func(n, k int) bool { return n <= k }),
		bounding("exactly ", 3, 5, 0, 4, (*Model).AddExactlyK, func(n, k int) bool { return n == k }),
		counting("xor", 1, 4, (*Model).AddBoolXor, func(n int) bool { return n%2 == 1 }),
		bounding("at least ", 2, 4, 1, 2, (*Model).AddAtLeastK, func(n, k int) bool { return n >= k }),
		linearRule, linearRule, allDifferentRule, tableRule, equalRule,
		circuitRule,
		pathsRule,
		connectedRule,
	}
	const firstOnIntegers, lastOnIntegers = 9, 13
	kind := r.IntN(len(kinds))
	if kind >= firstOnIntegers && kind <= lastOnIntegers && len(s.ranges) == 0 {
		kind = r.IntN(firstOnIntegers)
	}
	text, added := kinds[kind](s, r)
	s.text = append(s.text, text)
	s.rules = append(s.rules, added)
}

// counting makes rules on how many of least literals or more, of choices numbers
// of them, are true.
func counting(name string, least, choices int, add func(*Model, ...BoolVar), holds func(n int) bool) func(s *sample, r *rand.Rand) (string, rule) {
	return func(s *sample, r *rand.Rand) (string, rule) {
		l := lits(r, s.bools, least+r.IntN(choices))
		return fmt.Sprint(name, l), rule{
			func(m *Model, b []BoolVar, _ []IntVar) { add(m, of(b, l)...) },
			func(b []bool, _ []int) bool { return holds(count(b, l)) }}
	}
}

// bounding makes rules like counting that compare with one of bounds numbers from
// first on.
func bounding(name string, least, choices, first, bounds int, add func(*Model, int, ...BoolVar), holds func(n, k int) bool) func(s *sample, r *rand.Rand) (string, rule) {
	return func(s *sample, r *rand.Rand) (string, rule) {
		l := lits(r, s.bools, least+r.IntN(choices))
		k := first + r.IntN(bounds)
		return fmt.Sprint(name, k, l), rule{
			func(m *Model, b []BoolVar, _ []IntVar) { add(m, k, of(b, l)...) },
			func(b []bool, _ []int) bool { return holds(count(b, l), k) }}
	}
}

// implicationRule makes one literal imply another.
func implicationRule(s *sample, r *rand.Rand) (string, rule) {
	l := lits(r, s.bools, 2)
	return fmt.Sprint("implication", l), rule{
		func(m *Model, b []BoolVar, _ []IntVar) { q := of(b, l); m.AddImplication(q[0], q[1]) },
		func(b []bool, _ []int) bool { return !truth(b, l[0]) || truth(b, l[1]) }}
}

// linearRule is a linear constraint, at times with a condition.
func linearRule(s *sample, r *rand.Rand) (string, rule) {
	n := s.bools
	c := make([]int, n+len(s.ranges))
	for i := range c {
		c[i] = r.IntN(7) - 3
		if r.IntN(2) == 0 {
			c[i] = 0
		}
	}
	flip := r.IntN(n)
	lo := r.IntN(9) - 5
	hi := lo + r.IntN(4)
	if r.IntN(3) == 0 {
		lo = math.MinInt
	}
	condition := -1
	if r.IntN(3) == 0 {
		condition = lit(r, n)
	}
	return fmt.Sprint("linear ", c, lo, hi, " flip ", flip, " if ", condition), rule{
		func(m *Model, b []BoolVar, x []IntVar) {
			e := NewLinearExpr()
			for i, k := range c {
				switch {
				case i == flip:
					e.AddTerm(b[i].Not(), k)
				case i < n:
					e.AddTerm(b[i], k)
				default:
					e.AddTerm(x[i-n], k)
				}
			}
			if condition >= 0 {
				m.AddLinearConstraint(e, lo, hi, of(b, []int{condition})...)
				return
			}
			m.AddLinearConstraint(e, lo, hi)
		},
		func(b []bool, x []int) bool {
			sum := 0
			for i, k := range c {
				switch {
				case i < n:
					if b[i] != (i == flip) {
						sum += k
					}
				default:
					sum += k * x[i-n]
				}
			}
			return condition >= 0 && !truth(b, condition) || lo <= sum && sum <= hi
		}}
}

// allDifferentRule wants all integers to differ.
func allDifferentRule(s *sample, r *rand.Rand) (string, rule) {
	return "all different", rule{
		func(m *Model, _ []BoolVar, x []IntVar) { m.AddAllDifferent(x...) },
		func(_ []bool, x []int) bool {
			y := slices.Clone(x)
			sort.Ints(y)
			return len(slices.Compact(y)) == len(x)
		}}
}

// tableRule lists the allowed or forbidden assignments of all integers.
func tableRule(s *sample, r *rand.Rand) (string, rule) {
	var tuples [][]int
	for range r.IntN(6) {
		t := make([]int, len(s.ranges))
		for i := range t {
			t[i] = r.IntN(7) - 2
		}
		if !slices.ContainsFunc(tuples, func(o []int) bool { return slices.Equal(o, t) }) {
			tuples = append(tuples, t)
		}
	}
	allowed := r.IntN(2) == 0
	return fmt.Sprint("table ", allowed, tuples), rule{
		func(m *Model, _ []BoolVar, x []IntVar) {
			if allowed {
				m.AddAllowedAssignments(x, tuples)
			} else {
				m.AddForbiddenAssignments(x, tuples)
			}
		},
		func(_ []bool, x []int) bool {
			return slices.ContainsFunc(tuples, func(t []int) bool { return slices.Equal(t, x) }) == allowed
		}}
}

// equalRule makes a literal say that an integer has a value.
func equalRule(s *sample, r *rand.Rand) (string, rule) {
	n := s.bools
	i, v, k := r.IntN(len(s.ranges)), r.IntN(7)-2, lit(r, n)
	return fmt.Sprint("x", i, "=", v, " is ", k), rule{
		func(m *Model, b []BoolVar, x []IntVar) { m.AddEquivalence(m.Equal(x[i], v), of(b, []int{k})[0]) },
		func(b []bool, x []int) bool { return (x[i] == v) == truth(b, k) }}
}

// circuitRule is a circuit of a small graph.
func circuitRule(s *sample, r *rand.Rand) (string, rule) {
	n := s.bools
	nodes := 2 + r.IntN(3)
	var arcs [][3]int
	for range 2 + r.IntN(8) {
		arcs = append(arcs, [3]int{r.IntN(nodes), r.IntN(nodes), lit(r, n)})
	}
	return fmt.Sprint("circuit ", arcs), rule{
		func(m *Model, b []BoolVar, _ []IntVar) {
			var a []Arc
			for _, t := range arcs {
				a = append(a, Arc{t[0], t[1], of(b, []int{t[2]})[0]})
			}
			m.AddCircuit(a)
		},
		func(b []bool, _ []int) bool { return checkCircuit(b, arcs) }}
}

// connectedRule is connected nodes in a small graph, now and then twice the same node.
func connectedRule(s *sample, r *rand.Rand) (string, rule) {
	nodes := lits(r, s.bools, 1+r.IntN(7))
	var edges [][2]int
	for range r.IntN(10) {
		edges = append(edges, [2]int{r.IntN(len(nodes)), r.IntN(len(nodes))})
	}
	return fmt.Sprint("connected ", nodes, edges), rule{
		func(m *Model, b []BoolVar, _ []IntVar) {
			if err := m.AddConnected(of(b, nodes), edges); err != nil {
				panic(err)
			}
		},
		func(b []bool, _ []int) bool { return checkConnected(b, nodes, edges) }}
}

// checkConnected joins true nodes along edges until nothing changes.
func checkConnected(b []bool, nodes []int, edges [][2]int) bool {
	part := make([]int, len(nodes))
	for v := range part {
		part[v] = v
	}
	for range nodes {
		for _, e := range edges {
			if truth(b, nodes[e[0]]) && truth(b, nodes[e[1]]) {
				least := min(part[e[0]], part[e[1]])
				part[e[0]], part[e[1]] = least, least
			}
		}
	}
	parts := map[int]bool{}
	for v, l := range nodes {
		if truth(b, l) {
			parts[part[v]] = true
		}
	}
	return len(parts) <= 1
}

// pathsRule is paths in a small graph.
func pathsRule(s *sample, r *rand.Rand) (string, rule) {
	n := s.bools
	nodes := 3 + r.IntN(4)
	var edges [][3]int
	for range 2 + r.IntN(8) {
		u, v := r.IntN(nodes), r.IntN(nodes)
		if u != v {
			edges = append(edges, [3]int{u, v, lit(r, n)})
		}
	}
	order := r.Perm(nodes)
	var pairs [][2]int
	for i := 0; i < 1+r.IntN(nodes/2); i++ {
		pairs = append(pairs, [2]int{order[2*i], order[2*i+1]})
	}
	var optional []bool
	if r.IntN(2) == 0 {
		for range nodes {
			optional = append(optional, r.IntN(2) == 0)
		}
	}
	colors := r.IntN(2) == 0
	chordless := -1
	if colors && r.IntN(3) == 0 {
		chordless = lit(r, n)
	}
	return fmt.Sprint("paths ", nodes, edges, pairs, optional, colors, chordless), rule{
		func(m *Model, b []BoolVar, _ []IntVar) {
			p := Paths{Nodes: nodes, Pairs: pairs, Optional: optional, Colors: colors}
			for _, t := range edges {
				p.Edges = append(p.Edges, PathEdge{t[0], t[1], of(b, []int{t[2]})[0]})
			}
			p.Chordless = m.False()
			if chordless >= 0 {
				p.Chordless = of(b, []int{chordless})[0]
			}
			if _, err := m.AddPaths(p); err != nil {
				panic(err)
			}
		},
		func(b []bool, _ []int) bool {
			return checkPaths(b, nodes, edges, pairs, optional, chordless >= 0 && truth(b, chordless))
		}}
}

func checkCircuit(b []bool, arcs [][3]int) bool {
	next := map[int]int{}
	in := map[int]int{}
	nodes := map[int]bool{}
	for _, a := range arcs {
		nodes[a[0]], nodes[a[1]] = true, true
		if truth(b, a[2]) {
			if _, ok := next[a[0]]; ok {
				return false
			}
			next[a[0]] = a[1]
			in[a[1]]++
		}
	}
	start, visited := -1, 0
	for v := range nodes {
		w, ok := next[v]
		if !ok || in[v] != 1 {
			return false
		}
		if w != v {
			start = v
			visited++
		}
	}
	if start < 0 {
		return false
	}
	v := start
	for {
		visited--
		v = next[v]
		if v == start {
			return visited == 0
		}
	}
}

func checkPaths(b []bool, nodes int, edges [][3]int, pairs [][2]int, optional []bool, chordless bool) bool {
	neighbors := make([][]int, nodes)
	for _, e := range edges {
		if truth(b, e[2]) {
			neighbors[e[0]] = append(neighbors[e[0]], e[1])
			neighbors[e[1]] = append(neighbors[e[1]], e[0])
		}
	}
	on := make([]int, nodes) // path number from 1
	for k, p := range pairs {
		at, from := p[0], -1
		if len(neighbors[p[0]]) != 1 || len(neighbors[p[1]]) != 1 {
			return false
		}
		for {
			if on[at] != 0 {
				return false
			}
			on[at] = k + 1
			if at == p[1] {
				break
			}
			step := -1
			if at != p[0] && len(neighbors[at]) != 2 {
				return false
			}
			for i, w := range neighbors[at] {
				// Two edges to one node would lead back.
				if w != from || i == 1 && neighbors[at][0] == from {
					step = w
				}
			}
			if step < 0 {
				return false
			}
			from, at = at, step
		}
	}
	for v := range on {
		if on[v] == 0 && (len(neighbors[v]) > 0 || optional == nil || !optional[v]) {
			return false
		}
	}
	if chordless {
		for _, e := range edges {
			if on[e[0]] != 0 && on[e[0]] == on[e[1]] && !truth(b, e[2]) {
				return false
			}
		}
	}
	return true
}

// bruteForce returns the solutions, sorted.
func (s *sample) bruteForce() []string {
	var solutions []string
	b := make([]bool, s.bools)
	x := make([]int, len(s.ranges))
	var try func(i int)
	try = func(i int) {
		switch {
		case i < len(b):
			for _, v := range []bool{false, true} {
				b[i] = v
				try(i + 1)
			}
		case i < len(b)+len(x):
			k := i - len(b)
			for v := s.ranges[k][0]; v <= s.ranges[k][1]; v++ {
				x[k] = v
				try(i + 1)
			}
		default:
			for _, r := range s.rules {
				if !r.check(b, x) {
					return
				}
			}
			solutions = append(solutions, fmt.Sprint(b, x))
		}
	}
	try(0)
	sort.Strings(solutions)
	return solutions
}

// verify wants the explanations of a model to be true, and older than what they explain.
func (s *sample) verify(m *Model) {
	m.s.verify = func(p BoolVar, reason []BoolVar) {
		for _, q := range reason {
			if !m.s.IsTrue(q) || m.s.Position(q) >= m.s.Position(p) {
				panic(fmt.Sprintf("%v at %d is explained by %v at %d, which is true: %v\n%s", p, m.s.Position(p), q, m.s.Position(q), m.s.IsTrue(q), strings.Join(s.text, "\n")))
			}
		}
	}
}

func (s *sample) build(m *Model) (b []BoolVar, x []IntVar, literals []BoolVar) {
	s.verify(m)
	b = m.NewBoolVars(s.bools)
	literals = slices.Clone(b)
	for _, r := range s.ranges {
		x = append(x, m.NewIntVar(r[0], r[1]))
		literals = append(literals, m.Literals(x[len(x)-1])...)
	}
	return b, x, literals
}

func read(m *Model, b []BoolVar, x []IntVar) string {
	bv := make([]bool, len(b))
	for i, v := range b {
		bv[i] = m.Value(v)
	}
	xv := make([]int, len(x))
	for i, v := range x {
		xv[i] = m.IntValue(v)
	}
	return fmt.Sprint(bv, xv)
}

func enumerate(t testing.TB, m *Model, b []BoolVar, x []IntVar, literals []BoolVar, assumptions ...BoolVar) []string {
	var got []string
	status := m.Enumerate(context.Background(), literals, func() bool {
		got = append(got, read(m, b, x))
		return true
	}, assumptions...)
	if status != Infeasible {
		t.Fatalf("enumeration ended with %v, expected that nothing is left", status)
	}
	sort.Strings(got)
	return got
}

func compare(t testing.TB, s *sample, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %d booleans, ranges %v\n%s\ngot  %d solutions\n%s\nwant %d solutions\n%s", what, s.bools, s.ranges,
			strings.Join(s.text, "\n"), len(got), strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
	}
}

func testSample(t testing.TB, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	s := newSample(r)
	want := s.bruteForce()

	// All rules at once.
	m := NewModel(Config{Seed: seed, BumpReasons: seed%2 == 1})
	b, x, literals := s.build(m)
	for _, ru := range s.rules {
		ru.add(m, b, x)
	}
	compare(t, s, fmt.Sprint("seed ", seed, " enumerate"), enumerate(t, m, b, x, literals), want)

	// Again: excluding solutions must leave no trace. Then under assumptions.
	assumed := lits(r, s.bools, 1+r.IntN(3))
	var under []string
	for _, sol := range want {
		fine := true
		values := strings.Fields(strings.Trim(sol[:strings.Index(sol, "]")], "[]"))
		for _, k := range assumed {
			fine = fine && (values[k/2] == "true") != (k&1 == 1)
		}
		if fine {
			under = append(under, sol)
		}
	}
	status := m.Solve(context.Background(), of(b, assumed)...)
	if (status == Feasible) != (len(under) > 0) {
		t.Fatalf("seed %d: %v under %v, expected %d solutions\n%s", seed, status, assumed, len(under), strings.Join(s.text, "\n"))
	}
	if status == Feasible {
		if _, ok := slices.BinarySearch(under, read(m, b, x)); !ok {
			t.Fatalf("seed %d: %s is no solution under %v", seed, read(m, b, x), assumed)
		}
	} else if core := m.Core(); m.Solve(context.Background(), core...) != Infeasible {
		t.Fatalf("seed %d: the core %v of %v has a solution", seed, core, of(b, assumed))
	}
	compare(t, s, fmt.Sprint("seed ", seed, " enumerate under ", assumed), enumerate(t, m, b, x, literals, of(b, assumed)...), under)
	m.Defer(of(b, lits(r, s.bools, 1+r.IntN(3)))...)
	compare(t, s, fmt.Sprint("seed ", seed, " enumerate again"), enumerate(t, m, b, x, literals), want)

	// Rule by rule with a search after each, in another order.
	m = NewModel(Config{})
	b, x, literals = s.build(m)
	for _, i := range r.Perm(len(s.rules)) {
		s.rules[i].add(m, b, x)
		m.Solve(context.Background())
	}
	compare(t, s, fmt.Sprint("seed ", seed, " incremental"), enumerate(t, m, b, x, literals), want)
}

func TestRandomModels(t *testing.T) {
	n := uint64(4000)
	if testing.Short() {
		n = 1000
	}
	for seed := range n {
		testSample(t, seed)
	}
}

func FuzzModel(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { testSample(t, seed) })
}
