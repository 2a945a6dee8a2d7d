package player

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// readBoard makes a puzzle of what was seen.
func (l *level) readBoard() (outcome, error) {
	began := l.time()
	puzzle, err := l.memory.read.Read()
	l.report.Read.Duration += l.time().Sub(began)
	if err != nil {
		return "", fail(ErrUnreadable, l.refused(l.memory.read), "", "", err)
	}
	if puzzle, err = l.levels(l.memory.read).Of(l.Game, puzzle); err != nil {
		return "", fmt.Errorf("profile: cover is false: %w", err)
	}
	l.puzzle = puzzle
	l.report.Board = puzzle.String()
	l.report.Rows, l.report.Cols = l.memory.read.Seen.Layout.Rows, l.memory.read.Seen.Layout.Cols
	if len(l.report.Tried) > 0 && !l.progress.touched && l.wonBefore(l.report.Board) { // a step to recover has led here
		return "", fail(ErrUnreadable, troubleWonBefore, "a level to play", "one that was won in this run", nil)
	}
	return outcomeRead, nil
}

// leastBoard is the share of a board's cells that look like the game's, 0 to 1, from
// which on a board that is refused is taken to be merely unreadable: a dialog over it
// hides a quarter or more.
const leastBoard = 0.8

// refused is the trouble of a board that the game refuses: something may lie over it,
// which BACK closes, or the game cannot read it, and BACK would leave the level.
func (l *level) refused(s sight) trouble {
	if l.Game.Familiarity(s.Seen) >= leastBoard {
		return troubleSenseless
	}
	return troubleMisread
}

// levels says how the app's levels differ from the game's, on a screen as it was seen.
func (l *level) levels(s sight) solvers.Levels {
	if known := l.profile(s.on.Size); known != nil {
		return known.Levels
	}
	return solvers.Levels{}
}

// solve finds the solution. The solver is the eyes' checksum: a board that it
// does not prove, since it has several solutions, is looked at once more and has
// to come out the same.
func (l *level) solve(ctx context.Context) (outcome, error) {
	before := l.unproved
	l.unproved = ""
	if before != "" {
		if before != l.puzzle.String() {
			l.solution, l.report.Solution = nil, ""
			err := errors.New("misread: two looks at a board that has more than one solution found two boards")
			return "", fail(ErrUnreadable, troubleSenseless, "", "", err)
		}
		return outcomeSolved, nil
	}
	began := l.time()
	levels := l.levels(l.memory.read)
	var judged solvers.Judgement
	var err error
	if known := l.memory.ahead; known != nil && known.seen == l.memory.read.Seen {
		judged = known.judged
	} else {
		solveCtx, cancel := context.WithTimeout(ctx, l.Timing.SolveDeadline)
		defer cancel()
		judged, err = solvers.JudgeRead(solveCtx, l.Game, levels, l.puzzle, l.memory.read.Seen)
	}
	l.report.Solve.Duration += l.time().Sub(began)
	switch {
	case errors.Is(err, solvers.ErrNoSolution), errors.Is(err, solvers.ErrSeveral):
		return "", fail(ErrUnreadable, troubleSenseless, "", "", err)
	case err != nil:
		return "", fail(ErrUnsolved, troubleOther, fmt.Sprintf("a solution within %v", l.Timing.SolveDeadline), "", err)
	}
	l.solution = judged.Solution
	l.report.Solution, l.report.Several, l.report.Uncovered = l.solution.String(), judged.Several, judged.Uncovered
	if err := l.solution.Check(); err != nil {
		return "", fmt.Errorf("player: the solver's solution does not pass the checker: %w\n%s\n%s", err, l.puzzle, l.solution)
	}
	switch {
	case judged.Uncovered:
		l.log().Warn("the board has no solution that covers every cell, the game's levels have exactly one; it is looked at once more")
	case judged.Several:
		l.log().Warn("the board has more than one solution, the game's levels have exactly one; it is looked at once more")
	}
	if judged.Several || levels.Unproved() {
		l.unproved = l.puzzle.String()
		l.memory.forget()
		return outcomeLookAgain, nil
	}
	return outcomeSolved, nil
}

// solved is the solution of the board that was seen.
type solved struct {
	seen   *screen.Observation
	judged solvers.Judgement
}

