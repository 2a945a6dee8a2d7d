package run

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"time"

	"tapwise/adb"
	"tapwise/calibration"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/eyes/overlay"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
)

// Opener holds the settings by which runs are opened.
type Opener struct {
	ADB adb.Config
	// Unusable is why the settings name no adb server; nil where they do.
	Unusable error
	Profiles profiles.Store
	Timing   calibration.Timing
	// Evidence is the folder in which levels that fail leave what was seen; empty
	// is the usual one.
	Evidence string
	// Command is what others are told who want a phone that is held.
	Command string
	// Hint says what a person can do about an error; nil says nothing.
	Hint func(error) string
	Log  *slog.Logger
}

// Help returns what a person can do about an error; empty where there is nothing to say.
func (o Opener) Help(err error) string {
	if o.Hint == nil {
		return ""
	}
	return o.Hint(err)
}

// Target says where to play and what.
type Target struct {
	Serial string // empty: the only phone there is
	// Game is nil for the game of the profile asked for or, where none was, the
	// game on the phone's screen.
	Game solvers.Game
	Wake Waking
}

// Waking says what to do about a phone that is asleep or locked.
type Waking int

// The ways to treat a phone that is asleep or locked.
const (
	AsItIs      Waking = iota // its screen is looked at, whatever it shows
	MustBeAwake               // it is refused
	WakeIt                    // it is woken; one that is locked is refused
)

// Run is a game that is played on a phone. Its Player may be set up further
// before anything is played.
type Run struct {
	Phone  Phone
	Player *player.Player

	opener   Opener
	giveBack func()       // what was changed on the phone; nil is nothing
	release  func() error // the phone; nil when it is not held
}

// Open finds the phone, the game and the profile that fits them. It changes nothing on the
// phone, except that it wakes it if the target says so.
func (o Opener) Open(ctx context.Context, t Target) (*Run, error) {
	game := t.Game
	if game == nil {
		var err error
		if game, err = o.Profiles.AskedGame(); err != nil {
			return nil, err
		}
	}
	phone, err := o.Phone(ctx, t.Serial, t.Wake)
	if err != nil {
		return nil, err
	}
	if game == nil {
		if game, err = o.gameOn(ctx, phone); err != nil {
			return nil, err
		}
	}
	timing, err := o.useProfile(ctx, &phone, game)
	if err != nil {
		return nil, err
	}
	evidence, err := places.Evidence(o.Evidence)
	if err != nil {
		return nil, err
	}
	return &Run{Phone: phone, opener: o, Player: &player.Player{
		Device:   phone,
		Eyes:     phone.profiles.Eyes(),
		Game:     game,
		Timing:   timing,
		Profile:  phone.profiles.Profile,
		Evidence: evidence,
		Picture:  overlay.Draw,
		Commands: func(plan []screen.Gesture) []string {
			lines, err := phone.CommandLines(ctx, plan)
			if err != nil {
				return []string{err.Error()}
			}
			return lines
		},
		Log: o.Log,
	}}, nil
}

// Reader returns a reader of boards by the settings.
func (o Opener) Reader() profiles.Reader {
	return profiles.Reader{Store: o.Profiles, Deadline: o.Timing.SolveDeadline, Log: o.Log}
}

// gameOn returns the game whose level is on the phone's screen. Where no level is
// recognised, it is the first game: the player will say what it sees.
func (o Opener) gameOn(ctx context.Context, phone Phone) (solvers.Game, error) {
	// An app that is just starting, or an animation, is given a little time.
	const looks = 3
	var err error
	for range looks {
		var frame *image.RGBA
		var on screen.Frame
		if frame, on, err = phone.Capture(ctx); err == nil {
			var sight recognise.Sight
			sight, err = o.Reader().Frame(ctx, frame, on, nil, phone.Model)
			if err == nil || sight.Place.Kind == screen.Won {
				return sight.Game, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(o.Timing.SettleInterval):
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if errors.Is(err, player.ErrMismatch) { // nothing can be played, whatever it is
		return nil, cause.Phone(err)
	}
	o.Log.Warn("which game is on the screen could not be told; say it with --game", "error", err)
	return all.Games()[0], nil
}

// useProfile lets the phone be played on by the profile that fits it, captured and
// touched in the ways that were measured to be best, and returns the timing that
// the app needs. Where no profile fits, the phone stays as it is.
func (o Opener) useProfile(ctx context.Context, phone *Phone, game solvers.Game) (calibration.Timing, error) {
	set, err := o.Profiles.For(game.Name())
	if err != nil {
		return o.Timing, err
	}
	set.Model = phone.Model
	phone.profiles = set
	on, err := phone.Screen(ctx)
	if err != nil {
		return o.Timing, cause.Phone(err)
	}
	n, ok := set.Choose(on.Current)
	if !ok {
		if asked, ok := set.Asked(); ok {
			return o.Timing, cause.Inputf("--profile %s: for frames of %s, expected the shape of the phone's %s", asked.Name,
				calibration.SizeOf(asked.Profile.Phone.Frame), calibration.SizeOf(on.Current))
		}
		return o.Timing, nil
	}
	p := n.Profile
	o.Log.Info("calibrated", "profile", n.Name, "file", n.File)
	if p.Capture != "" && (o.ADB.Capture == "" || o.ADB.Capture == adb.Stream) {
		if err := phone.UseMethod(adb.Method(p.Capture)); err != nil {
			return o.Timing, cause.Input(err)
		}
	}
	if p.Input != "" {
		if err := phone.Hand().UseInput(ctx, p.Input, false); err != nil {
			if ctx.Err() != nil || adb.Reconnectable(err) {
				return o.Timing, cause.Phone(fmt.Errorf("profile %s: %w", n.Name, err))
			}
			o.withoutComfort(phone.Serial, "the phone is not touched in the way of the profile "+n.Name, err)
		}
	}
	return o.Timing.For(p.Settle), nil
}
