package flow

import (
	"math"
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// Bits of a cell's edges in a plainSearch.
const (
	northBit = 1 << iota
	eastBit
	southBit
	westBit
)

// plainSearch is the depth-first search of published Numberlink solvers, written
// anew from its description as a yardstick: cell by cell along the diagonals,
// without learning. It knows squares without walls, holes or bridges, finds tidy
// pipes that cover the board, and shares nothing with the engine.
type plainSearch struct {
	width      int   // of a row, with a rim of cells on both sides
	end        []int // by cell: the pipe it is an end of, from 1
	rim        []bool
	mayEndSE   []bool // by cell: the diagonal to the south-east comes to an end
	mayEndSW   []bool
	edges      []uint8
	mate       []int // by end of a piece: its other end
	order      []int
	nodes, max int
}

// newPlainSearch prepares a search of a board from one of its corners.
func newPlainSearch(p *Puzzle, turn int) *plainSearch {
	rows, cols := p.size.Rows, p.size.Cols
	if turn&transpose != 0 {
		rows, cols = cols, rows
	}
	n := (rows + 2) * (cols + 2)
	s := &plainSearch{
		width: cols + 2, end: make([]int, n), rim: make([]bool, n), edges: make([]uint8, n), mate: make([]int, n),
		mayEndSE: make([]bool, n), mayEndSW: make([]bool, n),
	}
	for i := range n {
		s.rim[i], s.mate[i] = true, i
	}
	inside := board.Size{Rows: rows, Cols: cols}
	at := func(c board.Cell) int { return (inside.Row(c)+1)*s.width + inside.Col(c) + 1 }
	for c := range board.Cell(inside.Cells()) {
		row, col := inside.Row(c), inside.Col(c)
		if turn&transpose != 0 {
			row, col = col, row
		}
		if turn&swapRows != 0 {
			row = p.size.Rows - 1 - row
		}
		if turn&swapCols != 0 {
			col = p.size.Cols - 1 - col
		}
		s.rim[at(c)] = false
		s.end[at(c)] = p.pipe[p.size.At(row, col)] + 1
	}
	for c := inside.Cells() - 1; c >= 0; c-- {
		i := at(board.Cell(c))
		for _, d := range []struct {
			may  []bool
			next int
		}{{s.mayEndSE, i + s.width + 1}, {s.mayEndSW, i + s.width - 1}} {
			d.may[i] = s.end[i] == 0 && !s.rim[d.next] && (s.end[d.next] > 0 || d.may[d.next])
		}
	}
	for sum := range rows + cols - 1 {
		for row := max(0, sum-cols+1); row <= min(sum, rows-1); row++ {
			s.order = append(s.order, at(inside.At(row, sum-row)))
		}
	}
	return s
}

// search decides the edges to the east and south of the k-th cell and of all after
// it. It reports whether there is a solution; it is false, too, once the nodes are used
// up.
func (s *plainSearch) search(k int) bool {
	s.nodes++
	if s.nodes > s.max || k == len(s.order) {
		return s.nodes <= s.max
	}
	i := s.order[k]
	north := i - s.width
	if s.end[i] > 0 {
		switch s.edges[i] {
		case 0:
			return s.choose(k, eastBit) || s.choose(k, southBit)
		case northBit, westBit:
			return s.choose(k, 0)
		}
		return false
	}
	switch s.edges[i] {
	case 0:
		return s.mayEndSE[i] && s.choose(k, eastBit|southBit)
	case westBit:
		return s.mayEndSW[i] && s.choose(k, southBit) || s.choose(k, eastBit)
	case northBit:
		bends := s.end[north+1] > 0 || s.edges[north+1] == northBit|eastBit
		return bends && s.choose(k, eastBit) || s.choose(k, southBit)
	}
	return (s.end[north-1] > 0 || s.edges[north-1] == northBit|westBit) && s.choose(k, 0)
}

// choose searches on with more edges of the k-th cell, and takes them back when
// nothing comes of them.
func (s *plainSearch) choose(k int, more uint8) bool {
	i := s.order[k]
	old := s.edges[i]
	s.edges[i] |= more
	ok := s.followsBends(i) && !s.threeSides(i) && s.join(i, i+1, more&eastBit != 0, westBit, func() bool {
		return s.join(i, i+s.width, more&southBit != 0, northBit, func() bool {
			// The cell to the east has its edges to the north and west now. With
			// neither it must bend to the south-east.
			e := i + 1
			dead := !s.rim[e] && s.end[e] == 0 && s.edges[e]&(northBit|westBit) == 0 && !s.mayEndSE[e]
			return !dead && s.search(k+1)
		})
	})
	if !ok {
		s.edges[i] = old
	}
	return ok
}

// followsBends reports whether a cell bends as the bends demand that it lies inside
// of.
func (s *plainSearch) followsBends(i int) bool {
	nw, ne := i-s.width-1, i-s.width+1
	return s.end[i] > 0 ||
		(s.rim[nw] || s.end[nw] > 0 || s.edges[nw] != southBit|eastBit || s.edges[i] == southBit|eastBit) &&
			(s.rim[ne] || s.end[ne] > 0 || s.edges[ne] != southBit|westBit || s.edges[i] == southBit|westBit)
}

// threeSides reports whether pipes run along three sides of the square to the
// north-west of a cell.
func (s *plainSearch) threeSides(i int) bool {
	nw, sides := s.edges[i-s.width-1], 0
	for _, on := range []bool{nw&eastBit != 0, nw&southBit != 0, s.edges[i]&northBit != 0, s.edges[i]&westBit != 0} {
		if on {
			sides++
		}
	}
	return sides > 2
}

// join joins the pieces that end in two cells, if wanted, for the rest of the search.
func (s *plainSearch) join(a, b int, wanted bool, bit uint8, rest func() bool) bool {
	if !wanted {
		return rest()
	}
	x, y := s.mate[a], s.mate[b]
	if s.rim[b] || s.end[b] > 0 && s.edges[b] != 0 || x == b || s.end[x] > 0 && s.end[y] > 0 && s.end[x] != s.end[y] {
		return false
	}
	keepA, keepB := s.mate[a], s.mate[b]
	s.mate[x], s.mate[y] = y, x
	s.edges[b] |= bit
	if rest() {
		return true
	}
	s.edges[b] &^= bit
	s.mate[x], s.mate[y] = a, b
	s.mate[a], s.mate[b] = keepA, keepB
	return false
}

// plainly runs a plainSearch with at most so many nodes from one corner.
func plainly(p *Puzzle, turn, most int) (found bool, nodes int) {
	s := newPlainSearch(p, turn)
	s.max = most
	return s.search(0), min(s.nodes, most)
}

// TestPlainSearch wants the depth-first search and the engine, with and without
// forbidding bends, to agree on which small boards have tidy solutions.
func TestPlainSearch(t *testing.T) {
	boards := 3000
	if testing.Short() {
		boards = 300
	}
	solvable := 0
	for seed := range uint64(boards) {
		r := rand.New(rand.NewPCG(seed, 21))
		b := Board{Size: board.Size{Rows: 3 + r.IntN(4), Cols: 3 + r.IntN(4)}}
		cells := r.Perm(b.Cells())
		for i := range 1 + r.IntN(4) {
			b.Ends = append(b.Ends, [2]board.Cell{board.Cell(cells[2*i]), board.Cell(cells[2*i+1])})
		}
		if seed%2 == 0 {
			made, err := Game{}.Generate(t.Context(), solvers.GenerateOptions{Rows: b.Rows, Cols: b.Cols}, r)
			if err != nil {
				t.Fatal(err)
			}
			b.Ends = made.(*Puzzle).ends
		}
		p, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := plainly(p, int(seed%8), math.MaxInt)
		if want {
			solvable++
		}
		for _, bends := range []bool{false, true} {
			m, err := p.modelOf(csp.Config{InOrder: true}, false)
			if err != nil {
				t.Fatal(err)
			}
			m.AddClause(m.tidy)
			m.addTidy()
			if bends {
				m.addBends()
			}
			if got := m.Solve(t.Context()) == csp.Feasible; got != want {
				t.Fatalf("seed %d, bends %t: solved %t, depth-first %t\n%s", seed, bends, got, want, p)
			}
		}
	}
	t.Logf("%d of %d boards have tidy solutions", solvable, boards)
	if solvable < boards/3 {
		t.Errorf("%d of %d boards have tidy solutions, expected more", solvable, boards)
	}
}

// TestBends wants the bends that are forbidden to be in no tidy solution, on small
// boards of all kinds.
func TestBends(t *testing.T) {
	boards := 1500
	if testing.Short() {
		boards = 200
	}
	most, solutions, forbade := 500, 0, 0
	for seed := range uint64(boards) {
		p := randomPuzzle(rand.New(rand.NewPCG(seed, 22)))
		p.covering = true
		var counts [2]int
		for i := range counts {
			m, err := p.model(0, false)
			if err != nil {
				t.Fatal(err)
			}
			m.AddClause(m.tidy)
			m.addTidy()
			if i == 1 {
				forbade += min(m.addBends(), 1)
			}
			m.Enumerate(t.Context(), m.edges, func() bool { counts[i]++; return counts[i] < most })
		}
		if counts[0] != counts[1] {
			t.Fatalf("seed %d: %d tidy solutions, %d with bends forbidden\n%s", seed, counts[0], counts[1], p)
		}
		solutions += min(counts[0], 1)
	}
	t.Logf("of %d boards %d have tidy solutions, %d bends that cannot be", boards, solutions, forbade)
	if solutions < boards/40 || forbade < boards/2 {
		t.Errorf("of %d boards %d have tidy solutions and %d bends that cannot be, expected more", boards, solutions, forbade)
	}
}
