package homotopy

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers/engine/csp"
)

// routing has by cell the pair whose path is on it, or -1, and by cell the step that leads on
// from it on its path, so that routings over the same cells differ.
type routing struct {
	pairs []int
	steps string
}

// routings lists all routings of a small board by trying all steps.
func routings(b Board) []routing {
	pairs := make([]int, b.Rows*b.Cols)
	for c := range pairs {
		pairs[c] = -1
	}
	for k, ends := range b.Pairs {
		for _, p := range ends {
			pairs[p.Y*b.Cols+p.X] = k
		}
	}
	var found []routing
	steps := []byte{}
	var extend func(pair int, at Point)
	extend = func(pair int, at Point) {
		if at == b.Pairs[pair][1] {
			if pair++; pair == len(b.Pairs) {
				found = append(found, routing{slices.Clone(pairs), string(steps)})
				return
			}
			at = b.Pairs[pair][0]
		}
		for d, to := range []Point{{at.X + 1, at.Y}, {at.X, at.Y + 1}, {at.X - 1, at.Y}, {at.X, at.Y - 1}} {
			if to.X < 0 || to.X >= b.Cols || to.Y < 0 || to.Y >= b.Rows {
				continue
			}
			c := to.Y*b.Cols + to.X
			if end := to == b.Pairs[pair][1]; pairs[c] >= 0 && !end {
				continue
			} else if !end {
				pairs[c] = pair
				defer func() { pairs[c] = -1 }()
			}
			steps = append(steps, byte('0'+d))
			extend(pair, to)
			steps = steps[:len(steps)-1]
			if to != b.Pairs[pair][1] {
				pairs[c] = -1
			}
		}
	}
	extend(0, b.Pairs[0][0])
	return found
}

// fits reports whether a routing has the paths at the full cuts of a class that the class says.
func (b Board) fits(r routing, class []Cut) bool {
	for _, cut := range class {
		if !cut.Full() {
			continue
		}
		for i, cells := range cut.Cells() {
			for _, at := range cells {
				if at.X < 0 || at.Y < 0 || at.X >= b.Cols || at.Y >= b.Rows {
					return false // the wall takes room
				}
				if r.pairs[at.Y*b.Cols+at.X] != cut.Pairs[i] {
					return false
				}
			}
		}
	}
	return true
}

