package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/page/web"
)

// history joins the page to the journal. It is opened anew each time, so that the
// page neither makes a journal nor keeps an old one.
type history struct {
	file func() (string, error)
}

// open opens the journal, and returns what closes it.
func (h history) open(ctx context.Context) (*journal.Journal, func() error, error) {
	file, err := h.file()
	if err != nil {
		return nil, nil, err
	}
	j, err := journal.OpenExisting(ctx, file)
	if err != nil {
		return nil, nil, cause.Input(err)
	}
	return j, j.Close, nil
}

// attempts returns attempts of the journal, the newest first.
func (h history) attempts(ctx context.Context, f journal.Filter) (list []journal.Attempt, err error) {
	j, end, err := h.open(ctx)
	if errors.Is(err, journal.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	list, err = j.Attempts(ctx, f)
	slices.Reverse(list)
	return list, err
}

// Attempts returns the attempts that a filter chooses, the newest first.
func (h history) Attempts(ctx context.Context, f web.Filter) ([]web.Attempt, error) {
	found, err := h.attempts(ctx, journal.Filter{Serial: f.Serial, Game: f.Game, Verdict: journal.Verdict(f.Verdict), Since: f.Since, Last: f.Limit})
	var list []web.Attempt
	for _, a := range found {
		list = append(list, webAttempt(a))
	}
	return list, err
}

// Attempt returns the attempt with a number.
func (h history) Attempt(ctx context.Context, id int64) (web.Attempt, error) {
	found, err := h.attempts(ctx, journal.Filter{})
	if err != nil {
		return web.Attempt{}, err
	}
	for _, a := range found {
		if a.ID == id {
			return webAttempt(a), nil
		}
	}
	return web.Attempt{}, fmt.Errorf("attempt %d: %w", id, fs.ErrNotExist)
}

func webAttempt(a journal.Attempt) web.Attempt {
	return web.Attempt{
		ID: a.ID, Run: a.Run, At: a.Started.UnixMilli(), Serial: a.Serial, Game: a.Game, Level: a.Level, Verdict: string(a.Verdict), Unconfirmed: a.Unconfirmed, Error: a.Error,
		Board: a.Board, Solution: a.Solution, Rows: a.Rows, Cols: a.Cols,
		Read: (a.Settle.Duration + a.Read.Duration).Seconds(), Solve: a.Solve.Seconds(), Play: (a.Play.Duration + a.Verify.Duration).Seconds(), Evidence: a.Evidence,
	}
}

var _ web.History = history{}
