package algemy

import (
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// example is the puzzle of the first case of testdata/cases/check.txt.
const example = "- - - R -\n- - - - -\n- G - B B\n- - - - -\n- - - Y -"

// TestKnownLevels solves the known boards with easy and with hard colours, and
// compares the solutions with the known ones. The list of solutions does not
// hold the boards: they are beside the pictures that show them.
func TestKnownLevels(t *testing.T) {
	data := filepath.Join("..", "..", "..", "..", "shared", "data")
	list, err := os.ReadFile(filepath.Join(data, "algemy", "LEVELS.txt"))
	if err != nil {
		t.Skipf("the known levels are not here: %v", err)
	}
	pictures := filepath.Join(data, "screens", "algemy", "jheidel__algemy-solver")
	boards := map[string]string{"README": example}
	for name, file := range map[string]string{"images/": "images__boardlines", "video": "video_frame00"} {
		text, err := os.ReadFile(filepath.Join(pictures, file+".board.txt"))
		if err != nil {
			t.Skipf("the known boards are not here: %v", err)
		}
		boards[name] = strings.TrimSpace(string(text))
	}
	// A line "NAME EASY|HARD NUMBER", then that many solutions, indented.
	var entries [][]string
	for _, line := range strings.Split(string(list), "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == ' ':
			last := len(entries) - 1
			entries[last] = append(entries[last], strings.ReplaceAll(strings.TrimSpace(line), " / ", "\n"))
		default:
			entries = append(entries, []string{line})
		}
	}
	compared := 0
	for _, entry := range entries {
		name, want := entry[0], entry[1:]
		slices.Sort(want)
		for key, text := range boards {
			if !strings.Contains(name, key) {
				continue
			}
			if strings.Contains(name, "HARD") {
				text = "hard\n" + text
			}
			p, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := gametest.Solutions(t, p); !slices.Equal(got, want) {
				t.Errorf("%s\n%s\nsolved to\n%s\nexpected\n%s", name, p, strings.Join(got, "\n\n"), strings.Join(want, "\n\n"))
			}
			compared++
		}
	}
	if compared != 2*len(boards) {
		t.Errorf("%d entries compared, expected %d", compared, 2*len(boards))
	}
	t.Logf("%d of %d entries compared, the boards of the others are not in the data", compared, len(entries))
}

// naive lists the solutions of a puzzle by trying every way to place sources that do
// not see each other, in every colour. It shares no code with the solver.
func naive(p *Puzzle) []string {
	cells := p.Cells()
	// What each cell sees, by sending rays over the plane.
	at := map[point]int{}
	for c := range cells {
		at[p.middle(board.Cell(c))] = c
	}
	steps := []point{{0, 2}, {0, -2}, {2, 0}, {-2, 0}}
	if p.Shape() == Hexagon {
		steps = []point{{0, 2}, {0, -2}, {2, 1}, {2, -1}, {-2, 1}, {-2, -1}}
	}
	sees := make([][]int, cells) // of each cell: the empty cells that it sees
	for c := range cells {
		for _, step := range steps {
			place := p.middle(board.Cell(c))
			for {
				place = point{place.y + step.y, place.x + step.x}
				n, inside := at[place]
				if !inside || p.crystals[n] != Empty {
					break
				}
				sees[c] = append(sees[c], n)
			}
		}
	}
	right := map[Crystal][64]bool{}
	for _, crystal := range crystalLetters {
		var table [64]bool
		for seen := range table {
			letters := ""
			for k := range 6 {
				if seen>>k&1 != 0 {
					letters += colourLetters[k : k+1]
				}
			}
			table[seen] = suits(Crystal(crystal), letters, p.hard)
		}
		right[Crystal(crystal)] = table
	}
	colours := "RYB"
	if p.hard {
		colours = colourLetters
	}
	var found []string
	s := &Solution{puzzle: p, sources: slices.Repeat([]Colour{noSource}, cells)}
	var placed []int
	var paint func(i int)
	paint = func(i int) {
		if i < len(placed) {
			for _, letter := range colours {
				s.sources[placed[i]] = Colour(strings.IndexRune(colourLetters, letter))
				paint(i + 1)
			}
			return
		}
		for c, crystal := range p.crystals {
			if crystal == Empty {
				continue
			}
			seen := 0
			for _, n := range sees[c] {
				if s.sources[n] != noSource {
					seen |= 1 << s.sources[n]
				}
			}
			if !right[crystal][seen] {
				return
			}
		}
		found = append(found, s.String())
	}
	var place func(c int)
	place = func(c int) {
		if c < cells {
			s.sources[c] = noSource
			place(c + 1)
			if p.crystals[c] == Empty && !slices.ContainsFunc(sees[c], func(n int) bool { return slices.Contains(placed, n) }) {
				placed = append(placed, c)
				place(c + 1)
				placed = placed[:len(placed)-1]
			}
			s.sources[c] = noSource
			return
		}
		for c, crystal := range p.crystals {
			if crystal == Empty && !slices.Contains(placed, c) &&
				!slices.ContainsFunc(sees[c], func(n int) bool { return slices.Contains(placed, n) }) {
				return
			}
		}
		paint(0)
		for _, c := range placed {
			s.sources[c] = noSource
		}
	}
	place(0)
	slices.Sort(found)
	return found
}

