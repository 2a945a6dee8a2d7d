package sabr

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
)

// sharedFolder holds reference programs and their outputs.
const sharedFolder = "../../../../shared/data/sabr"

func parseFile(t testing.TB, file string) *Program {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(filepath.Base(file), string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parseText(t testing.TB, text string) *Program {
	t.Helper()
	p, err := Parse("", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// printed is all that there is to print, checked; sorted, because results have no order.
func printed(t testing.TB, p *Program, o Options, limit int) []string {
	t.Helper()
	var list []string
	_, err := p.Enumerate(context.Background(), o, func(r *Result) bool {
		text := r.String()
		if err := p.Check(text); err != nil {
			t.Fatalf("%s: %v\n%s", p.File(), err, text)
		}
		list = append(list, text)
		return len(list) != limit
	})
	switch {
	case errors.Is(err, ErrUnsatisfiable) && len(list) == 0:
	case err != nil:
		t.Fatal(err)
	}
	slices.Sort(list)
	if n := len(slices.Compact(slices.Clone(list))); n != len(list) {
		t.Errorf("%s: %d results, only %d different ones", p.File(), len(list), n)
	}
	return list
}

func TestPrograms(t *testing.T) {
	for _, test := range []struct {
		file    string
		stages  int
		results int // with that many stages
	}{
		{"adrift.tb", 1, 1},
		{"cube.tb", 9, 4},
		{"eight-puzzle.tb", 15, 1},
		{"eight-puzzle-31.tb", 32, 40},
		{"einstein.tb", 1, 1},
		{"hanoi.tb", 16, 1},
		{"lights-out.tb", 6, 120}, // five presses, in any order
		{"queens.tb", 1, 92},
		{"river.tb", 12, 4},
		{"schedule.tb", 1, 1},
		{"sudoku-17.tb", 1, 1},
		{"sudoku-hard.tb", 1, 1},
		{"sudoku.tb", 1, 1},
	} {
		t.Run(test.file, func(t *testing.T) {
			p := parseFile(t, filepath.Join("testdata", test.file))
			for _, w := range p.Warnings() {
				t.Errorf("warning %v", w)
			}
			r, err := p.Solve(context.Background(), Options{Stages: 40})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Check(r.String()); err != nil {
				t.Errorf("%v\n%s", err, r)
			}
			if r.Stages() != test.stages || r.Stats.Stages != test.stages {
				t.Errorf("%d stages, %d tried, expected %d", r.Stages(), r.Stats.Stages, test.stages)
			}
			if list := printed(t, p, Options{Stages: 40}, 0); len(list) != test.results {
				t.Errorf("%d results, expected %d", len(list), test.results)
			}
			expected, err := os.ReadFile(filepath.Join("testdata", strings.TrimSuffix(test.file, ".tb")+"-expected.txt"))
			if test.results == 1 && (err != nil || r.String() != string(expected)) {
				t.Errorf("printed:\n%s\nexpected (%v):\n%s", r, err, expected)
			}
			if p.HasSteps() {
				var none *UnsatisfiableError
				_, err := p.Solve(context.Background(), Options{Stages: test.stages - 1})
				if !errors.As(err, &none) || none.Stages != test.stages-1 {
					t.Errorf("with one stage fewer: %v", err)
				}
			}
		})
	}
	files, err := filepath.Glob("testdata/*.tb")
	if err != nil || len(files) != 13 {
		t.Errorf("%d programs in testdata (%v), expected as many as are tested, 13", len(files), err)
	}
}

func TestReference(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedFolder, "*.tb"))
	if err != nil || len(files) == 0 {
		t.Skipf("there is no folder %s with programs", sharedFolder)
	}
	fewest := map[string]int{"crossing.tb": 8, "swap.tb": 2}
	for _, file := range files {
		p := parseFile(t, file)
		text := Unsatisfiable
		r, err := p.Solve(context.Background(), Options{})
		switch {
		case err == nil:
			text = r.String()
			if err := p.Check(text); err != nil {
				t.Errorf("%s: %v\n%s", file, err, text)
			}
			if n, ok := fewest[p.File()]; ok && r.Stages() != n {
				t.Errorf("%s: %d stages, expected %d", file, r.Stages(), n)
			}
			printed(t, p, Options{}, 1000)
		case !errors.Is(err, ErrUnsatisfiable) || !errors.Is(err, solvers.ErrNoSolution):
			t.Errorf("%s: %v", file, err)
		}
		expected, err := os.ReadFile(strings.TrimSuffix(file, ".tb") + "-expected.txt")
		if err == nil && string(expected) != text {
			t.Errorf("%s prints:\n%s\nexpected:\n%s", file, text, expected)
		}
	}
}
