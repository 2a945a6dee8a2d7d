package gametest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
)

// rulesOf matches the rules of a package comment: "//   - row, column: each holds one queen."
var rulesOf = regexp.MustCompile(`(?m)^//   - ([a-z, ]+):`)

// folder wants a game's folder to be whole: each rule that doc.go names has a wrong case, and each
// wrong case such a rule; its app has the tests of all apps. A game made by a test has no folder.
func folder(t *testing.T, game solvers.Game, pattern string) {
	at, err := filepath.Abs(filepath.Dir(filepath.Dir(filepath.Dir(pattern))))
	if err != nil || filepath.Base(at) != game.Name() {
		return
	}
	doc, err := os.ReadFile(filepath.Join(at, "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, rules, _ := strings.Cut(string(doc), "// # Rules\n")
	rules, _, _ = strings.Cut(rules, "\n// # ")
	var named, broken []string
	for _, m := range rulesOf.FindAllStringSubmatch(rules, -1) {
		named = append(named, strings.Split(m[1], ", ")...)
	}
	for _, c := range Cases(t, pattern, "wrong") {
		rule, _, _ := strings.Cut(c.Want, ": ")
		if broken = append(broken, rule); !slices.Contains(named, rule) {
			t.Errorf("%s breaks rule %q, doc.go names %q", c.Where, rule, named)
		}
	}
	for _, rule := range named {
		if !slices.Contains(broken, rule) {
			t.Errorf("rule %q of doc.go has no case: = wrong %s: …", rule, rule)
		}
	}
	if _, err := os.Stat(filepath.Join(at, "app")); err != nil {
		return
	}
	tests, _ := filepath.Glob(filepath.Join(at, "app", "*_test.go"))
	var text []byte
	for _, file := range tests {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, data...)
	}
	for _, test := range []string{"RunApp", "Grid"} {
		if grid := game.About().Grid != nil; !strings.Contains(string(text), "gametest."+test+"(") && (test == "RunApp" || grid) {
			t.Errorf("app has no test that calls gametest.%s", test)
		}
	}
}
