package grid

import (
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/reason"
	"tapwise/solvers/engine/reason/reasontest"
)

// alongPath is a solution of a Through.
type alongPath struct{ Passed }

func (alongPath) Check() error { return nil }

func (s alongPath) Part(steps []int) solvers.Solution { return alongPath{s.Passed.Part(steps)} }

// TestAdviseAlong tells all steps of paths, and tries the reasons out, those about the whole board
// on small boards.
func TestAdviseAlong(t *testing.T) {
	told, tried, whole := 0, 0, 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 4))
		size := board.Size{Rows: 3 + r.IntN(2), Cols: 3}
		p, path := alone(t, size, r)
		w := way{Through: p, names: Rules{"cover", "step", "numbers"}}
		w.sides = size.Edges()
		var beside [][]int
		for c := range board.Cell(size.Cells()) {
			beside = append(beside, w.at(c))
		}
		found := alongPath{p.Along(path)}
		b := reasontest.Board{Says: func(v int) string { return size.Name(w.sides[v].A) + " to " + size.Name(w.sides[v].B) }, Domain: func(int) []int { return []int{0, 1} }, Holds: func(g reason.Ground, values []int) bool {
			if g.Scope == nil {
				whole++
			}
			return w.holds(g, values, beside)
		}}
		for _, side := range w.sides {
			d := found.Order[side.A] - found.Order[side.B]
			b.Values = append(b.Values, map[bool]int{true: 1}[d == 1 || d == -1])
		}
		n, m := b.Tell(t, found, func(v int) []board.Cell { return []board.Cell{w.sides[v].A, w.sides[v].B} }, func(drawn solvers.Solution) reason.Question { return w.question(found.Passed, drawn) })
		told, tried = told+n, tried+m
	}
	t.Logf("%d steps are told, %d reasons are tried out; a condition about the whole board was asked for %d times", told, tried, whole)
	if told < 20 || tried < told || whole == 0 {
		t.Error("too few to tell anything")
	}
}

// alone is a board, and the only path through it.
func alone(t *testing.T, size board.Size, r *rand.Rand) (Through, []board.Cell) {
	t.Helper()
	for {
		path := []board.Cell{board.Cell(r.IntN(size.Cells()))}
		on := map[board.Cell]bool{path[0]: true}
		for {
			var free []board.Cell
			for _, n := range size.Neighbours(path[len(path)-1]) {
				if !on[n] {
					free = append(free, n)
				}
			}
			if free == nil {
				break
			}
			n := free[r.IntN(len(free))]
			path, on[n] = append(path, n), true
		}
		if len(path) < size.Cells() {
			continue
		}
		p := Through{Size: size, Stops: []board.Cell{path[0]}}
		for i, c := range path[1:] {
			if i == len(path)-2 || r.IntN(3) == 0 {
				p.Stops = append(p.Stops, c)
			}
		}
		solutions := 0
		_, err := p.Enumerate(t.Context(), solvers.EnumerateOptions{}, func(path []board.Cell) solvers.Solution { return alongPath{p.Along(path)} }, func(solvers.Solution) bool { solutions++; return solutions < 2 })
		if err != nil {
			t.Fatal(err)
		}
		if solutions == 1 {
			return p, path
		}
	}
}

// holds evaluates a condition on crossed sides; beside are those of each cell.
func (w way) holds(g reason.Ground, values []int, beside [][]int) bool {
	if _, ok := g.Of.(coverAt); ok {
		crossed := 0
		for _, v := range g.Scope {
			crossed += values[v]
		}
		c := g.At[0]
		return crossed == 2 && c != w.Stops[0] && c != w.Stops[len(w.Stops)-1] || crossed == 1 && (c == w.Stops[0] || c == w.Stops[len(w.Stops)-1])
	}
	stop := map[board.Cell]int{}
	for i, c := range w.Stops {
		stop[c] = i
	}
	_, order := g.Of.(inOrder)
	group := make([]int, len(w.sides)) // of sides that share a cell; for the order, none with a stop
	for v := range group {
		group[v] = v
	}
	for grown := true; grown; {
		grown = false
		for c, sides := range beside {
			if _, stops := stop[board.Cell(c)]; order && stops {
				continue
			}
			for _, u := range sides {
				for _, v := range sides {
					if values[u] == 1 && values[v] == 1 && group[u] > group[v] {
						group[u], grown = group[v], true
					}
				}
			}
		}
	}
	part := map[int]int{} // by group
	for v := range w.sides {
		if values[v] == 1 {
			part[group[v]] = -1
		}
	}
	if !order {
		return len(part) <= 1
	}
	return w.partsOf(part, group, values, stop)
}

// partsOf tries all parts for the groups of sides that have none.
func (w way) partsOf(part map[int]int, group, values []int, stop map[board.Cell]int) bool {
	for g, k := range part {
		if k >= 0 {
			continue
		}
		defer func() { part[g] = -1 }()
		for k := range len(w.Stops) - 1 {
			if part[g] = k; w.partsOf(part, group, values, stop) {
				return true
			}
		}
		return false
	}
	seen := map[[2]int]bool{} // stop and part
	for v, side := range w.sides {
		for _, c := range []board.Cell{side.A, side.B} {
			i, ok := stop[c]
			if !ok || values[v] == 0 {
				continue
			}
			k := part[group[v]]
			if k != i && k != i-1 || seen[[2]int{i, k}] {
				return false
			}
			seen[[2]int{i, k}] = true
		}
	}
	return true
}
