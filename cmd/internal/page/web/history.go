package web

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/configs/boundedfile"
)

// Attempt is one attempt at a level.
type Attempt struct {
	ID      int64  `json:"id"`
	Run     int64  `json:"run"` // the number of the run that it belongs to
	At      int64  `json:"at"`  // when it began, Unix milliseconds
	Serial  string `json:"serial"`
	Game    string `json:"game"`
	Level   int    `json:"level"` // 0 if unknown
	Verdict string `json:"verdict"`
	// Unconfirmed says why a won level may not have been won; it is empty if the screen said
	// that it was, and for levels that were not won.
	Unconfirmed string  `json:"unconfirmed,omitempty"`
	Error       string  `json:"error,omitempty"`
	Board       string  `json:"board,omitempty"`
	Solution    string  `json:"solution,omitempty"`
	Rows        int     `json:"rows"`
	Cols        int     `json:"cols"`
	Read        float64 `json:"read"` // seconds, including settling
	Solve       float64 `json:"solve"`
	Play        float64 `json:"play"` // seconds, including verifying
	Evidence    string  `json:"-"`    // the evidence folder, empty when none was kept
}

// Won reports whether the level was won.
func (a Attempt) Won() bool { return a.Verdict == "won" }

// Filter chooses attempts; zero values choose all.
type Filter struct {
	Game    string
	Serial  string
	Verdict string
	Since   time.Time
	Limit   int // at most this many, the newest
}

// History is the record of what was played.
type History interface {
	// Attempts returns those that the filter chooses, the newest first.
	Attempts(ctx context.Context, f Filter) ([]Attempt, error)
	// Attempt returns the one with that number, or an error that is fs.ErrNotExist.
	Attempt(ctx context.Context, id int64) (Attempt, error)
}

const maxAttempts = 2000

func (s *Server) history(r *http.Request) (any, error) {
	if s.History == nil {
		return []Attempt{}, nil
	}
	query := r.URL.Query()
	f := Filter{Game: query.Get("game"), Serial: query.Get("serial"), Verdict: query.Get("verdict"), Limit: maxAttempts}
	if text := query.Get("days"); text != "" {
		days, err := strconv.ParseFloat(text, 64)
		if err != nil || days <= 0 || days > 1e5 {
			return nil, refuse(http.StatusBadRequest, "days is %q, expected a positive number", text)
		}
		f.Since = time.Now().Add(-time.Duration(days * 24 * float64(time.Hour)))
	}
	attempts, err := s.History.Attempts(r.Context(), f)
	if err != nil {
		return nil, err
	}
	if attempts == nil {
		attempts = []Attempt{}
	}
	return attempts, nil
}

// attemptAnswer is one attempt with everything that can be looked at.
type attemptAnswer struct {
	Attempt
	Frames   []frameFiles  `json:"frames"`
	Texts    []string      `json:"texts"` // names of text files
	Solved   *puzzleAnswer `json:"solved"`
	Evidence string        `json:"folder"`
}

// frameFiles are the files of one kept frame.
type frameFiles struct {
	Frame       string `json:"frame"`
	Overlay     string `json:"overlay,omitempty"`
	Observation string `json:"observation,omitempty"`
}

func (s *Server) find(r *http.Request) (Attempt, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || s.History == nil {
		return Attempt{}, refuse(http.StatusNotFound, "no attempt %q", r.PathValue("id"))
	}
	a, err := s.History.Attempt(r.Context(), id)
	if errors.Is(err, fs.ErrNotExist) {
		err = refuse(http.StatusNotFound, "no attempt %d", id)
	}
	return a, err
}

func (s *Server) attempt(r *http.Request) (any, error) {
	a, err := s.find(r)
	if err != nil {
		return nil, err
	}
	answer := attemptAnswer{Attempt: a, Frames: []frameFiles{}, Texts: []string{}, Evidence: a.Evidence}
	if a.Evidence != "" {
		if entries, err := os.ReadDir(a.Evidence); err == nil {
			answer.list(entries)
		}
	}
	answer.Solved = s.replay(a)
	return answer, nil
}

// list sorts the files of an evidence folder by kind.
func (a *attemptAnswer) list(entries []fs.DirEntry) {
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && fileKind(e.Name()) != "" {
			names = append(names, e.Name())
		}
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(strings.TrimSuffix(name[strings.LastIndex(name, "-")+1:], path.Ext(name)))
		return n
	}
	for _, name := range names {
		if strings.HasPrefix(name, "frame-") && path.Ext(name) != ".txt" {
			f := frameFiles{Frame: name}
			tail := strings.TrimPrefix(name, "frame")
			if slices.Contains(names, "overlay"+tail) {
				f.Overlay = "overlay" + tail
			}
			if text := "observation" + strings.TrimSuffix(tail, path.Ext(tail)) + ".txt"; slices.Contains(names, text) {
				f.Observation = text
			}
			a.Frames = append(a.Frames, f)
		} else if path.Ext(name) == ".txt" && !strings.HasPrefix(name, "observation-") {
			a.Texts = append(a.Texts, name)
		}
	}
	slices.SortFunc(a.Frames, func(x, y frameFiles) int { return number(x.Frame) - number(y.Frame) })
}

// replay is the animation of an attempt on the page; nil when there is no solution.
func (s *Server) replay(a Attempt) *puzzleAnswer {
	game, err := s.game(a.Game)
	if err != nil || game == nil || a.Board == "" {
		return nil
	}
	p, err := game.Parse(a.Board)
	if err != nil {
		return nil
	}
	answer := boardOf(game, drawable(p))
	if solution, err := p.ParseSolution(a.Solution); err == nil && a.Solution != "" {
		answer.Status, answer.Solutions = "solved", 1
		answer.describe(solution)
	}
	return &answer
}

// fileKind is the media type of an evidence file that may be shown, by the end of
// its name; empty for all others.
func fileKind(name string) string {
	switch path.Ext(name) {
	case ".png":
		return "image/png"
	case ".jpg":
		return "image/jpeg"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return ""
}

// evidence answers with a file of an attempt's evidence folder, and only of that
// folder.
func (s *Server) evidence(w http.ResponseWriter, r *http.Request) {
	a, err := s.find(r)
	name := r.PathValue("name")
	kind := fileKind(name)
	if err != nil || a.Evidence == "" || kind == "" || !fs.ValidPath(name) || strings.ContainsAny(name, `/\`) {
		http.NotFound(w, r)
		return
	}
	file, err := boundedfile.OpenIn(a.Evidence, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	w.Header().Set("Content-Type", kind)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute))
	_, _ = io.Copy(w, file) // nobody is left to be told of an error
}
