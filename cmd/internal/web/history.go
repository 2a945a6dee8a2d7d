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

// Attempt is one level that was played, or not.
type Attempt struct {
	ID       int64   `json:"id"`
	At       int64   `json:"at"` // it began, Unix milliseconds
	Serial   string  `json:"serial"`
	Game     string  `json:"game"`
	Level    int     `json:"level"` // 0 not known
	Verdict  string  `json:"verdict"`
	Error    string  `json:"error,omitempty"`
	Board    string  `json:"board,omitempty"`
	Solution string  `json:"solution,omitempty"`
	Rows     int     `json:"rows"`
	Cols     int     `json:"cols"`
	Read     float64 `json:"read"` // seconds, settling included
	Solve    float64 `json:"solve"`
	Play     float64 `json:"play"` // verifying included
	Evidence string  `json:"-"`    // a folder, empty when none was kept
}

// Won reports whether the level was won.
func (a Attempt) Won() bool { return a.Verdict == "won" }

// Filter chooses attempts; zero values choose all.
type Filter struct {
	Game    string
	Serial  string
	Verdict string
	Since   time.Time
	Limit   int // the newest so many
}

// History is what was played.
type History interface {
	// Attempts are those that the filter chooses, the newest first.
	Attempts(ctx context.Context, f Filter) ([]Attempt, error)
	// Attempt is the one with that number, or an error that is fs.ErrNotExist.
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

// attemptAnswer is one attempt with what there is to look at.
type attemptAnswer struct {
	Attempt
	Frames   []frameFiles  `json:"frames"`
	Texts    []string      `json:"texts"` // files of text
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

// list sorts out the files of an evidence folder.
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

// replay is what the page animates of an attempt; nil when there is no solution.
func (s *Server) replay(a Attempt) *puzzleAnswer {
	game, err := s.game(a.Game)
	if err != nil || game == nil || a.Board == "" {
		return nil
	}
	p, err := game.Parse(a.Board)
	if err != nil {
		return nil
	}
	answer := &puzzleAnswer{Game: a.Game, Puzzle: drawable(p).String()}
	if solution, err := p.ParseSolution(a.Solution); err == nil && a.Solution != "" {
		answer.Status, answer.Solutions = "solved", 1
		answer.describe(solution)
	}
	return answer
}

// fileKind is the type of a file of evidence that is shown, by the end of its
// name; empty for all others.
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

// evidence answers with a file of an attempt's evidence folder, and of no other.
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
	_, _ = io.Copy(w, file) // a page that is gone needs no answer
}
