package web

import (
	"crypto/rand"
	"image"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"tapwise/solvers"
)

// Table is a puzzle under a finger: the game's own app, whose rules it follows. One
// goroutine at a time calls it. Now is the time since it was opened.
type Table interface {
	// Draw draws the app's screen; it always has the same size.
	Draw(now time.Duration) *image.RGBA
	// Touch takes in the finger, in pixels of the screen. Action is 0 where it goes down,
	// 1 where it moves and 2 where it leaves.
	Touch(action int, x, y float64, now time.Duration)
	// Won reports whether the puzzle is solved.
	Won() bool
}

// The bounds on puzzles that are played by hand.
const (
	keptTables  = 4   // at a time; the oldest goes
	maxTouches  = 500 // in one message
	touchedSide = 1e5 // pixels; no touch lies further away
)

// tables are the puzzles that were last played by hand.
type tables struct {
	mu   sync.Mutex
	list []*table
}

// table is a puzzle that is played by hand.
type table struct {
	id string

	mu     sync.Mutex
	app    Table
	opened time.Time
	newest shot
}

// tableAnswer tells the page of a puzzle under a finger.
type tableAnswer struct {
	ID     string `json:"id"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Won    bool   `json:"won"`
}

// answer is what the page is told. The caller holds the lock.
func (t *table) answer() tableAnswer {
	size := t.newest.frame.Rect.Size()
	return tableAnswer{t.id, size.X, size.Y, t.app.Won()}
}

// draw draws the screen as it now is. The caller holds the lock.
func (t *table) draw() {
	t.newest = shot{version: t.newest.version + 1, frame: t.app.Draw(time.Since(t.opened)), whole: true}
}

// openTable puts a puzzle under a finger.
func (s *Server) openTable(r *http.Request) (any, error) {
	if s.Table == nil {
		return nil, refuse(http.StatusNotFound, "this page was started without apps")
	}
	_, game, p, err := s.puzzle(r)
	if err != nil {
		return nil, err
	}
	app, err := s.Table(game, p)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	t := &table{id: rand.Text(), app: app, opened: time.Now()}
	t.draw()
	s.tables.mu.Lock()
	defer s.tables.mu.Unlock()
	s.tables.list = append(s.tables.list, t)
	s.tables.list = slices.Clone(s.tables.list[max(0, len(s.tables.list)-keptTables):])
	return t.answer(), nil
}

// table finds a puzzle that is played by hand.
func (s *Server) table(r *http.Request) (*table, error) {
	s.tables.mu.Lock()
	defer s.tables.mu.Unlock()
	for _, t := range s.tables.list {
		if t.id == r.PathValue("id") {
			return t, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "this puzzle is no longer kept; begin it again")
}

// touch is a move of the finger.
type touch struct {
	Action int     `json:"action"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
}

// readTouches reads how the finger moved.
func readTouches(r *http.Request) ([]touch, error) {
	var q struct {
		Touches []touch `json:"touches"`
	}
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	if len(q.Touches) > maxTouches {
		return nil, refuse(http.StatusBadRequest, "%d touches, expected at most %d", len(q.Touches), maxTouches)
	}
	for _, t := range q.Touches {
		if t.Action < 0 || t.Action > 2 || max(t.X, -t.X, t.Y, -t.Y) > touchedSide {
			return nil, refuse(http.StatusBadRequest, "the touch %d at %g, %g, expected 0 to 2 on the screen", t.Action, t.X, t.Y)
		}
	}
	return q.Touches, nil
}

// touchTable moves the finger.
func (s *Server) touchTable(r *http.Request) (any, error) {
	t, err := s.table(r)
	if err != nil {
		return nil, err
	}
	touches, err := readTouches(r)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, touch := range touches {
		t.app.Touch(touch.Action, touch.X, touch.Y, time.Since(t.opened))
	}
	t.draw()
	return t.answer(), nil
}

// tableFrame answers with the screen of a puzzle that is played by hand.
func (s *Server) tableFrame(w http.ResponseWriter, r *http.Request) {
	t, err := s.table(r)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.draw()
	data, err := t.newest.picture(s.Encode)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("X-Frame-Version", strconv.Itoa(t.newest.version))
	sendPicture(w, data)
}

// Apps puts puzzles under a finger.
type Apps func(game solvers.Game, p solvers.Puzzle) (Table, error)
