package flow

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tapwise/solvers"
)

// fewLongBoards is how many boards TestStragglers takes by default.
const fewLongBoards = 8

var longBoards = flag.Int("long-boards", fewLongBoards, "TestStragglers: how many boards of 30x30 to 60x60 with few long pipes are made and solved; 1000 take some ten minutes")

// stragglerRatio is the most conflicts of a board in TestStragglers, in medians.
const stragglerRatio = 50

// TestStragglers makes boards of 30×30 to 60×60 with as few pipes as the square root of
// their cells, solves them, and wants none to take much longer than most. It counts
// conflicts, which are the same on every machine.
func TestStragglers(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of search")
	}
	const leastSide, sides = 30, 31
	conflicts := make([]int64, *longBoards)
	seconds := make([]float64, *longBoards)
	for i := range conflicts {
		r := rand.New(rand.NewPCG(uint64(i), 33))
		p := longBoard(t, leastSide+r.IntN(sides), leastSide+r.IntN(sides), r)
		began := processorTime(t)
		_, stats := search(t, namedPuzzle{fmt.Sprint(i), p}, 1, SearchOptions{})
		conflicts[i], seconds[i] = stats.Conflicts, (processorTime(t) - began).Seconds()
		if *longBoards > fewLongBoards && i%20 == 19 { // so that a long run that is stopped has told something
			t.Logf("%d boards: %s", i+1, spread(conflicts[:i+1], seconds[:i+1]))
		}
	}
	t.Logf("%d boards: %s", len(conflicts), spread(conflicts, seconds))
	if median, most := slices.Sorted(slices.Values(conflicts))[len(conflicts)/2], slices.Max(conflicts); most > stragglerRatio*median {
		t.Errorf("one board takes %d conflicts, the median %d, expected at most %d times as many", most, median, stragglerRatio)
	}
}

// spread describes what boards took.
func spread(conflicts []int64, seconds []float64) string {
	c, s := slices.Sorted(slices.Values(conflicts)), slices.Sorted(slices.Values(seconds))
	last := len(c) - 1
	return fmt.Sprintf("conflicts median %d, most %d; processor seconds median %.3f, most %.3f", c[last/2], c[last], s[last/2], s[last])
}

// longBoard makes a board with as few pipes as the square root of its cells.
func longBoard(t testing.TB, rows, cols int, r *rand.Rand) *Puzzle {
	t.Helper()
	o := solvers.GenerateOptions{Rows: rows, Cols: cols, Colours: int(math.Round(math.Sqrt(float64(rows * cols))))}
	p, err := Game{}.Generate(context.Background(), o, r)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Puzzle)
}

// longSet is a number of boards of longBoard.
func longSet(t testing.TB, rows, cols, boards int) []namedPuzzle {
	var set []namedPuzzle
	for seed := range uint64(boards) {
		set = append(set, namedPuzzle{fmt.Sprintf("%dx%d#%d", cols, rows, seed), longBoard(t, rows, cols, rand.New(rand.NewPCG(seed, 1)))})
	}
	return set
}

// publishedSet is the boards of flow/numberlink/ahle-mixed.txt.
func publishedSet(t testing.TB) []namedPuzzle {
	return numberlinkSet(t, "ahle-mixed")
}

// BenchmarkFewest solves published boards with long pipes, and generated ones with as
// few pipes as the square root of their cells.
func BenchmarkFewest(b *testing.B) {
	b.Run("ahle-mixed", func(b *testing.B) { benchmark(b, publishedSet(b), 1) })
	for _, g := range []struct{ rows, cols, boards int }{{30, 30, 6}, {40, 40, 6}, {50, 50, 11}, {50, 100, 5}, {100, 100, 2}} {
		b.Run(fmt.Sprintf("%dx%d", g.cols, g.rows), func(b *testing.B) { benchmark(b, longSet(b, g.rows, g.cols, g.boards), 1) })
	}
	for _, side := range []int{30, 40, 50} {
		b.Run(fmt.Sprintf("unique-%dx%d", side, side), func(b *testing.B) { benchmark(b, uniqueSet(b, side, 6), 1) })
	}
}

// uniqueSet is a number of square boards with one solution and as few pipes as rows.
func uniqueSet(t testing.TB, side, boards int) []namedPuzzle {
	return generated(t, solvers.GenerateOptions{Rows: side, Cols: side, Colours: side, Unique: true}, boards)
}

// BenchmarkGenerateLong makes boards of uniqueSet, each from one seed.
func BenchmarkGenerateLong(b *testing.B) {
	for _, side := range []int{20, 30, 40, 50, 70, 100} {
		b.Run(fmt.Sprintf("%dx%d", side, side), func(b *testing.B) {
			const boards = 5
			for b.Loop() {
				uniqueSet(b, side, boards)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(boards*b.N), "s/board")
		})
	}
}

// BenchmarkPlain runs the depth-first search on published and on generated boards, to
// compare how hard they are. Of each board it takes the corner that solves it with
// the fewest nodes.
func BenchmarkPlain(b *testing.B) {
	const most = 5_000_000 // nodes from one corner
	published := slices.DeleteFunc(publishedSet(b), func(p namedPuzzle) bool { return p.size.Cells() < manyCells })
	for _, set := range []struct {
		name   string
		boards []namedPuzzle
	}{
		{"ahle-mixed", published},
		{"40x20", numberlinkSet(b, "large")[:12]},
		{"generated-40x20", longSet(b, 20, 40, 12)},
		{"generated-30x30", longSet(b, 30, 30, 6)},
		{"generated-40x40", longSet(b, 40, 40, 6)},
		{"unique-30x30", uniqueSet(b, 30, 6)},
		{"unique-40x40", uniqueSet(b, 40, 6)},
	} {
		b.Run(set.name, func(b *testing.B) {
			var nodes []int
			var took time.Duration
			for b.Loop() {
				nodes = nodes[:0]
				began := processorTime(b)
				for _, p := range set.boards {
					best := most
					for turn := range p.turns() {
						_, n := plainly(p.Puzzle, turn, best)
						best = min(best, n)
					}
					nodes = append(nodes, best)
				}
				took = processorTime(b) - began
			}
			slices.Sort(nodes)
			solved, _ := slices.BinarySearch(nodes, most)
			b.ReportMetric(float64(len(nodes)), "boards")
			b.ReportMetric(float64(solved), "solved")
			b.ReportMetric(float64(nodes[len(nodes)/2]), "median-nodes")
			b.ReportMetric(took.Seconds(), "cpu-s")
		})
	}
}
