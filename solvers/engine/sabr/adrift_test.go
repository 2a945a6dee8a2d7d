package sabr_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/sabr"
	"tapwise/solvers/games/adrift"
)

// adriftProgram translates an Adrift board. A result prints as the solution
// does, with blanks at the ends of lines. That there are no loops beside the
// chains is not said.
func adriftProgram(p *adrift.Puzzle) string {
	var out strings.Builder
	out.WriteString("# Adrift: chains of colours over three faces of a cube, X a stone\nSym { X")
	clue := map[board.Cell]string{}
	for colour := range p.Colours() {
		out.WriteString(" " + p.Label(colour))
		for _, end := range p.Ends(colour) {
			clue[end] = p.Label(colour)
		}
	}
	name := func(c board.Cell) string {
		n := p.Side()
		return fmt.Sprintf("%c%d%d", "tlr"[int(c)/(n*n)], int(c)/n%n, int(c)%n)
	}
	line := func(c board.Cell) string {
		switch {
		case int(c) == p.Cells()-1:
			return "\n"
		case (int(c)+1)%p.Side() == 0:
			return ";\n  "
		}
		return " "
	}
	out.WriteString(" }\nBoard {\n  ")
	for c := range board.Cell(p.Cells()) {
		out.WriteString(name(c) + line(c))
	}
	out.WriteString("}\nReq Board {\n  ")
	for c := range board.Cell(p.Cells()) {
		rule := clue[c]
		switch {
		case p.Stone(c):
			rule = "X"
		case rule == "":
			rule = "!X"
		}
		out.WriteString(rule + line(c))
	}
	out.WriteString("}\n")
	// options are the ways to have so many of n neighbours of the same colour.
	options := func(object string, n, same int) {
		for set := range 1 << n {
			var rules []string
			for i := range n {
				if set>>i&1 != 0 {
					rules = append(rules, "v")
				} else {
					rules = append(rules, "!v")
				}
			}
			if strings.Count(strings.Join(rules, " "), "!") == n-same {
				fmt.Fprintf(&out, "Opt %s { v %s }\n", object, strings.Join(rules, " "))
			}
		}
	}
	out.WriteString("# a cell, then the cells that it touches: one of an end's is of its colour\n")
	var ends, links [5]bool
	for c := range board.Cell(p.Cells()) {
		if n := len(p.Neighbours(c)); clue[c] != "" {
			ends[n] = true
		} else {
			links[n] = true
		}
	}
	for n := range ends {
		if ends[n] {
			options(fmt.Sprintf("end%d", n), n, 1)
		}
	}
	out.WriteString("# and two of any other's\n")
	for n := range links {
		if links[n] {
			options(fmt.Sprintf("link%d", n), n, 2)
		}
	}
	for c := range board.Cell(p.Cells()) {
		if p.Stone(c) {
			continue
		}
		kind := "link"
		if clue[c] != "" {
			kind = "end"
		}
		fmt.Fprintf(&out, "DesObj %s%d { %s", kind, len(p.Neighbours(c)), name(c))
		for _, n := range p.Neighbours(c) {
			out.WriteString(" " + name(n))
		}
		out.WriteString(" }\n")
	}
	return out.String()
}

// trimmed is a printed board without blanks at the ends of lines.
func trimmed(printed string) string {
	return strings.ReplaceAll(strings.TrimRight(printed, " \n"), " \n", "\n")
}

func TestAdriftProgram(t *testing.T) {
	p, err := adrift.Parse("R X X\n. . .\nB . .\nX X .\nX X .\nB . .\nX . X\nX . X\nX . R")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/adrift.tb")
	if err != nil {
		t.Fatal(err)
	}
	if program := adriftProgram(p); program != string(text) {
		t.Errorf("testdata/adrift.tb is:\n%s\nexpected:\n%s", text, program)
	}
}

func TestAdriftGenerated(t *testing.T) {
	for seed := range uint64(20) {
		o := solvers.GenerateOptions{Rows: 3, Colours: 2 + int(seed)%2, Unique: true}
		puzzle, err := adrift.Game{}.Generate(context.Background(), o, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		solution, err := puzzle.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		program, err := sabr.Parse("adrift.tb", adriftProgram(puzzle.(*adrift.Puzzle)))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		_, err = program.Enumerate(context.Background(), sabr.Options{}, func(r *sabr.Result) bool {
			if err := program.Check(r.String()); err != nil {
				t.Errorf("seed %d: %v\n%s", seed, err, r)
			}
			got, err := puzzle.ParseSolution(trimmed(r.String()))
			if err != nil {
				t.Errorf("seed %d: %v\n%s", seed, err, r)
				return false
			}
			if got.Check() != nil {
				return true // there is a loop
			}
			found++
			if got.String() != solution.String() {
				t.Errorf("seed %d: the program gives\n%s\nthe solver\n%s", seed, got, solution)
			}
			return true
		})
		if err != nil || found != 1 {
			t.Errorf("seed %d: %d solutions without loops (%v), expected 1, of\n%s", seed, found, err, puzzle)
		}
	}
}
