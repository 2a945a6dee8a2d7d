package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tapwise/adb"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
	"tapwise/cmd/internal/play/phonelock"
	"tapwise/cmd/internal/play/player"
)

// recorder writes one run into the journal: what a player does on one phone.
// Its methods are called from the goroutine that plays.
type recorder struct {
	journal *journal.Journal
	// stop ends the run when the journal cannot be written: nothing may be
	// played that is not remembered.
	stop   context.CancelCauseFunc
	shared *Shared // nil: the run is this phone's alone
	now    func() time.Time

	run     journal.Run     // its ID is 0 until it is saved
	serial  string          // the phone's
	model   string          // likewise
	won     int             // levels, by this process
	asked   int             // how many it was asked for
	refused bool            // the board was not accepted: it was not played
	last    journal.Attempt // the newest of the run; its ID is 0 before the first
	open    bool            // last is being played, by this process
	resumed bool            // last is of a process before this one
	failed  bool            // an attempt of this process says what went wrong
	stopped error           // why stop was called
}

// halt ends the run with an error of what is not the phone's: the journal, or accept.
func (r *recorder) halt(err error) {
	if r.stopped == nil {
		r.stopped = err
	}
	r.stop(err)
}

// ErrUnkept is the error of a level that was won, but could not be remembered.
var ErrUnkept = errors.New("the level was won, but that cannot be kept")

// NoteFailure records a run that failed before a level was looked at, as a failed attempt.
// Fields that the run lacks, such as the game, were not known yet. With resume it belongs to
// the last run of the game on the phone. A run that was interrupted, or refused because of what
// the user asked for or because another process plays on the phone, does not count as begun.
func NoteFailure(ctx context.Context, j *journal.Journal, run journal.Run, resume bool, failure error) error {
	var held *phonelock.HeldError
	var input cause.InputError
	if failure == nil || isInterrupted(failure) || errors.As(failure, &held) || errors.As(failure, &input) || errors.Is(failure, adb.ErrManyDevices) {
		return nil
	}
	r := recorder{journal: j, now: time.Now, run: run}
	r.run.Started = r.now()
	ctx = context.WithoutCancel(ctx)
	if resume {
		if last, ok, err := j.LastRun(ctx, run.Serial, run.Game); err != nil {
			return err
		} else if ok {
			r.run = last
			if err := r.goOn(ctx); err != nil {
				return err
			}
		}
	}
	return r.end(ctx, failure)
}

// isInterrupted reports whether a run ended because somebody wanted it to.
func isInterrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, errTimeUp)
}

// begin starts a run of a number of levels, 0 for all there are. How an attempt
// ended that an earlier process left open on the phone stays unknown.
func (r *recorder) begin(ctx context.Context, device Phone, p *player.Player, levels int) error {
	if err := r.prepare(ctx, device, p, levels); err != nil {
		return err
	}
	return r.saved(ctx)
}

// prepare is begin, but the run is in the journal only when there is something
// to say about it: when a board was read, or a level ended.
func (r *recorder) prepare(ctx context.Context, device Phone, p *player.Player, levels int) error {
	left, err := r.abandon(ctx, device.Serial)
	if err != nil {
		return err
	}
	if left > 0 { // in the middle of a stroke, perhaps
		if err := device.Hand().Lift(ctx); err != nil {
			return cause.Phone(err)
		}
	}
	r.run = journal.Run{Started: r.now(), Serial: device.Serial, Model: device.Model, Game: p.Game.Name(), Levels: levels}
	if r.shared != nil { // how many levels it has in all is the hub's business
		r.serial, r.model, r.asked = device.Serial, device.Model, levels
		r.run.Serial, r.run.Model, r.run.Levels, r.run.Order = "", "", 0, r.shared.Name
	}
	r.record(ctx, p)
	return nil
}

// saved makes sure that the run is in the journal.
func (r *recorder) saved(ctx context.Context) error {
	if r.run.ID != 0 {
		return nil
	}
	return r.journal.SaveRun(ctx, &r.run)
}

// abandon closes the attempts that earlier processes left open on a phone, and
// returns their number.
func (r *recorder) abandon(ctx context.Context, serial string) (int, error) {
	left, err := r.journal.Attempts(ctx, journal.Filter{Serial: serial, Verdict: journal.Started})
	if err != nil {
		return 0, err
	}
	for _, a := range left {
		a.Verdict, a.Ended, a.Error = journal.Unknown, r.now(), "tapwise ended while it played"
		if err := r.journal.SaveAttempt(ctx, &a); err != nil {
			return 0, err
		}
	}
	return len(left), nil
}

