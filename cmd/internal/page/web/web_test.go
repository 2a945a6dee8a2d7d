package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
)

// fakePhones are phones on which a test plays.
type fakePhones struct {
	serials []string
	play    func(ctx context.Context, o Order, hold func(context.Context) error, watch func(Moment), done func(player.Report, error)) error

	follow func(ctx context.Context, each func(Pushed)) error

	mu       sync.Mutex
	captures int
}

func (f *fakePhones) List(context.Context) ([]Phone, error) {
	var list []Phone
	for _, s := range f.serials {
		list = append(list, Phone{Serial: s, State: "device", Model: "Fake", Ready: true})
	}
	return list, nil
}

func (f *fakePhones) Capture(context.Context, string) (*image.RGBA, screen.Frame, time.Duration, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.captures++
	frame := image.NewRGBA(image.Rect(0, 0, 64, 96))
	frame.Pix[0] = byte(f.captures)
	return frame, screen.Frame{Size: image.Pt(64, 96)}, time.Millisecond, nil
}

func (f *fakePhones) Clear(ctx context.Context, o Order, hold func(context.Context) error, watch func(Moment), done func(player.Report, error)) error {
	return f.play(ctx, o, hold, watch, done)
}

func (f *fakePhones) Follow(ctx context.Context, _ string, each func(Pushed)) error {
	if f.follow == nil {
		return errors.New("no frames are pushed")
	}
	return f.follow(ctx, each)
}

func (f *fakePhones) Wake(context.Context, string) error { return nil }

func (f *fakePhones) StartServer(context.Context) error { return nil }

func (f *fakePhones) Preview(context.Context, Order, func(Moment)) ([]string, error) {
	return []string{"adb shell input tap 1 2"}, nil
}

// fakeHistory is a journal in memory.
type fakeHistory []Attempt

func (f fakeHistory) Attempts(_ context.Context, filter Filter) ([]Attempt, error) {
	var list []Attempt
	for _, a := range f {
		if (filter.Game == "" || filter.Game == a.Game) && (filter.Verdict == "" || filter.Verdict == a.Verdict) {
			list = append(list, a)
		}
	}
	return list, nil
}

func (f fakeHistory) Attempt(_ context.Context, id int64) (Attempt, error) {
	for _, a := range f {
		if a.ID == id {
			return a, nil
		}
	}
	return Attempt{}, fs.ErrNotExist
}

// config configures a page with the games and their packs.
func config() Config {
	return Config{
		Games: all.Games(),
		Encode: func(frame *image.RGBA, _, quality int) ([]byte, error) {
			var out bytes.Buffer
			err := jpeg.Encode(&out, frame, &jpeg.Options{Quality: quality})
			return out.Bytes(), err
		},
		Split: func(game solvers.Game, pack []byte) []string {
			var texts []string
			for _, puzzle := range puzzlefile.Split("pack", pack, game) {
				texts = append(texts, puzzle.Text)
			}
			return texts
		},
		Parse: func(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
			if game != nil {
				p, err := game.Parse(text)
				return game, p, err
			}
			for _, g := range all.Games() {
				if p, err := g.Parse(text); err == nil {
					return g, p, nil
				}
			}
			return nil, nil, errors.New("no game's notation")
		},
	}
}

// start serves a page until the test ends.
func start(t testing.TB, c Config) (*Server, *httptest.Server) {
	t.Helper()
	page, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(page)
	t.Cleanup(func() {
		page.Close()
		server.Close()
	})
	return page, server
}

// send makes a request and returns its status and body.
func send(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		} else {
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(data)
}

// call makes a request that must succeed, and decodes its answer.
func call(t *testing.T, server *httptest.Server, method, path, body string, into any) {
	t.Helper()
	response, text := send(t, method, server.URL+path, body)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s %s: %d %s", method, path, body, response.StatusCode, text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%s: %v in %s", path, err, text)
		}
	}
}

// listener is a page that listens to the stream of events.
type listener struct {
	t    *testing.T
	body io.ReadCloser
	scan *bufio.Scanner
}

// listen opens a stream.
func listen(t *testing.T, server *httptest.Server, query string) *listener {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		t.Fatalf("the stream: %s", response.Status)
	}
	l := &listener{t: t, body: response.Body, scan: bufio.NewScanner(response.Body)}
	l.scan.Buffer(nil, 1<<20)
	t.Cleanup(func() { response.Body.Close() })
	return l
}

