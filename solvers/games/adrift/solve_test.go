package adrift

import (
	"context"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// naive lists the solutions of a puzzle by drawing one chain after the other,
// cell by cell, in every way in which it does not touch itself. It knows
// which cells touch from their places in space.
func naive(p *Puzzle) []string {
	near := make([][]int, p.Cells())
	for a := range near {
		for b := range near {
			if a != b && squared(p.inSpace(a), p.inSpace(b)) <= 4 {
				near[a] = append(near[a], b)
			}
		}
	}
	var found []string
	s := &Solution{puzzle: p, colour: slices.Clone(p.colour)}
	var draw func(k, at int)
	draw = func(k, at int) {
		// The chain's last cell is at; one step on, or, next to the other
		// end, on to the next chain.
		last := int(p.ends[k][1])
		if slices.Contains(near[at], last) {
			if k+1 < len(p.ends) {
				draw(k+1, int(p.ends[k+1][0]))
			} else if !slices.Contains(s.colour, free) {
				if s.Check() == nil {
					found = append(found, s.String())
				}
			}
			return
		}
		for _, n := range near[at] {
			if s.colour[n] != free {
				continue
			}
			touching := 0
			for _, m := range near[n] {
				if s.colour[m] == k && m != last {
					touching++
				}
			}
			if touching == 1 {
				s.colour[n] = k
				draw(k, n)
				s.colour[n] = free
			}
		}
	}
	draw(0, int(p.ends[0][0]))
	slices.Sort(found)
	return found
}

// randomPuzzle draws ends and stones, or, if fair, chains that have them.
func randomPuzzle(t testing.TB, random *rand.Rand, side, colours, stones int, fair bool) *Puzzle {
	t.Helper()
	if fair {
		for {
			if d := newDraft(cube{side}, colours, random); !d.hasShort(2) {
				p, err := d.puzzle()
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
		}
	}
	b := Board{Side: side}
	cells := random.Perm(cube{side}.cells())
	for i := range colours {
		b.Ends = append(b.Ends, [2]board.Cell{board.Cell(cells[2*i]), board.Cell(cells[2*i+1])})
	}
	for _, c := range cells[2*colours : 2*colours+stones] {
		b.Stones = append(b.Stones, board.Cell(c))
	}
	p, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBruteForce compares the solutions of random small boards with those that
// drawing every chain finds.
func TestBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	for i, boards := range []int{200, 600, 800} {
		side := 2 + i
		several, none := 0, 0
		for i := range boards {
			p := randomPuzzle(t, random, side, 1+random.IntN(side), random.IntN(1+side*side), i%3 != 0)
			want := naive(p)
			gametest.SameSolutions(t, p, want)
			switch {
			case len(want) == 0:
				none++
			case p.reason() != "":
				t.Fatalf("%s\nhas a solution, though %s", p, p.reason())
			case len(want) > 1:
				several++
			}
		}
		t.Logf("%d boards of side %d: %d with several solutions, %d with none", boards, side, several, none)
	}
}

// TestUnsolvable looks for solutions where there should be none.
func TestUnsolvable(t *testing.T) {
	for _, c := range gametest.Cases(t, "testdata/cases/*.txt", "unsolvable") {
		p, err := Parse(c.Parts[0])
		if err != nil {
			t.Fatal(err)
		}
		if found := naive(p); len(found) != 0 {
			t.Errorf("%s\nhas solutions:\n%s", p, strings.Join(found, "\n\n"))
		}
	}
}

// TestNeighbours compares the cells that touch by the rules' rows and columns
// with those that lie side by side in space.
func TestNeighbours(t *testing.T) {
	for side := MinSide; side <= MaxSide; side++ {
		p := &Puzzle{cube: cube{side}}
		for a := range p.cells() {
			var want []board.Cell
			for b := range p.cells() {
				if a != b && squared(p.inSpace(a), p.inSpace(b)) <= 4 {
					want = append(want, board.Cell(b))
				}
			}
			got := p.Neighbours(board.Cell(a))
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("side %d: %s touches %v, expected %v", side, p.Name(board.Cell(a)), got, want)
			}
		}
	}
}

// TestSymmetries solves boards turned about the corner of the three faces,
// mirrored and with other letters: the solutions must be the same ones,
// turned, mirrored and renamed.
func TestSymmetries(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for i := range 60 {
		side := 2 + i%5
		p := randomPuzzle(t, random, side, side, 0, true)
		list := gametest.Solutions(t, p)
		// A cell's distances from the three faces, exchanged.
		at := map[[3]int]int{}
		for c := range p.cells() {
			at[p.inSpace(c)] = c
		}
		n := 2 * side
		turn := func(c int) int {
			x := p.inSpace(c)
			return at[[3]int{n - (n - x[1]), n - x[2], n - x[0]}]
		}
		mirror := func(c int) int {
			x := p.inSpace(c)
			return at[[3]int{x[1], x[0], x[2]}]
		}
		same := func(c int) int { return c }
		for name, variant := range map[string]struct {
			move   func(int) int
			rename string
		}{"turned": {turn, p.labels}, "mirrored": {mirror, p.labels}, "renamed": {same, "zQabcdefgh"[:side]}} {
			moved := func(text string) string {
				cells := strings.Fields(text)
				to := make([]string, len(cells))
				for c, cell := range cells {
					if k := strings.Index(p.labels, cell); k >= 0 {
						cell = variant.rename[k : k+1]
					}
					to[variant.move(c)] = cell
				}
				var rows []string
				for row := range slices.Chunk(to, side) {
					rows = append(rows, strings.Join(row, " "))
				}
				return strings.Join(rows, "\n")
			}
			q, err := Parse(moved(p.String()))
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, text := range list {
				want = append(want, moved(text))
			}
			slices.Sort(want)
			if got := gametest.Solutions(t, q); !slices.Equal(got, want) {
				t.Errorf("%s\n%s\nsolved to\n%s\nexpected\n%s", name, q, strings.Join(got, "\n\n"), strings.Join(want, "\n\n"))
			}
		}
	}
}

// TestPlan looks at the strokes on a made-up screen.
func TestPlan(t *testing.T) {
	p, err := Parse("A B\n. X\n. X\nA X\nX .\nX B")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	l := screen.Layout{On: screen.Frame{Size: image.Pt(1080, 1920), Rotation: 1}, Pitch: 100}
	for c := range p.Cells() {
		l.Centres = append(l.Centres, image.Pt(100+c, 500+7*c))
	}
	gestures := s.Plan(l)
	for i, want := range [][]int{{0, 2, 4, 6}, {1, 9, 11}} {
		var points []image.Point
		for _, c := range want {
			points = append(points, l.Centres[c])
		}
		if len(gestures) != 2 || !slices.Equal(gestures[i].Points, points) || gestures[i].On != l.On || gestures[i].Note != "chain "+p.Label(i) {
			t.Fatalf("got %+v, expected stroke %d over the cells %v", gestures, i, want)
		}
	}
	l.Centres = l.Centres[1:]
	if gestures := s.Plan(l); gestures != nil {
		t.Errorf("%d gestures on a layout of too few cells, expected none", len(gestures))
	}
	broken, err := p.ParseSolution("A B\n. X\nA X\nA X\nX B\nX B")
	if err != nil {
		t.Fatal(err)
	}
	l.Centres = append(l.Centres, image.Point{})
	if gestures := broken.Plan(l); gestures != nil {
		t.Errorf("%d gestures for a chain that breaks off, expected none", len(gestures))
	}
}