// record saves each board before it is played.
func (r *recorder) record(ctx context.Context, p *player.Player) {
	watch := p.Watch
	p.Watch = func(e player.Event) {
		if e.Stage == "read" {
			if err := r.boardRead(ctx, e); err != nil {
				r.halt(err)
			}
		}
		if watch != nil {
			watch(e)
		}
	}
}

// resume goes on with the last run of the game on the phone, under whichever of its names,
// and begins one when there was none. It looks at the screen to find out what became of the level that
// was being played. Levels, when not 0, is how many the run is to have in all. It
// reports false when that run was complete.
func (r *recorder) resume(ctx context.Context, device Phone, p *player.Player, levels int, names []string) (more bool, err error) {
	run, ok, err := lastRun(ctx, r.journal, names, p.Game.Name())
	if err != nil {
		return false, err
	}
	if !ok {
		return true, r.begin(ctx, device, p, levels)
	}
	if levels == 0 {
		levels = run.Levels
	}
	r.run = run
	if run.Outcome == journal.Done && levels == run.Levels {
		return false, nil
	}
	if err := r.goOn(ctx); err != nil {
		return false, err
	}
	// Whoever played before may have ended in the middle of a stroke.
	if err := device.Hand().Lift(ctx); err != nil {
		return false, cause.Phone(err)
	}
	if r.last.Verdict == journal.Started {
		if err := r.resolve(ctx, p); err != nil {
			return false, err
		}
	}
	for _, name := range names {
		if _, err := r.abandon(ctx, name); err != nil {
			return false, err
		}
	}
	r.run.Levels, r.run.Outcome, r.run.Ended, r.run.Error = levels, journal.Running, time.Time{}, ""
	r.record(ctx, p)
	return true, r.journal.SaveRun(ctx, &r.run)
}

// goOn finds where a run stood: at the attempt that was left open or, if none was, at the
// last one whose board was read. What failed without a board says nothing of that.
func (r *recorder) goOn(ctx context.Context) error {
	attempts, err := r.journal.Attempts(ctx, journal.Filter{Run: r.run.ID})
	for _, a := range attempts {
		if r.last.Verdict != journal.Started && (a.Board != "" || r.last.ID == 0) {
			r.last, r.resumed = a, true
		}
	}
	return err
}

// resolve decides on the attempt that was left open.
func (r *recorder) resolve(ctx context.Context, p *player.Player) error {
	standing, err := p.Standing(ctx, r.last.Board, r.last.Solution)
	if err != nil {
		return err
	}
	r.last.Error = "tapwise ended while it played; "
	switch standing {
	case player.Complete:
		r.last.Verdict, r.last.Error = journal.Won, ""
	case player.Open:
		r.last.Verdict = journal.Interrupted
		r.last.Error += "the level is still on the screen"
	default:
		r.last.Verdict = journal.Unknown
		r.last.Error += "the level is not on the screen any more"
	}
	r.last.Ended = r.now()
	return r.journal.SaveAttempt(ctx, &r.last)
}

// remaining returns how many levels are still to be won; 0 with more true is all
// there are.
func (r *recorder) remaining(ctx context.Context) (levels int, more bool, err error) {
	if r.shared != nil {
		return r.asked - r.won, r.won < r.asked, nil
	}
	if r.run.Levels == 0 {
		return 0, true, nil
	}
	won, err := r.journal.LevelsWon(ctx, r.run.ID)
	return max(0, r.run.Levels-won), won < r.run.Levels, err
}

// boardRead saves that a board is about to be played.
func (r *recorder) boardRead(ctx context.Context, e player.Event) error {
	board, solution := e.Puzzle.String(), e.Solution.String()
	if r.shared != nil {
		if err := r.shared.Accept(board); err != nil {
			r.refused = true
			return err
		}
	}
	if err := r.saved(ctx); err != nil {
		return err
	}
	if r.open {
		if r.last.Board == board && r.last.Solution == solution {
			return nil // looked at again, before it was played
		}
		if r.last.Board != board {
			r.last.Verdict, r.last.Error, r.last.Ended = journal.Interrupted, "another board came", r.now()
			if err := r.journal.SaveAttempt(ctx, &r.last); err != nil {
				return err
			}
			r.start(board)
		}
	} else {
		r.start(board)
	}
	r.last.Solution = solution
	r.last.Rows, r.last.Cols = e.Seen.Layout.Rows, e.Seen.Layout.Cols
	return r.journal.SaveAttempt(ctx, &r.last)
}

