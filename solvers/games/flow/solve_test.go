package flow

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// bruteForce returns all solutions as sorted texts: each pipe is drawn in every
// possible way, one after the other. It shares nothing with Solve but the
// puzzle's own description of the cells that touch.
func bruteForce(p *Puzzle) []string {
	var found []string
	for _, paths := range bruteForcePaths(p) {
		found = append(found, fmt.Sprint(paths))
	}
	sort.Strings(found)
	return found
}

// bruteForcePaths are the paths of each solution.
func bruteForcePaths(p *Puzzle) [][][]board.Cell {
	var found [][][]board.Cell
	used := make([]bool, p.size.Cells())
	crossed := make([][2]bool, p.size.Cells())
	paths := make([][]board.Cell, len(p.ends))
	var draw func(pipe int, c board.Cell)
	enter := func(pipe int, c board.Cell, d board.Dir) {
		n := p.Neighbour(c, d)
		for n != board.None && p.Bridge(n) {
			// Straight on over bridges.
			axis := int(d) % 2
			if crossed[n][axis] {
				return
			}
			crossed[n][axis] = true
			paths[pipe] = append(paths[pipe], n)
			length := len(paths[pipe])
			defer func() {
				crossed[paths[pipe][length-1]][axis] = false
				paths[pipe] = paths[pipe][:length-1]
			}()
			n = p.Neighbour(n, d)
		}
		if n == board.None || used[n] {
			return
		}
		if e := p.PipeAt(n); e >= 0 && (e != pipe || n != p.ends[pipe][1]) {
			return
		}
		draw(pipe, n)
	}
	draw = func(pipe int, c board.Cell) {
		used[c] = true
		paths[pipe] = append(paths[pipe], c)
		length := len(paths[pipe])
		switch {
		case c != p.ends[pipe][1]:
			for d := range board.Dir(p.Dirs()) {
				enter(pipe, c, d)
				paths[pipe] = paths[pipe][:length]
			}
		case pipe+1 < len(p.ends):
			draw(pipe+1, p.ends[pipe+1][0])
			paths[pipe+1] = nil
		default:
			covered := true
			for c, k := range p.kind {
				covered = covered && (k != plain || used[c]) && (k != bridge || crossed[c] == [2]bool{true, true})
			}
			if covered || !p.covering {
				solution := make([][]board.Cell, len(paths))
				for i, path := range paths {
					solution[i] = slices.Clone(path)
				}
				found = append(found, solution)
			}
		}
		used[c] = false
		paths[pipe] = paths[pipe][:length-1]
	}
	draw(0, p.ends[0][0])
	return found
}

// randomPuzzle makes a small board of any variant. Half of the boards are made
// by drawing pipes, so that they have solutions.
func randomPuzzle(r *rand.Rand) *Puzzle {
	for {
		b := Board{Size: board.Size{Rows: 2 + r.IntN(3), Cols: 2 + r.IntN(4)}, Topology: Topology(r.IntN(3))}
		free := make([]board.Cell, 0, b.Cells())
		for _, c := range r.Perm(b.Cells()) {
			free = append(free, board.Cell(c))
		}
		for range r.IntN(3) {
			if r.IntN(2) == 0 {
				b.Holes = append(b.Holes, free[0])
				free = free[1:]
			} else if b.Topology != Hex {
				b.Bridges = append(b.Bridges, free[0])
				free = free[1:]
			}
		}
		for range 1 + r.IntN(3) {
			if len(free) >= 2 {
				b.Ends = append(b.Ends, [2]board.Cell{free[0], free[1]})
				free = free[2:]
			}
		}
		for range r.IntN(4) {
			c := r.IntN(b.Cells() - 1)
			b.Walls = append(b.Walls, board.EdgeOf(board.Cell(c), board.Cell(c+1)))
		}
		p, err := New(b)
		if err != nil {
			continue
		}
		if r.IntN(2) == 0 {
			p = p.WithoutCover().(*Puzzle)
		}
		return p
	}
}

