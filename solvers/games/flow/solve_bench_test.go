package flow

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

type namedPuzzle struct {
	name string
	*Puzzle
}

// variant is the kind of a level of the real game.
func (p namedPuzzle) variant() string {
	for _, k := range p.kind {
		if k == bridge {
			return "bridges"
		}
	}
	return p.topology.String()
}

// readSet reads the puzzles of a folder of real levels.
func readSet(t testing.TB, name string) []namedPuzzle {
	t.Helper()
	var set []namedPuzzle
	index := map[string]int{}
	forEachLevel(t, sharedData(t, name), func(file, text string) {
		i := index[file]
		index[file]++
		if strings.HasSuffix(file, ".solutions.txt") {
			return
		}
		// One board of the sets has a wrong size line; TestNumberlink wants it refused.
		if p, err := Parse(text); err == nil {
			set = append(set, namedPuzzle{fmt.Sprintf("%s#%d", file, i), p})
		}
	})
	return set
}

// numberlinkSet is the boards of the files of flow/numberlink whose names begin so.
func numberlinkSet(t testing.TB, prefix string) []namedPuzzle {
	t.Helper()
	return slices.DeleteFunc(readSet(t, "flow/numberlink"), func(p namedPuzzle) bool { return !strings.HasPrefix(p.name, prefix) })
}

// search returns the number of solutions up to a limit, each checked.
func search(t testing.TB, p namedPuzzle, limit int, o SearchOptions) (int, solvers.Stats) {
	t.Helper()
	n := 0
	stats, err := p.Search(context.Background(), o, func(s *Solution) bool {
		if err := s.Check(); err != nil {
			t.Fatalf("%s: %v\n%s\n%s", p.name, err, p, s)
		}
		n++
		return n < limit
	})
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return n, stats
}

func TestClassic(t *testing.T) {
	for _, p := range readSet(t, "flow/classic") {
		want := 1
		if strings.HasPrefix(p.name, "unsolvable") {
			want = 0
		}
		if n, _ := search(t, p, 1, SearchOptions{}); n != want {
			t.Errorf("%s: %d solutions, want %d\n%s", p.name, n, want, p)
		}
	}
}

func TestOfficial(t *testing.T) {
	for i, p := range readSet(t, "flow/official") {
		if testing.Short() && i%20 != 0 {
			continue
		}
		limit := 1
		if i%150 == 0 {
			limit = 2
		}
		if n, _ := search(t, p, limit, SearchOptions{}); n != 1 {
			t.Errorf("%s: %d solutions, want 1\n%s", p.name, n, p)
		}
	}
}

// TestSolveNumberlink solves real Numberlink boards, whose cells need not all be
// covered.
func TestSolveNumberlink(t *testing.T) {
	for _, p := range readSet(t, "flow/numberlink") {
		if n, _ := search(t, namedPuzzle{p.name, p.WithoutCover().(*Puzzle)}, 1, SearchOptions{}); n != 1 {
			t.Errorf("%s: no solution, expected one\n%s", p.name, p)
		}
	}
}