// start begins an attempt. It is one at the level of the attempt before when that
// was not won and had this board, or a board that could not be read; an order says itself
// which level it is.
func (r *recorder) start(board string) {
	before := r.last
	r.last = journal.Attempt{Run: r.run.ID, Level: before.Level + 1, Serial: r.serial, Model: r.model, Started: r.now(), Verdict: journal.Started, Record: attempt.Record{Board: board}}
	same := before.ID != 0 && (before.Board == board || before.Board == "")
	switch {
	case r.shared != nil:
		r.last.Level = r.shared.Number(board)
	case same && before.Verdict != journal.Won:
		r.last.Level = before.Level
	case same && r.resumed:
		// This process did not leave the panel of the level that was won, so
		// this is no other level that looks the same.
		r.last.Level, r.last.Again = before.Level, true
	}
	r.open, r.resumed = true, false
}

// finish saves how an attempt ended; failure is nil when the level was won.
func (r *recorder) finish(ctx context.Context, report player.Report, failure error) error {
	if r.refused && !r.open {
		return nil
	}
	if err := r.saved(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if !r.open {
		r.start(report.Board)
		r.last.Solution, r.last.Rows, r.last.Cols = report.Solution, report.Rows, report.Cols
	}
	r.open, r.failed = false, r.failed || failure != nil
	switch {
	case failure == nil:
		r.last.Verdict = journal.Won
	case ctx.Err() != nil:
		r.last.Verdict, r.last.Error = journal.Interrupted, wording.Of(failure)
	default:
		r.last.Verdict, r.last.Error = journal.Failed, wording.Of(failure)
	}
	r.last.Ended = r.now()
	told := report.Record
	told.Board, told.Solution, told.Rows, told.Cols = r.last.Board, r.last.Solution, r.last.Rows, r.last.Cols // as it was when it began
	if failure != nil {
		told.Unconfirmed = ""
	}
	r.last.Record, r.last.Evidence = told, report.Evidence
	err := r.journal.SaveAttempt(context.WithoutCancel(ctx), &r.last)
	if r.shared != nil && errors.Is(err, journal.ErrWonTwice) { // on another phone
		r.last.Again = true
		err = r.journal.SaveAttempt(context.WithoutCancel(ctx), &r.last)
	}
	if err == nil && r.last.Verdict == journal.Won {
		r.won++
	}
	return err
}

// keep saves how an attempt ended and returns how: a level that was won, but not kept, was
// not won for the user.
func (r *recorder) keep(ctx context.Context, report player.Report, failure error) error {
	err := r.finish(ctx, report, failure)
	switch {
	case err == nil:
		return failure
	case failure == nil:
		failure = cause.Input(fmt.Errorf("%w: %w", ErrUnkept, err))
	case r.stopped == nil:
		failure = fmt.Errorf("%w; that cannot be kept: %w", failure, err)
	}
	r.halt(failure)
	return failure
}

// close ends the run with an error, or nil, and returns it. Where the journal cannot be
// written that is said once.
func (r *recorder) close(ctx context.Context, failure error) error {
	if err := r.end(ctx, failure); err != nil && !sameDisk(failure, err) {
		return errors.Join(failure, err)
	}
	return failure
}

// sameDisk reports whether two errors say the same of the journal's file.
func sameDisk(a, b error) bool {
	for _, is := range []error{journal.ErrFull, journal.ErrDisk, journal.ErrLocked, journal.ErrReadOnly, journal.ErrDamaged} {
		if errors.Is(a, is) && errors.Is(b, is) {
			return true
		}
	}
	return false
}

// end saves how the run ended; failure is nil when it did what was asked. A run that failed
// between levels, or before the first, leaves an attempt that says so: failures are counted
// by attempts.
func (r *recorder) end(ctx context.Context, failure error) error {
	ctx = context.WithoutCancel(ctx)
	r.run.Ended, r.run.Outcome = r.now(), journal.Done
	if failure != nil {
		r.run.Outcome, r.run.Error = journal.RunFailed, wording.Of(failure)
		if isInterrupted(failure) {
			r.run.Outcome = journal.RunInterrupted
		}
	}
	if err := r.journal.SaveRun(ctx, &r.run); err != nil {
		return fmt.Errorf("%w; the run was not closed", err)
	}
	if r.run.Outcome != journal.RunFailed || r.failed || r.refused {
		return nil
	}
	a := journal.Attempt{Run: r.run.ID, Level: r.last.Level + 1, Serial: r.serial, Model: r.model, Started: r.run.Ended, Ended: r.run.Ended, Verdict: journal.Failed, Error: failure.Error()}
	switch {
	case r.shared != nil:
		a.Level = r.shared.Number("")
	case r.last.ID != 0 && r.last.Verdict != journal.Won:
		a.Level = r.last.Level
	}
	return r.journal.SaveAttempt(ctx, &a)
}
