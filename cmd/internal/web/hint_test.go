package web

import (
	"encoding/json"
	"strings"
	"testing"

	"tapwise/solvers/all"
)

// TestHint asks for the next step only.
func TestHint(t *testing.T) {
	_, server := start(t, config())
	for _, test := range []struct{ body, want, not string }{
		{`{"game":"flow","text":"A...\n....\n...A\n....","hint":true}`, `"why":{"rule":"corner","text":"`, `"solution"`},
		{`{"game":"flow","text":"A.\nA.","hint":true}`, `"why":{"rule":"`, `"paths"`},
		{`{"game":"flow","text":"A.\nA.","hint":true,"drawn":"AA\nAA"}`, `"status":"solved"`, `"why"`},
		{`{"game":"flow","text":"A.\nA.","hint":true,"drawn":"AA"}`, `"error":`, `"why"`},
		{`{"game":"flow","text":"AB\nBA","hint":true}`, `"status":"unsolvable"`, `"why"`},
		{`{"game":"flow","text":"A.\nA.","limit":1}`, `"solution"`, `"why"`},
	} {
		if _, got := send(t, "POST", server.URL+"/api/solve", test.body); !strings.Contains(got, test.want) || strings.Contains(got, test.not) {
			t.Errorf("%s: got %s, expected %s in it and no %s", test.body, got, test.want, test.not)
		}
	}
	var games []gameInfo
	call(t, server, "GET", "/api/games", "", &games)
	for _, g := range games {
		body, err := json.Marshal(map[string]any{"game": g.Name, "text": g.Examples[0], "hint": true})
		if err != nil {
			t.Fatal(err)
		}
		var a puzzleAnswer
		call(t, server, "POST", "/api/solve", string(body), &a)
		if a.Why == nil || a.Why.Text == "" {
			t.Errorf("%s: no hint in %+v", g.Name, a)
			continue
		}
		if named := strings.Contains(all.With("Adviser"), g.Name); a.Why.Rule != "" && !named {
			t.Errorf("%s: the rule %q", g.Name, a.Why.Rule)
		}
	}
}
