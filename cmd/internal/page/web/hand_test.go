package web

import (
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
)

// fakeTable is an app on which a puzzle is solved by lifting the finger at its right
// edge.
type fakeTable struct {
	touches []string
	won     bool
}

func (f *fakeTable) Draw(time.Duration) *image.RGBA { return image.NewRGBA(image.Rect(0, 0, 30, 40)) }

func (f *fakeTable) Touch(action int, x, y float64, _ time.Duration) {
	f.touches = append(f.touches, fmt.Sprint(action, x, y))
	f.won = f.won || action == 2 && x >= 29
}

func (f *fakeTable) Won() bool { return f.won }

func TestTable(t *testing.T) {
	app := &fakeTable{}
	var opened string
	c := config()
	c.Table = func(game solvers.Game, p solvers.Puzzle) (Table, error) {
		opened = game.Name() + "\n" + p.String()
		return app, nil
	}
	_, server := start(t, c)
	var a tableAnswer
	call(t, server, http.MethodPost, "/api/tables", `{"game":"flow","text":"A.\nA."}`, &a)
	if opened != "flow\nA.\nA." || a.Width != 30 || a.Height != 40 || a.Won {
		t.Fatalf("opened %q: %+v", opened, a)
	}
	path := "/api/tables/" + a.ID
	call(t, server, http.MethodPost, path+"/touch", `{"touches":[{"action":0,"x":1,"y":2},{"action":1,"x":15.5,"y":2}]}`, &a)
	if a.Won {
		t.Error("won before the finger was lifted")
	}
	call(t, server, http.MethodPost, path+"/touch", `{"touches":[{"action":2,"x":29,"y":2}]}`, &a)
	if got, want := strings.Join(app.touches, ", "), "0 1 2, 1 15.5 2, 2 29 2"; got != want || !a.Won {
		t.Errorf("touched %s, won %v; expected %s, won", got, a.Won, want)
	}
	response, body := send(t, http.MethodGet, server.URL+path+"/frame", "")
	drawn, err := jpeg.DecodeConfig(strings.NewReader(body))
	if err != nil || drawn.Width != 30 || response.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the frame: %s, %+v, %v", response.Status, drawn, err)
	}
	for body, want := range map[string]int{
		`{"touches":[{"action":3,"x":1,"y":1}]}`:                                                                http.StatusBadRequest,
		`{"touches":[{"action":0,"x":1e300,"y":1}]}`:                                                            http.StatusBadRequest,
		`{"touches":[` + strings.Repeat(`{"action":1,"x":1,"y":1},`, maxTouches) + `{"action":1,"x":1,"y":1}]}`: http.StatusBadRequest,
		`{"touches":7}`: http.StatusBadRequest,
	} {
		if response, text := send(t, http.MethodPost, server.URL+path+"/touch", body); response.StatusCode != want {
			t.Errorf("%.60s: %s %s, expected %d", body, response.Status, text, want)
		}
	}
	// The oldest makes room for new ones.
	for range keptTables {
		call(t, server, http.MethodPost, "/api/tables", `{"game":"flow","text":"A.\nA."}`, nil)
	}
	if response, _ := send(t, http.MethodPost, server.URL+path+"/touch", `{"touches":[]}`); response.StatusCode != http.StatusNotFound {
		t.Errorf("touching a puzzle that went: %s", response.Status)
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
