package described

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
)

var writeExamples = flag.Bool("write-examples", false, "TestShipped makes examples for the descriptions that have none")

// eachShipped runs a test of each description that comes along.
func eachShipped(t *testing.T, test func(t *testing.T, g *Game)) {
	t.Helper()
	files, err := filepath.Glob("games/*" + Extension)
	if err != nil || len(files) == 0 {
		t.Fatalf("no descriptions: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			test(t, shipped(t, strings.TrimSuffix(filepath.Base(file), Extension)))
		})
	}
}

// TestShipped examines the descriptions that come along, whose rules take at most 30 lines.
func TestShipped(t *testing.T) {
	eachShipped(t, func(t *testing.T, g *Game) {
		if n := ruleLines(g.Source()); n > 30 {
			t.Errorf("%d lines of rules, expected at most 30", n)
		}
		if *writeExamples && len(g.examples) == 0 {
			writeExample(t, g, "games/"+g.name+Extension)
			g = shipped(t, g.name)
		}
		if len(g.examples) == 0 {
			t.Skip("without examples")
		}
		if err := g.Examine(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// writeExample makes a puzzle with its solution, and for each rule one that breaks it alone.
func writeExample(t *testing.T, g *Game, file string) {
	ctx, cancel := csp.WithBudget(t.Context(), mostConflicts)
	defer cancel()
	for seed := range uint64(20) {
		made, err := g.Generate(ctx, solvers.GenerateOptions{Unique: true}, rand.New(rand.NewPCG(5, seed)))
		if err != nil {
			t.Log(err)
			return
		}
		p := made.(*Puzzle)
		s, err := p.Solve(ctx)
		if err != nil {
			t.Fatal(err)
		}
		text := "\nexamples = example(\n    " + strconv.Quote(p.text) + ",\n    \"\"\"\n" + s.String() + "\n\"\"\",\n    wrong = {\n"
		all := true
		for i, r := range p.rules {
			others := &Puzzle{game: g, givens: p.givens, rules: append(append([]rule{}, p.rules[:i]...), p.rules[i+1:]...)}
			wrong := breaks(ctx, others, p, r.name)
			all = all && wrong != ""
			text += "        " + strconv.Quote(r.name) + ": \"\"\"\n" + wrong + "\n\"\"\",\n"
		}
		if !all {
			continue
		}
		if err := os.WriteFile(file, []byte(g.source+text+"    },\n)\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
}

// breaks is a solution of all rules but one, which it breaks.
func breaks(ctx context.Context, others, p *Puzzle, name string) (found string) {
	_, _ = others.Enumerate(ctx, solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
		wrong := &Solution{s.(*Solution).values, p}
		if told, ok := wrong.Check().(*solvers.RuleError); ok && told.Rule == name {
			found = wrong.String()
		}
		return found == ""
	})
	return found
}
