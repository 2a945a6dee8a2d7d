package recognise

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// byCells is the way of looking for cells that look alike, in words.
const byCells = "cells that look alike"

// Account tells what became of one board that may be on a frame, or of one way to look
// for a board.
type Account struct {
	screen.Candidate
	Refused error // why the game does not read the board; nil where it does, and where there is none
}

// Read reports whether the game reads the board.
func (a Account) Read() bool { return len(a.Lacks) == 0 && a.Refused == nil }

// String is the account in one line: the way of looking, the board, and what it lacks.
func (a Account) String() string {
	l := a.Seen.Layout
	if l.Rows == 0 {
		return fmt.Sprintf("%s: no board: %s", a.Finder, strings.Join(a.Lacks, "; "))
	}
	verdict := "can be read"
	switch {
	case len(a.Lacks) > 0:
		verdict = "left out: " + strings.Join(a.Lacks, "; ")
	case a.Refused != nil:
		verdict = "refused: " + a.Refused.Error()
	}
	return fmt.Sprintf("%s: %s at %d,%d to %d,%d, confidence %.2f: %s", a.Finder, sizeOf(a.Seen), l.Board.Min.X, l.Board.Min.Y, l.Board.Max.X, l.Board.Max.Y, a.Seen.Confidence, verdict)
}

// Explain looks at a frame in every way, and reports what became of each board that may be on
// it, the likeliest first. The deadline bounds the time for solving each.
func Explain(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game, levels solvers.Levels, deadline time.Duration) ([]Account, error) {
	spec := game.Spec()
	spec.Candidates = true
	seen, err := eyes.Observe(frame, on, spec)
	if err != nil {
		return nil, err
	}
	candidates := seen.Candidates
	if game.About().ReadsSigns {
		signs, err := secondLook(eyes, frame, on, game, seen)
		if err != nil {
			return nil, err
		}
		c := screen.Candidate{Finder: byCells, Seen: signs}
		if signs.Layout.Rows == 0 {
			c.Lacks = signs.Doubts
		}
		candidates = append(candidates, c)
	}
	var accounts []Account
	for _, c := range candidates {
		a := Account{Candidate: c}
		if len(c.Lacks) == 0 && c.Seen.Layout.Rows > 0 {
			_, a.Refused = Seen(ctx, c.Seen, game, levels, deadline)
			var refused *solvers.ReadError
			if a.Refused != nil && !errors.As(a.Refused, &refused) && !errors.Is(a.Refused, context.DeadlineExceeded) || ctx.Err() != nil {
				return accounts, a.Refused
			}
		}
		accounts = append(accounts, a)
	}
	return accounts, nil
}
