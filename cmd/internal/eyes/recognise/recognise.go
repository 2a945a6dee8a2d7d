// Package recognise determines which game a frame shows, and reads its board.
//
// It asks every game. A board counts only if the game reads it without doubt and if it has as
// many solutions as the game promises. A frame that several games can read is refused, as is
// one that no game can read.
package recognise

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Eyes turn a frame into an observation of what a game asks for.
type Eyes interface {
	Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error)
}

// Sight is how one game reads a frame.
type Sight struct {
	Game     solvers.Game
	Seen     *screen.Observation
	Place    screen.Place     // the place in the game's app, if the game can tell
	Puzzle   solvers.Puzzle   // nil when the board was refused
	Solution solvers.Solution // nil when there is none, or it was not found in time
	Several  bool             // the board has several solutions, though the game's levels have one
	// Uncovered is set where, moreover, none of them covers every cell.
	Uncovered bool

	whole bool // every cell of the board was read, though the board may have been refused later
}

// TimeError is the error for a board that was read but not solved in time.
type TimeError struct{ Deadline time.Duration }

func (e *TimeError) Error() string { return fmt.Sprintf("read, but not solved within %v", e.Deadline) }

// Is makes errors.Is(err, context.DeadlineExceeded) hold.
func (e *TimeError) Is(target error) bool { return target == context.DeadlineExceeded }

// Look asks one game to read a frame of an app whose levels are as given. A doubtful board is
// refused with a *solvers.ReadError. The deadline bounds the time for solving. The sight holds
// what was found so far, even if Look fails.
func Look(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game, levels solvers.Levels, deadline time.Duration) (Sight, error) {
	s := Sight{Game: game}
	var err error
	if s.Seen, err = eyes.Observe(frame, on, game.Spec()); err != nil {
		return s, err
	}
	err = s.read(ctx, levels, deadline)
	if !s.doubted(err) {
		return s, err
	}
	other, otherErr := weigh(ctx, eyes, frame, on, s, levels, deadline)
	var refused *solvers.ReadError
	if !errors.As(otherErr, &refused) || other.whole && !s.whole {
		return other, otherErr // it is read, or it got further
	}
	return s, err
}

// weigh reads all boards that may be on a frame whose board was refused. It returns the
// sight of the only board that can be read; where there is none, of the one that got
// furthest. Boards that differ are refused, all of them.
func weigh(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, first Sight, levels solvers.Levels, deadline time.Duration) (Sight, error) {
	seen, err := others(eyes, frame, on, first, levels)
	if err != nil {
		return first, err
	}
	seen = withoutParts(first.Seen, seen)
	further, furtherErr := first, error(&solvers.ReadError{Reason: "no other board may be on the screen"})
	var read []Sight
	late := map[*screen.Observation]error{} // that one which was read was not solved in time
	for _, one := range seen {
		s := Sight{Game: first.Game, Seen: one}
		err := s.read(ctx, levels, deadline)
		var refused *solvers.ReadError
		switch {
		case err == nil || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			read, late[one] = append(read, s), err
		case !errors.As(err, &refused):
			return s, err
		case s.whole && !further.whole:
			further, furtherErr = s, err
		}
	}
	if len(read) == 0 {
		return further, furtherErr
	}
	several := func(s Sight) bool { return s.Several }
	if left := slices.DeleteFunc(slices.Clone(read), several); len(left) > 0 {
		read = left // that it has one solution tells more of a board than that it was seen clearly
	}
	one := slices.IndexFunc(read, func(s Sight) bool { return !partOfAny(s.Seen, read) })
	for _, s := range read {
		if s.Puzzle.String() != read[one].Puzzle.String() && !partOfAny(s.Seen, read) {
			return first, &solvers.ReadError{Reason: fmt.Sprintf("the screen may show a board of %s or another of %s", sizeOf(read[one].Seen), sizeOf(s.Seen))}
		}
	}
	return read[one], late[read[one].Seen]
}

