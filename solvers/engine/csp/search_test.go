package csp

import (
	"context"
	"math/rand/v2"
	"testing"
)

// pigeons puts n+1 pigeons into n holes.
func pigeons(m *Model, n int) {
	in := make([][]BoolVar, n+1)
	for p := range in {
		in[p] = m.NewBoolVars(n)
		m.AddClause(in[p]...)
	}
	for h := range n {
		for p := range in {
			for q := range p {
				m.AddClause(in[p][h].Not(), in[q][h].Not())
			}
		}
	}
}

// random3 makes a random 3-SAT model near where solutions become rare.
func random3(m *Model, vars int, seed uint64) []BoolVar {
	r := rand.New(rand.NewPCG(seed, 0))
	x := m.NewBoolVars(vars)
	for range vars * 425 / 100 {
		var c [3]BoolVar
		for i := range c {
			c[i] = x[r.IntN(vars)] ^ BoolVar(r.IntN(2))
		}
		m.AddClause(c[:]...)
	}
	return x
}

func queens(m *Model, n int) []BoolVar {
	column := make([]IntVar, n)
	var unknowns []BoolVar
	for row := range column {
		column[row] = m.NewIntVar(0, n-1)
		unknowns = append(unknowns, m.Literals(column[row])...)
	}
	m.AddAllDifferent(column...)
	for d := -n + 1; d < 2*n; d++ {
		var falling, rising []BoolVar
		for row := range n {
			falling = append(falling, m.Equal(column[row], row+d))
			rising = append(rising, m.Equal(column[row], d-row))
		}
		m.AddAtMostOne(falling...)
		m.AddAtMostOne(rising...)
	}
	return unknowns
}

func TestUnknownWhenStopped(t *testing.T) {
	m := NewModel(Config{})
	pigeons(m, 14)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := m.Solve(ctx); got != Unknown {
		t.Errorf("with a context that is done: got %v, want %v", got, Unknown)
	}
	m = NewModel(Config{MaxConflicts: 100})
	pigeons(m, 14)
	if got := m.Solve(context.Background()); got != Unknown {
		t.Errorf("with a limit: got %v, want %v", got, Unknown)
	}
	if got := m.Stats().Conflicts; got != 100 {
		t.Errorf("got %d conflicts, want 100", got)
	}
}

func TestDeterministic(t *testing.T) {
	for _, seed := range []uint64{0, 1, 99} {
		var stats [2]Stats
		for i := range stats {
			m := NewModel(Config{Seed: seed})
			random3(m, 120, 5)
			m.Solve(context.Background())
			stats[i] = m.Stats()
			stats[i].Seconds = 0
		}
		if stats[0] != stats[1] {
			t.Errorf("seed %d: first %+v, then %+v", seed, stats[0], stats[1])
		}
	}
}

// Learned clauses are dropped and moved on the way; the answer must be that of
// another search.
func TestReduction(t *testing.T) {
	for seed := range uint64(3) {
		m := NewModel(Config{Seed: seed})
		random3(m, 150, 11)
		first := m.Solve(context.Background())
		n := NewModel(Config{InOrder: true})
		random3(n, 150, 11)
		if second := n.Solve(context.Background()); first != second {
			t.Errorf("seed %d: %v, in order %v", seed, first, second)
		}
		if seed == 0 && m.Stats().Removed+n.Stats().Removed == 0 {
			t.Errorf("no clause was dropped in %d conflicts", n.Stats().Conflicts)
		}
	}
}