// TestLong solves a board too large for colours: in order from one of its
// corners, and by activity, the last resort where the order fails from every corner.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of search")
	}
	ctx := context.Background()
	p := generated(t, solvers.GenerateOptions{Rows: 40, Cols: 80, Colours: 106}, 1)[0]
	var effort solvers.Stats
	for name, find := range map[string]func() (*model, bool, error){
		"front": func() (*model, bool, error) { return p.front(ctx, SearchOptions{}, &effort) },
		"activity": func() (*model, bool, error) {
			m, err := p.tidyModel(csp.Config{})
			if err != nil {
				return nil, false, err
			}
			return m.firstTidy(ctx, &effort)
		},
	} {
		found, _, err := find()
		if found == nil || err != nil {
			t.Errorf("%s: found nothing, error %v, expected a solution", name, err)
			continue
		}
		if err := found.solution().Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// moveEnd is the puzzle with one end moved by one or two cells.
func moveEnd(t testing.TB, p *Puzzle, r *rand.Rand) *Puzzle {
	t.Helper()
	b := Board{Size: p.size, Topology: p.topology, Ends: append([][2]board.Cell(nil), p.ends...), Walls: p.walls}
	for c, k := range p.kind {
		switch k {
		case hole:
			b.Holes = append(b.Holes, board.Cell(c))
		case bridge:
			b.Bridges = append(b.Bridges, board.Cell(c))
		}
	}
	for {
		end := &b.Ends[r.IntN(len(b.Ends))][r.IntN(2)]
		to := *end
		for range 1 + r.IntN(2) {
			if n := p.Neighbour(to, board.Dir(r.IntN(p.Dirs()))); n != board.None {
				to = n
			}
		}
		if p.kind[to] != plain || p.pipe[to] >= 0 {
			continue
		}
		*end = to
		q, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
}

// Boards that mostly have no solution: every answer is a proof. Those of up to
// 60 cells are proved a second time without the assumptions.
func TestBroken(t *testing.T) {
	set := readSet(t, "flow/official")
	r := rand.New(rand.NewPCG(1, 2))
	n := 100
	if testing.Short() {
		n = 20
	}
	for range n {
		p := set[r.IntN(len(set))]
		p.Puzzle = moveEnd(t, p.Puzzle, r)
		got, _ := search(t, p, 3, SearchOptions{})
		if p.size.Cells() > 60 {
			continue
		}
		if want, _ := search(t, p, 3, SearchOptions{Strict: true}); got != want {
			t.Errorf("%s: %d solutions, strictly %d\n%s", p.name, got, want, p)
		}
	}
}

// BenchmarkBroken decides 500 real levels with one end moved, and reports how many
// have no solution, and for how many of those there is a reason
// in words.
func BenchmarkBroken(b *testing.B) {
	set := readSet(b, "flow/official")
	r := rand.New(rand.NewPCG(6, 4))
	broken := make([]*Puzzle, 500)
	for i := range broken {
		broken[i] = moveEnd(b, set[r.IntN(len(set))].Puzzle, r)
	}
	for b.Loop() {
		decideBroken(b, broken)
	}
}

func decideBroken(b *testing.B, broken []*Puzzle) {
	unsolvable, explained, total, slowest := 0, 0, time.Duration(0), time.Duration(0)
	for _, p := range broken {
		began := processorTime(b)
		_, err := p.Solve(context.Background())
		took := processorTime(b) - began
		total += took
		slowest = max(slowest, took)
		var reason *solvers.NoSolutionError
		switch {
		case errors.As(err, &reason):
			explained++
			unsolvable++
		case errors.Is(err, solvers.ErrNoSolution):
			unsolvable++
		case err != nil:
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(unsolvable), "unsolvable")
	b.ReportMetric(float64(explained), "explained")
	b.ReportMetric(total.Seconds(), "cpu-s")
	b.ReportMetric(float64(slowest)/1e6, "slowest-ms")
}

// processorTime is the time that the process has spent computing: other work of the
// machine does not lengthen it.
func processorTime(b testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Error(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// timeLimit ends the search on one board, which then does not count as solved.
const timeLimit = 5 * time.Minute

// searchFor looks for solutions up to a limit, and no longer than a time.
func (p namedPuzzle) searchFor(most time.Duration, limit int) (n int, stats solvers.Stats, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	stats, err = p.Search(ctx, SearchOptions{}, func(*Solution) bool { n++; return n < limit })
	return n, stats, err
}

// benchmark searches a set once in each iteration. It reports the boards with a
// solution, the conflicts, and the processor time of all boards and of the slowest.
func benchmark(b *testing.B, set []namedPuzzle, limit int) {
	solved, conflicts, total, slowest := 0, int64(0), time.Duration(0), time.Duration(0)
	b.ReportAllocs()
	for b.Loop() {
		solved, conflicts, total, slowest = 0, 0, 0, 0
		for _, p := range set {
			began := processorTime(b)
			n, stats, err := p.searchFor(timeLimit, limit)
			took := processorTime(b) - began
			total += took
			slowest = max(slowest, took)
			if n > 0 && err == nil {
				solved++
			}
			conflicts += stats.Conflicts
		}
	}
	b.ReportMetric(float64(len(set)), "boards")
	b.ReportMetric(float64(solved), "solved")
	b.ReportMetric(total.Seconds(), "cpu-s")
	b.ReportMetric(float64(slowest)/1e6, "slowest-ms")
	b.ReportMetric(float64(conflicts), "conflicts")
}

func byVariant(set []namedPuzzle) map[string][]namedPuzzle {
	m := map[string][]namedPuzzle{}
	for _, p := range set {
		m[p.variant()] = append(m[p.variant()], p)
	}
	return m
}

func BenchmarkOfficial(b *testing.B) {
	set := byVariant(readSet(b, "flow/official"))
	for _, v := range []string{"square", "bridges", "hex", "warp"} {
		b.Run(v, func(b *testing.B) { benchmark(b, set[v], 1) })
	}
}

// BenchmarkUnique proves that every level has one solution only.
func BenchmarkUnique(b *testing.B) {
	set := byVariant(readSet(b, "flow/official"))
	for _, v := range []string{"square", "bridges", "hex", "warp"} {
		b.Run(v, func(b *testing.B) { benchmark(b, set[v], 2) })
	}
}

// BenchmarkDecide looks for two solutions that cover the board of each of janko's, each within ten
// seconds on all cores. It reports by the clock: how many boards are decided, all the seconds, and
// those that the decided took.
func BenchmarkDecide(b *testing.B) {
	const limit = 10 * time.Second
	boards := numberlinkSet(b, "janko")
	decided, all, needed, slowest := 0, time.Duration(0), time.Duration(0), time.Duration(0)
	for b.Loop() {
		decided, all, needed, slowest = 0, 0, 0, 0
		for _, p := range boards {
			began := time.Now()
			_, _, err := p.searchFor(limit, 2)
			took := time.Since(began)
			all += took
			if err != nil {
				b.Logf("%s, %s: %v", p.name, p.size, err)
				continue
			}
			decided++
			needed += took
			slowest = max(slowest, took)
		}
	}
	b.ReportMetric(float64(len(boards)), "boards")
	b.ReportMetric(float64(decided), "decided")
	b.ReportMetric(all.Seconds(), "s")
	b.ReportMetric(needed.Seconds(), "decided-s")
	b.ReportMetric(float64(slowest)/1e6, "slowest-ms")
}

func BenchmarkSets(b *testing.B) {
	b.Run("classic", func(b *testing.B) { benchmark(b, readSet(b, "flow/classic"), 1) })
	var janko, large []namedPuzzle
	for _, p := range readSet(b, "flow/numberlink") {
		p.Puzzle = p.WithoutCover().(*Puzzle)
		if strings.HasPrefix(p.name, "large") {
			large = append(large, p)
		} else {
			janko = append(janko, p)
		}
	}
	b.Run("janko", func(b *testing.B) { benchmark(b, janko, 1) })
	b.Run("40x20", func(b *testing.B) { benchmark(b, large, 1) })
	for _, g := range []struct{ rows, cols, boards int }{{40, 40, 6}, {50, 50, 11}, {50, 100, 5}, {100, 100, 3}} {
		b.Run(fmt.Sprintf("generated-%dx%d", g.cols, g.rows), func(b *testing.B) {
			benchmark(b, generated(b, solvers.GenerateOptions{Rows: g.rows, Cols: g.cols}, g.boards), 1)
		})
	}
}

// BenchmarkLong is the generated boards of BenchmarkSets with few long pipes, a
// pipe for every 30 cells, which are harder.
func BenchmarkLong(b *testing.B) {
	for _, g := range []struct{ rows, cols, boards int }{{20, 20, 6}, {30, 30, 6}, {40, 40, 6}, {50, 50, 11}, {50, 100, 5}, {100, 100, 3}} {
		b.Run(fmt.Sprintf("%dx%d", g.cols, g.rows), func(b *testing.B) {
			o := solvers.GenerateOptions{Rows: g.rows, Cols: g.cols, Colours: g.rows * g.cols / 30}
			benchmark(b, generated(b, o, g.boards), 1)
		})
	}
}

func generated(b testing.TB, o solvers.GenerateOptions, boards int) []namedPuzzle {
	var set []namedPuzzle
	for seed := range uint64(boards) {
		p, err := Game{}.Generate(context.Background(), o, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			b.Fatal(err)
		}
		set = append(set, namedPuzzle{fmt.Sprint(seed), p.(*Puzzle)})
	}
	return set
}

// BenchmarkStop reports the longest processor time in milliseconds that a search
// takes to stop once its context is done, on the boards that take the engine
// longest.
func BenchmarkStop(b *testing.B) {
	blank, err := New(Board{Size: board.Size{Rows: 100, Cols: 100}, Ends: [][2]board.Cell{{0, 9900}}})
	if err != nil {
		b.Fatal(err)
	}
	boards := []namedPuzzle{{"blank", blank}, {"blank-uncovered", blank.WithoutCover().(*Puzzle)}}
	for _, p := range readSet(b, "flow/numberlink") {
		if p.name == "janko.txt#186" {
			boards = append(boards, namedPuzzle{"janko", p.WithoutCover().(*Puzzle)})
		}
	}
	for _, seed := range []uint64{0, 1} {
		made, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: 100, Cols: 100}, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			b.Fatal(err)
		}
		boards = append(boards, namedPuzzle{fmt.Sprintf("generated-%d", seed), made.(*Puzzle)})
	}
	for _, p := range boards {
		b.Run(p.name, func(b *testing.B) {
			longest := time.Duration(0)
			for b.Loop() {
				for _, after := range []time.Duration{1, 3, 10, 20, 30, 50, 70, 100, 150, 300, 1000} {
					longest = max(longest, stopTime(b, p, after*time.Millisecond))
				}
			}
			b.ReportMetric(float64(longest)/1e6, "longest-ms")
		})
	}
}

// stopTime is the processor time that a search for all solutions still takes after it
// is stopped.
func stopTime(b *testing.B, p namedPuzzle, after time.Duration) time.Duration {
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan time.Duration, 1)
	time.AfterFunc(after, func() {
		stopped <- processorTime(b)
		stop()
	})
	_, _ = p.Search(ctx, SearchOptions{}, func(*Solution) bool { return true })
	return processorTime(b) - <-stopped
}
