package asteroid

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
)

// level is one of the game's levels.
type level struct {
	name   string
	text   string
	moves  int // fewest
	puzzle *Puzzle
}

// levels are the game's levels in the shared data.
func levels(t testing.TB) []level {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "..", "shared", "data", "asteroid")
	list, err := os.ReadFile(filepath.Join(folder, "moves.csv"))
	if err != nil {
		t.Skipf("no levels: folder %s is missing: %v", folder, err)
	}
	var all []level
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n")[1:] {
		number, moves, _ := strings.Cut(line, ",")
		l := level{name: "level-" + number}
		if l.moves, err = strconv.Atoi(strings.TrimSpace(moves)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder, l.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		l.text = string(text)
		if l.puzzle, err = Parse(l.text); err != nil {
			t.Fatalf("%s: %v\n%s", l.name, err, text)
		}
		all = append(all, l)
	}
	return all
}

// TestLevels solves the game's levels in the fewest moves known.
func TestLevels(t *testing.T) {
	for _, l := range levels(t) {
		if got := l.puzzle.String(); got != strings.TrimRight(l.text, "\n") {
			t.Errorf("%s: printed back\n%s\nexpected\n%s", l.name, got, l.text)
		}
		s, err := l.puzzle.Solve(context.Background())
		if err != nil {
			t.Errorf("%s: %v\n%s", l.name, err, l.text)
			continue
		}
		if got := len(s.(*Solution).Moves()); got != l.moves {
			t.Errorf("%s: %d moves, expected %d\n%s\n%s", l.name, got, l.moves, l.text, s)
		}
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v\n%s\n%s", l.name, err, l.text, s)
		}
	}
}

// TestUnsolvable lists the solutions where there should be none.
func TestUnsolvable(t *testing.T) {
	for _, c := range gametest.Cases(t, "testdata/cases/*.txt", "unsolvable") {
		p, err := Parse(c.Parts[0])
		if err != nil {
			t.Fatal(err)
		}
		stats, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
			t.Errorf("listed\n%s\n%s", p, s)
			return false
		})
		if err != nil || stats.Nodes == 0 {
			t.Errorf("got %+v, %v\n%s", stats, err, p)
		}
	}
}

// TestHardestEnded lets the context end first.
func TestHardestEnded(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := Hardest(ended, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Hardest: got %v, expected %v", err, context.Canceled)
	}
}

// plainSlides are the boards one slide away, by the move, found with the
// checker's units only.
func plainSlides(at [cells]piece) map[Move][cells]piece {
	next := map[Move][cells]piece{}
	for from := range board.Cell(cells) {
		for d := range board.Dir(4) {
			row, col := d.Step()
			to := size.At(size.Row(from)+row, size.Col(from)+col)
			if to == board.None || at[to] != hole || !plainClear(at, from, d) {
				continue
			}
			after := at
			after[to], after[from] = at[from], hole
			next[Move{From: from, Dir: d}] = after
		}
	}
	return next
}

func plainClear(at [cells]piece, from board.Cell, d board.Dir) bool {
	row, col := d.Step()
	for third := 1; third <= 3; third++ {
		if met(at, from, third*row, third*col) != board.None {
			return false
		}
	}
	return true
}

func plainLeaves(at [cells]piece) bool {
	return at[door] == spacecraft && plainClear(at, door, board.South)
}

// plainFewest is the fewest moves by a plain search, 0 if there is no
// solution, -1 if the search has seen more boards than the limit.
func plainFewest(p *Puzzle, limit int) int {
	seen := map[[cells]piece]bool{p.at: true}
	wave := [][cells]piece{p.at}
	for moves := 1; len(wave) > 0; moves++ {
		var next [][cells]piece
		for _, at := range wave {
			if plainLeaves(at) {
				return moves
			}
			for _, after := range plainSlides(at) {
				if !seen[after] {
					seen[after] = true
					next = append(next, after)
				}
			}
		}
		if len(seen) > limit {
			return -1
		}
		wave = next
	}
	return 0
}

// randomPuzzle lays any pieces in any places.
func randomPuzzle(random *rand.Rand) *Puzzle {
	for {
		var at [cells]piece
		for c := range at {
			at[c] = oneSmall + piece(random.IntN(int(pieces-oneSmall)))
		}
		order := random.Perm(cells)
		at[order[0]], at[order[1]] = hole, spacecraft
		if p, err := newPuzzle(at); err == nil {
			return p
		}
	}
}

