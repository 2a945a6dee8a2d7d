package sabr

import (
	"context"
	"os"
	"strings"
	"testing"
)

// The programs in the documentation print what stands there.
func TestDocumentation(t *testing.T) {
	const file = "../../../docs/sabr.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	programs := strings.Split(string(text), "```sabr\n")[1:]
	if len(programs) == 0 {
		t.Errorf("%s has no programs", file)
	}
	for _, rest := range programs {
		program, rest, _ := strings.Cut(rest, "```")
		_, rest, _ = strings.Cut(rest, "```text\n")
		expected, _, _ := strings.Cut(rest, "```")
		p, err := Parse("map.tb", program)
		if err != nil {
			if err.Error() != strings.TrimSpace(expected) {
				t.Errorf("%v, expected %s, for\n%s", err, expected, program)
			}
			continue
		}
		if r, err := p.Solve(context.Background(), Options{}); err != nil || r.String() != expected+"\n" {
			t.Errorf("%v (%v)\nexpected\n%s\nfor\n%s", r, err, expected, program)
		}
		printed(t, p, Options{}, 100)
		for _, w := range p.Warnings() {
			t.Errorf("%v in\n%s", w, program)
		}
	}
}
