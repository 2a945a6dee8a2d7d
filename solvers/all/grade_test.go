package all_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

// words and characters are the cells of a line.
func words(line string) []string      { return strings.Fields(line) }
func characters(line string) []string { return strings.Split(line, "") }

// isSides is a line of pairs of cells, such as "walls 1,3|2,3 1,4|1,5".
var isSides = regexp.MustCompile(`^walls( \d+,\d+\|\d+,\d+)+$`)

// turned is a board of squares after some of: 1 its rows are reversed, 2 its columns are, 4 rows become
// columns. A first line of letters alone beside rows of words stays, and sides turn with the cells.
func turned(text string, turn int, cells func(string) []string, between string) string {
	var head, tail []string
	var grid [][]string
	for _, line := range strings.Split(text, "\n") {
		switch {
		case line == "easy" || line == "hard":
			head = append(head, line)
		case isSides.MatchString(line):
			tail = append(tail, line)
		default:
			grid = append(grid, cells(line))
		}
	}
	rows, cols := len(grid), len(grid[0])
	to := func(row, col int) (int, int) {
		if turn&1 != 0 {
			row = rows - 1 - row
		}
		if turn&2 != 0 {
			col = cols - 1 - col
		}
		if turn&4 != 0 {
			row, col = col, row
		}
		return row, col
	}
	height, width := rows, cols
	if turn&4 != 0 {
		height, width = cols, rows
	}
	out := make([][]string, height)
	for i := range out {
		out[i] = make([]string, width)
	}
	for row, line := range grid {
		for col, word := range line {
			r, c := to(row, col)
			out[r][c] = word
		}
	}
	for i, line := range tail {
		sides := strings.Fields(line)
		for k, side := range sides[1:] {
			var at [4]int
			for j, n := range strings.FieldsFunc(side, func(r rune) bool { return r == ',' || r == '|' }) {
				at[j], _ = strconv.Atoi(n)
			}
			r, c := to(at[0]-1, at[1]-1)
			r2, c2 := to(at[2]-1, at[3]-1)
			sides[k+1] = fmt.Sprintf("%d,%d|%d,%d", min(r, r2)+1, min(c, c2)+1, max(r, r2)+1, max(c, c2)+1)
		}
		slices.Sort(sides[1:])
		tail[i] = strings.Join(sides, " ")
	}
	lines := head
	for _, row := range out {
		lines = append(lines, strings.Join(row, between))
	}
	return strings.Join(append(lines, tail...), "\n")
}

// renamed gives the letters of a board to each other.
func renamed(text string, random *rand.Rand) string {
	var letters []rune
	for _, r := range text {
		if r >= 'A' && r <= 'Z' && r != 'X' && !slices.Contains(letters, r) {
			letters = append(letters, r)
		}
	}
	to := map[rune]rune{}
	for i, k := range random.Perm(len(letters)) {
		to[letters[i]] = letters[k]
	}
	return strings.Map(func(r rune) rune {
		if n, ok := to[r]; ok {
			return n
		}
		return r
	}, text)
}

// mirroredCube is a board of three faces, the top, the left and the right one, in a mirror.
func mirroredCube(text string) string {
	lines := strings.Split(text, "\n")
	n := len(lines) / 3
	face := func(i int) string { return strings.Join(lines[i*n:(i+1)*n], "\n") }
	return strings.Join([]string{turned(face(0), 4, words, " "), turned(face(2), 2, words, " "), turned(face(1), 2, words, " ")}, "\n")
}

// sameBoards are other ways to write a level of a game: turned, mirrored, with other letters.
func sameBoards(game solvers.Game, text string, random *rand.Rand) (same []string) {
	turns := func(cells func(string) []string, between string) {
		for turn := range 8 {
			same = append(same, turned(text, turn, cells, between))
		}
	}
	switch game.Name() {
	case "flow", "queens":
		turns(characters, "")
		same = append(same, renamed(text, random))
	case "zip", "algemy":
		if lines := strings.Split(strings.TrimPrefix(text, "hard\n"), "\n"); len(lines[0]) == len(lines[1]) {
			turns(words, " ")
		}
	case "alcazar":
		turns(characters, "")
	case "adrift":
		same = append(same, mirroredCube(text), renamed(text, random), renamed(mirroredCube(text), random))
	}
	return same
}

