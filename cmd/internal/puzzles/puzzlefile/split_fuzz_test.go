package puzzlefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/vision"
)

// FuzzSplit splits any file into puzzles: nothing is lost but blank lines,
// comments and byte order marks, and each part knows its place in the file.
func FuzzSplit(f *testing.F) {
	scripts, err := filepath.Glob("../../../tapwise/testdata/script/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			f.Fatal(err)
		}
		_, files, _ := strings.Cut(string(text), "\n-- ")
		for _, file := range strings.Split(files, "\n-- ") {
			if _, body, found := strings.Cut(file, "--\n"); found {
				f.Add(body)
			}
		}
	}
	f.Add("\ufeffA.A\n\n\ufeff# remark\n\ufeffAA\n")
	f.Add("A.A\r\n\r\n# remark\r\nxxxxx\r\nx0 0 \r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if vision.IsPicture([]byte(text)) {
			return
		}
		lines := strings.Split(Text([]byte(text)), "\n")
		kept := map[string]int{} // lines, without the blanks around them
		for _, line := range lines {
			if !isComment(line) && strings.TrimSpace(line) != "" {
				kept[strings.TrimSpace(line)]++
			}
		}
		inputs := Split("fuzz", []byte(text), nil)
		for i, in := range inputs {
			if in.Index != i || in.Of != len(inputs) || in.Line < 1 || in.Line > len(lines) {
				t.Errorf("part %d of %d says it is %d of %d, at line %d of %d:\n%q", i, len(inputs), in.Index, in.Of, in.Line, len(lines), in.Text)
			}
			for line := range strings.Lines(in.Text) {
				if line = strings.TrimSpace(line); line != "" {
					kept[line]--
				}
			}
			if game, puzzle, err := Parse(in.Text, nil); err == nil {
				if again, err := game.Parse(puzzle.String()); err != nil || again.String() != puzzle.String() {
					t.Errorf("%s: %q was read as\n%s\nwhich is read as %v, %v", game.Name(), in.Text, puzzle, again, err)
				}
			}
		}
		for line, n := range kept {
			if n != 0 {
				t.Errorf("%q stands %d times more in the file than in its parts", line, n)
			}
		}
	})
}
