package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io/fs"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"tapwise/solvers/games/flow"
)

// fakeFleet is a fleet in memory, which remembers what it was asked.
type fakeFleet struct {
	state FleetState
	order FleetOrder
	asked []string
	err   error

	picture []byte
}

func (f *fakeFleet) Now() FleetState { return f.state }

func (f *fakeFleet) Start(_ context.Context, o FleetOrder) (string, error) {
	f.order = o
	return "abc", f.err
}

func (f *fakeFleet) Cancel(_ context.Context, run string) error {
	f.asked = append(f.asked, "cancel "+run)
	return f.err
}

func (f *fakeFleet) Drain(_ context.Context, worker, serial string, off bool) error {
	f.asked = append(f.asked, fmt.Sprintf("drain %q %q %v", worker, serial, off))
	return f.err
}

func (f *fakeFleet) Picture(_ context.Context, worker, serial string) ([]byte, error) {
	f.asked = append(f.asked, fmt.Sprintf("picture %q %q", worker, serial))
	return f.picture, f.err
}

// TestFleetPicture: the page sends a JPEG of a worker's on, and nothing else that it says
// is one.
func TestFleetPicture(t *testing.T) {
	var jpegs, pngs bytes.Buffer
	if err := errors.Join(jpeg.Encode(&jpegs, image.NewGray(image.Rect(0, 0, 3, 5)), nil), png.Encode(&pngs, image.NewGray(image.Rect(0, 0, 3, 5)))); err != nil {
		t.Fatal(err)
	}
	f := &fakeFleet{}
	ask := fleetPage(t, f)
	for _, test := range []struct {
		query   string
		picture []byte
		err     error
		headers []string
		want    int
		asked   string
	}{
		{"worker=w&serial=s+1", jpegs.Bytes(), nil, nil, 200, `picture "w" "s 1"`},
		{"worker=w&serial=s", pngs.Bytes(), nil, nil, 502, `picture "w" "s"`},
		{"worker=w&serial=s", []byte("<script>"), nil, nil, 502, `picture "w" "s"`},
		{"worker=w&serial=s", nil, errors.New("the worker does not answer"), nil, 502, `picture "w" "s"`},
		{"worker=../w&serial=s", nil, fmt.Errorf("%w: a name", ErrAsked), nil, 422, `picture "../w" "s"`},
		{"worker=w", nil, nil, nil, 400, ""},
		{"worker=w&serial=" + strings.Repeat("x", maxFleetText+1), nil, nil, nil, 400, ""},
		{"worker=w&serial=s", jpegs.Bytes(), nil, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403, ""},
	} {
		f.asked, f.picture, f.err = nil, test.picture, test.err
		status, text := ask("GET", "/api/fleet/picture?"+test.query, "", test.headers...)
		if asked := strings.Join(f.asked, ", "); status != test.want || asked != test.asked {
			t.Errorf("%.80s: %d %.80q, asked %q; expected %d and %q", test.query, status, text, asked, test.want, test.asked)
		}
	}
	if status, _ := fleetPage(t, nil)("GET", "/api/fleet/picture?worker=w&serial=s", ""); status != http.StatusNotFound {
		t.Errorf("without a fleet: %d, expected %d", status, http.StatusNotFound)
	}
}

// fleetPage serves a page with a fleet.
func fleetPage(t *testing.T, f Fleet) func(method, path, body string, headers ...string) (int, string) {
	t.Helper()
	c := config()
	c.Fleet = f
	_, server := start(t, c)
	return func(method, path, body string, headers ...string) (int, string) {
		t.Helper()
		response, text := send(t, method, server.URL+path, body, headers...)
		return response.StatusCode, strings.TrimSpace(text)
	}
}

