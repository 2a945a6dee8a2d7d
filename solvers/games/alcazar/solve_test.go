package alcazar

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
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestRealBoards solves boards that the project does not ship: each has one
// solution, in each form the same.
func TestRealBoards(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "shared", "data", "alcazar")
	files, err := filepath.Glob(filepath.Join(dir, "*.puzzle"))
	if err != nil || len(files) == 0 {
		t.Skipf("no boards in %s", dir)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(string(data))
		if err != nil {
			t.Errorf("%s: %v\n%s", file, err, data)
			continue
		}
		if got, want := p.String(), strings.TrimRight(string(data), "\n"); got != want {
			t.Errorf("%s: printed back\n%s\nexpected\n%s", file, got, want)
		}
		// The same with the blanks at the ends of lines lost.
		lines := strings.Split(string(data), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		if cut, err := Parse(strings.Join(lines, "\n")); err != nil || cut.String() != p.String() {
			t.Errorf("%s: without blanks at the ends of lines read as\n%v (%v)\nexpected\n%s", file, cut, err, p)
		}
		solution, err := p.Solve(context.Background())
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if got := board.Count(len(gametest.Solutions(t, p)), "solution"); got != "1 solution" {
			t.Errorf("%s: %s, expected 1\n%s", file, got, p)
		}
		for _, f := range []Form{Grid, Box, Plain} {
			q, err := Parse(p.As(f).String())
			if err != nil {
				t.Fatalf("%s as %v: %v\n%s", file, f, err, p.As(f))
			}
			other, err := q.Solve(context.Background())
			if err != nil {
				t.Fatalf("%s as %v: %v\n%s", file, f, err, q)
			}
			if got, want := other.String(), solution.(*Solution).As(f).String(); got != want {
				t.Errorf("%s as %v: got\n%s\nexpected\n%s", file, f, got, want)
			}
			if err := other.Check(); err != nil {
				t.Errorf("%s as %v: %v\n%s", file, f, err, other)
			}
		}
	}
}

// randomBoard is a small board with walls at random, not always solvable.
func randomBoard(random *rand.Rand) *Puzzle {
	size := board.Size{Rows: 1 + random.IntN(5), Cols: 1 + random.IntN(4)}
	b := Board{Size: size, Above: make([]bool, (size.Rows+1)*size.Cols), Left: make([]bool, size.Rows*(size.Cols+1))}
	inside, rim := random.Float64()*0.4, 0.2+random.Float64()*0.8
	walls := func(onRim bool) bool {
		if onRim {
			return random.Float64() < rim
		}
		return random.Float64() < inside
	}
	for i := range b.Above {
		b.Above[i] = !walls(i < size.Cols || i >= size.Rows*size.Cols)
	}
	for i := range b.Left {
		b.Left[i] = !walls(i%(size.Cols+1) == 0 || i%(size.Cols+1) == size.Cols)
	}
	if random.IntN(2) == 0 { // without some rooms, and mostly with openings there
		b.NoRoom = make([]bool, size.Cells())
		for c := range board.Cell(size.Cells() - 1) {
			if b.NoRoom[c] = random.Float64() < 0.2; b.NoRoom[c] {
				for d := range board.Dir(4) {
					i, above := border(size, c, d), len(b.Above)
					if open := random.Float64() < 0.7; i < above {
						b.Above[i] = open
					} else {
						b.Left[i-above] = open
					}
				}
			}
		}
	}
	p, err := New(b)
	if err != nil {
		panic(err)
	}
	return p
}

// bruteForce tries all ways and returns all solutions as text in order.
func bruteForce(p *Puzzle) []string {
	var all []string
	used := make([]bool, len(p.open))
	visited := make([]bool, p.size.Cells())
	there := 0 // how many rooms there are
	for c := range visited {
		if p.none == nil || p.none[c] == 0 {
			there++
		}
	}
	var first int
	var walk func(c board.Cell, rooms int)
	walk = func(c board.Cell, rooms int) {
		visited[c] = true
		for d := range board.Dir(4) {
			b := border(p.size, c, d)
			if !p.open[b] || used[b] {
				continue
			}
			used[b] = true
			n := p.size.Beside(c, d)
			if n != board.None && p.none != nil && p.none[n] != 0 {
				n = board.None // there is no room
			}
			switch {
			case n != board.None:
				if !visited[n] {
					walk(n, rooms+1)
				}
			case rooms == there && b > first: // each path in one direction
				all = append(all, (&Solution{puzzle: p, used: used}).String())
			}
			used[b] = false
		}
		visited[c] = false
	}
	for _, o := range p.Openings() {
		first = border(p.size, o.Room, o.Side)
		used[first] = true
		walk(o.Room, 1)
		used[first] = false
	}
	slices.Sort(all)
	return all
}

// TestBruteForce compares all solutions of small random boards with those
// found by trying all ways.
func TestBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	solvable, reasons, several, holes := 0, 0, 0, 0
	for range 1200 {
		p := randomBoard(random)
		want := bruteForce(p)
		if len(want) > 0 && p.none != nil {
			holes++
		}
		err := gametest.SameSolutions(t, p, want)
		var reason *solvers.NoSolutionError
		switch {
		case len(want) > 1:
			several++
			solvable++
		case len(want) > 0:
			solvable++
		case errors.As(err, &reason):
			reasons++
		}
	}
	t.Logf("1200 boards, %d solvable, %d of them in several ways, %d without some rooms; %d unsolvable for a short reason", solvable, several, holes, reasons)
	if holes < 50 || solvable < 100 || several < 50 || reasons < 100 {
		t.Errorf("%d solvable, %d of them in several ways, %d without some rooms, %d unsolvable for a short reason: too few to tell anything", solvable, several, holes, reasons)
	}
}

