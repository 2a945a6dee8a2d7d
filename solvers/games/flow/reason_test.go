package flow

import (
	"bufio"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
)

// TestReason reads cases from testdata/reasons.txt: a board, and under "=" the
// reason wanted; "-" for none. A line "cover=false" above the board leaves out
// the rule of covering.
func TestReason(t *testing.T) {
	file, err := os.Open("testdata/reasons.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var block []string
	cases := 0
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		want, last := strings.CutPrefix(line, "= ")
		switch {
		case last:
			cases++
			testReason(t, block, want)
			block = nil
		case line != "" && !strings.HasPrefix(line, "// "):
			block = append(block, line)
		}
	}
	if err := lines.Err(); err != nil || cases < 15 || block != nil {
		t.Errorf("%d cases, %v, left over %q", cases, err, block)
	}
}

func testReason(t *testing.T, block []string, want string) {
	covering := block[0] != "cover=false"
	if !covering {
		block = block[1:]
	}
	text := strings.Join(block, "\n")
	p, err := Parse(text)
	if err != nil {
		t.Errorf("%v\n%s", err, text)
		return
	}
	if !covering {
		p = p.WithoutCover().(*Puzzle)
	}
	if want == "-" {
		want = ""
	}
	if got := p.Reason(); got != want {
		t.Errorf("covering %v\n%s\ngot  %s\nwant %s", covering, text, got, want)
	}
	var reason *solvers.NoSolutionError
	_, err = p.Solve(context.Background())
	if want != "" && (!errors.As(err, &reason) || reason.Reason != want) {
		t.Errorf("covering %v\n%s\nSolve says %v, want the reason %s", covering, text, err, want)
	}
	// The search, which is not told, agrees.
	if n := len(all(t, p, SearchOptions{Strict: true})); want != "" && n > 0 {
		t.Errorf("covering %v\n%s\nhas %d solutions; the reason is %s", covering, text, n, want)
	}
}

// TestReasonAgainstBruteForce wants no reason for boards with a solution.
func TestReasonAgainstBruteForce(t *testing.T) {
	n := uint64(4000)
	if testing.Short() {
		n = 400
	}
	solvable, unsolvable, explained := 0, 0, 0
	for seed := range n {
		p := randomPuzzle(rand.New(rand.NewPCG(seed, 17)))
		reason := p.Reason()
		if len(bruteForce(p)) > 0 {
			solvable++
			if reason != "" {
				t.Fatalf("seed %d, covering %v, %v\n%s\nhas a solution; the reason why not: %s", seed, p.covering, p.topology, p, reason)
			}
			continue
		}
		unsolvable++
		if reason != "" {
			explained++
		}
	}
	t.Logf("%d boards with a solution, %d without, %d of those for a short reason", solvable, unsolvable, explained)
	if solvable*20 < int(n) || explained*3 < unsolvable {
		t.Errorf("%d boards with a solution, %d without, %d of those for a short reason: too few to tell anything", solvable, unsolvable, explained)
	}
}

// TestReasonOnSolvable looks for reasons on boards that were made with a
// solution.
func TestReasonOnSolvable(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for i := range 300 {
		o := solvers.GenerateOptions{Rows: 4 + i%9, Cols: 4 + i/9%9, Variant: []string{"", "hex", "warp", "bridges", "winding"}[i%5]}
		made, err := Game{}.Generate(context.Background(), o, random)
		if err != nil {
			t.Fatal(err)
		}
		p := made.(*Puzzle)
		for _, p := range []*Puzzle{p, p.WithoutCover().(*Puzzle)} {
			if reason := p.Reason(); reason != "" {
				t.Errorf("%+v, covering %v\n%s\nhas a solution; the reason why not: %s", o, p.covering, p, reason)
			}
		}
	}
}