// TestSetOrder wants variables decided in the order that was set, and the answer of another
// search from one that changes its order again and again and keeps what it learned.
func TestSetOrder(t *testing.T) {
	for first := range 2 {
		m := NewModel(Config{InOrder: true})
		x := m.NewBoolVars(3)
		m.AddClause(x...)
		m.SetOrder([]BoolVar{x[2-2*first], x[1], x[2-2*first]})
		// False is tried first, so that the variable that is left to the last is true.
		if last := x[2*first]; m.Solve(t.Context()) != Feasible || !m.Value(last) {
			t.Errorf("the values are %t, %t and %t, expected only variable %d to be true", m.Value(x[0]), m.Value(x[1]), m.Value(x[2]), 2*first)
		}
	}
	outcomes := map[Status]int{}
	for seed := range uint64(30) {
		m := NewModel(Config{Seed: seed})
		random3(m, 40, seed)
		want := m.Solve(t.Context())
		outcomes[want]++
		n := NewModel(Config{InOrder: true, MaxConflicts: 3})
		x := random3(n, 40, seed)
		r := rand.New(rand.NewPCG(seed, 5))
		got := Unknown
		for budget := 0; got == Unknown && budget < 1000; budget++ {
			r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
			n.SetOrder(x)
			got = n.Solve(t.Context())
		}
		if got != want {
			t.Errorf("seed %d: %v in changing orders, otherwise %v", seed, got, want)
		}
	}
	if len(outcomes) < 2 {
		t.Errorf("the outcomes are %v, expected models with a solution and models without", outcomes)
	}
}

// TestBumpReasons wants the same answers by another way.
func TestBumpReasons(t *testing.T) {
	outcomes := map[Status]int{}
	var without, with int64
	for problem := range uint64(20) {
		m, n := NewModel(Config{}), NewModel(Config{BumpReasons: true})
		random3(m, 100, problem)
		random3(n, 100, problem)
		want, got := m.Solve(t.Context()), n.Solve(t.Context())
		if outcomes[want]++; got != want {
			t.Errorf("problem %d: %v when reasons count, otherwise %v", problem, got, want)
		}
		without += m.Stats().Conflicts
		with += n.Stats().Conflicts
	}
	if len(outcomes) < 2 || with == without {
		t.Errorf("the outcomes are %v, with %d and %d conflicts, expected problems of both kinds and other conflicts when reasons count", outcomes, without, with)
	}
}

// TestDefer wants deferred variables decided last: false is tried first, so that the last is true.
func TestDefer(t *testing.T) {
	for last := range 3 {
		for _, seed := range []uint64{0, 1, 2} {
			m := NewModel(Config{Seed: seed})
			x := m.NewBoolVars(3)
			m.AddClause(x...)
			m.AddPriority(x[last], 5)
			m.Defer(x[last].Not())
			if m.Solve(t.Context()) != Feasible || !m.Value(x[last]) {
				t.Errorf("seed %d: the values are %t, %t and %t, expected only variable %d to be true", seed, m.Value(x[0]), m.Value(x[1]), m.Value(x[2]), last)
			}
		}
	}
	outcomes := map[Status]int{}
	for seed := range uint64(30) {
		m, n := NewModel(Config{}), NewModel(Config{})
		random3(m, 40, seed)
		n.Defer(random3(n, 40, seed)[:30]...)
		want, got := m.Solve(t.Context()), n.Solve(t.Context())
		if outcomes[want]++; got != want {
			t.Errorf("seed %d: %v with deferred variables, otherwise %v", seed, got, want)
		}
	}
	if len(outcomes) < 2 {
		t.Errorf("the outcomes are %v, expected models with a solution and models without", outcomes)
	}
}

// TestFirstValue wants a search in order to try each variable as it did at first, and any
// other to try it as it was assigned last.
func TestFirstValue(t *testing.T) {
	for _, inOrder := range []bool{false, true} {
		m := NewModel(Config{InOrder: inOrder})
		x := m.NewBoolVars(2)
		m.AddHint(x[0])
		if m.Solve(t.Context(), x[0].Not(), x[1]) != Feasible || m.Solve(t.Context()) != Feasible {
			t.Fatal("no solution of a model without constraints")
		}
		if first, second := m.Value(x[0]), m.Value(x[1]); first != inOrder || second == inOrder {
			t.Errorf("in order %t: the values are %t and %t, expected %t and %t", inOrder, first, second, inOrder, !inOrder)
		}
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	m := NewModel(Config{})
	x := queens(m, 12)
	m.Solve(context.Background())
	i := 0
	got := testing.AllocsPerRun(50, func() {
		i++
		m.Solve(context.Background(), x[i%len(x)])
	})
	// New learned clauses may still make a list grow now and then.
	if got > 10 {
		t.Errorf("%v allocations in each search, want nearly none", got)
	}
}

func BenchmarkBuildQueens(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		queens(NewModel(Config{}), 20)
	}
}