// randomPuzzle draws crystals of random colours, or, if fair, of colours that
// suit some solution.
func randomPuzzle(t testing.TB, random *rand.Rand, shape Shape, side int, hard, fair bool) *Puzzle {
	t.Helper()
	if fair {
		row := Thin
		if hard {
			row = Bold
		}
		d := Pack{Shape: shape, Row: row, Side: side}.newDraft(random)
		d.paint()
		return d.puzzle()
	}
	b := Board{Shape: shape, Side: side, Hard: hard}
	share := 0.1 + 0.4*random.Float64()
	for range newLattice(shape, side).cells() {
		crystal := Empty
		if random.Float64() < share {
			crystal = Crystal(crystalLetters[random.IntN(len(crystalLetters))])
		}
		b.Crystals = append(b.Crystals, crystal)
	}
	p, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBruteForce compares the solutions of small random boards with those found by
// trying everything.
func TestBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	for _, kind := range []struct {
		shape  Shape
		side   int
		hard   bool
		boards int
	}{
		{Square, 3, false, 200}, {Square, 3, true, 200}, {Square, 4, false, 60}, {Square, 4, true, 10}, {Hexagon, 3, false, 60},
	} {
		several, none := 0, 0
		for i := range kind.boards {
			p := randomPuzzle(t, random, kind.shape, kind.side, kind.hard, i%3 != 0)
			want := naive(p)
			gametest.SameSolutions(t, p, want)
			switch {
			case len(want) == 0:
				none++
			case len(want) > 1:
				several++
			}
		}
		t.Logf("%d boards: %+v, %d with several solutions, %d with none", kind.boards, kind, several, none)
	}
}

// TestReasonHolds removes everything but the crystals named in a reason: the board
// must still have no solution.
func TestReasonHolds(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	told := 0
	for range 300 {
		p := randomPuzzle(t, random, Shape(random.IntN(2)), 3+random.IntN(2), random.IntN(2) == 0, false)
		_, err := p.Solve(context.Background())
		var reason *solvers.NoSolutionError
		if !errors.As(err, &reason) {
			continue
		}
		told++
		m := p.model(true, csp.Config{})
		var named []csp.BoolVar
		for c := range board.Cell(p.cells()) {
			if strings.Contains(reason.Reason+" ", p.Name(c)+" ") || strings.Contains(reason.Reason, p.Name(c)+",") {
				named = append(named, m.demands[c])
			}
		}
		if len(named) == 0 || m.Solve(context.Background(), named...) != csp.Infeasible {
			t.Errorf("%s\nis said to have no solution because %s, which does not suffice", p, reason.Reason)
		}
	}
	if told < 100 {
		t.Errorf("%d reasons, expected more of 300 boards", told)
	}
}

// A symmetry moves the cells of a board.
type symmetry func(g lattice, c board.Cell) board.Cell

func rotate(g lattice, c board.Cell) board.Cell {
	row, col := g.place(c)
	if g.shape == Square {
		return g.at(col, g.side-1-row)
	}
	// x to the right, z down to the right, y = -x-z; a sixth of a turn.
	n := g.side - 1
	z := row - n
	x := col + max(-n, -n-z)
	x, z = -z, x+z
	return g.at(z+n, x-max(-n, -n-z))
}

func mirror(g lattice, c board.Cell) board.Cell {
	row, col := g.place(c)
	return g.at(row, g.width(row)-1-col)
}

