package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tapwise/solvers"
)

// fakeTable is a board that is solved by lifting the finger at its right edge.
type fakeTable struct {
	touches []string
	won     bool
}

func (f *fakeTable) Touch(action int, x, y float64) {
	f.touches = append(f.touches, fmt.Sprint(action, x, y))
	f.won = f.won || action == 2 && x >= 3
}

func (f *fakeTable) Picture() solvers.Picture { return solvers.Picture{Width: 3, Height: 4} }
func (f *fakeTable) Over() []solvers.Shape    { return nil }
func (f *fakeTable) Places() []Place          { return []Place{{"row 1 column 1", 0.5, 0.5}} }
func (f *fakeTable) Won() bool                { return f.won }
func (f *fakeTable) Moves() int               { return len(f.touches) }
func (f *fakeTable) Board() string            { return "AA\nA." }

func TestPlay(t *testing.T) {
	var opened string
	var table *fakeTable
	c := config()
	c.Table = func(game solvers.Game, p solvers.Puzzle) (Table, error) {
		opened, table = game.Name()+"\n"+p.String(), &fakeTable{}
		return table, nil
	}
	_, server := start(t, c)
	play := func(rest string) (a playAnswer) {
		call(t, server, http.MethodPost, "/api/play", `{"game":"flow","text":"A.\nA.",`+rest+`}`, &a)
		return a
	}
	if a := play(`"strokes":[]`); opened != "flow\nA.\nA." || a.Scene.Width != 3 || a.Won || a.Moves != 0 || len(a.Places) != 1 {
		t.Fatalf("opened %q: %+v", opened, a)
	}
	// A finger that is still down has not won.
	if a := play(`"strokes":[[[1,2],[2.5,2],[3,2]]],"down":true`); a.Won {
		t.Error("won before the finger was lifted")
	}
	a := play(`"strokes":[[[1,2]],[[1,2],[2.5,2],[3,2]]]`)
	if got, want := strings.Join(table.touches, ", "), "0 1 2, 2 1 2, 0 1 2, 1 2.5 2, 1 3 2, 2 3 2"; got != want || !a.Won {
		t.Errorf("touched %s, won %v; expected %s, won", got, a.Won, want)
	}
	for body, want := range map[string]int{
		`{"game":"flow","text":"A.\nA.","strokes":[[[1e300,1]]]}`: http.StatusBadRequest,
		`{"game":"flow","text":"A.\nA.","strokes":7}`:             http.StatusBadRequest,
		`{"game":"flow","text":"A","strokes":[]}`:                 http.StatusUnprocessableEntity,
	} {
		if response, text := send(t, http.MethodPost, server.URL+"/api/play", body); response.StatusCode != want {
			t.Errorf("%.60s: %s %s, expected %d", body, response.Status, text, want)
		}
	}
}

func TestHint(t *testing.T) {
	_, server := start(t, config())
	const puzzle = `"game":"flow","text":"AB\n..\nAB"`
	for told, want := range map[string]string{
		"":      "pipe A",
		"0":     "pipe B",
		"1":     "pipe A",
		"0,1":   "",
		"1,0,0": "",
		"7,-1":  "pipe A",
	} {
		var a hintAnswer
		call(t, server, http.MethodPost, "/api/hint", fmt.Sprintf(`{%s,"told":[%s]}`, puzzle, told), &a)
		if a.Of != 2 || (a.Text == "") != (want == "") || !strings.HasPrefix(a.Text, want) || (a.Step == 2) != (want == "") || len(a.Scene.Shapes) == 0 {
			t.Errorf("after %s: %+v, expected %s", told, a, want)
		}
		if want != "" && !strings.Contains(a.Why, strings.TrimPrefix(want, "pipe ")+" at") {
			t.Errorf("after %s: %q because %q, expected a reason about the same pipe", told, a.Text, a.Why)
		}
		// The reason's cells are ringed: it begins at an end of the pipe that is told.
		rings := 0
		for _, s := range a.Scene.Shapes {
			if s.Kind == "line" && s.Size == 0.06 {
				rings++
			}
		}
		if want != "" && rings < 2 {
			t.Errorf("after %s: %d cells are ringed, expected those of %q", told, rings, a.Why)
		}
	}
	for body, want := range map[string]string{
		`{"game":"flow","text":"AB\nBA"}`: "no solution",
		`{"game":"flow","text":"A"}`:      "A",
	} {
		if response, text := send(t, http.MethodPost, server.URL+"/api/hint", body); response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, want) {
			t.Errorf("%s: %s %s, expected a refusal that says %q", body, response.Status, text, want)
		}
	}
}
