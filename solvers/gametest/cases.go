package gametest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Case is a case of a table.
type Case struct {
	Kind  string   // what is expected
	Want  string   // more of that
	Parts []string // a puzzle, and what else there is to it
	Where string   // file:line
}

// Cases reads the tables in files, those of the given kinds or all.
func Cases(t testing.TB, pattern string, kinds ...string) []Case {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", pattern, err)
	}
	var cases []Case
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for i, text := range strings.Split("\n"+string(data), "\n= ") {
			if i > 0 {
				c, err := readCase(text)
				c.Where = fmt.Sprintf("%s:%d", filepath.Base(file), line)
				if err != nil {
					t.Fatalf("%s: %v", c.Where, err)
				}
				if len(kinds) == 0 || slices.Contains(kinds, c.Kind) {
					cases = append(cases, c)
				}
				line++
			}
			line += strings.Count(text, "\n")
		}
	}
	if len(cases) == 0 {
		t.Fatalf("no cases of %q in %s", kinds, pattern)
	}
	return cases
}

// readCase reads a case from after "= ".
func readCase(text string) (Case, error) {
	title, body, _ := strings.Cut(text, "\n")
	body, _, _ = strings.Cut(body, "\n\n")
	var c Case
	c.Kind, c.Want, _ = strings.Cut(title, " ")
	c.Parts = strings.Split(strings.TrimSuffix(body, "\n"), "\n--\n")
	for i, part := range c.Parts {
		if marked, ok := unmarked(part); ok {
			c.Parts[i] = marked
		} else if strings.HasPrefix(part, `"`) {
			var err error
			if c.Parts[i], err = strconv.Unquote(part); err != nil {
				return c, fmt.Errorf("%s: %w", part, err)
			}
		}
	}
	return c, nil
}

// unmarked is a part whose lines all begin with '>', without that and the blank after it.
func unmarked(part string) (text string, ok bool) {
	lines := strings.Split(part, "\n")
	for i, line := range lines {
		if line != ">" && !strings.HasPrefix(line, "> ") {
			return "", false
		}
		lines[i] = strings.TrimPrefix(line[1:], " ")
	}
	return strings.Join(lines, "\n"), true
}