func TestFleetTab(t *testing.T) {
	for _, test := range []struct {
		fleet Fleet
		api   int
		tab   string
	}{{nil, 404, `<a href="#fleet" hidden>`}, {&fakeFleet{}, 200, `<a href="#fleet">`}} {
		ask := fleetPage(t, test.fleet)
		if _, page := ask("GET", "/", ""); strings.Count(page, test.tab) != 1 {
			t.Errorf("with the fleet %v the page lacks %s", test.fleet, test.tab)
		}
		if status, text := ask("GET", "/api/fleet", ""); status != test.api {
			t.Errorf("with the fleet %v: %d %s, expected %d", test.fleet, status, text, test.api)
		}
	}
	ask := fleetPage(t, nil)
	for _, path := range []string{"/api/fleet/runs", "/api/fleet/runs/abc/cancel", "/api/fleet/drain"} {
		if status, text := ask("POST", path, "{}"); status != http.StatusNotFound || !strings.Contains(text, "without a hub") {
			t.Errorf("%s without a fleet: %d %s", path, status, text)
		}
	}
}

// TestFleetState: all fields are there, and of many phones those that stand still.
func TestFleetState(t *testing.T) {
	f := &fakeFleet{state: FleetState{Hub: "nats://here"}}
	ask := fleetPage(t, f)
	if _, text := ask("GET", "/api/fleet", ""); !strings.Contains(text, `"hub":"nats://here","trouble":"","phones":[],"left":0,"runs":[],"drained":[]`) {
		t.Errorf("an empty fleet is %s", text)
	}
	for i := range maxFleetPhones + 7 {
		f.state.Phones = append(f.state.Phones, FleetPhone{Worker: "w", Serial: fmt.Sprintf("%04d", i), State: "idle"})
	}
	last := len(f.state.Phones) - 1
	f.state.Phones[last].State, f.state.Phones[last].Why = "failing", "no <b>adb</b>"
	for range maxFleetRuns + 1 {
		f.state.Runs = append(f.state.Runs, FleetRun{Run: "abc"})
	}
	c := config()
	c.Fleet = f
	_, server := start(t, c)
	var got FleetState
	call(t, server, "GET", "/api/fleet", "", &got)
	if len(got.Phones) != maxFleetPhones || got.Left != 7 || len(got.Runs) != maxFleetRuns {
		t.Errorf("%d phones, %d left out and %d runs, expected %d, 7 and %d", len(got.Phones), got.Left, len(got.Runs), maxFleetPhones, maxFleetRuns)
	}
	if p := got.Phones[len(got.Phones)-1]; p.Why != "no <b>adb</b>" || got.Phones[0].Serial != "0000" {
		t.Errorf("the last phone is %+v, expected the one that fails, in its place", p)
	}
}

func TestFleetStart(t *testing.T) {
	f := &fakeFleet{}
	ask := fleetPage(t, f)
	board := `A.\nA.`
	for _, test := range []struct {
		name, body string
		want       int
		order      FleetOrder
	}{
		{"boards", `{"game":"flow","pack":"boards","name":"mine","boards":"` + board + `\n\nAA","levels":"1-2","phones":"model=P*"}`, 200,
			FleetOrder{Game: flow.Game{}, Pack: "mine", Boards: []string{"A.\nA.", "AA"}, Levels: "1-2", Phones: "model=P*"}},
		{"any", `{"game":"flow","pack":"any","levels":"7"}`, 200, FleetOrder{Game: flow.Game{}, Pack: "any levels", Levels: "7"}},
		{"any without a number", `{"game":"flow","pack":"any"}`, 400, FleetOrder{}},
		{"no game", `{"pack":"usual"}`, 400, FleetOrder{}},
		{"an unknown game", `{"game":"chess","pack":"usual"}`, 400, FleetOrder{}},
		{"a path as a pack", `{"game":"flow","pack":"/etc/passwd"}`, 400, FleetOrder{}},
		{"no boards", `{"game":"flow","pack":"boards","boards":" \n"}`, 422, FleetOrder{}},
		{"no board", `{"game":"flow","pack":"boards","boards":"A.B"}`, 422, FleetOrder{}},
		{"too many boards", `{"game":"flow","pack":"boards","boards":"` + strings.Repeat(`AA\n\n`, maxFleetBoards+1) + `"}`, 422, FleetOrder{}},
		{"a long name", `{"game":"flow","pack":"boards","name":"` + strings.Repeat("x", maxFleetText+1) + `","boards":"AA"}`, 400, FleetOrder{}},
		{"a body beyond bounds", `{"game":"flow","pack":"boards","boards":"` + strings.Repeat(`AA\n\n`, maxBody/6+1) + `"}`, 413, FleetOrder{}},
		{"another field", `{"game":"flow","pack":"usual","command":"rm"}`, 400, FleetOrder{}},
	} {
		f.order = FleetOrder{}
		status, text := ask("POST", "/api/fleet/runs", test.body)
		if status != test.want || !reflect.DeepEqual(f.order, test.order) {
			t.Errorf("%s: %d %.200s with the order %.200v, expected %d and %v", test.name, status, text, f.order, test.want, test.order)
		}
		if status == 200 && text != `{"run":"abc"}` {
			t.Errorf("%s: %s, expected the run's name", test.name, text)
		}
	}
	if status, text := ask("POST", "/api/fleet/runs", `{"game":"flow","pack":"usual","levels":"3"}`); status != 200 || len(f.order.Boards) < 3 {
		t.Errorf("the usual pack: %d %s, with %d boards", status, text, len(f.order.Boards))
	}
}

