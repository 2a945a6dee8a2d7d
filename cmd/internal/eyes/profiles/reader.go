package profiles

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"time"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
)

// Reader reads boards on frames and in observations.
type Reader struct {
	Store
	// Deadline bounds solving a board, which is how its reading is checked.
	Deadline time.Duration
	Log      *slog.Logger
}

// Frame reads a frame: as a board of the game given or, if that is nil, of the one game that
// reads it. If automatic reading refuses it, the profiles that fit are tried; the model is the
// phone's, empty if unknown. The sight holds how far it got, even if it fails.
func (r Reader) Frame(ctx context.Context, frame *image.RGBA, on screen.Frame, game solvers.Game, model string) (recognise.Sight, error) {
	plain := &plainEyes{}
	defer plain.close()
	sight, err := r.automatically(ctx, plain, frame, on, game)
	if err == nil || ctx.Err() != nil {
		return sight, err
	}
	games := all.Games()
	if game == nil {
		var askedErr error
		if game, askedErr = r.AskedGame(); askedErr != nil {
			return sight, askedErr
		}
	}
	if game != nil {
		games = []solvers.Game{game}
	}
	var read []recognise.Sight
	for _, g := range games {
		now, ok, err := r.byProfile(ctx, plain, frame, on, g, model)
		if err != nil {
			return sight, err
		}
		if ok {
			read = append(read, now)
		}
	}
	switch len(read) {
	case 0:
		return sight, err
	case 1:
		return read[0], nil
	}
	return sight, &solvers.ReadError{Reason: fmt.Sprintf("by the profiles it could be a board of %s and of %s", read[0].Game.Name(), read[1].Game.Name())}
}

// Observation is Frame for what was observed already, for one game.
func (r Reader) Observation(ctx context.Context, seen *screen.Observation, game solvers.Game) (recognise.Sight, error) {
	levels, err := r.askedLevels(game, seen.On.Size)
	if err != nil {
		return recognise.Sight{}, err
	}
	return recognise.Seen(ctx, seen, game, levels, r.Deadline)
}

// automatically reads a frame without a profile.
func (r Reader) automatically(ctx context.Context, eyes recognise.Eyes, frame *image.RGBA, on screen.Frame, game solvers.Game) (recognise.Sight, error) {
	if game == nil {
		return recognise.Game(ctx, eyes, frame, on, all.Games(), r.Deadline)
	}
	levels, err := r.askedLevels(game, on.Size)
	if err != nil {
		return recognise.Sight{}, err
	}
	return recognise.Look(ctx, eyes, frame, on, game, levels, r.Deadline)
}

// askedLevels returns what the profile asked for says of a game's levels.
func (r Reader) askedLevels(game solvers.Game, size image.Point) (solvers.Levels, error) {
	if r.Asked == "" {
		return solvers.Levels{}, nil
	}
	set, err := r.For(game.Name())
	if err != nil {
		return solvers.Levels{}, err
	}
	if _, ok := set.Asked(); !ok {
		return solvers.Levels{}, nil
	}
	return set.Levels(size), nil
}

// byProfile reads a frame by the profile of a game that fits it, and reports false
// when there is none or it refuses the frame too.
func (r Reader) byProfile(ctx context.Context, plain *plainEyes, frame *image.RGBA, on screen.Frame, game solvers.Game, model string) (recognise.Sight, bool, error) {
	set, err := r.For(game.Name())
	if err != nil {
		return recognise.Sight{}, false, err
	}
	set.Model = model
	n, ok := set.Choose(on.Size)
	if !ok {
		return recognise.Sight{}, false, nil
	}
	sight, err := recognise.Look(ctx, profileEyes{set.Eyes(), plain}, frame, on, game, n.Profile.Levels, r.Deadline)
	switch {
	case ctx.Err() != nil:
		return sight, false, context.Cause(ctx)
	case errors.Is(err, solvers.ErrNoCover):
		return sight, false, fmt.Errorf("profile %s: cover is false: %w", n.Name, err)
	}
	if err != nil {
		r.Log.Info("refused by the profile too", "profile", n.Name, "reason", err)
		return recognise.Sight{}, false, nil
	}
	return sight, true, nil
}
