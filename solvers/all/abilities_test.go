package all

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"tapwise/solvers/gametest"
)

var updateTable = flag.Bool("update", false, "write the table of abilities in solvers/doc.go anew")

// TestAbilityTable compares the table in the package comment of solvers with what each
// game can do. A game that is not in it yet is no error, since a new game is its folder
// and its line: -update gives it a column.
func TestAbilityTable(t *testing.T) {
	const file = "../doc.go"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var before, table, after strings.Builder
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.HasPrefix(line, "//\tability") || strings.HasPrefix(line, "//\t") && table.Len() > 0 && after.Len() == 0:
			table.WriteString(line)
		case table.Len() == 0:
			before.WriteString(line)
		default:
			after.WriteString(line)
		}
	}
	head, _, _ := strings.Cut(table.String(), "\n")
	var names []string
	for _, game := range Games() {
		if *updateTable || slices.Contains(strings.Fields(head), game.Name()) {
			names = append(names, game.Name())
		} else {
			t.Logf("%s has no column in %s yet", game.Name(), file)
		}
	}
	want := abilityTable(t, names)
	switch {
	case *updateTable:
		if err := os.WriteFile(file, []byte(before.String()+want+after.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	case table.String() != want:
		t.Errorf("%s says\n%s\nthere are\n%s\n(go test ./solvers/all -run TestAbilityTable -update writes it)", file, table.String(), want)
	}
}

// abilityTable is the table of abilities as lines of a comment, with a column for each
// of the games.
func abilityTable(t *testing.T, games []string) string {
	t.Helper()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "ability\t%s\tmeaning\n", strings.Join(games, "\t"))
	for _, a := range Abilities() {
		fmt.Fprint(w, a.Name)
		for _, game := range games {
			cell := "-"
			if slices.Contains(a.Games, game) {
				cell = "yes"
			}
			fmt.Fprint(w, "\t"+cell)
		}
		fmt.Fprintf(w, "\t%s\n", a.Meaning)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for line := range strings.Lines(b.String()) {
		table.WriteString("//\t" + line)
	}
	return table.String()
}

// TestAbilitiesAreListed wants a row for each optional interface. An ability that every
// game has is no option: it belongs to Game, Puzzle or Solution.
func TestAbilitiesAreListed(t *testing.T) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "../optional.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if _, ok := spec.Type.(*ast.InterfaceType); ok {
				names = append(names, spec.Name.Name)
			}
		}
		return true
	})
	var rows []string
	for _, a := range Abilities() {
		if a.Name == "OneSolution" || a.Name == "simulated app" {
			continue // no interfaces that a game meets
		}
		rows = append(rows, a.Name)
		if len(a.Games) == 0 || len(a.Games) == len(Games()) && a.Name != "Adviser" { // a new game may know no reasons yet
			t.Errorf("%s is an ability of %d of %d games, expected some of them", a.Name, len(a.Games), len(Games()))
		}
	}
	slices.Sort(names)
	slices.Sort(rows)
	if !slices.Equal(names, rows) {
		t.Errorf("optional interfaces %q, rows of the table %q", names, rows)
	}
}

// TestListedTypes wants the types listed with a game to be those of its puzzles
// and solutions.
func TestListedTypes(t *testing.T) {
	for _, l := range list() {
		c := gametest.Cases(t, filepath.Join("..", "games", l.game.Name(), "testdata", "cases", "*.txt"), "solved")[0]
		p, err := l.game.Parse(c.Parts[0])
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprintf("%T %T", p, s), fmt.Sprintf("%T %T", l.puzzle, l.solution); got != want {
			t.Errorf("%s: puzzle and solution are %s, listed with %s", l.game.Name(), got, want)
		}
	}
}
