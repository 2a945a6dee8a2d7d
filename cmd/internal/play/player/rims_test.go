package player_test

import (
	"image"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestCellsBeyondTheRim reads boards of which one cell or two stick out on one side. The
// boards without these cells are levels, too: a reader that misses the cells reads a
// wrong board. The first look shows the whole board.
func TestCellsBeyondTheRim(t *testing.T) {
	game := flow.Game{}
	random := rand.New(rand.NewPCG(16, 1))
	tried := 0
	for side := 5; side <= 8; side++ {
		p, err := game.Generate(t.Context(), solvers.GenerateOptions{Rows: side, Cols: side, Unique: true}, random)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		board, solution := strings.Split(p.String(), "\n"), strings.Split(s.String(), "\n")
		for turn := range 4 {
			for _, text := range stickingOut(board, solution) {
				level, err := game.Parse(turned(text, turn))
				if err != nil || !unique(level) {
					continue
				}
				tried++
				size := []image.Point{{720, 1280}, {1080, 2400}}[tried%2]
				frame := simulated(t, game, level, size)
				seen, err := vision.Observe(frame, screen.Frame{Size: size, Rotation: -1}, game.Spec())
				if err != nil {
					t.Fatal(err)
				}
				if got, err := game.Read(seen); err != nil || !gametest.SameBoard(game, got, level) {
					t.Errorf("on %v read as\n%v\n%v\nexpected\n%v", size, got, err, level)
				}
			}
			board, solution = strings.Split(turned(strings.Join(board, "\n"), 1), "\n"), strings.Split(turned(strings.Join(solution, "\n"), 1), "\n")
		}
	}
	if tried < 8 {
		t.Errorf("%d boards were tried, expected at least 8", tried)
	}
}

// stickingOut are boards with one row more above that has but one cell, to which a pipe
// is drawn out, or two, through which a pipe makes a detour.
func stickingOut(board, solution []string) []string {
	width := len(board[0])
	row := func(at int, cells string) string {
		return strings.Repeat("#", at) + cells + strings.Repeat("#", width-at-len(cells))
	}
	var all []string
	for c := range width {
		if end := board[0][c]; end != '.' && len(all) == 0 {
			first := []byte(board[0])
			first[c] = '.'
			all = append(all, strings.Join(append([]string{row(c, string(end)), string(first)}, board[1:]...), "\n"))
		}
	}
	for c := range width - 1 {
		if solution[0][c] == solution[0][c+1] {
			return append(all, strings.Join(append([]string{row(c, "..")}, board...), "\n"))
		}
	}
	return all
}

// turned is a text turned by quarter turns.
func turned(text string, turns int) string {
	for range turns {
		rows := strings.Split(text, "\n")
		var out []string
		for c := range rows[0] {
			var b strings.Builder
			for r := range rows {
				b.WriteByte(rows[len(rows)-1-r][c])
			}
			out = append(out, b.String())
		}
		text = strings.Join(out, "\n")
	}
	return text
}

// simulated is a frame of the game's simulated app.
func simulated(t *testing.T, game solvers.Game, level solvers.Puzzle, size image.Point) *image.RGBA {
	t.Helper()
	app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 3, Style: "green"})
	if err != nil {
		t.Fatal(err)
	}
	return simphone.Render(app, size, 2*time.Second)
}

// TestRowTooMany reads boards below which a box of the board's width and of one pitch's
// height hangs on the board's lines: it looks like one more row to a reader of lines,
// though it has no cells.
func TestRowTooMany(t *testing.T) {
	game := flow.Game{}
	size := image.Pt(720, 1280)
	random := rand.New(rand.NewPCG(16, 2))
	for rows := 4; rows <= 7; rows++ {
		level, err := game.Generate(t.Context(), solvers.GenerateOptions{Rows: rows, Cols: 6, Unique: true}, random)
		if err != nil {
			t.Fatal(err)
		}
		frame := simulated(t, game, level, size)
		seen, err := vision.Observe(frame, screen.Frame{Size: size}, game.Spec())
		if err != nil {
			t.Fatal(err)
		}
		b, pitch := seen.Layout.Board, int(seen.Layout.Pitch+0.5)
		line := color.RGBA{110, 200, 110, 255}
		for _, r := range []image.Rectangle{
			image.Rect(b.Min.X, b.Max.Y, b.Min.X+2, b.Max.Y+pitch),
			image.Rect(b.Max.X-2, b.Max.Y, b.Max.X, b.Max.Y+pitch),
			image.Rect(b.Min.X, b.Max.Y+pitch-2, b.Max.X, b.Max.Y+pitch),
		} {
			fill(frame, r, line)
		}
		if got, err := readSolved(frame, game); err != nil || !gametest.SameBoard(game, got, level) {
			accounts, explained := recognise.Explain(t.Context(), calibrated.Eyes{}, frame, screen.Frame{Size: size}, game, solvers.Levels{}, 10*time.Second)
			t.Errorf("read as\n%v\n%v\nexpected\n%v\n%v %v", got, err, level, accounts, explained)
		}
	}
}
