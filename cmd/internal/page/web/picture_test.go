package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/games/flow"
)

// tally counts operations in progress, and the most at a time.
type tally struct {
	mu              sync.Mutex
	calls, most     int
	pixels, largest int
}

func (c *tally) begin(pixels int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	c.pixels += pixels
	c.most, c.largest = max(c.most, c.calls), max(c.largest, c.pixels)
}

func (c *tally) end(pixels int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls--
	c.pixels -= pixels
}

// slowCalibration reads slowly.
type slowCalibration struct {
	fakeCalibration
	reads tally
}

func (c *slowCalibration) Read(ctx context.Context, frame *image.RGBA, game solvers.Game, d Draft) (Sight, error) {
	c.reads.begin(pixelsOf(frame.Rect.Size()))
	defer c.reads.end(pixelsOf(frame.Rect.Size()))
	time.Sleep(20 * time.Millisecond)
	return c.fakeCalibration.Read(ctx, frame, game, d)
}

// TestPicturesTakeTurns sends many large pictures at once and has them read: the
// number of pictures and of pixels processed at a time is bounded.
func TestPicturesTakeTurns(t *testing.T) {
	size := image.Pt(4000, 2000) // two of them fit in busyPixels
	var decoding tally
	reading := &slowCalibration{}
	c := config()
	c.Calibration = reading
	c.Decode = func(context.Context, []byte) (*image.RGBA, error) {
		decoding.begin(pixelsOf(size))
		defer decoding.end(pixelsOf(size))
		time.Sleep(20 * time.Millisecond)
		return &image.RGBA{Rect: image.Rectangle{Max: size}}, nil // as if it had pixels
	}
	page, server := start(t, c)
	page.turns.patience = time.Hour // however slow the machine is
	picture := forged(uint32(size.X), uint32(size.Y))
	var mu sync.Mutex
	counts := map[int]int{}
	together(24, func() {
		response, text := send(t, "POST", server.URL+"/api/pictures", picture, "Content-Type", "image/png")
		mu.Lock()
		defer mu.Unlock()
		counts[response.StatusCode]++
		if response.StatusCode == http.StatusTooManyRequests && (response.Header.Get("Retry-After") == "" || !strings.Contains(text, "pictures are already being opened")) {
			t.Errorf("refused with %v %s", response.Header, text)
		}
	})
	if counts[http.StatusOK] == 0 || counts[http.StatusOK]+counts[http.StatusTooManyRequests] != 24 {
		t.Errorf("answers by status: %v, expected %d and %d", counts, http.StatusOK, http.StatusTooManyRequests)
	}
	if decoding.largest > busyPixels || decoding.most > maxOpenings {
		t.Errorf("%d pictures of %d pixels were decoded at a time, expected at most %d of %d", decoding.most, decoding.largest, maxOpenings, busyPixels)
	}
	page.pictures.mu.Lock()
	kept := page.pictures.list
	page.pictures.mu.Unlock()
	if n := len(kept); n == 0 || n > keptShots || n*pixelsOf(size) > keptPixels {
		t.Fatalf("%d pictures of %v are kept, expected at most %d of %d pixels", n, size, keptShots, keptPixels)
	}
	together(12, func() {
		if response, text := send(t, "POST", server.URL+"/api/pictures/"+kept[0].id+"/read", `{"game":"flow"}`); response.StatusCode != http.StatusOK {
			t.Errorf("read: %d %s", response.StatusCode, text)
		}
	})
	if reading.reads.most > maxReads || reading.reads.largest > busyPixels {
		t.Errorf("%d pictures of %d pixels were read at a time, expected at most %d of %d", reading.reads.most, reading.reads.largest, maxReads, busyPixels)
	}
}

// together runs a function n times at once and waits for all.
func together(n int, do func()) {
	var all sync.WaitGroup
	for range n {
		all.Go(do)
	}
	all.Wait()
}

// TestOpeningsAreLimited sends pictures that take for ever to decode: the next one
// is refused, and accepted when one of them has ended.
func TestOpeningsAreLimited(t *testing.T) {
	c := config()
	began, end := make(chan bool, maxOpenings), make(chan bool)
	c.Decode = func(context.Context, []byte) (*image.RGBA, error) {
		began <- true
		<-end
		return image.NewRGBA(image.Rect(0, 0, 40, 60)), nil
	}
	c.Calibration = &fakeCalibration{}
	_, server := start(t, c)
	var waiting sync.WaitGroup
	for range maxOpenings {
		waiting.Go(func() { send(t, "POST", server.URL+"/api/pictures", forged(40, 60), "Content-Type", "image/png") })
	}
	for range maxOpenings {
		<-began
	}
	response, _ := send(t, "POST", server.URL+"/api/pictures", forged(40, 60), "Content-Type", "image/png")
	if response.StatusCode != http.StatusTooManyRequests {
		t.Errorf("picture %d: %s, expected %d", maxOpenings+1, response.Status, http.StatusTooManyRequests)
	}
	close(end)
	waiting.Wait()
	if response, text := send(t, "POST", server.URL+"/api/pictures", forged(40, 60), "Content-Type", "image/png"); response.StatusCode != http.StatusOK {
		t.Errorf("a picture after them: %s %s", response.Status, text)
	}
}

