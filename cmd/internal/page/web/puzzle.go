package web

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// The bounds on what the page may ask to be searched or generated.
const (
	searchTime   = 30 * time.Second
	maxSolutions = 1000
	maxSide      = 40 // rows or columns of a generated puzzle
)

// gameInfo describes a game to the page.
type gameInfo struct {
	Name     string   `json:"name"`
	Rules    string   `json:"rules,omitempty"` // for people
	Plays    bool     `json:"plays"`           // can be played on a phone
	Reads    bool     `json:"reads"`           // can be read from a picture
	Grades   []string `json:"grades"`          // of the generator, the easiest first
	Examples []string `json:"examples"`
	Board    string   `json:"board"`          // the address of what edits its notation; empty: it has none
	Grid     *grid    `json:"grid,omitempty"` // how its boards of squares are edited
	Sides    int      `json:"sides"`          // how many of rows and columns may be chosen, as solvers.Sides
}

func (s *Server) games(*http.Request) (any, error) {
	infos := []gameInfo{}
	for _, g := range s.Games {
		reads := len(g.Spec().Measures) > 0
		about := g.About()
		info := gameInfo{Name: g.Name(), Rules: about.Rules, Plays: reads, Reads: reads, Grades: []string{}, Examples: []string{}, Sides: int(about.Sides)}
		if about.Page != "" {
			info.Board = boardPath + g.Name() + ".js"
		}
		if about.Grid != nil {
			info.Grid = gridOf(about.Grid)
		}
		if grader, ok := g.(solvers.Grader); ok {
			info.Grades = grader.Grades()
		}
		if about.Pack != "" {
			info.Examples = s.Split(g, []byte(about.Pack))
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// game finds a game by name; an empty name gives none.
func (s *Server) game(name string) (solvers.Game, error) {
	for _, g := range s.Games {
		if g.Name() == name {
			return g, nil
		}
	}
	if name == "" {
		return nil, nil
	}
	return nil, refuse(http.StatusBadRequest, "game %q is not known", name)
}

// puzzleRequest is a puzzle sent by the page.
type puzzleRequest struct {
	Game  string `json:"game"` // empty: the first game whose notation it is
	Text  string `json:"text"`
	Limit int    `json:"limit"` // solutions to look for; 0 counts as 1
}

// puzzleAnswer describes a puzzle and its solution to the page.
type puzzleAnswer struct {
	Game   string `json:"game"`
	Puzzle string `json:"puzzle"` // in the notation that the page draws

	Scene *scene `json:"scene,omitempty"` // the board

	Status    string         `json:"status,omitempty"` // solved, unsolvable, timeout
	Solution  string         `json:"solution,omitempty"`
	Solutions int            `json:"solutions"`
	More      bool           `json:"more"` // there may be more solutions
	Paths     [][]board.Cell `json:"paths,omitempty"`
	Moves     []string       `json:"moves,omitempty"`
	Scenes    []scene        `json:"scenes,omitempty"` // the steps to the solution
	Stats     solvers.Stats  `json:"stats"`
	Warning   string         `json:"warning,omitempty"` // what breaks the usual form of the game's boards
	Error     string         `json:"error,omitempty"`
}

func (s *Server) puzzle(r *http.Request) (puzzleRequest, solvers.Game, solvers.Puzzle, error) {
	var q puzzleRequest
	if err := readJSON(r, &q); err != nil {
		return q, nil, nil, err
	}
	game, p, err := s.parsed(q)
	return q, game, p, err
}

// parsed is the puzzle in a request, in the notation that the page draws.
func (s *Server) parsed(q puzzleRequest) (solvers.Game, solvers.Puzzle, error) {
	game, err := s.game(q.Game)
	if err != nil {
		return nil, nil, err
	}
	if p := s.recent.find(q.Game, q.Text); p != nil {
		return game, p, nil
	}
	game, p, err := s.Parse(q.Text, game)
	if err != nil {
		return nil, nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	p = drawable(p)
	s.recent.keep(game.Name(), p)
	return game, p, nil
}

// recent are the puzzles that were asked about last. Those that were read from pictures have the
// colours that were seen.
type recent struct {
	mu   sync.Mutex
	list []recentPuzzle
}

type recentPuzzle struct {
	game, text string
	puzzle     solvers.Puzzle
}

const keptPuzzles = 16

func (l *recent) keep(game string, p solvers.Puzzle) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append([]recentPuzzle{{game, p.String(), p}}, l.list[:min(len(l.list), keptPuzzles-1)]...)
}

// find is one of them; nil where it is not there.
func (l *recent) find(game, text string) solvers.Puzzle {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.list {
		if p.game == game && p.text == text {
			return p.puzzle
		}
	}
	return nil
}

// drawable is the puzzle in the one of its game's notations that the page can draw.
func drawable(p solvers.Puzzle) solvers.Puzzle {
	if e, ok := p.(solvers.Editable); ok {
		return e.Editable()
	}
	return p
}

func (s *Server) parse(r *http.Request) (any, error) {
	_, game, p, err := s.puzzle(r)
	if err != nil {
		return nil, err
	}
	return boardOf(game, p), nil
}

// boardOf is a puzzle in the notation that the page edits, with its picture.
func boardOf(game solvers.Game, p solvers.Puzzle) puzzleAnswer {
	drawn := sceneOf(p.Picture())
	return puzzleAnswer{Game: game.Name(), Puzzle: p.String(), Scene: &drawn}
}

// search reserves a place for a search; release ends it.
func (s *Server) search(r *http.Request) (ctx context.Context, release func(), err error) {
	select {
	case s.solving <- struct{}{}:
	case <-r.Context().Done():
		return nil, nil, r.Context().Err()
	case <-s.ctx.Done():
		return nil, nil, refuse(http.StatusServiceUnavailable, "the server is ending")
	}
	ctx, cancel := context.WithTimeout(r.Context(), searchTime)
	stop := context.AfterFunc(s.ctx, cancel)
	return ctx, func() { stop(); cancel(); <-s.solving }, nil
}

func (s *Server) solve(r *http.Request) (any, error) {
	q, game, p, err := s.puzzle(r)
	if err != nil {
		return nil, err
	}
	if q.Limit < 0 || q.Limit > maxSolutions {
		return nil, refuse(http.StatusBadRequest, "limit is %d, expected 0 to %d", q.Limit, maxSolutions)
	}
	ctx, release, err := s.search(r)
	if err != nil {
		return nil, err
	}
	defer release()
	return solve(ctx, game, p, max(1, q.Limit))
}

// solve looks for up to limit solutions and returns the first and their number.
func solve(ctx context.Context, game solvers.Game, p solvers.Puzzle, limit int) (any, error) {
	a := boardOf(game, p)
	a.Warning = solvers.Irregularity(p)
	var first solvers.Solution
	var wrong error
	yield := func(found solvers.Solution) bool {
		if wrong = found.Check(); wrong != nil {
			return false
		}
		a.Solutions++
		if first == nil {
			first = found
		}
		return a.Solutions < limit
	}
	began := time.Now()
	stats, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, yield)
	a.Stats = stats
	a.Stats.Seconds = time.Since(began).Seconds()
	if wrong != nil {
		return nil, fmt.Errorf("the solver's solution does not pass the checker: %w", wrong)
	}
	a.More = err != nil || a.Solutions >= limit
	if err == nil && first == nil {
		// Solve may give a reason in words.
		if _, err = p.Solve(ctx); err == nil {
			err = solvers.ErrNoSolution
		}
	}
	switch {
	case first != nil:
		a.Status = "solved"
		a.describe(first)
	case errors.Is(err, solvers.ErrNoSolution):
		a.Status, a.More, a.Error = "unsolvable", false, err.Error()
	case ctx.Err() != nil:
		a.Status, a.Error = "timeout", fmt.Sprintf("not decided within %v", searchTime)
	default:
		return nil, err
	}
	return a, nil
}

// describe adds what the page needs to draw a solution.
func (a *puzzleAnswer) describe(found solvers.Solution) {
	a.Solution = found.String()
	if p, ok := found.(solvers.Pather); ok {
		a.Paths = p.Paths()
	}
	if m, ok := found.(solvers.Mover); ok {
		a.Moves = m.Moves()
	}
	a.Scenes = scenes(found)
}

// generateRequest describes the puzzle to be made.
type generateRequest struct {
	Game    string `json:"game"`
	Rows    int    `json:"rows"` // 0: the game's usual size
	Cols    int    `json:"cols"`
	Colours int    `json:"colours"`
	Variant string `json:"variant"`
	Seed    uint64 `json:"seed"`
}

func (s *Server) generate(r *http.Request) (any, error) {
	var q generateRequest
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	game, err := s.game(q.Game)
	if err != nil {
		return nil, err
	}
	if game == nil {
		return nil, refuse(http.StatusBadRequest, "no generator for game %q", q.Game)
	}
	if q.Rows < 0 || q.Cols < 0 || q.Rows > maxSide || q.Cols > maxSide || q.Colours < 0 {
		return nil, refuse(http.StatusBadRequest, "a puzzle of %d rows, %d columns and %d colours, expected at most %d rows and columns", q.Rows, q.Cols, q.Colours, maxSide)
	}
	ctx, release, err := s.search(r)
	if err != nil {
		return nil, err
	}
	defer release()
	options := solvers.GenerateOptions{Rows: q.Rows, Cols: q.Cols, Colours: q.Colours, Unique: true, Variant: q.Variant}
	p, err := game.Generate(ctx, options, rand.New(rand.NewPCG(q.Seed, 0)))
	switch {
	case ctx.Err() != nil:
		return nil, refuse(http.StatusGatewayTimeout, "no such puzzle was found within %v", searchTime)
	case err != nil:
		return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	p = drawable(p)
	s.recent.keep(game.Name(), p)
	return boardOf(game, p), nil
}
