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

// Sight is how one game sees a frame. The game reads its board once, when that is first asked for.
type Sight struct {
	Game     solvers.Game
	Seen     *screen.Observation
	Place    screen.Place     // the place in the game's app, if the game can tell
	Puzzle   solvers.Puzzle   // by the rules of the app's levels; nil before it was judged, and when it was refused
	Solution solvers.Solution // nil when there is none, or it was not found in time
	Several  bool             // the board has several solutions, though the game's levels have one
	// Uncovered is set where, moreover, none of them covers every cell.
	Uncovered bool

	read *reading // shared by all copies
}

// reading is what a game reads in an observation.
type reading struct {
	done    bool // it was asked
	puzzle  solvers.Puzzle
	refused error
}

// Of is the sight of a frame that was observed.
func Of(game solvers.Game, seen *screen.Observation) Sight {
	return Sight{Game: game, Seen: seen, Place: game.Locate(seen), read: &reading{}}
}

// Read returns the board as the game reads it.
func (s *Sight) Read() (solvers.Puzzle, error) {
	if !s.read.done {
		s.read.done = true
		s.read.puzzle, s.read.refused = s.Game.Read(s.Seen)
	}
	return s.read.puzzle, s.read.refused
}

// whole reports whether every cell of the board was read, though the board may have been refused
// later.
func (s *Sight) whole() bool { return s.read.done && s.read.refused == nil }

// TimeError is the error for a board that was read but not solved in time.
type TimeError struct{ Deadline time.Duration }

func (e *TimeError) Error() string { return fmt.Sprintf("read, but not solved within %v", e.Deadline) }

// Is makes errors.Is(err, context.DeadlineExceeded) hold.
func (e *TimeError) Is(target error) bool { return target == context.DeadlineExceeded }

// See looks at a frame as a game asks. If the game cannot read its level, it looks again at all
// boards that may be on the frame and for cells that look alike, and returns the sight of the only
// board that the game can read, if there is one. The solver is asked only where boards differ.
func See(eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game) (Sight, error) {
	readable := func(s *Sight) error {
		_, err := s.Read()
		return err
	}
	s, err := see(eyes, frame, on, game, solvers.Levels{}, readable, func(s *Sight) error {
		return s.judge(context.Background(), solvers.Levels{}, mostJudging)
	})
	var refused *solvers.ReadError
	if errors.As(err, &refused) {
		err = nil
	}
	return s, err
}

// Glance looks at a frame as a game asks, and no further.
func Glance(eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game) (Sight, error) {
	seen, err := eyes.Observe(frame, on, game.Spec())
	if err != nil {
		return Sight{Game: game, Seen: seen}, err
	}
	return Of(game, seen), nil
}

// mostJudging bounds the time for solving one of several boards that may be on a frame.
const mostJudging = 2 * time.Second

// Look asks one game to read a frame of an app whose levels are as given. A doubtful board is
// refused with a *solvers.ReadError. The deadline bounds the time for solving. The sight holds
// what was found so far, even if Look fails.
func Look(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game, levels solvers.Levels, deadline time.Duration) (Sight, error) {
	judge := func(s *Sight) error { return s.judge(ctx, levels, deadline) }
	return see(eyes, frame, on, game, levels, judge, nil)
}

// see returns the sight of a frame's likeliest board if that is believed; if it is doubtful, the
// sight that weigh returns.
func see(eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game, levels solvers.Levels, believe, decide func(*Sight) error) (Sight, error) {
	first, err := Glance(eyes, frame, on, game)
	if err != nil {
		return first, err
	}
	firstErr := believe(&first)
	if !first.doubted(firstErr) {
		return first, firstErr
	}
	return weigh(eyes, frame, on, first, firstErr, levels, believe, decide)
}

// weigh looks at all boards that may be on a frame, the first of which was refused. It returns the
// sight of the only one that is believed; where several are, decide is asked as well, if given.
// Where there is not just one, it returns the sight that got furthest, with the reason why it was
// refused.
func weigh(eyes Eyes, frame *image.RGBA, on screen.Frame, first Sight, firstErr error, levels solvers.Levels, believe, decide func(*Sight) error) (Sight, error) {
	further, err := others(eyes, frame, on, first, levels)
	if err != nil {
		return first, err
	}
	best, bestErr := first, firstErr
	var read []*candidate
	for _, one := range withoutParts(first.Seen, further) {
		c := &candidate{Sight: Of(first.Game, one)}
		c.late = believe(&c.Sight)
		var refused *solvers.ReadError
		switch {
		case isRead(c.late):
			read = append(read, c)
		case !errors.As(c.late, &refused):
			return c.Sight, c.late
		case c.whole() && !best.whole():
			best, bestErr = c.Sight, c.late
		}
	}
	if decide != nil && differ(read) {
		read = slices.DeleteFunc(read, func(c *candidate) bool { return !isRead(decide(&c.Sight)) })
	}
	if len(read) == 0 {
		return best, bestErr
	}
	if read = likeliest(read); differ(read) {
		return first, firstErr
	}
	return read[0].Sight, read[0].late
}

