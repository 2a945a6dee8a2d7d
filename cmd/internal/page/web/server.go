package web

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"tapwise/cmd/internal/console/metrics"
	"tapwise/cmd/internal/console/pages"
	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/console/wording"
	"tapwise/solvers"
)

// static is the page, beside the files in package pages.
//
//go:embed static
var static embed.FS

// maxBody is the most bytes in a request that is not a picture.
const maxBody = 256 << 10

// Config says what the page shows, and gives it the means.
type Config struct {
	// LookTime bounds one look at a phone; default 15 s.
	LookTime time.Duration
	Games    []solvers.Game
	// Game is the name of the game to look for on phones until another is chosen;
	// empty is whichever is on the screen.
	Game string
	// Split splits a pack into puzzles.
	Split func(game solvers.Game, pack []byte) []string
	// Parse reads a puzzle; without a game, as the first game whose notation it is.
	Parse func(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error)
	// Decode reads a picture; the package's own limits apply too.
	Decode func(ctx context.Context, data []byte) (*image.RGBA, error)
	// Size is the size of the picture that Decode makes of a file, according to its header; nil
	// reads the headers of PNG, JPEG, GIF and WebP.
	Size func(data []byte) (image.Point, error)

	Encode Encode

	Phones Phones // nil: no phones
	// OpenDemo makes simulated phones, to be shown in place of those until the page ends; nil:
	// none are offered.
	OpenDemo    func(context.Context) (Demo, error)
	Eyes        Eyes        // nil: frames are only shown
	History     History     // nil: no history
	Calibration Calibration // nil: no calibration
	Recognise   Recognise   // nil: no puzzle is read from a picture
	Table       Apps        // nil: no puzzle is played by hand
	Fleet       Fleet       // nil: no fleet, and no tab for it
	// Figures are what /metrics shows besides what the page itself knows.
	Figures []metrics.Source

	// Play begins to play on each phone, level after level, when a page first shows it.
	Play bool

	// Remote allows requests to addresses beyond the loopback interface, which
	// Token then must protect. Name is a host name to allow in addition to
	// addresses.
	Remote bool
	Name   string
	Token  string

	Log *slog.Logger
}

// Server answers the page's requests. Close ends everything it started.
type Server struct {
	Config
	handler http.Handler
	hub     hub
	ctx     context.Context // ends with the server
	cancel  context.CancelFunc
	work    sync.WaitGroup
	solving chan struct{} // holds one element for each search in progress

	usual solvers.Game // to look for at first; nil: any

	opening     sync.Mutex // held while a demo opens
	mu          sync.Mutex
	shownPhones Phones              // those configured, or a demo's
	sessions    map[string]*session // by serial
	order       []string            // their serials, as the phones are listed
	trouble     *problem            // why no phones could be listed
	listed      bool                // whether phones were listed at all, or it was tried

	pictures pictures
	recent   recent
	turns    pictureTurns
}

// maxSearches is how many puzzles are solved or generated at a time.
const maxSearches = 2

// New makes the page. It fails if other machines could reach it without a token.
func New(c Config) (*Server, error) {
	if c.Remote && c.Token == "" {
		return nil, errors.New("web: a page for other machines needs a token")
	}
	c.LookTime = cmp.Or(c.LookTime, lookTime)
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if c.Size == nil {
		c.Size = headerSize
	}
	s := &Server{Config: c, sessions: map[string]*session{}, solving: make(chan struct{}, maxSearches), turns: newPictureTurns()}
	s.shownPhones = c.Phones
	for _, g := range c.Games {
		if g.Name() == c.Game {
			s.usual = g
		}
	}
	s.hub.woken = make(chan struct{}, 1)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.index)
	for _, files := range []embed.FS{static, pages.Files} {
		err := fs.WalkDir(files, ".", func(name string, f fs.DirEntry, err error) error {
			if err == nil && !f.IsDir() && path.Ext(name) != "" { // a licence has none
				mux.HandleFunc("GET /"+f.Name(), asset(files, name))
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("web: %w", err)
		}
	}
	mux.HandleFunc("GET "+boardPath+"{name}", s.board)
	for pattern, handle := range s.api() {
		mux.HandleFunc(pattern, s.answer(handle))
	}
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, _ *http.Request) { sendFile(w, "openapi.json", openAPI) })
	mux.HandleFunc("GET /api/events", s.events)
	mux.HandleFunc("GET /api/phones/{serial}/frame", s.frame)
	mux.HandleFunc("GET /api/history/{id}/files/{name}", s.evidence)
	mux.HandleFunc("GET /api/pictures/{id}", s.picture)
	mux.HandleFunc("GET /api/fleet/picture", s.fleetPicture)
	mux.Handle("GET /metrics", metrics.Handler(c.Log, append([]metrics.Source{{Name: "phones", Read: s.figures}}, c.Figures...)...))
	s.handler = &guard{next: mux, remote: c.Remote, name: strings.ToLower(c.Name), token: c.Token}
	if c.Phones != nil {
		s.work.Add(1)
		go s.lookAround()
	}
	return s, nil
}

// openAPI describes what is answered in JSON; a test writes it.
//
//go:embed openapi.json
var openAPI []byte

