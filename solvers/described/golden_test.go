package described

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
)

const golden = "../../../shared/data/ppbench/golden.jsonl"

// fileOf are the descriptions of kinds whose files are not called as puzz.link calls them.
var fileOf = map[string]string{"slither": "slitherlink", "mashu": "masyu"}

// shipped loads a description that comes along.
func shipped(t testing.TB, name string) *Game {
	t.Helper()
	file := "games/" + name + Extension
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip(err)
	}
	g, err := Load(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGolden solves published boards and proves that their solutions are the only ones.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Skipf("%s is not here: %v", golden, err)
	}
	boards := map[string][]string{}
	var kinds []string
	for line := range strings.Lines(string(data)) {
		var b struct {
			PID string `json:"pid"`
			URL string `json:"puzzlink_url"`
		}
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			t.Fatal(err)
		}
		if boards[b.PID] == nil {
			kinds = append(kinds, b.PID)
		}
		boards[b.PID] = append(boards[b.PID], b.URL)
	}
	pzpr := newPzprChecker(t)
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			name := kind
			if f := fileOf[kind]; f != "" {
				name = f
			}
			g := shipped(t, name)
			var seconds []float64
			var conflicts int64
			for _, url := range boards[kind] {
				s, stats := solveOnly(t, g, url)
				seconds, conflicts = append(seconds, stats.Seconds), max(conflicts, stats.Conflicts)
				if s == nil || pzpr == nil || strings.Contains(unknownToPzpr, kind) {
					continue
				}
				if verdict := pzpr.check(t, url, s); verdict != "complete" {
					t.Errorf("%s: pzpr says: %s\n%s", url, verdict, s)
				}
			}
			slices.Sort(seconds)
			t.Logf("%s: %d lines of rules, %d boards, median %.2f s, worst %.2f s, %d conflicts", name, ruleLines(g.Source()), len(seconds), seconds[len(seconds)/2], seconds[len(seconds)-1], conflicts)
		})
	}
}

// solveOnly solves a puzzle that has exactly one solution, and checks it.
func solveOnly(t *testing.T, g *Game, text string) (*Solution, solvers.Stats) {
	t.Helper()
	p, err := g.parse(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil, solvers.Stats{}
	}
	ctx, cancel := csp.WithBudget(t.Context(), mostConflicts)
	defer cancel()
	var found []solvers.Solution
	stats, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
		found = append(found, s)
		return len(found) < 2
	})
	if err != nil || len(found) != 1 {
		t.Errorf("%s: %d solutions, %v (%d conflicts), expected 1", text, len(found), err, stats.Conflicts)
		for _, s := range found {
			t.Logf("%v\n%v", s, s.Check())
		}
		return nil, solvers.Stats{}
	}
	if err := found[0].Check(); err != nil {
		t.Errorf("%s: %v\n%s", text, err, found[0])
	}
	return found[0].(*Solution), stats
}

// mostConflicts ends searches that do not: the hardest of the boards takes three fifths of it.
const mostConflicts = 500_000

// ruleLines are the lines of a description up to its examples, without empty ones and
// comments.
func ruleLines(source string) (n int) {
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "examples") || strings.HasPrefix(line, "levels") {
			break
		}
		if line != "" && line[0] != '#' {
			n++
		}
	}
	return n
}
