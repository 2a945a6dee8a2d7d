package queens

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
)

// TestCommunity solves boards that players made: none is refused, and each solution passes
// the checker, or there is none.
func TestCommunity(t *testing.T) {
	const file = "../../../../shared/data/queens/community.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("%s is not here: %v", file, err)
	}
	irregular := 0
	for i, text := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		p, err := Parse(text)
		if err != nil {
			t.Errorf("board %d: %v\n%s", i, err, text)
			continue
		}
		if p.String() != text {
			t.Errorf("board %d is printed as\n%s\nexpected\n%s", i, p, text)
		}
		if p.Irregularity() != "" {
			irregular++
		}
		s, err := p.Solve(t.Context())
		if err == nil {
			err = s.Check()
		}
		if err != nil && !errors.Is(err, solvers.ErrNoSolution) {
			t.Errorf("board %d: %v\n%s", i, err, text)
		}
	}
	if irregular == 0 {
		t.Errorf("%s: no board with regions in parts, expected some", file)
	}
}
