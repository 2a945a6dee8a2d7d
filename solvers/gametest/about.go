package gametest

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
)

// Levels returns the levels that come along with a game.
func Levels(t testing.TB, game solvers.Game) []solvers.Puzzle {
	t.Helper()
	var levels []solvers.Puzzle
	for _, block := range strings.Split(game.About().Pack, "\n\n") {
		lines := slices.DeleteFunc(strings.Split(block, "\n"), func(l string) bool { return l == "#" || strings.HasPrefix(l, "# ") })
		parts := []string{strings.Trim(strings.Join(lines, "\n"), "\n")}
		if s, ok := game.(solvers.Splitter); ok {
			parts = s.Split(parts[0])
		}
		for _, part := range parts {
			if part == "" {
				continue // a block of comments
			}
			p, err := game.Parse(part)
			if err != nil {
				t.Fatalf("a level of About().Pack: %v\n%s", err, part)
			}
			levels = append(levels, p)
		}
	}
	if len(levels) == 0 {
		t.Fatalf("no levels of %s: About().Pack has none", game.Name())
	}
	return levels
}

// Styles are two looks of a game's app, or the one that it has: those that differ the most.
func Styles(game solvers.Game) []string {
	const most = 2
	return first(game.About().Styles, most)
}

// about wants what a game tells of itself to hold: its levels have solutions, its boards
// can be made and its app knows its styles.
func about(t *testing.T, game solvers.Game) {
	a := game.About()
	const most = 3 // levels solved, and boards made, in the time that a test may take
	levels := Levels(t, game)
	if len(levels) < most {
		t.Errorf("About().Pack has %d levels, expected at least %d", len(levels), most)
	}
	mistakes(t, game, first(levels, most))
	for _, level := range first(levels, most) {
		if _, err := level.Solve(t.Context()); err != nil {
			t.Errorf("a level of About().Pack: %v\n%v", err, level)
		}
	}
	if a.Grid != nil {
		gridPage(t, game)
	}
	if len(a.Boards) == 0 {
		t.Error("About().Boards is empty, expected the kinds and sizes of boards that the game has")
	}
	for _, o := range first(a.Boards, most) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
		if _, err := game.Generate(ctx, o, rand.New(rand.NewPCG(1, 1))); err != nil {
			t.Errorf("Generate(%+v), one of About().Boards: %v", o, err)
		}
		cancel()
	}
}

// mistakes wants a level with a mistake to look like the game's notation still: the game it looks
// like the most says what is wrong.
func mistakes(t *testing.T, game solvers.Game, levels []solvers.Puzzle) {
	const least = 0.5
	for _, level := range levels {
		lines := strings.Split(level.String(), "\n")
		middle := len(lines) / 2
		for _, changed := range []string{lines[middle] + "\n" + lines[middle], lines[middle][:len(lines[middle])-1], lines[middle] + "Q", "?" + lines[middle][1:]} {
			text := strings.Join(slices.Concat(lines[:middle], []string{changed}, lines[middle+1:]), "\n")
			if p, err := game.Parse(text); err != nil && game.Likeness(text) < least {
				t.Errorf("a level with a mistake in line %d looks like the notation by %.2f, expected at least %.1f: %v, %v\n%s", middle+1, game.Likeness(text), least, p, err, text)
			}
		}
	}
}

// gridPage wants what a game tells of its boards of squares to hold for its levels.
func gridPage(t *testing.T, game solvers.Game) {
	g := game.About().Grid
	if len(g.Entries) == 0 {
		t.Fatal("About().Grid has no Entries, expected what may be put in a cell")
	}
	for _, level := range Levels(t, game) {
		rows, walls := board.CutWalls(level.String())
		if walls != "" && !g.Walls {
			t.Errorf("About().Grid has no walls, a level has %q", walls)
		}
		for _, row := range strings.Split(rows, "\n") {
			for _, entry := range strings.Split(row, g.Separator) {
				_, err := strconv.Atoi(entry)
				if !slices.Contains(g.Entries, entry) && !(g.Numbers && err == nil) {
					t.Errorf("About().Grid does not know %q, which a level has:\n%s", entry, level)
					return
				}
			}
		}
	}
}

func first[T any](list []T, most int) []T { return list[:min(len(list), most)] }

// aboutStyles wants the app to know the styles that the game tells of.
func aboutStyles(t *testing.T, game solvers.Game, app simapp.Maker) {
	styles := game.About().Styles
	if len(styles) == 0 {
		t.Error("About().Styles is empty, expected the looks of the app")
	}
	for _, style := range styles {
		if _, err := app(Levels(t, game)[:1], simapp.Options{Style: style}); err != nil {
			t.Errorf("style %q, one of About().Styles: %v", style, err)
		}
	}
}

// words is a line of words before a board, such as its shape.
var words = regexp.MustCompile(`^[a-z]{3,}( .*)?$`)

// SameBoard reports whether two puzzles of a game are the same except for names, which are
// not on the screen.
func SameBoard(game solvers.Game, a, b solvers.Puzzle) bool {
	return a.String() == b.String() || Renamed(game, a.String()) == Renamed(game, b.String())
}

// Renamed gives the letters of a text in a game's notation that are names new ones, in
// the order they come.
func Renamed(game solvers.Game, text string) string {
	fixed := game.About().Fixed
	lines := strings.Split(text, "\n")
	head := 0
	for head < len(lines) && words.MatchString(lines[head]) {
		head++
	}
	rest := board.RenamedRunes(strings.Join(lines[head:], "\n"), func(r rune) bool {
		letter := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		return letter && !strings.ContainsRune(fixed, r)
	})
	return strings.Join(lines[:head], "\n") + "\n" + rest
}
