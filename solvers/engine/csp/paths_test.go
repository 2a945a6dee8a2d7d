package csp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sort"
	"testing"
)

// gridPaths makes a random grid graph with some edges missing, and pairs.
func gridPaths(r *rand.Rand) Paths {
	rows, cols := 3+r.IntN(4), 3+r.IntN(4)
	p := Paths{Nodes: rows * cols}
	for v := range p.Nodes {
		if v%cols > 0 && r.IntN(12) > 0 {
			p.Edges = append(p.Edges, PathEdge{A: v - 1, B: v})
		}
		if v >= cols && r.IntN(12) > 0 {
			p.Edges = append(p.Edges, PathEdge{A: v, B: v - cols})
		}
	}
	if r.IntN(6) == 0 {
		p.Edges = append(p.Edges, PathEdge{A: 0, B: p.Nodes - 1}) // not planar, perhaps not two-sided
	}
	order := r.Perm(p.Nodes)
	for i := range 1 + r.IntN(4) {
		p.Pairs = append(p.Pairs, [2]int{order[2*i], order[2*i+1]})
	}
	if r.IntN(2) == 0 {
		p.Optional = make([]bool, p.Nodes)
		for v := range p.Optional {
			p.Optional[v] = r.IntN(3) > 0
		}
	}
	return p
}

// enough solutions end an enumeration.
const enough = 400

// solutions enumerates the chosen edges, as text.
func solutions(t *testing.T, p Paths, c Config, chordless bool) []string {
	t.Helper()
	m := NewModel(c)
	m.s.verify = func(b BoolVar, reason []BoolVar) {
		for _, q := range reason {
			if !m.s.IsTrue(q) || m.s.Position(q) >= m.s.Position(b) {
				t.Fatalf("%v at %d is explained by %v at %d\n%+v", b, m.s.Position(b), q, m.s.Position(q), p)
			}
		}
	}
	literals := m.NewBoolVars(len(p.Edges))
	edges := append([]PathEdge(nil), p.Edges...)
	for i := range edges {
		edges[i].Literal = literals[i]
	}
	p.Edges = edges
	var assumed []BoolVar
	if p.Colors {
		p.Chordless = m.NewBoolVar()
		assumed = append(assumed, p.Chordless)
		if !chordless {
			assumed[0] = p.Chordless.Not()
		}
	}
	if _, err := m.AddPaths(p); err != nil {
		t.Fatal(err)
	}
	var found []string
	m.Enumerate(context.Background(), literals, func() bool {
		text := ""
		for i, e := range p.Edges {
			if m.Value(literals[i]) {
				text += fmt.Sprintf("%d-%d ", e.A, e.B)
			}
		}
		found = append(found, text)
		return len(found) < enough
	}, assumed...)
	sort.Strings(found)
	return found
}

// The same paths, found in every way the propagator knows, and on the same
// graph with its nodes renamed and its edges in another order.
func TestPathsAgree(t *testing.T) {
	n := uint64(3000)
	if testing.Short() {
		n = 300
	}
	total := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 3))
		p := gridPaths(r)
		for _, chordless := range []bool{false, true} {
			var want []string
			for i, variant := range []Paths{{Colors: true}, {Colors: true, Shallow: true}, {}, {Shallow: true}} {
				if chordless && !variant.Colors {
					continue
				}
				if len(want) == enough {
					break // some other ones may come first
				}
				q := p
				q.Colors, q.Shallow = variant.Colors, variant.Shallow
				got := solutions(t, q, Config{Seed: seed * uint64(i)}, chordless)
				if i == 0 {
					want = got
					total += len(want)
					rename := r.Perm(p.Nodes)
					renamed := Paths{Nodes: p.Nodes, Colors: true, Optional: make([]bool, p.Nodes)}
					for v := range p.Optional {
						renamed.Optional[rename[v]] = p.Optional[v]
					}
					for _, k := range r.Perm(len(p.Edges)) {
						renamed.Edges = append(renamed.Edges, PathEdge{A: rename[p.Edges[k].A], B: rename[p.Edges[k].B]})
					}
					for _, k := range r.Perm(len(p.Pairs)) {
						renamed.Pairs = append(renamed.Pairs, [2]int{rename[p.Pairs[k][1]], rename[p.Pairs[k][0]]})
					}
					if other := solutions(t, renamed, Config{}, chordless); len(other) != len(want) { // both stop at enough
						t.Fatalf("seed %d: %d solutions, renamed %d\n%+v", seed, len(want), len(other), p)
					}
					continue
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d chordless %v variant %+v\n%+v\ngot  %d %v\nwant %d %v", seed, chordless, variant, p, len(got), got, len(want), want)
				}
			}
		}
	}
	t.Logf("%d solutions", total)
}