// partOfAny reports whether a board is a part of one of those that were read.
func partOfAny(seen *screen.Observation, read []Sight) bool {
	return slices.ContainsFunc(read, func(s Sight) bool { return partOf(seen, s.Seen) })
}

// partOf reports whether a board whose rim is doubtful is a part of another that is not: all
// of its cells are among the other's, of which there are more.
func partOf(seen, whole *screen.Observation) bool {
	part, l := seen.Layout, whole.Layout
	return len(seen.Doubts) > 0 && len(whole.Doubts) == 0 && part.Rows*part.Cols < l.Rows*l.Cols && liesOn(part, l)
}

// liesOn reports whether the cells of a board are among those of another, give or take half
// of one.
func liesOn(part, whole screen.Layout) bool {
	slack := whole.Pitch / 2
	return part.Topology == whole.Topology &&
		math.Abs(part.Pitch-whole.Pitch)*float64(max(whole.Rows, whole.Cols)) <= slack &&
		part.Board.In(whole.Board.Inset(-int(slack)))
}

// withoutParts leaves out those of further boards that surely go on, as the first or another of
// them tells, unless two ways of looking show the same rows and columns: what is beyond them
// encloses no cells then.
func withoutParts(first *screen.Observation, further []*screen.Observation) []*screen.Observation {
	seen := append([]*screen.Observation{first}, further...)
	var left []*screen.Observation
	for _, one := range further {
		part := slices.ContainsFunc(seen, func(other *screen.Observation) bool { return goesOn(one, other) })
		again := func(other *screen.Observation) bool { return other != one && sameCells(one.Layout, other.Layout) }
		if !part || slices.ContainsFunc(seen, again) {
			left = append(left, one)
		}
	}
	return left
}

// goesOn reports whether a board surely goes on, as the whole of another that was seen without
// a doubt and has two rows or columns more on a side: something covers those between. One more
// may be buttons beside the board.
func goesOn(seen, whole *screen.Observation) bool {
	part, l := seen.Layout, whole.Layout
	if part.Rows == 0 || len(whole.Doubts) > 0 || whole.Confidence < sureWhole || !liesOn(part, l) {
		return false
	}
	beyond := max(part.Board.Min.X-l.Board.Min.X, part.Board.Min.Y-l.Board.Min.Y, l.Board.Max.X-part.Board.Max.X, l.Board.Max.Y-part.Board.Max.Y)
	return float64(beyond) > 1.5*l.Pitch
}

// sameCells reports whether two boards have the same cells, give or take a quarter of one.
func sameCells(a, b screen.Layout) bool {
	slack := int(a.Pitch / 4)
	return a.Rows == b.Rows && a.Cols == b.Cols && a.Topology == b.Topology &&
		a.Board.In(b.Board.Inset(-slack)) && b.Board.In(a.Board.Inset(-slack))
}

// sureWhole is the least confidence in a board of which another is only a part.
const sureWhole = 0.9

// sizeOf says in words how large a board is.
func sizeOf(seen *screen.Observation) string {
	return fmt.Sprintf("%d columns and %d rows", seen.Layout.Cols, seen.Layout.Rows)
}

// mostOthers is the most other boards that are read on one frame. They come in the
// order of their likelihood.
const mostOthers = 8

// others are the observations of the boards that may be on a frame, but for the one that
// was seen first, and the one of cells that look alike. Which of several lattices is
// right is told by the rules and by the number of solutions: where these are no
// evidence, no other lattice counts.
func others(eyes Eyes, frame *image.RGBA, on screen.Frame, first Sight, levels solvers.Levels) ([]*screen.Observation, error) {
	var seen []*screen.Observation
	spec := first.Game.Spec()
	if was := first.Seen.Layout; was.Rows > 0 && spec.OneSolution && !levels.Unproved() {
		spec.Candidates = true
		all, err := eyes.Observe(frame, on, spec)
		if err != nil {
			return nil, err
		}
		for _, c := range all.Candidates {
			l := c.Seen.Layout
			if len(c.Lacks) == 0 && (l.Topology != was.Topology || l.Rows != was.Rows || l.Cols != was.Cols || l.Board != was.Board) {
				seen = append(seen, c.Seen)
			}
		}
		seen = seen[:min(len(seen), mostOthers)]
	}
	if spec.ReadsSigns {
		signs, err := secondLook(eyes, frame, on, first.Game, first.Seen)
		if err != nil {
			return nil, err
		}
		seen = append(seen, signs)
	}
	return seen, nil
}