func TestTurns(t *testing.T) {
	turns := newPictureTurns()
	give, err := turns.read(t.Context(), 10*busyPixels) // a phone's screen may be that large
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	var refused *requestError
	if _, err := turns.decode(ctx, 1); !errors.As(err, &refused) || refused.status != http.StatusServiceUnavailable {
		t.Errorf("no room: %v, expected status %d", err, http.StatusServiceUnavailable)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := turns.read(gone, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a page that is gone: %v", err)
	}
	give()
	for range 2 * maxReads {
		give, err := turns.read(t.Context(), busyPixels)
		if err != nil {
			t.Fatal(err)
		}
		give()
	}
	if turns.pixels.free != busyPixels || len(turns.reads) != 0 || len(turns.openings) != 0 {
		t.Errorf("%+v, expected that all was given back", &turns)
	}
}

// TestLargerThanItsHeader refuses a picture that decodes to more than its header
// says.
func TestLargerThanItsHeader(t *testing.T) {
	c := config()
	c.Decode = func(context.Context, []byte) (*image.RGBA, error) {
		return image.NewRGBA(image.Rect(0, 0, 100, 101)), nil
	}
	c.Calibration = &fakeCalibration{}
	_, server := start(t, c)
	response, text := send(t, "POST", server.URL+"/api/pictures", forged(100, 100), "Content-Type", "image/png")
	if response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "100x101 pixels whose header says 100x100") {
		t.Errorf("%s %s", response.Status, text)
	}
}

// quick is a game that generates the same puzzle whatever is asked for, and takes
// all the time it is given.
type quick struct{ solvers.Game }

func (quick) Generate(_ context.Context, o solvers.GenerateOptions, _ *rand.Rand) (solvers.Puzzle, error) {
	if min(o.Rows, o.Cols, o.Colours) < 0 || max(o.Rows, o.Cols) > maxSide {
		panic("asked for a puzzle out of bounds")
	}
	return flow.Parse("A.\nA.")
}

// FuzzBodies sends anything as the JSON of each request: it is answered or refused,
// in JSON, and takes memory in proportion to the body.
func FuzzBodies(f *testing.F) {
	phones := &fakePhones{serials: []string{"one"}}
	phones.play = func(context.Context, Order, func(context.Context) error, func(Moment), func(player.Report, error)) error {
		return nil
	}
	c := config()
	c.Phones = phones
	c.Calibration = &fakeCalibration{}
	c.Decode = func(context.Context, []byte) (*image.RGBA, error) {
		return image.NewRGBA(image.Rect(0, 0, 40, 60)), nil
	}
	c.Games = nil
	for _, g := range all.Games() {
		c.Games = append(c.Games, quick{g})
	}
	parse := c.Parse
	c.Parse = func(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
		if len(text) > 64 {
			return nil, nil, errors.New("too long to be solved at once")
		}
		return parse(text, game)
	}
	page, server := start(f, c)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 60))); err != nil {
		f.Fatal(err)
	}
	response, err := http.Post(server.URL+"/api/pictures", "image/png", &picture)
	if err != nil {
		f.Fatal(err)
	}
	response.Body.Close()
	page.listPhones(false)
	kept := "/api/pictures/" + page.pictures.list[0].id
	paths := []string{"/api/parse", "/api/solve", "/api/generate", "/api/phones/one/start", "/api/phones/one/game", kept + "/read", kept + "/save"}
	for i, body := range []string{
		`{"game":"flow","text":"A.\nA."}`, `{"game":"","text":"A.\nA.","limit":2}`, `{"game":"flow","rows":5,"cols":5,"colours":3,"variant":"","seed":1}`,
		`{"game":"flow","pack":"mine","first":1,"last":2,"dryRun":true}`, `{"game":"` + all.Games()[1].Name() + `"}`,
		`{"game":"flow","board":[0,0,40,60],"rows":2,"cols":2,"buttons":[{"name":"next","at":[1,1]}],"colours":[{"name":"ground","colour":"#0a10ff"}]}`,
		`{"game":"flow","board":[0,0,40,40],"rows":2,"cols":2,"buttons":[],"colours":[]}`,
	} {
		f.Add(uint8(i), body)
	}
	f.Add(uint8(0), strings.Repeat("[", 20000))
	f.Add(uint8(5), `{"board":`+strings.Repeat(`[`, 9000)+strings.Repeat(`]`, 9000)+`}`)
	f.Add(uint8(5), `{"game":"flow","board":[9223372036854775807,-9223372036854775808,1,1],"rows":1}`)
	f.Fuzz(func(t *testing.T, at uint8, body string) {
		path := paths[int(at)%len(paths)]
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		request.Host = "127.0.0.1"
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		page.ServeHTTP(answer, request)
		runtime.ReadMemStats(&after)
		if answer.Code != http.StatusOK && (answer.Code < 400 || answer.Code > 499) {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
		if !json.Valid(answer.Body.Bytes()) {
			t.Errorf("%s: no JSON: %q", path, answer.Body)
		}
		if answer.Code == http.StatusOK && !json.Valid([]byte(body)) {
			t.Errorf("%s: took what is no JSON", path)
		}
		// A puzzle of 64 bytes may take some megabytes to solve.
		const perByte, always = 500, 32 << 20
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(always+perByte*len(body)); got > most {
			t.Errorf("%s: %d bytes were taken for %d, expected at most %d", path, got, len(body), most)
		}
	})
}