// BenchmarkPropagate assigns and takes back the whole of a long chain.
func BenchmarkPropagate(b *testing.B) {
	for _, size := range []struct {
		name    string
		clauses int
	}{{"binary", 2}, {"ternary", 3}} {
		b.Run(size.name, func(b *testing.B) {
			const n = 10000
			m := NewModel(Config{})
			x := m.NewBoolVars(n)
			for i := range n - 2 {
				if size.clauses == 2 {
					m.AddImplication(x[i], x[i+1])
				} else {
					m.AddClause(x[i].Not(), x[i+1].Not(), x[i+2])
					m.AddImplication(x[0], x[1])
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				m.Probe(x[0])
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "literals/s")
		})
	}
}

// BenchmarkConflicts is a proof by many conflicts: clauses only.
func BenchmarkConflicts(b *testing.B) {
	b.ReportAllocs()
	conflicts := int64(0)
	for b.Loop() {
		m := NewModel(Config{})
		random3(m, 150, 11)
		m.Solve(context.Background())
		conflicts += m.Stats().Conflicts
	}
	b.ReportMetric(float64(conflicts)/b.Elapsed().Seconds(), "conflicts/s")
}

func BenchmarkEnumerateQueens(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m := NewModel(Config{})
		x := queens(m, 8)
		n := 0
		if m.Enumerate(context.Background(), x, func() bool { n++; return true }); n != 92 {
			b.Fatalf("%d solutions, want 92", n)
		}
	}
}

// BenchmarkLinear packs a knapsack exactly.
func BenchmarkLinear(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m := NewModel(Config{})
		e := NewLinearExpr()
		for i := range 12 {
			e.AddTerm(m.NewIntVar(0, 6), 101+17*i*i%89)
		}
		m.AddLinearConstraint(e, 4321, 4321)
		if m.Solve(context.Background()) != Feasible {
			b.Fatal("no solution")
		}
	}
}

// BenchmarkKnight finds a way of the knight over an 8×8 board.
func BenchmarkKnight(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		const n = 8
		m := NewModel(Config{})
		p := Paths{Nodes: n * n, Pairs: [][2]int{{0, 7}}}
		for from := range n * n {
			for to := range from {
				dr, dc := from/n-to/n, from%n-to%n
				if dr*dr+dc*dc == 5 {
					p.Edges = append(p.Edges, PathEdge{A: from, B: to, Literal: m.NewBoolVar()})
				}
			}
		}
		if _, err := m.AddPaths(p); err != nil {
			b.Fatal(err)
		}
		if m.Solve(context.Background()) != Feasible {
			b.Fatal("no way")
		}
	}
}

// TestRefutes asks about all literals of models in two orders: the answers are the same, and each that
// is refuted is true in no solution.
func TestRefutes(t *testing.T) {
	refuted, stands := 0, 0
	for seed := range uint64(60) {
		forth, back, solved := NewModel(Config{}), NewModel(Config{}), NewModel(Config{})
		x := random3(forth, 24, seed)
		random3(back, 24, seed)
		random3(solved, 24, seed)
		answers := map[BoolVar]bool{}
		for _, b := range x {
			answers[b], answers[b.Not()] = forth.Refutes(b), forth.Refutes(b.Not())
		}
		for i := range x {
			for _, b := range []BoolVar{x[len(x)-1-i].Not(), x[len(x)-1-i]} {
				if got := back.Refutes(b); got != answers[b] {
					t.Fatalf("seed %d: %v is refuted: %v, in another order %v", seed, b, answers[b], got)
				}
				if !answers[b] {
					stands++
				} else if refuted++; solved.Solve(context.Background(), b) != Infeasible {
					t.Fatalf("seed %d: %v is refuted, but true in a solution", seed, b)
				}
			}
		}
		if s := forth.Stats(); s.Learned != 0 {
			t.Fatalf("seed %d: %d clauses were learned", seed, s.Learned)
		}
	}
	if refuted < 50 || stands < 50 {
		t.Errorf("%d literals are refuted, %d are not: too few to tell anything", refuted, stands)
	}
}