// until reads messages until one has a wanted state of the phone.
func (l *listener) until(what string, wanted func(phoneState) bool) phoneState {
	l.t.Helper()
	event := ""
	for l.scan.Scan() {
		line := l.scan.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok && event == "phone" {
			var s phoneState
			if err := json.Unmarshal([]byte(data), &s); err != nil {
				l.t.Fatalf("%v in %s", err, data)
			}
			if wanted(s) {
				return s
			}
		}
	}
	l.t.Fatalf("the stream ended before %s: %v", what, l.scan.Err())
	return phoneState{}
}

func moment(state player.State, frame *image.RGBA) Moment {
	return Moment{Event: player.Event{At: time.Now(), State: state, Level: 1, Stroke: -1, Frame: frame}}
}

func TestRunFromThePage(t *testing.T) {
	const n = 3
	phones := &fakePhones{serials: []string{"one", "two"}}
	phones.play = func(ctx context.Context, o Order, hold func(context.Context) error, watch func(Moment), done func(player.Report, error)) error {
		if o.Serial != "one" || o.Game.Name() != "flow" || o.Pack != "mine" || o.First != 5 || o.Levels() != n {
			return fmt.Errorf("ordered %+v", o)
		}
		for i := range n {
			m := moment(player.StatePlan, image.NewRGBA(image.Rect(0, 0, 32, 32)))
			m.Stage, m.Level = "read", i+1
			watch(m)
			done(player.Report{Won: true}, nil)
		}
		return ctx.Err()
	}
	c := config()
	c.Phones = phones
	_, server := start(t, c)
	first, second := listen(t, server, "?look=1"), listen(t, server, "?look=1")
	first.until("a phone", func(s phoneState) bool { return s.Serial == "one" && s.Frame != nil })
	call(t, server, "POST", "/api/phones/one/start", `{"game":"flow","pack":"mine","first":5,"last":7}`, nil)
	for _, page := range []*listener{first, second} {
		s := page.until("the end", func(s phoneState) bool { return s.Serial == "one" && s.Run != nil && !s.Run.Active })
		if s.Run.Won != n || s.Run.Stage != "done" || s.Run.Failed || s.Run.Level != 7 {
			t.Errorf("at the end: %+v, expected %d won up to level 7", s.Run, n)
		}
	}
	// A page opened later hears of it too.
	s := listen(t, server, "").until("what was", func(s phoneState) bool { return s.Serial == "one" })
	if s.Run == nil || s.Run.Won != n || len(s.Lines) == 0 {
		t.Errorf("opened anew: %+v", s.Run)
	}
}

