package adrift

import (
	"os"
	"strings"
	"testing"
)

// TestAnimation compares the pictures of testdata/animation.txt, which stand
// below a puzzle and its solution, each after a line "--".
func TestAnimation(t *testing.T) {
	data, err := os.ReadFile("testdata/animation.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split(string(data), "\n= ")[1:] {
		name, body, _ := strings.Cut(text, "\n")
		parts := strings.Split(strings.TrimRight(body, "\n"), "\n--\n")
		p, err := Parse(parts[0])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s, err := p.ParseSolution(parts[1])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := strings.Join(parts[2:], "\n--\n")
		if got := strings.Join(s.(*Solution).Animation(), "\n--\n"); got != want {
			t.Errorf("%s: got\n%s\nexpected\n%s", name, got, want)
		}
	}
}
