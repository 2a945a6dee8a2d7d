package algemy

import (
	"os"
	"strings"
	"testing"
)

// TestAnimation compares the pictures of testdata/animation.txt, which stand
// below a puzzle and its solution, each after a line "--". Blanks at the ends
// of lines do not count.
func TestAnimation(t *testing.T) {
	data, err := os.ReadFile("testdata/animation.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split("\n"+string(data), "\n= ")[1:]
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, text := range cases {
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
		pictures := s.(*Solution).Animation()
		first := strings.Split(pictures[0], "\n")
		for i, picture := range pictures {
			lines := strings.Split(picture, "\n")
			for k, line := range lines {
				if len(line) != len(first[k]) {
					t.Errorf("%s: picture %d has another size than the first\n%s", name, i, picture)
				}
				lines[k] = strings.TrimRight(line, " ")
			}
			pictures[i] = strings.Join(lines, "\n")
		}
		want := strings.Join(parts[2:], "\n--\n")
		if got := strings.Join(pictures, "\n--\n"); got != want {
			t.Errorf("%s: got\n%s\nexpected\n%s", name, got, want)
		}
	}
}
