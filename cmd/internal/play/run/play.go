package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// Order says how much of a game Clear is to play.
type Order struct {
	Levels int  // to win; 0: until there are no more
	Resume bool // go on with the last run of the game on the phone
	// Keep, when set, is called after each level that was won and left no evidence.
	// It returns the folder in which it keeps something of the level, for the
	// journal; empty for none.
	Keep func(game string) (folder string)
	// Shared, when set, says that the levels are a part of an order of the fleet's.
	Shared *Shared
}

// Shared is an order that several phones play: it is one run in the journal, with the order's
// numbers of its levels.
type Shared struct {
	Name string // of the order
	// Accept is called for each board that was read and solved, before it is touched or
	// recorded, and again when it is looked at again. An error ends the run.
	Accept func(board string) error
	// Number says which level a board is, or is most likely to be that could not be read.
	Number func(board string) int
}

// Progress is told how Clear comes along, from the goroutine that plays.
type Progress interface {
	// Begin reports how many levels the run is for (0: until there are no more) and how many of
	// them are won. It may come more than once.
	Begin(levels, won int)
	// Level reports how a level ended, and its number in the run; failure is nil if it was won.
	// An error ends the run after the levels under way.
	Level(number int, report player.Report, failure error) error
	// Complete tells that the run to resume, of that number, has won its levels.
	Complete(run int64)
	// NoMore tells that the app has no more levels.
	NoMore()
}

// Preview reads and solves the level on the screen and returns the adb commands
// that would play it. Nothing is touched. The error is [player.ErrComplete] when
// the level is won already.
func (r *Run) Preview(ctx context.Context) (player.Report, []string, error) {
	report, plan, err := r.Player.Preview(ctx)
	if err != nil {
		return report, nil, r.tellOther(ctx, err)
	}
	lines, err := r.Phone.CommandLines(ctx, plan)
	return report, lines, err
}

// Play plays the level on the screen, and records it in the journal before and after. Then it
// calls done; failure is nil if the level was won, and the journal knows. If the level was won
// before, the error is [player.ErrComplete], and done is not called.
func (r *Run) Play(ctx context.Context, j *journal.Journal, done func(report player.Report, failure error) error) (player.Report, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rec := &recorder{journal: j, stop: stop, now: time.Now}
	if err := rec.prepare(ctx, r.Phone, r.Player, 1); err != nil {
		return player.Report{}, rec.close(ctx, err)
	}
	report, err := r.Player.Level(ctx)
	if errors.Is(err, player.ErrComplete) {
		return report, err
	}
	err = r.tellOther(ctx, err)
	err = rec.close(ctx, rec.keep(ctx, report, err))
	if rec.stopped != nil {
		err = rec.stopped
	}
	if doneErr := done(report, err); doneErr != nil {
		return report, doneErr
	}
	return report, err
}

// errTimeUp is how a run ends that began no more level because of the player's
// Limit. It did what was asked for, but can be resumed.
var errTimeUp = errors.New("the time is up")

// Clear plays level after level, and records each in the journal before and after. It ends when
// the levels ordered are won, the player's Limit is up, none is left or one fails.
func (r *Run) Clear(ctx context.Context, j *journal.Journal, o Order, progress Progress) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rec := &recorder{journal: j, stop: stop, shared: o.Shared, now: time.Now}
	if o.Resume {
		more, err := rec.resume(ctx, r.Phone, r.Player, o.Levels, r.opener.names(ctx, r.Phone.Serial))
		if err != nil {
			return rec.close(ctx, err)
		}
		if !more {
			progress.Complete(rec.run.ID)
			return nil
		}
	} else if err := rec.begin(ctx, r.Phone, r.Player, o.Levels); err != nil {
		return rec.close(ctx, err)
	}
	err := rec.close(ctx, r.levels(ctx, rec, o, progress))
	switch {
	case rec.stopped != nil:
		return rec.stopped // what else failed, failed because of it
	case errors.Is(err, errTimeUp):
		return nil // as asked for
	}
	return r.tellOther(ctx, err)
}

// OtherGameError is the failure of a run of one game on a screen that shows another.
type OtherGameError struct {
	Asked, Seen string // names of games
	Err         error
}

func (e *OtherGameError) Error() string {
	return fmt.Sprintf("the screen shows %s, not %s: %v", e.Seen, e.Asked, e.Err)
}

// Unwrap returns how the game that was asked for failed.
func (e *OtherGameError) Unwrap() error { return e.Err }

// tellOther looks whether a screen that could not be read shows a level of another game.
func (r *Run) tellOther(ctx context.Context, err error) error {
	if !errors.Is(err, player.ErrUnreadable) || ctx.Err() != nil {
		return err
	}
	frame, on, failed := r.Phone.Capture(ctx)
	if failed != nil {
		return err
	}
	reader := r.opener.Reader()
	reader.Game, reader.Asked = "", ""
	sight, failed := reader.Frame(ctx, frame, on, nil, r.Phone.Model)
	if failed != nil || sight.Game.Name() == r.Player.Game.Name() {
		return err
	}
	return &OtherGameError{Asked: r.Player.Game.Name(), Seen: sight.Game.Name(), Err: err}
}

// levels plays what is left of a run.
func (r *Run) levels(ctx context.Context, rec *recorder, o Order, progress Progress) error {
	p := r.Player
	var failure error // of what is done after a level
	began := time.Now()
	for {
		levels, more, err := rec.remaining(ctx)
		if err != nil || !more {
			return err
		}
		progress.Begin(rec.run.Levels, rec.run.Levels-levels)
		won, err := p.Clear(ctx, levels, func(report player.Report, levelErr error) {
			if levelErr == nil && report.Evidence == "" && o.Keep != nil {
				report.Evidence = o.Keep(report.Game)
			}
			levelErr = rec.keep(ctx, report, levelErr)
			failure = errors.Join(failure, progress.Level(rec.last.Level, report, levelErr))
		})
		// A level that was won before does not count: then one is still missing.
		err = errors.Join(err, failure)
		switch {
		case err != nil:
			return err
		case p.Limit > 0 && time.Since(began) >= p.Limit && (levels == 0 || won < levels):
			return errTimeUp
		case levels == 0 || won < levels:
			if p.NoMore() {
				progress.NoMore()
			}
			return nil
		}
	}
}

// LastGame returns the game of the last run on a phone, nil when there was none.
func (o Opener) LastGame(ctx context.Context, j *journal.Journal, serial string) (solvers.Game, error) {
	last, ok, err := lastRun(ctx, j, o.names(ctx, serial), "")
	if err != nil || !ok {
		return nil, err
	}
	return all.ByName(last.Game)
}

// names are those that a phone has now, under each of which it may have been played on.
func (o Opener) names(ctx context.Context, serial string) []string {
	if client, err := o.Client(); err == nil {
		phones, _ := client.Phones(ctx) // a server that is away is told of when the phone is opened
		for _, p := range phones {
			if p.Called(serial) != "" {
				return p.Names
			}
		}
	}
	return []string{serial}
}

// lastRun is the last run of a game, any if it is empty, on a phone with these names.
func lastRun(ctx context.Context, j *journal.Journal, names []string, game string) (last journal.Run, ok bool, err error) {
	for _, name := range names {
		run, found, err := j.LastRun(ctx, name, game)
		if err != nil {
			return run, false, err
		}
		if found && run.ID > last.ID {
			last, ok = run, true
		}
	}
	return last, ok, nil
}
