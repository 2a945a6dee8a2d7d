package all_test

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

var updateDifficulty = flag.Bool("update-difficulty", false, "TestDifficulty grades whole packs and writes their table into docs/difficulty.md")

const (
	sharedFolder   = "../../../shared/data"
	difficultyPage = "../../docs/difficulty.md"
)

// graded is a level of a pack, in its place.
type graded struct {
	cells int // the characters of its notation, where nothing else is known
	grade solvers.Grade
}

// ranks are the places of some values in their order, the same for equal ones: the mean of theirs.
func ranks[T any](values []T, compare func(a, b T) int) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && compare(values[order[from]], values[order[to]]) == 0 {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return ranks
}

// correlation is Pearson's, which of ranks is Spearman's; NaN where either is the same everywhere.
func correlation(x, y []float64) float64 {
	mean := func(of []float64) (sum float64) {
		for _, v := range of {
			sum += v / float64(len(of))
		}
		return sum
	}
	mx, my := mean(x), mean(y)
	var xy, xx, yy float64
	for i := range x {
		xy, xx, yy = xy+(x[i]-mx)*(y[i]-my), xx+(x[i]-mx)*(x[i]-mx), yy+(y[i]-my)*(y[i]-my)
	}
	if xx < 1e-9 || yy < 1e-9 {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}

// spearman is the rank correlation of grades with something else about the same levels.
func spearman(levels []graded, of func(i int) int) float64 {
	values := make([]int, len(levels))
	for i := range levels {
		values[i] = of(i)
	}
	return correlation(ranks(values, cmp.Compare[int]), ranks(levels, func(a, b graded) int { return a.grade.Compare(b.grade) }))
}

func TestSpearman(t *testing.T) {
	// The example of Spearman's paper as textbooks tell it, and ties: R's cor(method = "spearman").
	for _, c := range []struct {
		x, y []int
		want float64
	}{
		{[]int{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []int{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, -29. / 165},
		{[]int{1, 2, 2, 3}, []int{1, 2, 3, 4}, math.Sqrt(0.9)},
	} {
		if got := correlation(ranks(c.x, cmp.Compare[int]), ranks(c.y, cmp.Compare[int])); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, expected %v", c.x, c.y, got, c.want)
		}
	}
}

// pack is levels in an order.
type pack struct {
	game   solvers.Game
	name   string
	levels []string
}

var number = regexp.MustCompile(`\d+`)

// packs are the official ones of ../shared, and those that come along.
func packs(t *testing.T) (found []pack) {
	t.Helper()
	if _, err := os.Stat(sharedFolder); err != nil {
		t.Skipf("%s is not here: %v", sharedFolder, err)
	}
	of := func(game, pattern string) (solvers.Game, []string) {
		g, err := all.ByName(game)
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(sharedFolder, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		slices.SortFunc(files, func(a, b string) int { return cmp.Or(cmp.Compare(firstNumber(a), firstNumber(b)), cmp.Compare(a, b)) })
		return g, files
	}
	text := func(file string) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimRight(string(data), "\n")
	}
	game, files := of("flow", "flow/official/levelpack_*.txt")
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "levelpack_"), ".txt")
		found = append(found, pack{game, name, strings.Split(text(file), "\n")})
	}
	for _, single := range [][2]string{{"asteroid", "asteroid/level-*.txt"}, {"alcazar", "alcazar/sample*.puzzle"}} {
		game, files := of(single[0], single[1])
		p := pack{game, "published", nil}
		for _, file := range files {
			p.levels = append(p.levels, text(file))
		}
		found = append(found, p)
	}
	for _, game := range all.Games() {
		p := pack{game, "shipped", nil}
		for _, level := range gametest.Levels(t, game) {
			p.levels = append(p.levels, level.String())
		}
		found = append(found, p)
	}
	return found
}

// firstNumber is the last number in a file's name that tells its place.
func firstNumber(file string) int {
	n, _ := strconv.Atoi(number.FindString(strings.TrimPrefix(filepath.Base(file), "levelpack_w1-")))
	return n
}