// turnedLevel is a level of squares in the notation of the game's community after a turn, with its
// pipes in another order.
func turnedLevel(line string, turn int, random *rand.Rand) string {
	fields := strings.Split(line, ";")
	head := strings.Split(fields[0], ",")
	size, style, _ := strings.Cut(strings.TrimPrefix(head[0], "W_"), "+")
	width, height, two := strings.Cut(size, ":")
	if !two {
		height = width
	}
	cols, _ := strconv.Atoi(width)
	rows, _ := strconv.Atoi(height)
	index := regexp.MustCompile(`_\w+|\d+`)
	to := func(text string) string {
		return index.ReplaceAllStringFunc(text, func(word string) string {
			c, err := strconv.Atoi(word)
			if err != nil {
				return word // a style
			}
			row, col, across := c/cols, c%cols, cols
			if turn&1 != 0 {
				row = rows - 1 - row
			}
			if turn&2 != 0 {
				col = cols - 1 - col
			}
			if turn&4 != 0 {
				row, col, across = col, row, rows
			}
			return strconv.Itoa(row*across + col)
		})
	}
	if turn&4 != 0 {
		width, height = height, width
	}
	head[0] = strings.Repeat("W_", strings.Count(head[0], "W_")) + width + ":" + height + strings.Repeat("+", min(1, len(style))) + style
	for i := 4; i < len(head); i++ {
		head[i] = to(head[i])
	}
	pipes := fields[1:]
	for i := range pipes {
		pipes[i] = to(pipes[i])
	}
	random.Shuffle(len(pipes), func(i, k int) { pipes[i], pipes[k] = pipes[k], pipes[i] })
	return strings.Join(append([]string{strings.Join(head, ",")}, pipes...), ";")
}

// TestGradesOfOfficialBoards turns levels of Flow's official packs.
func TestGradesOfOfficialBoards(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	compared := 0
	for _, p := range packs(t) {
		if p.game.Name() != "flow" || p.name == "shipped" {
			continue
		}
		line := p.levels[random.IntN(len(p.levels))]
		if strings.HasPrefix(line, "X_") {
			continue // hexagons have other turns
		}
		level, err := p.game.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		want, err := level.Grade(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range []int{0, 3, 5} {
			q, err := p.game.Parse(turnedLevel(line, turn, random))
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, line, turnedLevel(line, turn, random))
			}
			if got, err := q.Grade(t.Context()); err != nil || got != want {
				t.Errorf("%s, turn %d: %v, %v, expected %v\n%s", p.name, turn, got, err, want, line)
			}
			compared++
		}
	}
	t.Logf("%d boards compared", compared)
}

// TestGradesOfTurnedBoards grades the levels of each game, and new boards, also turned, mirrored and
// with other letters: the grade stays.
func TestGradesOfTurnedBoards(t *testing.T) {
	for _, game := range all.Games() {
		t.Run(game.Name(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, 7))
			levels := gametest.Levels(t, game)
			for len(levels) < 14 {
				p, err := game.Generate(t.Context(), game.About().Boards[0], random)
				if err != nil {
					t.Fatal(err)
				}
				levels = append(levels, p)
			}
			if testing.Short() {
				levels = levels[:4]
			}
			grades, compared := map[solvers.Level]int{}, 0
			for _, level := range levels {
				want, err := level.Grade(t.Context())
				if err != nil {
					t.Fatalf("%v\n%s", err, level)
				}
				grades[want.Level]++
				for _, text := range sameBoards(game, level.String(), random) {
					p, err := game.Parse(text)
					if err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					if got, err := p.Grade(t.Context()); err != nil || got != want {
						t.Errorf("%v, %v, expected %v as of\n%s\n\n%s", got, err, want, level, text)
					}
					compared++
				}
			}
			t.Logf("levels %v, %d boards compared", grades, compared)
			if compared == 0 && strings.Contains("flow algemy alcazar adrift queens zip", game.Name()) {
				t.Errorf("no board was turned")
			}
		})
	}
}