// solveAhead solves the board on a frame within the time that is left until the next one.
func (l *level) solveAhead(ctx context.Context, s sight, left time.Duration) {
	if s.Place.Kind != screen.Level || l.state != StateSettle && l.state != StateNext || left <= 0 || l.memory.ahead != nil && l.memory.ahead.seen == s.Seen {
		return
	}
	puzzle, err := s.Read()
	if err != nil {
		return
	}
	levels := l.levels(s)
	if puzzle, err = levels.Of(l.Game, puzzle); err != nil {
		return
	}
	began := l.time()
	solveCtx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	judged, err := solvers.JudgeRead(solveCtx, l.Game, levels, puzzle, s.Seen)
	if err == nil && solveCtx.Err() == nil { // else a second solution may have been left unfound
		l.memory.ahead = &solved{s.Seen, judged}
	}
	l.report.Solve.Duration += l.time().Sub(began)
}

// planStrokes turns the solution into gestures. When the solver took long, the
// board is looked at again before it is touched.
func (l *level) planStrokes(ctx context.Context) (outcome, error) {
	s := l.memory.read
	l.plan = l.strokes(s)
	if err := inside(l.plan, s.on); err != nil {
		return "", fail(ErrUnreadable, troubleOther, "", "", err)
	}
	plan, err := l.safe(l.plan, s.Seen.Layout.Pitch)
	if err != nil {
		return "", fail(ErrUnreadable, troubleOther, "a plan that is safe to touch", "", err)
	}
	l.plan = plan
	l.publishLook("read", s)
	if l.preview || l.time().Sub(s.at) <= carriedAge {
		return outcomePlanned, nil
	}
	same, err := l.unchanged(ctx, s)
	switch {
	case err != nil:
		return "", err
	case !same:
		return "", fail(ErrUnreadable, troubleSenseless, "the board that was read", "another picture after it was solved", nil)
	}
	return outcomePlanned, nil
}

// unchanged reports whether the screen still shows the board as it was read.
func (l *level) unchanged(ctx context.Context, s sight) (bool, error) {
	if s.factor > 0 {
		moved, err := l.moved(ctx)
		return !moved, err
	}
	now, _, err := l.glance(ctx)
	return err == nil && now.on == s.on && vision.Same(now.frame, s.frame, s.Seen.Layout.Board, oneInStill), err
}

// neighbours is how far apart, in pitches, two cells lie at most that may be neighbours.
const neighbours = 1.5

// strokes are the gestures that are missing on the board as it was read, of all that make
// the solution. A pipe that stands there is not drawn again: the level would be complete
// before the last stroke, which would be played on the next one.
func (l *level) strokes(s sight) []screen.Gesture {
	seen := s.Seen
	all := l.solution.Plan(seen.Layout)
	filler, ok := l.puzzle.(solvers.Filler)
	if !ok || s.factor > 0 { // of which nothing was drawn
		return all
	}
	if fill, err := filler.Fill(seen); err != nil || fill == "" {
		return all
	}
	rest, err := l.solution.Remaining(seen)
	if err != nil || !anyShows(rest) {
		return all
	}
	// A stroke between neighbours may not show: it comes first, so that what comes last is
	// surely missing.
	var unknown []screen.Gesture
	for _, g := range all {
		way := g.Points[len(g.Points)-1].Sub(g.Points[0])
		isShort := !g.Tap() && math.Hypot(float64(way.X), float64(way.Y)) <= neighbours*seen.Layout.Pitch
		if isShort && len(seen.Signs) == 0 && !slices.ContainsFunc(rest, func(r screen.Gesture) bool { return l.sameEnds(r, g) }) {
			unknown = append(unknown, g)
		}
	}
	return append(unknown, rest...)
}

// inside checks that a plan is for the given screen and does not leave it.
func inside(plan []screen.Gesture, on screen.Frame) error {
	if len(plan) == 0 {
		return errors.New("the plan has no gestures")
	}
	bounds := image.Rectangle{Max: on.Size}
	for _, g := range plan {
		for _, point := range g.Points {
			if g.On != on || !point.In(bounds) {
				return fmt.Errorf("%s at %v on %v lies outside the screen %v", g.Note, point, g.On, on)
			}
		}
	}
	return nil
}
