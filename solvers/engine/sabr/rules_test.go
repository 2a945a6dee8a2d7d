package sabr

import (
	"fmt"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	for _, c := range sections(t, "testdata/rules.txt") {
		program, expected, ok := strings.Cut(c[1], "\n--\n")
		if !ok {
			t.Fatalf("%s: no line \"--\"", c[0])
		}
		var o Options
		_, stages, ok := strings.Cut(c[0], ": stages ")
		if !ok {
			_, stages, o.Exactly = strings.Cut(c[0], ": exactly ")
		}
		if ok || o.Exactly {
			if _, err := fmt.Sscan(stages, &o.Stages); err != nil {
				t.Fatal(err)
			}
		}
		results := printed(t, parseText(t, program), o, 0)
		for i, r := range results {
			if !strings.HasSuffix(r, " \n\n") {
				t.Errorf("%s: printed %q, expected a blank line at the end", c[0], r)
			}
			results[i] = strings.TrimSuffix(strings.ReplaceAll(r, " \n", "\n"), "\n")
		}
		got := strings.Join(results, "|\n")
		if len(results) == 0 {
			got = "unsatisfiable"
		}
		if strings.TrimSpace(got) != strings.TrimSpace(expected) {
			t.Errorf("%s:\n%s\nprints\n%s\nexpected\n%s", c[0], program, got, expected)
		}
	}
}