// TestClasses lists the classes of small boards and compares them with all routings, found
// by trying all steps: each must be of one of the classes.
func TestClasses(t *testing.T) {
	const boards = 400
	routable, full := 0, 0
	for seed := range uint64(boards) {
		random := rand.New(rand.NewPCG(seed, 17))
		b := Board{Rows: 3 + random.IntN(3), Cols: 3 + random.IntN(2)}
		cells := random.Perm(b.Rows * b.Cols)
		for k := range 2 + random.IntN(3) {
			at := func(c int) Point { return Point{c % b.Cols, c / b.Cols} }
			b.Pairs = append(b.Pairs, [2]Point{at(cells[2*k]), at(cells[2*k+1])})
		}
		list, err := b.Classes(csp.Config{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		var classes [][]Cut
		cuts, status := list.Next(t.Context())
		for ; status == csp.Feasible; cuts, status = list.Next(t.Context()) {
			classes = append(classes, cuts)
			if slices.ContainsFunc(cuts, Cut.Full) {
				full++
			}
		}
		if status != csp.Infeasible {
			t.Fatalf("board %d: %v", seed, status)
		}
		all := routings(b)
		if len(all) > 0 {
			routable++
		}
		for _, r := range all {
			if !slices.ContainsFunc(classes, func(c []Cut) bool { return b.fits(r, c) }) {
				t.Fatalf("board %d, %+v: the routing %v is of none of %d classes", seed, b, r.pairs, len(classes))
			}
		}
	}
	t.Logf("%d of %d boards have routings; %d classes have full cuts", routable, boards, full)
	if routable < boards/4 || full < boards/4 {
		t.Errorf("%d of %d boards have routings and %d classes full cuts: too few to tell anything", routable, boards, full)
	}
}

// TestClassCounts lists classes of boards where it is plain how many there are.
func TestClassCounts(t *testing.T) {
	for _, test := range []struct {
		name     string
		board    Board
		expected int
	}{
		{"two neighbours", Board{1, 2, [][2]Point{{{0, 0}, {1, 0}}}}, 1},
		{"one pair in a wide board", Board{7, 7, [][2]Point{{{1, 1}, {5, 4}}}}, 1},
		{"no way past the other pair", Board{1, 4, [][2]Point{{{0, 0}, {2, 0}}, {{1, 0}, {3, 0}}}}, 0},
		{"pairs that cross in a board of two rows", Board{2, 2, [][2]Point{{{0, 0}, {1, 1}}, {{1, 0}, {0, 1}}}}, 0},
		{"around one end or the other", Board{3, 3, [][2]Point{{{0, 1}, {2, 1}}, {{1, 0}, {1, 2}}}}, 0},
		{"below and above a short pair", Board{3, 4, [][2]Point{{{0, 1}, {3, 1}}, {{1, 1}, {2, 1}}}}, 2},
	} {
		list, err := test.board.Classes(csp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		_, status := list.Next(t.Context())
		for ; status == csp.Feasible; _, status = list.Next(t.Context()) {
			n++
		}
		if status != csp.Infeasible || n != test.expected {
			t.Errorf("%s: %v, %d classes, expected %d", test.name, status, n, test.expected)
		}
	}
}

// ways lists all shortest ways of a king that lead to aside columns (or rows) to the side in some
// steps, by how far aside each step comes, the last left out.
func ways(steps, aside int) [][]int {
	if steps == 1 {
		if abs(aside) <= 1 {
			return [][]int{nil}
		}
		return nil
	}
	var all [][]int
	for d := -1; d <= 1; d++ {
		for _, rest := range ways(steps-1, aside-d) {
			way := []int{d}
			for _, b := range rest {
				way = append(way, d+b)
			}
			all = append(all, way)
		}
	}
	return all
}

// TestCells compares the cells of random cuts with all shortest ways of a king that stay between
// the two points: a way counts if no end lies between it and the straight line, or on that line where
// the way leaves it. The cuts lead to the right; the others are turned.
func TestCells(t *testing.T) {
	without, kept := 0, 0
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 3))
		steps := 2 + random.IntN(6)
		aside := random.IntN(2*steps+1) - steps
		turned, back := random.IntN(2) == 0, 1-2*random.IntN(2)
		if turned && abs(aside) == steps {
			continue // a diagonal goes by columns
		}
		at := func(step, aside int) Point {
			if turned {
				return Point{aside, back * step}
			}
			return Point{back * step, aside}
		}
		ends := map[Point]bool{}
		for range 5 {
			ends[at(1+random.IntN(steps-1), random.IntN(abs(aside)+1)*sign(aside))] = true
		}
		expected := make([]map[Point]bool, steps-1)
		for i := range expected {
			expected[i] = map[Point]bool{}
		}
		straight := func(i int) int { return int(math.Floor(float64((i+1)*aside)/float64(steps) + 0.5)) }
		between := func(i, b int) bool {
			for c := straight(i); c != b; c += sign(b - c) {
				if ends[at(i+1, c)] {
					return true
				}
			}
			return false
		}
		for _, way := range ways(steps, aside) {
			if slices.Min(way) < min(0, aside) || slices.Max(way) > max(0, aside) {
				continue
			}
			clear := true
			for i, b := range way {
				clear = clear && !between(i, b)
			}
			for i, b := range way {
				if clear {
					expected[i][at(i+1, b)] = true
				}
			}
		}
		cut := Cut{To: at(steps, aside), ends: ends}
		for i, cells := range cut.Cells() {
			got := map[Point]bool{}
			for _, c := range cells {
				got[c] = true
			}
			if !maps.Equal(got, expected[i]) {
				t.Fatalf("cut %+v, ends %v: step %d has the cells %v, expected %v", cut, ends, i+1, got, expected[i])
			}
			kept += len(got)
		}
		cut.ends = nil
		for _, cells := range cut.Cells() {
			without += len(cells)
		}
	}
	t.Logf("%d cells, %d without ends", kept, without)
	if kept == 0 || kept == without {
		t.Errorf("%d cells, %d without ends: no end made a difference", kept, without)
	}
}

func TestClassesRefuse(t *testing.T) {
	for _, b := range []Board{
		{2, 2, [][2]Point{{{0, 0}, {2, 0}}}},
		{2, 2, [][2]Point{{{0, 0}, {1, 0}}, {{1, 0}, {1, 1}}}},
	} {
		if _, err := b.Classes(csp.Config{}); err == nil {
			t.Errorf("%+v: no error", b)
		}
	}
}

// TestTooLarge refuses boards with very many pairs, or very much room.
func TestTooLarge(t *testing.T) {
	many := Board{Rows: 3, Cols: mostPairs + 1}
	for x := range many.Cols {
		many.Pairs = append(many.Pairs, [2]Point{{x, 0}, {x, 1}})
	}
	wide := Board{Rows: 1000, Cols: 1000}
	for k := range 10 {
		wide.Pairs = append(wide.Pairs, [2]Point{{100 * k, 90 * k}, {90*k + 50, 100*k + 60}})
	}
	for _, b := range []Board{many, wide} {
		if _, err := b.Classes(csp.Config{}); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%d pairs on %d×%d: %v, expected ErrTooLarge", len(b.Pairs), b.Rows, b.Cols, err)
		}
	}
}
