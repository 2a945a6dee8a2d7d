package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/screen"
)

// fakeCalibration believes every draft.
type fakeCalibration struct{ saved []Draft }

func (f *fakeCalibration) Read(_ context.Context, frame *image.RGBA, _ solvers.Game, d Draft) (Sight, error) {
	if d.Board == ([4]int{}) {
		d.Board, d.Rows, d.Cols = [4]int{0, 10, 40, 50}, 2, 2
	}
	if d.Rows != 2 {
		return Sight{Draft: d, Reason: "misread"}, nil
	}
	p, err := flow.Parse("A.\nA.")
	return Sight{Draft: d, Puzzle: p, Seen: &screen.Observation{Layout: screen.Layout{Rows: d.Rows, Cols: d.Cols, Board: d.Bounds()}}}, err
}

func (f *fakeCalibration) Save(_ context.Context, _ *image.RGBA, _ solvers.Game, _ string, d Draft) (string, error) {
	if d.Rows != 2 {
		return "", errors.New("not read")
	}
	f.saved = append(f.saved, d)
	return "flow.yaml", nil
}

func TestCalibrate(t *testing.T) {
	c := config()
	c.Decode = func(context.Context, []byte) (*image.RGBA, error) {
		return image.NewRGBA(image.Rect(0, 0, 40, 60)), nil
	}
	fake := &fakeCalibration{}
	c.Calibration = fake
	_, server := start(t, c)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 60))); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for range keptShots + 1 {
		response, text := send(t, "POST", server.URL+"/api/pictures", picture.String(), "Content-Type", "image/png")
		if response.StatusCode != 200 {
			t.Fatalf("upload: %s", text)
		}
		id := strings.Split(text, `"`)[3]
		ids = append(ids, id)
	}
	if response, _ := send(t, "GET", server.URL+"/api/pictures/"+ids[0], ""); response.StatusCode != 404 {
		t.Errorf("the oldest of %d pictures: %s, expected it to be gone", len(ids), response.Status)
	}
	last := ids[len(ids)-1]
	if response, _ := send(t, "GET", server.URL+"/api/pictures/"+last, ""); response.StatusCode != 200 || response.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the picture: %s", response.Status)
	}
	draft := func(board string, rows int, more string) string {
		if more == "" {
			more = `"buttons":[],"colours":[]`
		}
		return fmt.Sprintf(`{"game":"flow","board":%s,"rows":%d,"cols":2,%s}`, board, rows, more)
	}
	for _, test := range []struct {
		name, action, body, want string
		status                   int
	}{
		{"find out", "read", draft("[0,0,0,0]", 0, ""), `"board":[0,10,40,50],"rows":2,"cols":2`, 200},
		{"a corner dragged", "read", draft("[2,12,40,50]", 2, ""), `"text":"A.\nA."`, 200},
		{"wrong rows", "read", draft("[2,12,40,50]", 3, ""), `"reason":"misread"`, 200},
		{"outside", "read", draft("[2,12,41,50]", 2, ""), `within the picture`, 400},
		{"inside out", "read", draft("[30,12,20,50]", 2, ""), `within the picture`, 400},
		{"cells too small", "read", draft("[0,0,40,60]", 40, ""), `cells of at least 4`, 400},
		{"too many rows", "read", draft("[0,0,40,60]", 65, ""), `expected 1 to 64`, 400},
		{"a button outside", "read", draft("[0,0,40,60]", 2, `"buttons":[{"name":"next","at":[99,1]}],"colours":[]`), `within the picture`, 400},
		{"a button named badly", "read", draft("[0,0,40,60]", 2, `"buttons":[{"name":"../x","at":[1,1]}],"colours":[]`), `letters a to z`, 400},
		{"a colour", "read", draft("[0,0,40,60]", 2, `"buttons":[],"colours":[{"name":"ground 1","colour":"#0a10ff"}]`), `"colour":"#0a10ff"`, 200},
		{"no colour", "read", draft("[0,0,40,60]", 2, `"buttons":[],"colours":[{"name":"ground","colour":"red"}]`), `expected #rrggbb`, 400},
		{"save nothing", "save", draft("[0,0,0,0]", 0, ""), `needs the board`, 400},
		{"save", "save", draft("[0,0,40,40]", 2, ""), `"file":"flow.yaml"`, 200},
		{"save what is not read", "save", draft("[0,0,40,40]", 3, ""), `not read`, 422},
	} {
		response, text := send(t, "POST", server.URL+"/api/pictures/"+last+"/"+test.action, test.body)
		if response.StatusCode != test.status || !strings.Contains(text, test.want) {
			t.Errorf("%s: %d %s, expected %d with %s", test.name, response.StatusCode, text, test.status, test.want)
		}
	}
	if len(fake.saved) != 1 {
		t.Errorf("saved %d times, expected once", len(fake.saved))
	}
	c2, err := Swatch{"a", "#0a10ff"}.RGBA()
	if err != nil || c2.R != 10 || c2.G != 16 || c2.B != 255 || c2.A != 255 {
		t.Errorf("#0a10ff is %v, %v", c2, err)
	}
}