// TestFleetActions asks for what changes the fleet, as the page, as other sites and with
// errors.
func TestFleetActions(t *testing.T) {
	f := &fakeFleet{}
	ask := fleetPage(t, f)
	for _, test := range []struct {
		method, path, body string
		headers            []string
		err                error
		want               int
		asked              string
	}{
		{"POST", "/api/fleet/runs/abc/cancel", `{}`, nil, nil, 200, "cancel abc"},
		{"POST", "/api/fleet/runs/abc/cancel", `{}`, nil, fmt.Errorf("run abc: %w", fs.ErrNotExist), 404, "cancel abc"},
		{"POST", "/api/fleet/runs/abc/cancel", `{}`, nil, errors.New("the hub does not answer"), 502, "cancel abc"},
		{"POST", "/api/fleet/drain", `{"worker":"w","serial":"s"}`, nil, nil, 200, `drain "w" "s" false`},
		{"POST", "/api/fleet/drain", `{"worker":"w","serial":"","off":true}`, nil, nil, 200, `drain "w" "" true`},
		{"POST", "/api/fleet/drain", `{"worker":"../w"}`, nil, fmt.Errorf("%w: a name", ErrAsked), 422, `drain "../w" "" false`},
		{"GET", "/api/fleet/drain", "", nil, nil, 405, ""},
		{"GET", "/api/fleet/runs/abc/cancel", "", nil, nil, 405, ""},
		{"POST", "/api/fleet/drain", `{"worker":"w"}`, []string{"Origin", "http://evil.example"}, nil, 403, ""},
		{"POST", "/api/fleet/runs", `{"game":"flow","pack":"usual"}`, []string{"Sec-Fetch-Site", "cross-site"}, nil, 403, ""},
		{"POST", "/api/fleet/runs/abc/cancel", `{}`, []string{"Sec-Fetch-Site", "same-site"}, nil, 403, ""},
		{"GET", "/api/fleet", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, nil, 403, ""},
		{"POST", "/api/fleet/runs/abc/cancel", `{}`, []string{"Content-Type", "text/plain"}, nil, 415, ""},
		{"POST", "/api/fleet/runs/abc/cancel", "", nil, nil, 415, ""},
		{"POST", "/api/fleet/drain", `{"worker":"w"}`, []string{"Host", "evil.example"}, nil, 421, ""},
	} {
		f.asked, f.err = nil, test.err
		status, text := ask(test.method, test.path, test.body, test.headers...)
		if asked := strings.Join(f.asked, ", "); status != test.want || asked != test.asked {
			t.Errorf("%s %s %s %v: %d %s, asked %q; expected %d and %q", test.method, test.path, test.body, test.headers, status, text, asked, test.want, test.asked)
		}
		if test.err != nil && !strings.Contains(text, test.err.Error()) {
			t.Errorf("%s: %s, expected the reason", test.path, text)
		}
	}
}
