package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// SaveRun writes a run. A run whose ID is 0 is a new one, and gets an ID; an order's has the
// ID of what the journal has of that order already. When SaveRun returns, the run is on the
// disk.
func (j *Journal) SaveRun(ctx context.Context, r *Run) error {
	if r.Order != "" {
		id, err := saveOrdered(ctx, j.db, r)
		if err != nil {
			return j.failed(fmt.Errorf("save what is played of order %s: %w", r.Order, explain(err)))
		}
		r.ID = id
		return nil
	}
	values := []any{timeText(r.Started), timeText(r.Ended), r.Serial, r.Model, r.Game, r.Levels, string(r.Outcome), r.Error}
	id, err := j.save(ctx, "runs", "started, ended, serial, model, game, levels, outcome, error", r.ID, values)
	if err != nil {
		return j.failed(fmt.Errorf("save a run of %s on %s: %w", r.Game, r.Serial, explain(err)))
	}
	r.ID = id
	return nil
}

// executor is a database, or a transaction in it.
type executor interface {
	ExecContext(ctx context.Context, query string, values ...any) (sql.Result, error)
	one(ctx context.Context, to any, query string, values ...any) error
}

// saveOrdered writes the run of an order, of which several phones, and processes, may know a
// part: it begins with the first and ends with the last.
func saveOrdered(ctx context.Context, to executor, r *Run) (id int64, err error) {
	_, err = to.ExecContext(ctx, `INSERT INTO runs (started, ended, serial, model, game, levels, outcome, error, ordered) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (ordered) WHERE ordered <> '' DO UPDATE SET
		started = min(started, excluded.started), ended = max(ended, excluded.ended), outcome = excluded.outcome, error = excluded.error`,
		timeText(r.Started), timeText(r.Ended), r.Serial, r.Model, r.Game, r.Levels, string(r.Outcome), r.Error, r.Order)
	if err == nil {
		err = to.one(ctx, &id, "SELECT id FROM runs WHERE ordered = ?", r.Order)
	}
	return id, err
}

// SaveAttempt writes an attempt. An attempt whose ID is 0 is a new one, and gets
// an ID. When SaveAttempt returns, the attempt is on the disk. It fails with
// ErrWonTwice if the attempt is won, does not say Again, and the level was won
// before in this run.
func (j *Journal) SaveAttempt(ctx context.Context, a *Attempt) error {
	a.Hash = hashBoard(a.Board)
	values := []any{a.Run, a.Level, timeText(a.Started), timeText(a.Ended), string(a.Verdict), a.Board, a.Hash, a.Rows, a.Cols, a.Solution,
		seconds(a.Settle.Duration), seconds(a.Read.Duration), seconds(a.Solve.Duration), seconds(a.Play.Duration), seconds(a.Verify.Duration), a.Captures, a.Redone, a.Error, a.Evidence, a.Again, a.Unconfirmed, a.Serial, a.Model}
	id, err := j.save(ctx, "attempts",
		"run, level, started, ended, verdict, board, hash, rows, cols, solution, settle, read, solve, play, verify, captures, redone, error, evidence, again, unconfirmed, serial, model", a.ID, values)
	if err != nil {
		return j.failed(fmt.Errorf("save an attempt at level %d of run %d: %w", a.Level, a.Run, explain(err)))
	}
	a.ID = id
	return nil
}

// save inserts a row, or updates the one that has the id.
func (j *Journal) save(ctx context.Context, table, columns string, id int64, values []any) (int64, error) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	if id == 0 {
		result, err := j.db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, columns, marks), values...)
		if err != nil {
			return 0, err
		}
		return result.LastInsertId()
	}
	result, err := j.db.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET (%s) = (%s) WHERE id = ?", table, columns, marks), append(values, id)...)
	if err != nil {
		return 0, err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return 0, errors.Join(fmt.Errorf("%s has no row %d", table, id), err)
	}
	return id, nil
}

const selectRuns = "SELECT id, started, ended, serial, model, game, levels, outcome, error, ordered FROM runs "

// LastRun returns the newest run of a game on a phone, of any game if that is
// empty; ok is false when there is none. Runs that ended before their game was known are
// left out, and so are orders of the fleet's, with which no phone goes on by itself.
func (j *Journal) LastRun(ctx context.Context, serial, game string) (r Run, ok bool, err error) {
	runs, err := j.runs(ctx, selectRuns+"WHERE serial = ? AND game <> '' AND ? IN (game, '') ORDER BY id DESC LIMIT 1", serial, game)
	if err != nil || len(runs) == 0 {
		return Run{}, false, err
	}
	return runs[0], true, nil
}

// Runs returns all runs, the oldest first.
func (j *Journal) Runs(ctx context.Context) ([]Run, error) {
	return j.runs(ctx, selectRuns+"ORDER BY id")
}

