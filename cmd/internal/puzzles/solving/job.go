package solving

import (
	"context"
	"sync/atomic"
	"time"

	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
)

// Listing says how many solutions to look for.
type Listing struct {
	Count bool // count them, up to Limit
	All   bool // list them, up to Limit
	Limit int  // 0: two with Count, no limit with All
	Exact bool // with Count: without a limit
}

// Most is the number of solutions to look for; 0 is all there are.
func (l Listing) Most() int {
	switch {
	case l.Limit > 0:
		return l.Limit
	case l.All:
		return 0
	case l.Count:
		return 2
	}
	return 1
}

// Job says what to find out about each of several puzzles.
type Job struct {
	Listing
	Game      solvers.Game  // of the puzzles; nil: the first that can read one
	Uncovered bool          // without the rule that every cell is covered
	Tidy      bool          // with the rule that no path can be shortened
	Moves     int           // most moves of a solution that is counted or listed; 0: any number
	Hint      bool          // tell the next step only
	Why       bool          // tell a step that must be made, and why
	Explain   bool          // tell all steps, each with why where a rule forces it
	Drawn     bool          // the solutions will be drawn: a SABR program is an error
	Workers   int           // puzzles that are solved at once, at least 1
	Timeout   time.Duration // for each puzzle; 0: none

	// Picture reads the board in a picture; data is what its file holds. The game
	// is nil when it has to be found out.
	Picture func(ctx context.Context, file string, data []byte, game solvers.Game) (Reading, error)
}

// Reading is what was read in a picture.
type Reading struct {
	Game   solvers.Game
	Puzzle solvers.Puzzle
	// Fill is the part of the solution that is drawn on the board already, in the
	// game's notation; only Hint, Why and Explain ask for it. Empty is none.
	Fill string
	// Warning is what is unusual about the board: it has several solutions although the game's
	// levels have one, or breaks the game's usual form.
	Warning string
	Several bool // it is known to have several solutions
}

// Solve solves the puzzles and returns a channel for the result of each. The
// channel of a puzzle that was not begun when the context ended is closed.
// Progress is one made for this many puzzles.
func (j Job) Solve(ctx context.Context, puzzles []puzzlefile.Puzzle, progress *Progress) []<-chan Result {
	results := make([]chan Result, len(puzzles))
	ends := make([]<-chan Result, len(puzzles))
	for i := range results {
		results[i] = make(chan Result, 1)
		ends[i] = results[i]
	}
	var begun atomic.Int64
	for range min(j.Workers, len(puzzles)) {
		go func() {
			for {
				i := int(begun.Add(1)) - 1
				if i >= len(puzzles) {
					return
				}
				if ctx.Err() != nil {
					close(results[i])
					continue
				}
				results[i] <- j.one(ctx, puzzles[i], &progress.Searches[i])
				progress.Done.Add(1)
			}
		}()
	}
	return ends
}