// TestSolveAgrees compares the solver with a plain search on random boards.
func TestSolveAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	count := map[bool]int{} // of boards with a solution and without
	for count[true] < 150 || count[false] < 150 {
		p := randomPuzzle(random)
		want := plainFewest(p, 500)
		if want < 0 || count[want > 0] == 150 {
			continue
		}
		count[want > 0]++
		s, err := p.Solve(context.Background())
		switch {
		case want == 0 && !errors.Is(err, solvers.ErrNoSolution):
			t.Fatalf("got %v, %v, expected no solution\n%s", s, err, p)
		case want > 0 && err != nil:
			t.Fatalf("got %v, expected %d moves\n%s", err, want, p)
		case want > 0 && len(s.(*Solution).moves) != want:
			t.Fatalf("got %d moves, expected %d\n%s\n%s", len(s.(*Solution).moves), want, p, s)
		case want > 0 && s.Check() != nil:
			t.Fatalf("%v\n%s\n%s", s.Check(), p, s)
		}
	}
}

// plainSolutions are all solutions up to a number of moves, as text, by a
// plain search.
func plainSolutions(at [cells]piece, moves int) []string {
	seen := map[[cells]piece]bool{}
	var found []string
	var walk func(at [cells]piece, path []string)
	walk = func(at [cells]piece, path []string) {
		if len(path) == moves {
			return
		}
		if plainLeaves(at) {
			found = append(found, strings.Join(append(slices.Clone(path), "2,1 exit"), "\n"))
		}
		seen[at] = true
		for m, after := range plainSlides(at) {
			if !seen[after] {
				walk(after, append(slices.Clone(path), m.String()))
			}
		}
		delete(seen, at)
	}
	walk(at, nil)
	return found
}

// TestSolutionsAgree compares the lists of solutions with plain searches: up
// to a few moves more than needed, and all there are on small boards.
func TestSolutionsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	listed, complete, most := 0, 0, 0
	for boards := 0; boards < 60; {
		p := randomPuzzle(random)
		fewest := plainFewest(p, 500)
		if fewest <= 0 {
			continue
		}
		r, start := p.rules()
		g, err := newGraph(context.Background(), r, start)
		if err != nil {
			t.Fatal(err)
		}
		maxMoves := fewest + 4
		bound := maxMoves
		if len(g.positions) <= 40 { // few enough for all solutions there are
			maxMoves, bound = len(g.positions), 0
			complete++
		} else if fewest > 4 {
			continue
		}
		boards++
		want := plainSolutions(p.at, maxMoves)
		var got []string
		last := 0
		if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{MaxMoves: bound}, func(s solvers.Solution) bool {
			if err := s.Check(); err != nil {
				t.Fatalf("%v\n%s\n%s", err, p, s)
			}
			moves := len(s.(*Solution).moves)
			if moves < last {
				t.Fatalf("%d moves after %d\n%s", moves, last, p)
			}
			last = moves
			got = append(got, s.String())
			return true
		}); err != nil {
			t.Fatal(err)
		}
		listed += len(got)
		most = max(most, len(got))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("listed %d solutions of at most %d moves, expected %d\n%s\n%q\n%q", len(got), bound, len(want), p, got, want)
		}
	}
	t.Logf("%d solutions of 60 boards, at most %d of one; complete lists of %d boards", listed, most, complete)
}

// TestSolutionsStop ends lists early.
func TestSolutionsStop(t *testing.T) {
	p := example(t)
	count := 0
	if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(solvers.Solution) bool {
		count++
		return count < 1000
	}); err != nil || count != 1000 {
		t.Errorf("listed %d solutions, %v, expected 1000", count, err)
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	if _, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(solvers.Solution) bool {
		end()
		return true
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, expected %v", err, context.Canceled)
	}
	if stats, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{MaxMoves: 4}, func(s solvers.Solution) bool {
		t.Errorf("listed\n%s\nexpected none with fewer than 5 moves", s)
		return true
	}); err != nil || stats.Nodes == 0 {
		t.Errorf("got %+v, %v", stats, err)
	}
}

// BenchmarkLevels solves all of the game's levels in shared/data.
func BenchmarkLevels(b *testing.B) {
	all := levels(b)
	for b.Loop() {
		for _, l := range all {
			if _, err := l.puzzle.Solve(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	}
}
