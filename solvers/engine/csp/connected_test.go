package csp

import (
	"math/rand/v2"
	"testing"
)

// TestConnectedCounts compares with the number of connected induced subgraphs of square
// grids, the empty one left out (A059525 of the On-Line Encyclopedia of Integer Sequences,
// its diagonal).
func TestConnectedCounts(t *testing.T) {
	for side, want := range map[int]int{1: 1, 2: 13, 3: 218, 4: 11506} {
		m := NewModel(Config{})
		nodes, edges := gridNodes(m, side)
		if err := m.AddConnected(nodes, edges); err != nil {
			t.Fatal(err)
		}
		m.AddClause(nodes...)
		got := 0
		if status := m.Enumerate(t.Context(), nodes, func() bool { got++; return true }); status != Infeasible || got != want {
			t.Errorf("%d×%d: %d connected sets (%v), expected %d", side, side, got, status, want)
		}
	}
}

func gridNodes(m *Model, side int) (nodes []BoolVar, edges [][2]int) {
	nodes = m.NewBoolVars(side * side)
	for v := range nodes {
		if v%side+1 < side {
			edges = append(edges, [2]int{v, v + 1})
		}
		if v+side < len(nodes) {
			edges = append(edges, [2]int{v, v + side})
		}
	}
	return nodes, edges
}

func TestConnectedRefuses(t *testing.T) {
	for _, e := range [][2]int{{0, 2}, {-1, 0}} {
		m := NewModel(Config{})
		if err := m.AddConnected(m.NewBoolVars(2), [][2]int{e}); err == nil {
			t.Errorf("edge %v of two nodes: no error", e)
		}
	}
}

// TestConnectedRequiresCuts wants a bridge between two true nodes, and the nodes beyond a
// gap, to be known without a search.
func TestConnectedRequiresCuts(t *testing.T) {
	m := NewModel(Config{})
	b := m.NewBoolVars(6) // a row of six
	if err := m.AddConnected(b, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}); err != nil {
		t.Fatal(err)
	}
	m.AddBoolAnd(b[0], b[3], b[4].Not())
	m.Propagate()
	for v, want := range []bool{true, true, true, true, false, false} {
		if got, known := m.Fixed(b[v]); !known || got != want {
			t.Errorf("node %d is %v, known %v; expected %v", v, got, known, want)
		}
	}
}

// TestEnumerateAdding lists subsets, and after some of them rules more out: whatever is
// ruled out must not come later, and everything else must come once.
func TestEnumerateAdding(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		m := NewModel(Config{Seed: seed})
		n := 3 + r.IntN(4)
		b := m.NewBoolVars(n)
		barred := make([]bool, 1<<n) // by the values as bits
		seen := make([]bool, 1<<n)
		status := m.EnumerateAdding(t.Context(), b, func(add func(...BoolVar)) bool {
			at := 0
			for i := range b {
				if m.Value(b[i]) {
					at |= 1 << i
				}
			}
			if seen[at] || barred[at] {
				t.Fatalf("seed %d: %b came again (%v) or was ruled out (%v)", seed, at, seen[at], barred[at])
			}
			seen[at] = true
			if r.IntN(3) == 0 {
				i, k := r.IntN(n), r.IntN(n)
				add(b[i], b[k].Not())
				for set := range barred {
					barred[set] = barred[set] || set>>i&1 == 0 && set>>k&1 != 0
				}
			}
			return true
		})
		if status != Infeasible {
			t.Fatalf("seed %d: %v", seed, status)
		}
		for set := range seen {
			if !seen[set] && !barred[set] {
				t.Errorf("seed %d: %b did not come", seed, set)
			}
		}
	}
}

// TestConnectedWithClauses compares with all sets of nodes of a 3×3 grid, under random
// clauses and bounds that make conflicts, and with them explanations, frequent.
func TestConnectedWithClauses(t *testing.T) {
	const side = 3
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 6))
		m := NewModel(Config{Seed: seed})
		nodes, edges := gridNodes(m, side)
		if err := m.AddConnected(nodes, edges); err != nil {
			t.Fatal(err)
		}
		fits := func(set int) bool {
			values, all := make([]bool, len(nodes)), make([]int, len(nodes))
			for v := range nodes {
				values[v], all[v] = set>>v&1 != 0, 2*v
			}
			return checkConnected(values, all, edges)
		}
		var clauses [][]int
		for range 4 + r.IntN(8) {
			clauses = append(clauses, lits(r, len(nodes), 2+r.IntN(2)))
			m.AddClause(of(nodes, clauses[len(clauses)-1])...)
		}
		want := 0
		for set := range 1 << len(nodes) {
			ok := fits(set)
			for _, clause := range clauses {
				some := false
				for _, l := range clause {
					some = some || (set>>(l/2)&1 != 0) != (l&1 == 1)
				}
				ok = ok && some
			}
			if ok {
				want++
			}
		}
		got := 0
		m.Enumerate(t.Context(), nodes, func() bool { got++; return true })
		if got != want {
			t.Fatalf("seed %d, clauses %v: %d sets, expected %d", seed, clauses, got, want)
		}
	}
}
