package described

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTutorial runs the description of each step of the tutorial on its levels.
func TestTutorial(t *testing.T) {
	text, err := os.ReadFile("../../docs/described.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`(?m)^    # (\w+\.star)\n((?:    .*\n|\n)+)`).FindAllStringSubmatch(string(text), -1)
	if len(steps) != 10 {
		t.Errorf("%d steps with a description, expected 10", len(steps))
	}
	for _, step := range steps {
		g, err := Load(step[1], []byte(regexp.MustCompile(`(?m)^    `).ReplaceAllString(step[2], "")))
		if err != nil {
			t.Error(err)
			continue
		}
		for i, level := range g.levels {
			if _, err := g.only(t.Context(), fmt.Sprintf("level %d", i+1), level, ""); err != nil {
				t.Error(err)
			}
		}
		if len(g.levels) == 0 || strings.TrimSpace(step[2]) == "" {
			t.Errorf("%s: no level", step[1])
		}
	}
}