// candidate is a board that may be on a frame.
type candidate struct {
	Sight
	late error // that it was not solved in time
}

// isRead reports whether a board was read, whether or not it was solved in time.
func isRead(err error) bool {
	var late *TimeError
	return err == nil || errors.As(err, &late)
}

// differ reports whether candidates are not all one board.
func differ(read []*candidate) bool {
	return slices.ContainsFunc(read, func(c *candidate) bool { return c.read.puzzle.String() != read[0].read.puzzle.String() })
}

// likeliest leaves out boards that are parts of others, and those with several solutions if there
// are any with one: that tells more of a board than that it was seen clearly.
func likeliest(read []*candidate) []*candidate {
	several := func(c *candidate) bool { return c.Several }
	if left := slices.DeleteFunc(slices.Clone(read), several); len(left) > 0 {
		read = left
	}
	return slices.DeleteFunc(slices.Clone(read), func(c *candidate) bool {
		return slices.ContainsFunc(read, func(other *candidate) bool { return partOf(c.Seen, other.Seen) })
	})
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

// others are the observations of the boards that may be on a frame, except for the one that
// was seen first, and the one of cells that look alike. Which of several lattices is
// right is told by the rules and by the number of solutions: where these are no
// evidence, no other lattice counts.
func others(eyes Eyes, frame *image.RGBA, on screen.Frame, first Sight, levels solvers.Levels) ([]*screen.Observation, error) {
	var seen []*screen.Observation
	spec, about := first.Game.Spec(), first.Game.About()
	if was := first.Seen.Layout; was.Rows > 0 && about.OneSolution && !levels.Unproved() {
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
	if about.ReadsSigns {
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

// Seen is Look for a frame that was observed already.
func Seen(ctx context.Context, seen *screen.Observation, game solvers.Game, levels solvers.Levels, deadline time.Duration) (Sight, error) {
	s := Of(game, seen)
	return s, s.judge(ctx, levels, deadline)
}

// judge reads the board, and solves it as a check.
func (s *Sight) judge(ctx context.Context, levels solvers.Levels, deadline time.Duration) error {
	if s.Place.Kind == screen.Won || s.Place.Kind == screen.Popup {
		return &solvers.ReadError{Reason: fmt.Sprintf("no level to read: %s (%s)", s.Place.Kind, s.Place.Reason)}
	}
	puzzle, err := s.Read()
	if err != nil {
		return err
	}
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
// have one solution, a board with several counts only if no other game reads the frame. Boards
// that are doubtful are weighed only where no game reads the frame without. If no game reads the
// frame, a *Refusal is returned with the sight of the likeliest game: the only one that sees its
// panel of a won level, if there is just one.
func Game(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, games []solvers.Game, deadline time.Duration) (Sight, error) {
	judge := func(s *Sight) error { return s.judge(ctx, solvers.Levels{}, deadline) }
	var all []answer
	for _, game := range games {
		if len(game.Spec().Measures) == 0 {
			continue
		}
		s, err := Glance(eyes, frame, on, game)
		if err != nil {
			return s, err
		}
		err = judge(&s)
		all = append(all, answer{s, err})
	}
	found, err := sorted(ctx, all)
	if err == nil && len(found.read) == 0 {
		for i, a := range all {
			if a.doubted(a.refused) {
				all[i].Sight, all[i].refused = weigh(eyes, frame, on, a.Sight, a.refused, solvers.Levels{}, judge, nil)
			}
		}
		found, err = sorted(ctx, all)
	}
	if err != nil {
		return Sight{}, err
	}
	return found.choose()
}

// answer is how one game sees a frame.
type answer struct {
	Sight
	refused error // nil where it reads a board
}

// answers is how the games read one frame.
type answers struct {
	read    []Sight          // boards with the solutions that the game promises
	several []Sight          // boards with more
	won     []Sight          // panels of won levels; no board was read
	refused map[string]Sight // by the game's name
	reasons []Reason         // why they were refused
}

// sorted sorts the answers of all games.
func sorted(ctx context.Context, all []answer) (answers, error) {
	sorted := answers{refused: map[string]Sight{}}
	for _, a := range all {
		if err := sorted.add(ctx, a.Sight, a.refused); err != nil {
			return sorted, err
		}
	}
	return sorted, nil
}

// add sorts in the answer of a game, which may be a refusal. It returns any other
// error.
func (a *answers) add(ctx context.Context, s Sight, err error) error {
	if d, ok := s.Puzzle.(solvers.Distinguisher); ok && err == nil {
		err = d.Distinguish(s.Seen)
	}
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