// symmetry is a turn or reflection of a board.
type symmetry struct {
	name      string
	transpose bool
	flipRows  bool // after transposing
	flipCols  bool
}

var symmetries = []symmetry{
	{name: "left-right", flipCols: true},
	{name: "upside down", flipRows: true},
	{name: "half turn", flipRows: true, flipCols: true},
	{name: "transposed", transpose: true},
	{name: "quarter turn", transpose: true, flipCols: true},
}

// apply moves the state of borders.
func (y symmetry) apply(size board.Size, state []bool) (board.Size, []bool) {
	to := size
	if y.transpose {
		to = board.Size{Rows: size.Cols, Cols: size.Rows}
	}
	moved := make([]bool, borders(to))
	for c := range board.Cell(size.Cells()) {
		for d := range board.Dir(4) {
			row, col := size.Row(c), size.Col(c)
			dr, dc := d.Step()
			if y.transpose {
				row, col, dr, dc = col, row, dc, dr
			}
			if y.flipRows {
				row, dr = to.Rows-1-row, -dr
			}
			if y.flipCols {
				col, dc = to.Cols-1-col, -dc
			}
			for e := range board.Dir(4) {
				if r, k := e.Step(); r == dr && k == dc {
					moved[border(to, to.At(row, col), e)] = state[border(size, c, d)]
				}
			}
		}
	}
	return to, moved
}

// places moves the places without a room.
func (y symmetry) places(size board.Size, none []rune) []rune {
	if none == nil {
		return nil
	}
	to := size
	if y.transpose {
		to = board.Size{Rows: size.Cols, Cols: size.Rows}
	}
	moved := make([]rune, len(none))
	for c, r := range none {
		row, col := size.Row(board.Cell(c)), size.Col(board.Cell(c))
		if y.transpose {
			row, col = col, row
		}
		if y.flipRows {
			row = to.Rows - 1 - row
		}
		if y.flipCols {
			col = to.Cols - 1 - col
		}
		moved[to.At(row, col)] = r
	}
	return moved
}

// TestSymmetries wants the solutions of a turned board to be the turned
// solutions.
func TestSymmetries(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		p := randomBoard(random)
		for _, y := range symmetries {
			q := &Puzzle{}
			q.size, q.open = y.apply(p.size, p.open)
			q.none = y.places(p.size, p.none)
			if err := q.settle(); err != nil {
				t.Fatal(err)
			}
			q.posts = q.usualPosts()
			var want []string
			if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
				_, used := y.apply(p.size, s.(*Solution).used)
				want = append(want, (&Solution{puzzle: q, used: used}).String())
				return true
			}); err != nil {
				t.Fatal(err)
			}
			slices.Sort(want)
			if got := gametest.Solutions(t, q); !slices.Equal(got, want) {
				t.Fatalf("%s: %s, expected %d\n%s\n%s", y.name, board.Count(len(got), "solution"), len(want), p, q)
			}
		}
	}
}

// TestPlan wants one stroke from opening to opening through the rooms in order.
func TestPlan(t *testing.T) {
	p, err := Parse("xxxxx x\nx0 0 0x\nx xxx x\nx0 0 0x\nx xxxxx")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.ParseSolution("xxxxx x\nx0-0-0x\nx|xxx|x\nx0-0-0x\nx xxxxx")
	if err != nil {
		t.Fatal(err)
	}
	l := screen.Layout{On: screen.Frame{Size: image.Pt(400, 300)}, Rows: 2, Cols: 3, Pitch: 100}
	for r := range 2 {
		for c := range 3 {
			l.Centres = append(l.Centres, image.Pt(100+100*c, 100+100*r))
		}
	}
	if plan := s.Plan(l); plan != nil {
		t.Errorf("a loop without openings: got %v, expected no plan", plan)
	}
	if paths := s.(*Solution).Paths(); paths != nil {
		t.Errorf("a loop without openings: got %v, expected no paths", paths)
	}
	p, err = Parse("xxxxxxx\nx0 0 0 \nx xxx x\nx0 0 0x\nxxxxx x")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = p.Solve(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	want := []image.Point{{350, 100}, {300, 100}, {200, 100}, {100, 100}, {100, 200}, {200, 200}, {300, 200}, {300, 250}}
	plan := s.Plan(l)
	if len(plan) != 1 || !slices.Equal(plan[0].Points, want) || plan[0].On != l.On {
		t.Errorf("got %v, expected one stroke through %v\n%s", plan, want, s)
	}
	if got, want := s.(*Solution).Paths(), [][]board.Cell{{2, 1, 0, 3, 4, 5}}; len(got) != 1 || !slices.Equal(got[0], want[0]) {
		t.Errorf("paths: got %v, expected %v\n%s", got, want, s)
	}
	l.Rows = 3
	if plan := s.Plan(l); plan != nil {
		t.Errorf("on a layout of another size: got %v, expected no plan", plan)
	}
}
