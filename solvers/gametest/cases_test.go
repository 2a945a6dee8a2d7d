package gametest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCases reads parts of any lines.
func TestCases(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cases.txt")
	text := "For people.\n\n= solved\n> = a\n>\n> --\n>  b\n--\n\"c\\n\\n= d\"\n--\n>e\n\nMore.\n\n= wrong rule: part\nf\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cases := Cases(t, file)
	if len(cases) != 2 {
		t.Fatalf("%d cases, expected 2: %q", len(cases), cases)
	}
	if want := []string{"= a\n\n--\n b", "c\n\n= d", ">e"}; !slices.Equal(cases[0].Parts, want) {
		t.Errorf("parts %q, expected %q", cases[0].Parts, want)
	}
	if c := cases[1]; c.Kind != "wrong" || c.Want != "rule: part" || c.Where != "cases.txt:15" {
		t.Errorf("%+v, expected wrong rule: part in line 15", c)
	}
}