// api is what is answered in JSON, by pattern.
func (s *Server) api() map[string]func(*http.Request) (any, error) {
	return map[string]func(*http.Request) (any, error){
		"GET /api/games":                    s.games,
		"POST /api/parse":                   s.parse,
		"POST /api/solve":                   s.solve,
		"POST /api/generate":                s.generate,
		"POST /api/hint":                    s.hint,
		"POST /api/play":                    s.play,
		"POST /api/phones/{serial}/start":   s.start,
		"POST /api/phones/{serial}/pause":   s.pause,
		"POST /api/phones/{serial}/resume":  s.resume,
		"POST /api/phones/{serial}/stop":    s.stop,
		"POST /api/phones/{serial}/game":    s.choose,
		"POST /api/phones/{serial}/wake":    s.wake,
		"POST /api/phones/{serial}/look":    s.lookAgain,
		"POST /api/phones/{serial}/fault":   s.strike,
		"POST /api/phones/{serial}/touch":   s.touchPhone,
		"POST /api/server":                  s.startServer,
		"POST /api/demo":                    s.startDemo,
		"POST /api/phones/{serial}/picture": s.takePicture,
		"GET /api/history":                  s.history,
		"GET /api/history/{id}":             s.attempt,
		"GET /api/fleet":                    s.fleet,
		"POST /api/fleet/runs":              s.startFleet,
		"POST /api/fleet/runs/{run}/cancel": s.cancelFleet,
		"POST /api/fleet/drain":             s.drainFleet,
		"POST /api/pictures":                s.upload,
		"POST /api/pictures/{id}/read":      s.reread,
		"POST /api/pictures/{id}/save":      s.saveProfile,
		"POST /api/pictures/{id}/puzzle":    s.puzzleInPicture,
	}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends the streams, stops what is being played and waits for it.
func (s *Server) Close() {
	s.cancel()
	s.hub.close()
	s.work.Wait()
	if demo := s.demo(); demo != nil {
		if err := demo.Close(); err != nil {
			s.Log.Error("the simulated phones did not end well", "error", err)
		}
	}
}

// asset answers with a file of the front end.
func asset(files embed.FS, name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := files.ReadFile(name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		sendFile(w, name, data)
	}
}

// boardPath is where the games' drawings are.
const boardPath = "/boards/"

// board answers with a game's drawing.
func (s *Server) board(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	for _, g := range s.Games {
		if page := g.About().Page; page != "" && name == g.Name()+".js" {
			sendFile(w, name, []byte(page))
			return
		}
	}
	http.NotFound(w, r)
}

// sendFile answers with a file, whose kind its name tells.
func sendFile(w http.ResponseWriter, name string, data []byte) {
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	_, _ = w.Write(data) // nobody is left to be told of an error
}

// requestError is a request that cannot be answered, with its status.
type requestError struct {
	status int
	text   string
}

func (e *requestError) Error() string { return e.text }

func refuse(status int, format string, a ...any) error {
	return &requestError{status, fmt.Sprintf(format, a...)}
}

// answer turns a function of a request into a handler that answers in JSON.
func (s *Server) answer(handle func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		value, err := handle(r)
		w.Header().Set("Content-Type", "application/json")
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
		if err != nil {
			status := http.StatusInternalServerError
			var refused *requestError
			if errors.As(err, &refused) {
				status = refused.status
			} else {
				s.Log.Error("the page's request failed", "path", r.URL.Path, "error", err)
			}
			if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "1") // seconds
			}
			w.WriteHeader(status)
			value = map[string]string{"error": wording.Of(err)}
		}
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(value) // nobody is left to be told of an error
	}
}

// readJSON reads a request's body. It accepts only JSON: another site's form cannot
// send that.
func readJSON(r *http.Request, into any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "a body of type %q, expected application/json", r.Header.Get("Content-Type"))
	}
	decoder := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxBody))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(into)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = cmp.Or(more, errors.New("more than one value"))
		}
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return refuse(http.StatusRequestEntityTooLarge, "more than %d bytes", maxBody)
	case err != nil:
		return refuse(http.StatusBadRequest, "the request: %v", err)
	}
	return nil
}

// writeTimeout is how long a page may take to read one message.
const writeTimeout = 20 * time.Second

// messageEvery is the least time between two messages to a page, on average: what changed
// meanwhile comes in one. More pictures of many phones than that a browser cannot draw.
const messageEvery = 20 * time.Millisecond

// events is the stream of changes. With ?look=1 the page shows frames.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	stream := s.hub.open(r.URL.Query().Get("look") == "1")
	if stream == nil {
		http.Error(w, "tapwise: too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer s.hub.drop(stream)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // nothing more arrives; a deadline would end the stream
	for _, key := range s.serials() {
		if state := s.session(key); state != nil {
			stream.put("phone "+key, state)
		}
	}
	stream.put("phones", s)
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for {
		var err error
		messages := stream.take()
		for _, message := range messages {
			if err == nil {
				err = s.write(w, message)
			}
		}
		if err == nil {
			err = control.Flush()
		}
		if err != nil || pause.For(r.Context(), time.Duration(len(messages))*messageEvery) != nil {
			return
		}
		select {
		case <-stream.ready:
		case <-beat.C:
			_ = control.SetWriteDeadline(time.Now().Add(writeTimeout))
			if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
				return
			}
		case <-stream.done:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// write writes one message of a stream: the list of phones, or one phone's
// state as it is now.
func (s *Server) write(w http.ResponseWriter, message any) error {
	name, value := "phones", any(s.list())
	if phone, ok := message.(*session); ok {
		name, value = "phone", phone.snapshot()
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	// A server without write deadlines has none to set.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	return err
}
