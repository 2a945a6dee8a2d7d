package solving

import (
	"fmt"
	"time"

	"tapwise/cmd/internal/console/wording"
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Status says how a puzzle ended.
type Status string

// The statuses. They begin with different letters, by which they are told in
// short.
const (
	Solved     Status = "solved"
	Unsolvable Status = "unsolvable"
	Timeout    Status = "timeout" // out of time, or interrupted
	Failed     Status = "error"   // unreadable, or asked for what its game cannot do
)

// Letter is the status in short.
func (s Status) Letter() string { return string(s[:1]) }

// statuses are all of them, in the order in which they are told.
func statuses() []Status { return []Status{Solved, Unsolvable, Timeout, Failed} }

// Result is what there is to tell of one puzzle.
type Result struct {
	File      string          `json:"file"`
	Index     int             `json:"index"`
	Game      string          `json:"game,omitempty"`
	Status    Status          `json:"status"`
	Solution  string          `json:"solution,omitempty"` // the first; empty when a hint was asked for
	Paths     [][]board.Cell  `json:"paths,omitempty"`    // of the first solution, where it consists of paths
	Moves     []string        `json:"moves,omitempty"`    // of the first solution, where it consists of moves
	Hint      *Hint           `json:"hint,omitempty"`
	Why       *solvers.Advice `json:"why,omitempty"`
	Steps     []Hint          `json:"steps,omitempty"`   // in an order in which they follow
	Grade     *solvers.Grade  `json:"grade,omitempty"`   // with Steps
	Picture   string          `json:"picture,omitempty"` // the file into which it was drawn
	Solutions int             `json:"solutions"`         // that were found or counted, or the largest int
	Count     string          `json:"count,omitempty"`   // all there are, exactly, when that was asked for: a decimal number of any length
	Counting  Counting        `json:"counting,omitempty"`
	Stats     solvers.Stats   `json:"stats"`
	Warning   string          `json:"warning,omitempty"`
	Error     string          `json:"error,omitempty"` // the text of Err

	Puzzle    solvers.Puzzle   `json:"-"` // nil for a SABR program and for what could not be read
	Searching time.Duration    `json:"-"` // the part of the time that is not set-up
	Texts     []string         `json:"-"` // every solution, when all were asked for
	First     solvers.Solution `json:"-"` // nil when there is none, and for a SABR program
	Second    solvers.Solution `json:"-"` // another one, when several were looked for and found
	Err       error            `json:"-"` // nil when it was solved
}

// Hint is the next step of a solution, a stroke or a move.
type Hint struct {
	Step  int          `json:"step"` // from 0; equal to Of when nothing is missing
	Of    int          `json:"of"`   // the number of steps
	Text  string       `json:"text,omitempty"`
	Cells []board.Cell `json:"cells,omitempty"`
	Why   string       `json:"why,omitempty"` // a rule that forces it; empty where none is known
}

// Lines are the results to marshal, a line each: one for each solution when
// several were asked for and found.
func (r Result) Lines() []Result {
	if len(r.Texts) < 2 {
		return []Result{r}
	}
	var lines []Result
	for _, text := range r.Texts {
		line := r
		line.Solution, line.Paths, line.Moves = text, nil, nil
		lines = append(lines, line)
	}
	return lines
}

func (r Result) failed(status Status, err error) Result {
	r.Status, r.Err, r.Error = status, err, wording.Of(err)
	return r
}

// Tally counts how often each status occurred.
type Tally map[Status]int

// Letters are those of the statuses that occurred: "s" when every puzzle was
// solved, "su" when one was unsolvable.
func (t Tally) Letters() string {
	var text string
	for _, status := range statuses() {
		if t[status] > 0 {
			text += status.Letter()
		}
	}
	return text
}

// String is the number of puzzles that ended with each status, followed by its
// letter: "28s1u".
func (t Tally) String() string {
	var text string
	for _, status := range statuses() {
		if n := t[status]; n > 0 {
			text += fmt.Sprintf("%d%s", n, status.Letter())
		}
	}
	return text
}

// CountText words a number of solutions that may have been cut off at a limit (0 is the usual
// one, two), or because the search was cut short.
func CountText(n, limit int, cut bool) string {
	if limit == 0 {
		limit = 2
	}
	switch {
	case n == 1 && (cut || limit == 1):
		return "at least 1 solution"
	case cut, n >= limit:
		return fmt.Sprintf("at least %d solutions", n)
	case n == 1:
		return "1 solution"
	}
	return fmt.Sprintf("%d solutions", n)
}
