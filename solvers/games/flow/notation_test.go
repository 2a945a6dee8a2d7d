package flow

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sharedData is a folder of real levels, which the project does not ship.
func sharedData(t testing.TB, folder string) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "..", "shared", "data", folder)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the real levels of %s are not here", folder)
	}
	return dir
}

// forEachLevel parses every puzzle in the text files of a folder.
func forEachLevel(t testing.TB, dir string, visit func(name, text string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no levels in %s: %v", dir, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
			var lines []string
			for _, line := range strings.Split(block, "\n") {
				if !strings.HasPrefix(line, "# ") {
					lines = append(lines, strings.TrimRight(line, " \r"))
				}
			}
			if len(lines) == 0 {
				continue
			}
			for _, text := range (Game{}).Split(strings.Join(lines, "\n")) {
				visit(filepath.Base(file), text)
			}
		}
	}
}

// TestOfficialLevels reads every level of the real game that is here, prints
// it back, and has the designer's answer checked.
func TestOfficialLevels(t *testing.T) {
	n := 0
	forEachLevel(t, sharedData(t, "flow/official"), func(name, text string) {
		n++
		p, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %.60s: %v", name, text, err)
			return
		}
		if got := p.String(); got != text {
			t.Errorf("%s: printed back\n%s\nexpected\n%s", name, got, text)
		}
		answer := newSolution(p, p.form.paths)
		if err := answer.Check(); err != nil {
			t.Errorf("%s: %.60s: the designer's answer: %v", name, text, err)
		}
		// The same answer, told by its cells alone.
		grid := p.Grid()
		again, err := grid.ParseSolution(newSolution(grid, p.form.paths).String())
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Check(); err != nil {
			t.Errorf("%s: %.60s: the designer's answer as a grid: %v\n%s\n%s", name, text, err, grid, again)
		}
		reread, err := Parse(grid.String())
		if err != nil || reread.String() != grid.String() {
			t.Errorf("%s: as a grid: %v\n%s\nread again\n%v", name, err, grid, reread)
		}
	})
	t.Logf("%d levels", n)
}

// TestNumberlink reads boards of numbers and of characters.
func TestNumberlink(t *testing.T) {
	for _, folder := range []string{"flow/classic", "flow/numberlink"} {
		dir := sharedData(t, folder)
		n := 0
		forEachLevel(t, dir, func(name, text string) {
			if name == "janko.solutions.txt" {
				return
			}
			n++
			p, err := Parse(text)
			if rows := strings.Count(text, "\n"); name == "janko.txt" && !strings.HasPrefix(text, strconv.Itoa(rows)+" ") {
				// One board of that set has a wrong size line.
				if err == nil || !strings.Contains(err.Error(), "line 1 says") {
					t.Errorf("%s: got %v, expected its size line refused\n%s", name, err, text)
				}
				return
			}
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
				return
			}
			if got := p.String(); got != text {
				t.Errorf("%s: printed back\n%s\nexpected\n%s", name, got, text)
			}
		})
		t.Logf("%s: %d puzzles", folder, n)
	}
}
