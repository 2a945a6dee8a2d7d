package gametest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// RealScreen is a real screenshot with what is known of it.
type RealScreen struct {
	File       string // its path
	Name       string // its path in the index, with slashes
	Game, Kind string // the kind is fullscreen, crop, photo, popup, other
	Rows, Cols int
	Width      int // in pixels
	Height     int
	Truth      string // a Flow board's notation; empty when there is no board to read, or it cannot be written so
	Fill       string // the pipes drawn already, empty when they are not known
}

// RealScreens reads the index of the real screenshots in shared/data/screens, which is given by
// its path from the test's folder. If it is missing, the test is skipped.
func RealScreens(t testing.TB, folder string) []RealScreen {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "INDEX.csv"))
	if err != nil {
		t.Skipf("no real screens here: %v", err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range lines[0] {
		column[name] = i
	}
	var all []RealScreen
	for _, line := range lines[1:] {
		get := func(name string) string { return line[column[name]] }
		number := func(name string) int { n, _ := strconv.Atoi(get(name)); return n } // some have none
		s := RealScreen{
			File: filepath.Join(folder, get("file")), Name: get("file"), Game: get("game"), Kind: get("kind"),
			Rows: number("rows"), Cols: number("cols"), Width: number("width"), Height: number("height"),
		}
		if truth := get("truth_file"); s.Game == "flow" && truth != "" {
			s.Truth = flowTruth(t, filepath.Join(folder, truth))
		}
		if fill, err := os.ReadFile(strings.TrimSuffix(s.File, path.Ext(s.File)) + ".fill.txt"); err == nil {
			s.Fill = strings.TrimSpace(string(fill))
		}
		all = append(all, s)
	}
	return all
}

// flowTruth is the notation of a board in a file, with the walls beside it.
func flowTruth(t testing.TB, name string) string {
	t.Helper()
	const squares, hexagons = ".board.txt", ".hex.txt"
	if !strings.HasSuffix(name, squares) && !strings.HasSuffix(name, hexagons) {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, hexagons) {
		return hexagonTruth(t, string(data))
	}
	truth := strings.TrimSpace(string(data))
	if walls, err := os.ReadFile(strings.TrimSuffix(name, squares) + ".walls.txt"); err == nil {
		truth = sortedWalls("walls "+string(walls)) + "\n" + truth
	}
	return truth
}

// hexagonTruth is the notation of a board of hexagons given column by column: the
// half rows above the first cell, and the cells downwards.
func hexagonTruth(t testing.TB, text string) string {
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