func (j *Journal) runs(ctx context.Context, query string, values ...any) ([]Run, error) {
	rows, err := j.db.QueryContext(ctx, query, values...)
	if err != nil {
		return nil, j.failed(err)
	}
	defer rows.Close()
	var runs []Run
	for rows.Next() {
		var r Run
		var started, ended, outcome string
		if err := rows.Scan(&r.ID, &started, &ended, &r.Serial, &r.Model, &r.Game, &r.Levels, &outcome, &r.Error, &r.Order); err != nil {
			return nil, j.failed(err)
		}
		r.Outcome = Outcome(outcome)
		var err1, err2 error
		r.Started, err1 = parseTime(started)
		r.Ended, err2 = parseTime(ended)
		if err := errors.Join(err1, err2); err != nil {
			return nil, j.failed(fmt.Errorf("run %d: %w", r.ID, err))
		}
		runs = append(runs, r)
	}
	if err := rows.Err(); err != nil {
		return nil, j.failed(err)
	}
	return runs, nil
}

const selectAttempts = `SELECT a.id, a.run, a.level, CASE a.serial WHEN '' THEN r.serial ELSE a.serial END, CASE a.serial WHEN '' THEN r.model ELSE a.model END, r.game, r.ordered, a.started, a.ended, a.verdict, a.board, a.hash, a.rows, a.cols, a.solution,
	a.settle, a.read, a.solve, a.play, a.verify, a.captures, a.redone, a.error, a.evidence, a.again, a.unconfirmed
	FROM attempts a JOIN runs r ON r.id = a.run `

// Attempts returns the attempts that a filter chooses, the oldest first.
func (j *Journal) Attempts(ctx context.Context, f Filter) ([]Attempt, error) {
	conditions := []string{"1"}
	var values []any
	where := func(condition string, value any) {
		conditions = append(conditions, condition)
		values = append(values, value)
	}
	if f.Run != 0 {
		where("a.run = ?", f.Run)
	}
	if f.Serial != "" {
		where("CASE a.serial WHEN '' THEN r.serial ELSE a.serial END = ?", f.Serial)
	}
	if f.Game != "" {
		where("r.game = ?", f.Game)
	}
	if f.Verdict != "" {
		where("a.verdict = ?", string(f.Verdict))
	}
	if !f.Since.IsZero() {
		where("a.started >= ?", timeText(f.Since))
	}
	last := -1 // no limit
	if f.Last > 0 {
		last = f.Last
	}
	query := selectAttempts + "WHERE " + strings.Join(conditions, " AND ") + " ORDER BY a.id DESC LIMIT ?"
	rows, err := j.db.QueryContext(ctx, "SELECT * FROM ("+query+") ORDER BY 1", append(values, last)...)
	if err != nil {
		return nil, j.failed(err)
	}
	defer rows.Close()
	var attempts []Attempt
	for rows.Next() {
		a, err := scanAttempt(rows)
		if err != nil {
			return nil, j.failed(err)
		}
		attempts = append(attempts, a)
	}
	if err := rows.Err(); err != nil {
		return nil, j.failed(err)
	}
	return attempts, nil
}

func scanAttempt(rows *sql.Rows) (Attempt, error) {
	var a Attempt
	var started, ended, verdict string
	var settle, read, solve, play, verify float64
	if err := rows.Scan(&a.ID, &a.Run, &a.Level, &a.Serial, &a.Model, &a.Game, &a.Order, &started, &ended, &verdict, &a.Board, &a.Hash, &a.Rows, &a.Cols, &a.Solution,
		&settle, &read, &solve, &play, &verify, &a.Captures, &a.Redone, &a.Error, &a.Evidence, &a.Again, &a.Unconfirmed); err != nil {
		return a, err
	}
	a.Verdict = Verdict(verdict)
	a.Settle.Duration, a.Read.Duration, a.Solve.Duration, a.Play.Duration, a.Verify.Duration = duration(settle), duration(read), duration(solve), duration(play), duration(verify)
	var err1, err2 error
	a.Started, err1 = parseTime(started)
	a.Ended, err2 = parseTime(ended)
	if err := errors.Join(err1, err2); err != nil {
		return a, fmt.Errorf("attempt %d: %w", a.ID, err)
	}
	return a, nil
}

// LevelsWon returns the number of levels won in a run.
func (j *Journal) LevelsWon(ctx context.Context, run int64) (int, error) {
	var n int
	err := j.db.one(ctx, &n, "SELECT count(*) FROM attempts WHERE run = ? AND verdict = 'won' AND again = 0", run)
	if err != nil {
		return 0, j.failed(err)
	}
	return n, nil
}