func all(t testing.TB, p *Puzzle, o SearchOptions) []string {
	t.Helper()
	var got []string
	_, err := p.Search(context.Background(), o, func(s *Solution) bool {
		if err := s.Check(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, p, s)
		}
		got = append(got, fmt.Sprint(s.Paths()))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(got)
	return got
}

func TestSearchAgainstBruteForce(t *testing.T) {
	n := uint64(800)
	if testing.Short() {
		n = 100
	}
	solvable := 0
	for seed := range n {
		p := randomPuzzle(rand.New(rand.NewPCG(seed, 7)))
		want := bruteForce(p)
		if len(want) > 200 {
			continue // nothing more to learn from, and slow
		}
		if len(want) > 0 {
			solvable++
		}
		for _, o := range []SearchOptions{{}, {Strict: true, Seed: seed}} {
			if got := all(t, p, o); !slices.Equal(got, want) {
				t.Fatalf("seed %d %+v, covering %v, %v\n%s\ngot  %d\n%s\nwant %d\n%s", seed, o, p.covering, p.topology, p,
					len(got), strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
			}
		}
	}
	t.Logf("%d of %d boards have solutions", solvable, n)
}

func TestSolveStops(t *testing.T) {
	// No end in sight: an empty board of one pipe has very many solutions.
	p, err := New(Board{Size: board.Size{Rows: 20, Cols: 20}, Ends: [][2]board.Cell{{0, 399}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(solvers.Solution) bool { return true }); !errors.Is(err, context.DeadlineExceeded) && err != nil {
		t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
	}
}

// A board seen in a mirror, turned, or with its pipes in another order has as
// many solutions.
func TestSearchAgreesWithItsMirror(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 8))
		p := randomPuzzle(r)
		if p.topology == Hex {
			continue // its columns are set off
		}
		if len(bruteForce(p)) > 100 {
			continue
		}
		want := all(t, p, SearchOptions{})
		for name, turn := range map[string]func(row, col int) (int, int){
			"mirrored":   func(row, col int) (int, int) { return row, p.size.Cols - 1 - col },
			"turned":     func(row, col int) (int, int) { return p.size.Rows - 1 - row, p.size.Cols - 1 - col },
			"transposed": func(row, col int) (int, int) { return col, row },
		} {
			b := Board{Size: p.size, Topology: p.topology}
			if name == "transposed" {
				b.Size = board.Size{Rows: p.size.Cols, Cols: p.size.Rows}
			}
			at := func(c board.Cell) board.Cell { return b.At(turn(p.size.Row(c), p.size.Col(c))) }
			for _, i := range r.Perm(len(p.ends)) {
				b.Ends = append(b.Ends, [2]board.Cell{at(p.ends[i][1]), at(p.ends[i][0])})
			}
			for c, k := range p.kind {
				switch k {
				case hole:
					b.Holes = append(b.Holes, at(board.Cell(c)))
				case bridge:
					b.Bridges = append(b.Bridges, at(board.Cell(c)))
				}
			}
			for _, w := range p.walls {
				b.Walls = append(b.Walls, board.EdgeOf(at(w.A), at(w.B)))
			}
			q, err := New(b)
			if err != nil {
				t.Fatal(err)
			}
			if !p.covering {
				q = q.WithoutCover().(*Puzzle)
			}
			if got := all(t, q, SearchOptions{}); len(got) != len(want) {
				t.Fatalf("seed %d %s: %d solutions, want %d\n%s\n%s", seed, name, len(got), len(want), p, q)
			}
		}
	}
}

// TestTurns wants every turn of a board to give the same edges in another order.
func TestTurns(t *testing.T) {
	for _, variant := range []string{"", "bridges", "hex", "warp"} {
		puzzle, err := Game{}.Generate(t.Context(), solvers.GenerateOptions{Rows: 6, Cols: 9, Variant: variant}, rand.New(rand.NewPCG(3, 4)))
		if err != nil {
			t.Fatal(err)
		}
		p := puzzle.(*Puzzle)
		m, err := p.model(0, false)
		if err != nil {
			t.Fatal(err)
		}
		orders := map[string]bool{}
		for turn := range p.turns() {
			order := m.turned(turn)
			if turn == 0 && !slices.Equal(order, m.edges) {
				t.Errorf("%s, turn 0: edges %v, expected %v", variant, order, m.edges)
			}
			orders[fmt.Sprint(order)] = true
			slices.Sort(order)
			if !slices.Equal(order, m.edges) {
				t.Errorf("%s, turn %d: edges %v, expected %v", variant, turn, order, m.edges)
			}
		}
		if len(orders) != p.turns() {
			t.Errorf("%s: %d different orders of %d turns", variant, len(orders), p.turns())
		}
	}
}

// TestExclude wants a model to exclude the one solution that a model of any turn of the
// board has found, and no other.
func TestExclude(t *testing.T) {
	p, err := Parse("A....\n.....\n.....\n.....\n....A\n")
	if err != nil {
		t.Fatal(err)
	}
	every := bruteForce(p)
	if len(every) < 2 {
		t.Fatalf("%d solutions, expected several", len(every))
	}
	for turn := range p.turns() {
		turned, err := p.modelOf(csp.Config{InOrder: true}, false)
		if err != nil {
			t.Fatal(err)
		}
		turned.SetOrder(turned.turned(turn))
		if turned.Solve(t.Context()) != csp.Feasible {
			t.Fatalf("turn %d: not solved", turn)
		}
		found := turned.solution()
		m, err := p.model(0, true)
		if err != nil {
			t.Fatal(err)
		}
		m.exclude(found)
		left := []string{fmt.Sprint(found.Paths())}
		m.Enumerate(t.Context(), m.edges, func() bool {
			left = append(left, fmt.Sprint(m.solution().Paths()))
			return true
		})
		sort.Strings(left)
		if !slices.Equal(left, every) {
			t.Errorf("turn %d: %d solutions with the excluded one, expected %d", turn, len(left), len(every))
		}
	}
}
