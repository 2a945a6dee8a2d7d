package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/player"
	"tapwise/cmd/internal/web"
)

// pageJournalFile is where the journal lies: in the user's folder for what
// programs remember.
func pageJournalFile() (string, error) {
	folder := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("journal: %w", err)
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "tapwise", "journal.db"), nil
}

// readPageJournal opens the journal, which must be there.
func readPageJournal(ctx context.Context) (*journal.Journal, error) {
	file, err := pageJournalFile()
	if err != nil {
		return nil, err
	}
	return journal.OpenExisting(ctx, file)
}

// pageRecorder writes what is played from the page into the journal.
type pageRecorder struct {
	journal *journal.Journal
	run     journal.Run
	level   int
	began   time.Time // the attempt
}

// beginPageRun opens the journal and begins a run.
func beginPageRun(ctx context.Context, device phone, o web.Order) (*pageRecorder, error) {
	file, err := pageJournalFile()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	j, err := journal.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	r := &pageRecorder{journal: j, began: time.Now()}
	r.run = journal.Run{Started: r.began, Serial: device.Serial, Model: device.Model, Game: o.Game.Name(), Levels: o.Levels()}
	if err := j.SaveRun(ctx, &r.run); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return r, nil
}

// finish saves how an attempt ended.
func (r *pageRecorder) finish(ctx context.Context, p player.Report, failure error) error {
	r.level++
	a := journal.Attempt{
		Run: r.run.ID, Level: r.level, Started: r.began, Ended: time.Now(), Verdict: journal.Won, Board: p.Board, Rows: p.Rows, Cols: p.Cols, Solution: p.Solution,
		Settle: p.Settle, Read: p.Read, Solve: p.Solve, Play: p.Play, Verify: p.Verify, Captures: p.Captures, Redone: p.Redone, Evidence: p.Evidence,
	}
	switch {
	case failure != nil && ctx.Err() != nil:
		a.Verdict, a.Error = journal.Interrupted, failure.Error()
	case failure != nil:
		a.Verdict, a.Error = journal.Failed, failure.Error()
	}
	r.began = a.Ended
	return r.journal.SaveAttempt(context.WithoutCancel(ctx), &a)
}

// end saves how the run ended, and closes the journal.
func (r *pageRecorder) end(ctx context.Context, failure error) error {
	r.run.Ended, r.run.Outcome = time.Now(), journal.Done
	if failure != nil {
		r.run.Outcome, r.run.Error = journal.RunFailed, failure.Error()
		if ctx.Err() != nil {
			r.run.Outcome = journal.RunInterrupted
		}
	}
	return errors.Join(r.journal.SaveRun(context.WithoutCancel(ctx), &r.run), r.journal.Close())
}

// pageHistory is the journal, as the page wants it. It is opened anew each
// time, so that the page neither makes a journal nor keeps an old one.
type pageHistory struct {
	open func(context.Context) (*journal.Journal, error)
}

// attempts are those of the journal, the newest first.
func (h pageHistory) attempts(ctx context.Context, f journal.Filter) (list []journal.Attempt, err error) {
	j, err := h.open(ctx)
	if errors.Is(err, journal.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	list, err = j.Attempts(ctx, f)
	slices.Reverse(list)
	return list, err
}

// Attempts are those that a filter chooses, the newest first.
func (h pageHistory) Attempts(ctx context.Context, f web.Filter) ([]web.Attempt, error) {
	found, err := h.attempts(ctx, journal.Filter{Serial: f.Serial, Game: f.Game, Verdict: journal.Verdict(f.Verdict), Since: f.Since, Last: f.Limit})
	var list []web.Attempt
	for _, a := range found {
		list = append(list, pageAttempt(a))
	}
	return list, err
}

// Attempt is the one with a number.
func (h pageHistory) Attempt(ctx context.Context, id int64) (web.Attempt, error) {
	found, err := h.attempts(ctx, journal.Filter{})
	if err != nil {
		return web.Attempt{}, err
	}
	for _, a := range found {
		if a.ID == id {
			return pageAttempt(a), nil
		}
	}
	return web.Attempt{}, fmt.Errorf("attempt %d: %w", id, fs.ErrNotExist)
}

func pageAttempt(a journal.Attempt) web.Attempt {
	return web.Attempt{
		ID: a.ID, At: a.Started.UnixMilli(), Serial: a.Serial, Game: a.Game, Level: a.Level, Verdict: string(a.Verdict), Error: a.Error,
		Board: a.Board, Solution: a.Solution, Rows: a.Rows, Cols: a.Cols,
		Read: (a.Settle + a.Read).Seconds(), Solve: a.Solve.Seconds(), Play: (a.Play + a.Verify).Seconds(), Evidence: a.Evidence,
	}
}

var _ web.History = pageHistory{}