// TestPushedFrames: while the finger draws, the page shows what the phone pushes, as large as the
// screen and with the strokes over it.
func TestPushedFrames(t *testing.T) {
	phones := &fakePhones{serials: []string{"one"}}
	shown := make(chan struct{})
	var server *Server
	phones.play = func(ctx context.Context, _ Order, _ func(context.Context) error, watch func(Moment), _ func(player.Report, error)) error {
		full := image.Pt(64, 128)
		seen := &screen.Observation{On: screen.Frame{Size: full}, Layout: screen.Layout{Rows: 2, Cols: 2, Board: image.Rect(0, 0, 64, 64), Pitch: 32}}
		m := moment(player.StatePlan, image.NewRGBA(image.Rectangle{Max: full}))
		m.Stage, m.Seen, m.Place = "read", seen, screen.Level
		watch(m)
		m = moment(player.StatePlay, nil)
		m.Stroke = 0
		watch(m)
		watch(Moment{Event: player.Event{At: time.Now(), Frame: image.NewRGBA(image.Rect(0, 0, 16, 32))}, Pushed: full})
		p := server.session("one")
		state := p.snapshot()
		if f := state.Frame; f.Width != 64 || f.Height != 128 || f.Overlay == nil || state.Run.Stage != string(player.StatePlay) || state.Run.Stroke != 0 {
			t.Errorf("%+v of %+v, expected the overlay on 64 by 128 pixels", f, state.Run)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.shot.frame.Rect.Dx() != 16 || p.live() {
			t.Errorf("%v is shown, and more are captured: %t", p.shot.frame.Rect, p.live())
		}
		close(shown)
		return ctx.Err()
	}
	c := config()
	c.Phones = phones
	var site *httptest.Server
	server, site = start(t, c)
	listen(t, site, "?look=1").until("a phone", func(s phoneState) bool { return s.Serial == "one" && s.Frame != nil })
	call(t, site, "POST", "/api/phones/one/start", `{"game":"flow"}`, nil)
	<-shown
}

// TestFollow: an idle phone that pushes frames is shown by them, and captured only once it rests.
// It is followed while a page looks and nothing is played, and again after that.
func TestFollow(t *testing.T) {
	phones := &fakePhones{serials: []string{"one"}}
	captures := func() int {
		phones.mu.Lock()
		defer phones.mu.Unlock()
		return phones.captures
	}
	follows := 0 // at a time
	pushes := make(chan Pushed)
	phones.follow = func(ctx context.Context, each func(Pushed)) error {
		phones.mu.Lock()
		follows++
		phones.mu.Unlock()
		defer func() {
			phones.mu.Lock()
			follows--
			phones.mu.Unlock()
		}()
		for {
			select {
			case g := <-pushes:
				each(g)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	phones.play = func(context.Context, Order, func(context.Context) error, func(Moment), func(player.Report, error)) error {
		phones.mu.Lock()
		defer phones.mu.Unlock()
		if follows != 0 {
			return errors.New("the phone is still followed")
		}
		return nil
	}
	c := config()
	c.Phones = phones
	page, site := start(t, c)
	look := listen(t, site, "?look=1")
	full := image.Pt(64, 96)
	push := func(rests bool) {
		g := Pushed{Full: full, At: time.Now(), Rests: rests}
		if !rests {
			g.Frame = image.NewRGBA(image.Rect(0, 0, 16, 24))
		}
		pushes <- g
	}
	shows := func(what string, width int) {
		t.Helper()
		look.until(what, func(phoneState) bool {
			p := page.session("one")
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.shot != nil && p.shot.frame.Rect.Dx() == width
		})
	}
	shows("a captured frame", 64)
	push(false)
	shows("a pushed frame", 16)
	before := captures()
	push(true)
	shows("the frame that was captured at rest", 64)
	time.Sleep(5 * frameEvery)
	if n := captures(); n > before+2 { // one may have been under way
		t.Errorf("%d frames were captured of a screen that stands still", n-before)
	}
	for range 2 {
		call(t, site, "POST", "/api/phones/one/start", `{"game":"flow","pack":"","first":1,"last":1}`, nil)
		s := look.until("the end", func(s phoneState) bool { return s.Run != nil && !s.Run.Active })
		if s.Run.Failed {
			t.Errorf("the run failed: %+v", s.Trouble)
		}
		push(false) // it is followed again
	}
	look.body.Close()
	for page.hub.watched() || !func() bool { phones.mu.Lock(); defer phones.mu.Unlock(); return follows == 0 }() {
		time.Sleep(tickEvery)
	}
}

// TestSlowPageNeverBlocks plays while one page listens without ever reading and
// another fetches frames without reading them: playing waits for neither.
func TestSlowPageNeverBlocks(t *testing.T) {
	const moments = 3000
	phones := &fakePhones{serials: []string{"one"}}
	played := make(chan struct{})
	phones.play = func(ctx context.Context, o Order, hold func(context.Context) error, watch func(Moment), done func(player.Report, error)) error {
		defer close(played)
		for i := range moments {
			frame := image.NewRGBA(image.Rect(0, 0, 200, 200))
			for k := range frame.Pix {
				frame.Pix[k] = byte(i*k ^ k>>7)
			}
			watch(moment(player.StateVerify, frame))
		}
		done(player.Report{Won: true}, nil)
		return nil
	}
	c := config()
	c.Phones = phones
	page, server := start(t, c)
	listen(t, server, "?look=1").until("a phone", func(s phoneState) bool { return s.Frame != nil })
	for range 3 {
		stuck := listen(t, server, "?look=1") // never read again
		_ = stuck
	}
	call(t, server, "POST", "/api/phones/one/start", `{"game":"flow","pack":"","first":1,"last":1}`, nil)
	await.From(t, "playing, which waits for no page", played)
	// Only one state per phone and the list are kept for them.
	page.hub.mu.Lock()
	defer page.hub.mu.Unlock()
	for s := range page.hub.streams {
		s.mu.Lock()
		if len(s.pending) > 2 {
			t.Errorf("%d messages are kept for a page, expected at most 2", len(s.pending))
		}
		s.mu.Unlock()
	}
}

func TestNewestWins(t *testing.T) {
	h := hub{}
	s := h.open(false)
	for i := range 100 {
		h.tell("a", i)
		h.tell("b", -i)
	}
	if got := fmt.Sprint(s.take()); got != "[99 -99]" {
		t.Errorf("pending: %s, expected [99 -99]", got)
	}
	if got := s.take(); len(got) != 0 {
		t.Errorf("taken twice: %v", got)
	}
	for range maxStreams - 1 {
		if h.open(false) == nil {
			t.Fatal("refused a page too early")
		}
	}
	if h.open(false) != nil {
		t.Errorf("more than %d pages listen", maxStreams)
	}
}

// TestClosedWithPagesOpen ends the server while pages listen and a level is being
// played: the run is cancelled, the streams end, nothing hangs.
func TestClosedWithPagesOpen(t *testing.T) {
	phones := &fakePhones{serials: []string{"one"}}
	cancelled := make(chan error, 1)
	phones.play = func(ctx context.Context, o Order, hold func(context.Context) error, watch func(Moment), done func(player.Report, error)) error {
		watch(moment(player.StatePlay, nil))
		<-ctx.Done()
		cancelled <- ctx.Err()
		return ctx.Err()
	}
	c := config()
	c.Phones = phones
	page, server := start(t, c)
	one, two := listen(t, server, "?look=1"), listen(t, server, "")
	one.until("a phone", func(s phoneState) bool { return s.Serial == "one" })
	call(t, server, "POST", "/api/phones/one/start", `{"game":"flow","pack":"","first":1,"last":0}`, nil)
	two.until("playing", func(s phoneState) bool { return s.Run != nil && s.Run.Active })
	page.Close()
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v", err)
	}
	for _, l := range []*listener{one, two} {
		if _, err := io.Copy(io.Discard, l.body); err != nil {
			t.Errorf("the stream did not end well: %v", err)
		}
	}
	if response, text := send(t, "POST", server.URL+"/api/phones/one/start", `{"game":"flow","pack":"","first":1,"last":0}`); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a start after the end: %d %s", response.StatusCode, text)
	}
}

func TestPauseResumeStop(t *testing.T) {
	phones := &fakePhones{serials: []string{"one"}}
	touched := make(chan int)
	phones.play = func(ctx context.Context, o Order, hold func(context.Context) error, watch func(Moment), done func(player.Report, error)) error {
		for i := 0; ; i++ {
			m := moment(player.StatePlan, nil)
			m.Stage = "read"
			watch(m)
			if err := hold(ctx); err != nil {
				return err
			}
			select {
			case touched <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
			done(player.Report{Won: true}, nil)
		}
	}
	c := config()
	c.Phones = phones
	_, server := start(t, c)
	page := listen(t, server, "?look=1")
	page.until("a phone", func(s phoneState) bool { return s.Serial == "one" })
	status := func(action string) int {
		response, _ := send(t, "POST", server.URL+"/api/phones/one/"+action, `{}`)
		return response.StatusCode
	}
	if got := status("pause"); got != http.StatusConflict {
		t.Errorf("pause of nothing: %d, expected %d", got, http.StatusConflict)
	}
	order := `{"game":"flow","pack":"","first":1,"last":0}`
	call(t, server, "POST", "/api/phones/one/start", order, nil)
	if response, text := send(t, "POST", server.URL+"/api/phones/one/start", order); response.StatusCode != http.StatusConflict {
		t.Errorf("started twice: %d %s", response.StatusCode, text)
	}
	<-touched
	if got := status("pause"); got != http.StatusOK {
		t.Errorf("pause: %d", got)
	}
	// Some touches may be on their way; then it waits.
	waits, taken := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(taken)
		for {
			select {
			case <-touched:
			case <-waits:
				return
			}
		}
	}()
	page.until("the pause", func(s phoneState) bool { return s.Run != nil && s.Run.Waiting })
	close(waits)
	<-taken
	select {
	case i := <-touched:
		t.Fatalf("touched level %d while paused", i)
	case <-time.After(100 * time.Millisecond):
	}
	if got := status("resume"); got != http.StatusOK {
		t.Errorf("resume: %d", got)
	}
	<-touched
	status("pause")
	if got := status("stop"); got != http.StatusOK {
		t.Errorf("stop: %d", got)
	}
	s := page.until("the stop", func(s phoneState) bool { return s.Run != nil && !s.Run.Active })
	if s.Run.Stage != "stopped" {
		t.Errorf("stopped: %+v", s.Run)
	}
	if got := status("stop"); got != http.StatusOK {
		t.Errorf("stop of nothing: %d", got)
	}
}

func TestDryRun(t *testing.T) {
	c := config()
	c.Phones = &fakePhones{serials: []string{"one"}, play: func(context.Context, Order, func(context.Context) error, func(Moment), func(player.Report, error)) error {
		return errors.New("played")
	}}
	_, server := start(t, c)
	page := listen(t, server, "?look=1")
	page.until("a phone", func(s phoneState) bool { return s.Serial == "one" })
	call(t, server, "POST", "/api/phones/one/start", `{"game":"flow","pack":"","first":1,"last":0,"dryRun":true}`, nil)
	s := page.until("the end", func(s phoneState) bool { return s.Run != nil && !s.Run.Active })
	if len(s.Run.Commands) != 1 || s.Run.Failed {
		t.Errorf("dry run: %+v", s.Run)
	}
}

// TestLooksOnlyWhileWatched counts captures with no page, with one that shows
// no frames, and with one that does: until then there is one, for the first page.
func TestLooksOnlyWhileWatched(t *testing.T) {
	phones := &fakePhones{serials: []string{"one"}}
	c := config()
	c.Phones = phones
	page, server := start(t, c)
	captures := func() int {
		phones.mu.Lock()
		defer phones.mu.Unlock()
		return phones.captures
	}
	page.listPhones(false)
	quiet := listen(t, server, "")
	quiet.until("a phone", func(s phoneState) bool { return s.Serial == "one" })
	time.Sleep(3 * frameEvery)
	if n := captures(); n > 1 {
		t.Errorf("%d frames were captured with nobody watching, expected the first alone", n)
	}
	listen(t, server, "?look=1").until("a frame", func(s phoneState) bool { return s.Frame != nil })
	response, body := send(t, "GET", server.URL+"/api/phones/one/frame", "")
	if _, format, err := image.Decode(strings.NewReader(body)); err != nil || format != "jpeg" || response.StatusCode != http.StatusOK {
		t.Errorf("the frame: %s %s %v", response.Status, format, err)
	}
}

func TestSolve(t *testing.T) {
	_, server := start(t, config())
	var games []gameInfo
	call(t, server, "GET", "/api/games", "", &games)
	if len(games) != len(all.Games()) {
		t.Fatalf("%d games, expected %d", len(games), len(all.Games()))
	}
	for _, g := range games {
		if len(g.Examples) == 0 {
			t.Errorf("%s has no examples", g.Name)
			continue
		}
		body, err := json.Marshal(map[string]any{"game": g.Name, "text": g.Examples[0], "limit": 1})
		if err != nil {
			t.Fatal(err)
		}
		var a puzzleAnswer
		call(t, server, "POST", "/api/solve", string(body), &a)
		if a.Status != "solved" || a.Solutions != 1 || !a.More {
			t.Errorf("%s: %+v", g.Name, a)
		}
		if len(a.Scenes) < 2 || a.Scene == nil {
			t.Errorf("%s: %d scenes of the solution and %v of the puzzle", g.Name, len(a.Scenes), a.Scene)
		}
		// The page receives a solution that it can check, in the puzzle's notation.
		game, err := all.ByName(a.Game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := game.Parse(a.Puzzle)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		solution, err := p.ParseSolution(a.Solution)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		if err := solution.Check(); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
		// The same seed generates the same puzzle, another seed another one.
		var made [3]puzzleAnswer
		for i, seed := range []int{1, 1, 2} {
			call(t, server, "POST", "/api/generate", fmt.Sprintf(`{"game":%q,"rows":0,"cols":0,"colours":0,"variant":"","seed":%d}`, g.Name, seed), &made[i])
		}
		if made[0].Puzzle != made[1].Puzzle || made[0].Puzzle == made[2].Puzzle {
			t.Errorf("%s: generated\n%s\n\n%s\n\n%s", g.Name, made[0].Puzzle, made[1].Puzzle, made[2].Puzzle)
		}
	}
}

func TestSolveCases(t *testing.T) {
	_, server := start(t, config())
	for _, test := range []struct{ body, want string }{
		{`{"game":"flow","text":"A.\nA.","limit":10}`, `"status":"solved"`},
		{`{"game":"flow","text":"A.\nA.","limit":10}`, `"solutions":1,"more":false`},
		{`{"game":"flow","text":"AB\nBA","limit":1}`, `"status":"unsolvable"`},
		{`{"game":"","text":"3,0,1,1;0,1,2,5,4,3,6,7,8","limit":1}`, `"game":"flow","puzzle":"A..\n...\n..A"`},
		{`{"game":"flow","text":"A..","limit":1}`, `"error":`},
		{`{"game":"chess","text":"A..","limit":1}`, `game \"chess\" is not known`},
		{`{"game":"flow","text":"A.\nA.","limit":100000}`, `limit is 100000`},
	} {
		if _, got := send(t, "POST", server.URL+"/api/solve", test.body); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, expected %s in it", test.body, got, test.want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	c := config()
	c.Remote = true
	if _, err := New(c); err == nil {
		t.Error("a page for other machines without a token")
	}
}