// doubted reports whether a board that was refused may be read when the eyes look for
// others.
func (s *Sight) doubted(err error) bool {
	var refused *solvers.ReadError
	return errors.As(err, &refused) && s.Place.Kind != screen.Won && s.Place.Kind != screen.Popup
}

// secondLook looks for a board of cells that look alike. The boxes on the frame are
// known from the first look.
func secondLook(eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game, first *screen.Observation) (*screen.Observation, error) {
	spec := game.Spec()
	spec.Signs = true
	seen, err := eyes.Observe(frame, on, spec)
	if err != nil {
		return nil, err
	}
	seen.Boxes = first.Boxes
	return seen, nil
}

// Observe looks at a frame as a game asks. If the game cannot read its level, it looks again at
// all boards that may be on the frame and for cells that look alike, and returns the
// observation of the only board that the game can read, if there is one.
func Observe(eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game) (*screen.Observation, error) {
	seen, err := eyes.Observe(frame, on, game.Spec())
	if err != nil {
		return seen, err
	}
	s := Sight{Game: game, Seen: seen, Place: game.Locate(seen)}
	if _, err := game.Read(seen); !s.doubted(err) {
		return seen, nil
	}
	all, err := others(eyes, frame, on, s, solvers.Levels{})
	if err != nil {
		return nil, err
	}
	all = withoutParts(seen, all)
	// Where boards differ, the solver tells those apart that were misread.
	read := readable(game, all)
	if len(read) > 1 {
		believed := map[bool][]*screen.Observation{} // by whether it has several solutions
		for _, one := range read {
			if several, ok := solved(game, one); ok {
				believed[several] = append(believed[several], one)
			}
		}
		// One solution tells more of a board than that it was seen clearly.
		if read = believed[false]; len(read) == 0 {
			read = believed[true]
		}
	}
	whole := slices.DeleteFunc(slices.Clone(read), func(s *screen.Observation) bool {
		return slices.ContainsFunc(read, func(other *screen.Observation) bool { return partOf(s, other) })
	})
	if len(whole) == 1 {
		return whole[0], nil
	}
	return seen, nil
}

// mostJudging bounds the time for solving one of several boards that may be on a frame.
const mostJudging = 2 * time.Second

// solved reports whether the solver believes a board that a game reads, or did not decide that
// in time, and whether it has several solutions.
func solved(game solvers.Game, seen *screen.Observation) (several, ok bool) {
	puzzle, err := game.Read(seen)
	if err != nil {
		return false, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), mostJudging)
	defer cancel()
	judged, err := solvers.JudgeRead(ctx, game, solvers.Levels{}, puzzle, seen)
	return judged.Several, err == nil || errors.Is(err, context.DeadlineExceeded)
}

// readable are the observations that a game reads as a board, one for each board.
func readable(game solvers.Game, all []*screen.Observation) []*screen.Observation {
	var read []*screen.Observation
	boards := map[string]bool{}
	for _, other := range all {
		puzzle, err := game.Read(other)
		if err == nil && !boards[puzzle.String()] {
			boards[puzzle.String()] = true
			read = append(read, other)
		}
	}
	return read
}

// Seen is Look for a frame that was observed already.
func Seen(ctx context.Context, seen *screen.Observation, game solvers.Game, levels solvers.Levels, deadline time.Duration) (Sight, error) {
	s := Sight{Game: game, Seen: seen}
	return s, s.read(ctx, levels, deadline)
}

