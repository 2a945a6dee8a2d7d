// Package recognise tells which game a frame shows, and what stands on it.
//
// It asks every game: only a board that the game reads without doubt and that
// has the solutions which the game promises counts. A frame that several games
// could read is refused, as is one that none can.
package recognise

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Eyes turn a frame into an observation of what a game asks for.
type Eyes interface {
	Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error)
}

// Sight is what one game makes of a frame.
type Sight struct {
	Game     solvers.Game
	Seen     *screen.Observation
	Place    screen.Place     // where in the game's app, when the game can tell
	Puzzle   solvers.Puzzle   // nil when the board was refused
	Solution solvers.Solution // nil when there is none, or it was not found in time
	Several  bool             // it has more solutions, though the game's levels have one

	whole bool // the board could be read, whatever it is worth
}

// TimeError says that a board was read and not solved in its time.
type TimeError struct{ Deadline time.Duration }

func (e *TimeError) Error() string { return fmt.Sprintf("read, but not solved within %v", e.Deadline) }

// Is makes errors.Is(err, context.DeadlineExceeded) hold.
func (e *TimeError) Is(target error) bool { return target == context.DeadlineExceeded }

// Look asks one game about a level of an app with such levels. It refuses, with
// a *solvers.ReadError, a board that was not read without doubt; the deadline
// bounds the solving. The sight holds how far it got, also when it fails.
func Look(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game, levels solvers.Levels, deadline time.Duration) (Sight, error) {
	s := Sight{Game: game}
	var err error
	if s.Seen, err = eyes.Observe(frame, on, game.Spec()); err != nil {
		return s, err
	}
	err = s.read(ctx, levels, deadline)
	if !s.again(err) {
		return s, err
	}
	other := Sight{Game: game}
	spec := game.Spec()
	spec.Signs = true
	var otherErr error
	if other.Seen, otherErr = eyes.Observe(frame, on, spec); otherErr != nil {
		return s, otherErr
	}
	if otherErr = other.read(ctx, levels, deadline); otherErr == nil || errors.Is(otherErr, context.DeadlineExceeded) {
		return other, otherErr
	}
	return s, err
}

// again reports whether a board that was refused may be read when the eyes look for
// cells that look alike: an app of another look.
func (s *Sight) again(err error) bool {
	var refused *solvers.ReadError
	return errors.As(err, &refused) && s.Game.Spec().ReadsSigns && s.Place.Kind != screen.Won && s.Place.Kind != screen.Popup
}

// Seen is Look at what was observed already.
func Seen(ctx context.Context, seen *screen.Observation, game solvers.Game, levels solvers.Levels, deadline time.Duration) (Sight, error) {
	s := Sight{Game: game, Seen: seen}
	return s, s.read(ctx, levels, deadline)
}

// read makes a puzzle of what was seen and solves it as a check.
func (s *Sight) read(ctx context.Context, levels solvers.Levels, deadline time.Duration) error {
	if n, ok := s.Game.(solvers.Navigator); ok {
		s.Place = n.Locate(s.Seen)
		if s.Place.Kind == screen.Won || s.Place.Kind == screen.Popup {
			return &solvers.ReadError{Reason: fmt.Sprintf("no level to read: %s (%s)", s.Place.Kind, s.Place.Reason)}
		}
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
	s.Puzzle, s.Solution, s.Several = puzzle, judged.Solution, judged.Several
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return &TimeError{deadline}
	}
	return err
}

// Game finds out which of some games a frame shows. Games that ask for nothing
// to be looked at are left out, and a board that may be one of a game that is
// not here is refused. A board that has several solutions where its game's
// levels have one counts only when no other game reads the frame. When none reads the frame, but one alone knows
// its panel of a won level on it, that game's sight is returned with the
// *Refusal; else that of the likeliest game.
func Game(ctx context.Context, eyes Eyes, frame *image.RGBA, on screen.Frame, games []solvers.Game, deadline time.Duration) (Sight, error) {
	var read, several, won []Sight
	refused := map[string]Sight{}
	var reasons []Reason
	for _, game := range games {
		if len(game.Spec().Measures) == 0 {
			continue
		}
		s, err := Look(ctx, eyes, frame, on, game, solvers.Levels{}, deadline)
		if d, ok := game.(solvers.Distinguisher); ok && err == nil {
			err = d.Distinguish(s.Seen, s.Puzzle)
		}
		var refusal *solvers.ReadError
		switch {
		case err == nil && s.Several:
			several = append(several, s)
			continue
		case err == nil:
			read = append(read, s)
			continue
		case ctx.Err() != nil:
			return s, context.Cause(ctx)
		case errors.As(err, &refusal), errors.Is(err, context.DeadlineExceeded):
		default:
			return s, err
		}
		reasons = append(reasons, Reason{game.Name(), err, s.likeness()})
		refused[game.Name()] = s
		if s.Place.Kind == screen.Won {
			won = append(won, s)
		}
	}
	if len(read) == 0 {
		read = several
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
	case len(reasons) == 0:
		return Sight{}, &solvers.ReadError{Reason: "no game here can be read from a screen"}
	case len(won) == 1:
		for i := range reasons {
			if reasons[i].Game == won[0].Game.Name() {
				reasons[i].Likeness = math.Inf(1)
			}
		}
	}
	refusal := refuse(reasons, true)
	return refused[refusal.Reasons[0].Game], refusal
}
