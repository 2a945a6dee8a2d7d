package player_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"image"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/flow"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// picture is one line of the index of real screens.
type picture struct {
	file, game, kind string
	rows, cols       int
	width, height    int
	truth            string // the notation, empty when there is no board to read
	fill             string // the pipes drawn already, empty when they are not known
}

// pictures reads the index of the real screens, or skips the test.
func pictures(t testing.TB) (folder string, all []picture) {
	t.Helper()
	folder, err := filepath.Abs("../../../../shared/data/screens")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(folder, "INDEX.csv"))
	if err != nil {
		t.Skipf("no real screens here: %v", err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range lines[0] {
		column[name] = i
	}
	for _, line := range lines[1:] {
		get := func(name string) string { return line[column[name]] }
		number := func(name string) int { n, _ := strconv.Atoi(get(name)); return n }
		p := picture{file: get("file"), game: get("game"), kind: get("kind"), rows: number("rows"), cols: number("cols"), width: number("width"), height: number("height")}
		if strings.HasSuffix(get("truth_file"), ".board.txt") && p.game == "flow" {
			data, err := os.ReadFile(filepath.Join(folder, get("truth_file")))
			if err != nil {
				t.Fatal(err)
			}
			p.truth = strings.TrimSpace(string(data))
			walls, err := os.ReadFile(filepath.Join(folder, strings.TrimSuffix(get("truth_file"), ".board.txt")+".walls.txt"))
			if err == nil {
				pairs := strings.Fields(string(walls))
				slices.Sort(pairs)
				p.truth = "walls " + strings.Join(pairs, " ") + "\n" + p.truth
			}
		}
		if name := get("truth_file"); strings.HasSuffix(name, ".hex.txt") {
			data, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			p.truth = hexTruth(t, string(data))
		}
		fill, err := os.ReadFile(filepath.Join(folder, strings.TrimSuffix(p.file, path.Ext(p.file))+".fill.txt"))
		if err == nil {
			p.fill = strings.TrimSpace(string(fill))
		}
		all = append(all, p)
	}
	return folder, all
}

// hexTruth is the notation of a board of hexagons given column by column: the
// half rows above the first cell, and the cells downwards.
func hexTruth(t testing.TB, text string) string {
	t.Helper()
	type column struct {
		offset int
		cells  string
	}
	var columns []column
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var c column
		if _, err := fmt.Sscanf(line, "%d %s", &c.offset, &c.cells); err != nil {
			t.Fatalf("hexagons: %q: %v", line, err)
		}
		columns = append(columns, c)
	}
	// Even columns lie half a row lower, so their offsets are odd.
	shift := 1 - columns[0].offset%2
	rows := map[[2]int]rune{}
	first, last := 1<<30, 0
	for i, c := range columns {
		for k, r := range c.cells {
			row := (c.offset + shift + 2*k) / 2
			rows[[2]int{row, i}] = r
			first, last = min(first, row), max(last, row)
		}
	}
	var b strings.Builder
	b.WriteString("hex")
	for row := first; row <= last; row++ {
		b.WriteByte('\n')
		for i := range columns {
			if r, ok := rows[[2]int{row, i}]; ok {
				b.WriteRune(r)
			} else {
				b.WriteByte('#')
			}
		}
	}
	return b.String()
}

// renamed gives a board's colours new names in the order they come, so that
// boards can be compared.
func renamed(board string) string {
	names := map[rune]rune{}
	walls := ""
	for _, kind := range []string{"hex\n", "warp\n"} {
		if rest, ok := strings.CutPrefix(board, kind); ok {
			return kind + renamed(rest)
		}
	}
	if strings.HasPrefix(board, "walls") {
		walls, board, _ = strings.Cut(board, "\n")
		pairs := strings.Fields(walls)
		slices.Sort(pairs)
		walls = strings.Join(pairs, " ") + "\n"
	}
	return walls + strings.Map(func(r rune) rune {
		if strings.ContainsRune(".#+\n", r) {
			return r
		}
		if _, ok := names[r]; !ok {
			names[r] = rune('A' + len(names))
		}
		return names[r]
	}, board)
}

// tally is a line of the table.
type tally struct {
	right, refused, wrong int
	unique                int // boards read that have exactly one solution, as players of the real game may expect
}

func (a *tally) add(b tally) {
	a.right += b.right
	a.refused += b.refused
	a.wrong += b.wrong
	a.unique += b.unique
}