// moved is a puzzle and its solutions after a symmetry of the board and with
// other names of the colours.
func moved(p *Puzzle, list []string, by symmetry, names map[byte]byte) (*Puzzle, []string) {
	name := func(letter byte) byte {
		if n, ok := names[letter]; ok {
			return n
		}
		return letter
	}
	q := *p
	q.crystals = slices.Clone(p.crystals)
	for c := range board.Cell(p.cells()) {
		q.crystals[by(p.lattice, c)] = Crystal(name(byte(p.crystals[c])))
	}
	var moved []string
	for _, text := range list {
		letters := strings.Fields(text)
		to := make([]byte, p.cells())
		for c := range board.Cell(p.cells()) {
			to[by(p.lattice, c)] = name(letters[c][0])
		}
		moved = append(moved, p.text(func(c board.Cell) byte { return to[c] }))
	}
	slices.Sort(moved)
	return &q, moved
}

// TestSymmetries solves boards turned, mirrored and with the colours exchanged:
// the solutions must be the same ones, turned, mirrored and exchanged.
func TestSymmetries(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	same := func(_ lattice, c board.Cell) board.Cell { return c }
	// Red becomes yellow, yellow blue, blue red; and the mixtures with them.
	turn := map[byte]byte{'R': 'Y', 'Y': 'B', 'B': 'R', 'O': 'G', 'G': 'V', 'V': 'O'}
	swap := map[byte]byte{'R': 'Y', 'Y': 'R', 'G': 'V', 'V': 'G'}
	for i := range 60 {
		p := randomPuzzle(t, random, Shape(i%2), 3+i%3, i%4 < 2, true)
		var list []string
		if _, err := p.enumerate(context.Background(), solvers.EnumerateOptions{}, func(s *Solution) bool {
			list = append(list, s.String())
			return len(list) <= 2000
		}); err != nil {
			t.Fatal(err)
		}
		if len(list) > 2000 {
			continue
		}
		for name, variant := range map[string]struct {
			symmetry
			names map[byte]byte
		}{"turned": {rotate, nil}, "mirrored": {mirror, nil}, "colours turned": {same, turn}, "colours swapped": {same, swap}} {
			q, want := moved(p, list, variant.symmetry, variant.names)
			if got := gametest.Solutions(t, q); !slices.Equal(got, want) {
				t.Errorf("%s\n%s\nsolved to\n%s\nexpected\n%s", name, q, strings.Join(got, "\n\n"), strings.Join(want, "\n\n"))
			}
		}
	}
}

// TestPlan looks at the taps on a made-up screen.
func TestPlan(t *testing.T) {
	for _, text := range []string{"- - -\n- - -\n- - -", "- - -\n- - - -\n- - - - -\n- - - -\n- - -"} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		l := screen.Layout{On: screen.Frame{Size: image.Pt(1080, 1920), Rotation: 0}, Pitch: 100}
		for c := range board.Cell(p.Cells()) {
			at := p.middle(c)
			l.Centres = append(l.Centres, image.Pt(100+50*at.x, 500+43*at.y))
		}
		// One source of each colour, in the order of the wheel.
		s := &Solution{puzzle: p, sources: slices.Repeat([]Colour{noSource}, p.Cells())}
		for k := Red; k <= Violet; k++ {
			s.sources[k+1] = k
		}
		wheel := []image.Point{{0, -75}, {65, -37}, {65, 37}, {0, 75}, {-65, 37}, {-65, -37}}
		gestures := s.Plan(l)
		if len(gestures) != 12 {
			t.Fatalf("%d gestures, expected 12", len(gestures))
		}
		for k := range 6 {
			for i, want := range []image.Point{l.Centres[k+1], l.Centres[k+1].Add(wheel[k])} {
				if g := gestures[2*k+i]; !g.Tap() || g.On != l.On || !g.Points[0].In(image.Rect(want.X-1, want.Y-1, want.X+2, want.Y+2)) {
					t.Errorf("colour %s, tap %d is %+v, expected at %v", Colour(k), i, g, want)
				}
			}
		}
		l.Centres = l.Centres[1:]
		if gestures := s.Plan(l); gestures != nil {
			t.Errorf("%d gestures on a layout of too few cells, expected none", len(gestures))
		}
	}
}