// grades grades a part of a pack's levels, every so many.
func (p pack) grades(t *testing.T, every int) (levels []graded) {
	t.Helper()
	for i := 0; i < len(p.levels); i += every {
		puzzle, err := p.game.Parse(p.levels[i])
		if err != nil {
			t.Fatalf("%s %s, level %d: %v", p.game.Name(), p.name, i+1, err)
		}
		grade, err := puzzle.Grade(t.Context())
		if err != nil {
			t.Fatalf("%s %s, level %d: %v", p.game.Name(), p.name, i+1, err)
		}
		levels = append(levels, graded{len(strings.Join(strings.Fields(puzzle.String()), "")), grade})
	}
	return levels
}

// row is a line of the page's table.
func (p pack) row(levels []graded) string {
	sorted := slices.Clone(levels)
	slices.SortFunc(sorted, func(a, b graded) int { return a.grade.Compare(b.grade) })
	short := func(i int) string {
		g := sorted[i].grade
		return fmt.Sprintf("%d: %d of %d", g.Level, g.Hard, g.Rounds)
	}
	rho := func(of func(i int) int) string {
		if r := spearman(levels, of); !math.IsNaN(r) {
			return fmt.Sprintf("%.2f", r)
		}
		return "–"
	}
	return fmt.Sprintf("| %s | %s | %d of %d | %s | %s | %s | %s | %s |", p.game.Name(), p.name, len(levels), len(p.levels),
		short(0), short(len(sorted)/2), short(len(sorted)-1), rho(func(i int) int { return i }), rho(func(i int) int { return levels[i].cells }))
}

// TestDifficulty grades levels of the packs of ../shared and of those that come along: grades rise in
// them. With -update-difficulty it grades more and writes the table of docs/difficulty.md.
func TestDifficulty(t *testing.T) {
	var rows []string
	var flow []graded
	var within, alike []float64
	for _, p := range packs(t) {
		official := p.game.Name() == "flow" && p.name != "shipped"
		every := max(1, len(p.levels)/5)
		switch {
		case *updateDifficulty:
			every = max(1, len(p.levels)/30)
		case official && len(p.levels) < 100:
			continue
		}
		levels := p.grades(t, every)
		rows = append(rows, p.row(levels))
		t.Log(rows[len(rows)-1])
		rho := spearman(levels, func(i int) int { return i })
		switch {
		case official:
			flow, within, alike = append(flow, levels...), append(within, rho), append(alike, ofOneSize(levels)...)
		case p.name == "published" && p.game.Name() == "asteroid" && rho < 0.9:
			t.Errorf("asteroid's levels and their grades: %.2f, expected them to rise together", rho)
		}
	}
	slices.Sort(within)
	size := spearman(flow, func(i int) int { return flow[i].cells })
	summary := fmt.Sprintf("Flow's %d official packs: the median of the correlations with the order is %.2f, %d are negative; with size, over all %d levels, it is %.2f.",
		len(within), within[len(within)/2], slices.IndexFunc(within, func(r float64) bool { return r >= 0 }), len(flow), size)
	if slices.Sort(alike); len(alike) > 0 {
		summary += fmt.Sprintf(" Among levels of one size in a pack, where there are eight or more, the median with the order is %.2f (%d such groups).", alike[len(alike)/2], len(alike))
	}
	t.Log(summary)
	if within[len(within)/2] < 0.5 || size < 0.3 {
		t.Errorf("grades hardly rise in the packs: %s", summary)
	}
	if *updateDifficulty {
		page, err := os.ReadFile(difficultyPage)
		if err != nil {
			t.Fatal(err)
		}
		before, _, ok := strings.Cut(string(page), tableBegins)
		if !ok {
			t.Fatalf("%s: no line %q", difficultyPage, tableBegins)
		}
		text := before + tableBegins + summary + "\n\n| game | pack | levels | easiest | median | hardest | order | size |\n|---|---|---|---|---|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
		if err := os.WriteFile(difficultyPage, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// ofOneSize are the correlations with the order among the levels of each size, where there are enough.
func ofOneSize(levels []graded) (found []float64) {
	of := map[int][]graded{}
	for _, l := range levels {
		of[l.cells] = append(of[l.cells], l)
	}
	for _, group := range of {
		if rho := spearman(group, func(i int) int { return i }); len(group) >= 8 && !math.IsNaN(rho) {
			found = append(found, rho)
		}
	}
	return found
}

// tableBegins stands before what TestDifficulty writes.
const tableBegins = "<!-- go test ./solvers/all -run TestDifficulty -update-difficulty -->\n\n"