// unique reports whether a puzzle has exactly one solution.
func unique(p solvers.Puzzle) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	n := 0
	_, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(solvers.Solution) bool {
		n++
		return n < 2
	})
	return err == nil && n == 1
}

// TestFlowScreens reads every real screen there is and prints the table by kind,
// source and size. No wrong board may be accepted, and none on a popup or on a
// picture of something else. 99 of 100 full screens and their crops with a board
// must be read, and half of the photographs. Where the drawn pipes are known,
// they must be read, too, and on popups the button that leads on. With -short it
// reads one picture in eight.
func TestFlowScreens(t *testing.T) {
	folder, all := pictures(t)
	game := flow.Game{}
	spec := game.Spec()
	table := map[string]*tally{}
	var clean, photos tally
	var durations []time.Duration
	for i, p := range all {
		if testing.Short() && i%8 > 0 {
			continue
		}
		frame, err := decodeFile(t, filepath.Join(folder, p.file))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		start := time.Now()
		seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, spec)
		if err != nil {
			t.Errorf("%s: %v", p.file, err)
			continue
		}
		puzzle, err := game.Read(seen)
		took := time.Since(start)
		if p.kind == "fullscreen" {
			durations = append(durations, took)
		}
		var now tally
		switch {
		case err != nil:
			now.refused++
			t.Logf("%-10s %s: %s, expected %dx%d: refused: %v", p.kind, p.file, seen.Layout.Board, p.cols, p.rows, err)
		case p.truth == "" || renamed(puzzle.String()) != renamed(p.truth):
			now.wrong++
			t.Errorf("%s %s: read wrongly as\n%s\nexpected\n%s", p.kind, p.file, puzzle, p.truth)
		default:
			now.right++
			if p.fill != "" {
				if fill, err := game.Fill(seen, puzzle); err != nil || renamed(fill) != renamed(p.fill) {
					t.Errorf("%s %s: filled as\n%s\nerror %v, expected\n%s", p.kind, p.file, fill, err, p.fill)
				}
			}
			if p.kind == "popup" || p.kind == "other" {
				t.Errorf("%s %s: read, expected a refusal", p.kind, p.file)
			}
		}
		if place := game.Locate(seen); p.kind == "popup" {
			if _, ok := place.Button("next"); place.Kind != screen.Won || !ok {
				t.Errorf("%s %s: %s (%s) with buttons %v, expected a won level and the next one's", p.kind, p.file, place.Kind, place.Reason, place.Buttons)
			}
		} else if place.Kind == screen.Won {
			t.Errorf("%s %s: a won level (%s), expected none", p.kind, p.file, place.Reason)
		}
		if err == nil && unique(puzzle) {
			now.unique++
		}
		group := p.kind
		if p.truth == "" {
			group += " without a board"
		}
		switch {
		case p.truth == "":
		case p.kind == "photo":
			photos.add(now)
		case p.kind == "fullscreen" || p.kind == "crop":
			clean.add(now)
		}
		source, _, _ := strings.Cut(path.Base(path.Dir(p.file)), "__")
		for _, key := range []string{
			fmt.Sprintf("%-26s %s", group, "all"),
			fmt.Sprintf("%-26s %-20s %4dx%-4d", group, source, p.width, p.height),
		} {
			if table[key] == nil {
				table[key] = &tally{}
			}
			table[key].add(now)
		}
	}
	var keys []string
	for key := range table {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var text strings.Builder
	fmt.Fprintf(&text, "%-60s %5s %7s %5s %6s\n", "kind, source, size", "right", "refused", "wrong", "unique")
	for _, key := range keys {
		fmt.Fprintf(&text, "%-60s %5d %7d %5d %6d\n", key, table[key].right, table[key].refused, table[key].wrong, table[key].unique)
	}
	if len(durations) > 0 {
		slices.Sort(durations)
		fmt.Fprintf(&text, "full screens, from decoded pixels to board: median %v, worst %v\n", durations[len(durations)/2], durations[len(durations)-1])
	}
	t.Logf("\n%s", text.String())
	for _, share := range []struct {
		name  string
		of    tally
		least int
	}{{"full screens and crops", clean, 99}, {"photographs", photos, 50}} {
		if n := share.of.right + share.of.refused + share.of.wrong; share.of.right*100 < share.least*n {
			t.Errorf("%d of %d %s with a board read, expected at least %d of 100", share.of.right, n, share.name, share.least)
		}
	}
}

// decodeFile reads a picture.
func decodeFile(t testing.TB, name string) (*image.RGBA, error) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return vision.Decode(t.Context(), data)
}