// read makes a puzzle of the observation, and solves it as a check.
func (s *Sight) read(ctx context.Context, levels solvers.Levels, deadline time.Duration) error {
	s.Place = s.Game.Locate(s.Seen)
	if s.Place.Kind == screen.Won || s.Place.Kind == screen.Popup {
		return &solvers.ReadError{Reason: fmt.Sprintf("no level to read: %s (%s)", s.Place.Kind, s.Place.Reason)}
	}
	puzzle, err := s.Game.Read(s.Seen)
	if err != nil {
		return err
	}
	s.whole = true
	if puzzle, err = levels.Of(s.Game, puzzle); err != nil {
		return err
	}
	solving, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	judged, err := solvers.JudgeRead(solving, s.Game, levels, puzzle, s.Seen)
	if errors.Is(err, solvers.ErrNoSolution) || errors.Is(err, solvers.ErrSeveral) {
		return &solvers.ReadError{Reason: err.Error()}
	}
	if judged.Uncovered {
		if puzzle, err = (solvers.Levels{Uncovered: true}).Of(s.Game, puzzle); err != nil {
			return err
		}
	}
	s.Puzzle, s.Solution, s.Several, s.Uncovered = puzzle, judged.Solution, judged.Several, judged.Uncovered
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return &TimeError{deadline}
	}
	return err
}

// Game finds out which of the games a frame shows. Games whose Spec asks for no measures are
// left out. A board that could also be one of a game not given is refused. If a game's levels
// have one solution, a board with several counts only if no other game reads the frame. If no
// game reads the frame, a *Refusal is returned with the sight of the likeliest game: the only
// one that sees its panel of a won level, if there is just one.
func Game(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, games []solvers.Game, deadline time.Duration) (Sight, error) {
	a := answers{refused: map[string]Sight{}}
	for _, game := range games {
		if len(game.Spec().Measures) == 0 {
			continue
		}
		s, err := Look(ctx, eyes, frame, on, game, solvers.Levels{}, deadline)
		if d, ok := s.Puzzle.(solvers.Distinguisher); ok && err == nil {
			err = d.Distinguish(s.Seen)
		}
		if err := a.add(ctx, s, err); err != nil {
			return s, err
		}
	}
	return a.choose()
}

// answers is how the games read one frame.
type answers struct {
	read    []Sight          // boards with the solutions that the game promises
	several []Sight          // boards with more
	won     []Sight          // panels of won levels; no board was read
	refused map[string]Sight // by the game's name
	reasons []Reason         // why they were refused
}

// add sorts in the answer of a game, which may be a refusal. It returns any other
// error.
func (a *answers) add(ctx context.Context, s Sight, err error) error {
	var refusal *solvers.ReadError
	switch {
	case err == nil && s.Several:
		a.several = append(a.several, s)
		return nil
	case err == nil:
		a.read = append(a.read, s)
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !errors.As(err, &refusal) && !errors.Is(err, context.DeadlineExceeded):
		return err
	}
	a.reasons = append(a.reasons, Reason{s.Game.Name(), err, s.likeness()})
	a.refused[s.Game.Name()] = s
	if s.Place.Kind == screen.Won {
		a.won = append(a.won, s)
	}
	return nil
}

// choose returns the sight of the one game that reads the frame, or a refusal.
func (a *answers) choose() (Sight, error) {
	read := a.read
	if len(read) == 0 {
		read = a.several
	}
	switch {
	case len(read) == 1:
		return read[0], nil
	case len(read) > 1:
		var names []string
		for _, s := range read {
			names = append(names, s.Game.Name())
		}
		return Sight{}, &solvers.ReadError{Reason: "could be a board of " + strings.Join(names, " and of ")}
	case len(a.reasons) == 0:
		return Sight{}, &solvers.ReadError{Reason: "no game here can be read from a screen"}
	case len(a.won) == 1:
		for i := range a.reasons {
			if a.reasons[i].Game == a.won[0].Game.Name() {
				a.reasons[i].Likeness = math.Inf(1)
			}
		}
	}
	refusal := refuse(a.reasons, true)
	return a.refused[refusal.Reasons[0].Game], refusal
}
