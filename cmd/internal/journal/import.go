package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Foreign is an attempt that was made elsewhere, and its run. Names, which nothing else
// has, take the places of their numbers.
type Foreign struct {
	RunName, Name string
	Run           Run
	Attempt       Attempt
}

// importTables remember what was taken in from elsewhere. See outboxTable.
const importTables = `CREATE TABLE IF NOT EXISTS imported_runs (
	name TEXT PRIMARY KEY, -- of the run where it was made
	run  INTEGER NOT NULL REFERENCES runs (id)
) STRICT;
CREATE TABLE IF NOT EXISTS imported (
	name    TEXT PRIMARY KEY, -- of the attempt where it was made
	attempt INTEGER NOT NULL REFERENCES attempts (id)
) STRICT`

// Import takes in attempts that were made elsewhere, all or none; each once, however
// often it comes. When it returns, they are on the disk. A level that was won before in
// its run is one that was won Again.
func (j *Journal) Import(ctx context.Context, all []Foreign) error {
	if _, err := j.db.ExecContext(ctx, importTables); err != nil {
		return j.failed(err)
	}
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return j.failed(err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	for _, f := range all {
		if err := importOne(ctx, tx, f); err != nil {
			return j.failed(fmt.Errorf("take in an attempt at level %d: %w", f.Attempt.Level, explain(err)))
		}
	}
	if err := tx.Commit(); err != nil {
		return j.failed(err)
	}
	return nil
}

func importOne(ctx context.Context, tx *sql.Tx, f Foreign) error {
	var known int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM imported WHERE name = ?", f.Name).Scan(&known); err != nil || known > 0 {
		return err
	}
	run, err := importRun(ctx, tx, f)
	if err != nil {
		return err
	}
	a := f.Attempt
	if err := tx.QueryRowContext(ctx, "SELECT count(*) > 0 FROM attempts WHERE run = ? AND level = ? AND verdict = 'won' AND again = 0", run, a.Level).Scan(&a.Again); err != nil {
		return err
	}
	a.Again = a.Again && a.Verdict == Won
	result, err := tx.ExecContext(ctx, `INSERT INTO attempts (run, level, started, ended, verdict, board, hash, rows, cols, solution,
		settle, read, solve, play, verify, captures, redone, error, evidence, again, unconfirmed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?)`,
		run, a.Level, timeText(a.Started), timeText(a.Ended), string(a.Verdict), a.Board, hashBoard(a.Board), a.Rows, a.Cols, a.Solution,
		seconds(a.Settle), seconds(a.Read), seconds(a.Solve), seconds(a.Play), seconds(a.Verify), a.Captures, a.Redone, a.Error, a.Again, a.Unconfirmed)
	if err != nil {
		return err
	}
	id, err := result.LastInsertId()
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO imported (name, attempt) VALUES (?, ?)", f.Name, id)
	}
	return err
}

// importRun returns the run of an attempt, and makes it for the first. It lasts as long as
// its attempts.
func importRun(ctx context.Context, tx *sql.Tx, f Foreign) (id int64, err error) {
	r := f.Run
	err = tx.QueryRowContext(ctx, "SELECT run FROM imported_runs WHERE name = ?", f.RunName).Scan(&id)
	if err == nil {
		_, err = tx.ExecContext(ctx, "UPDATE runs SET ended = max(ended, ?) WHERE id = ?", timeText(r.Ended), id)
		return id, err
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	result, err := tx.ExecContext(ctx, "INSERT INTO runs (started, ended, serial, model, game, levels, outcome, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		timeText(r.Started), timeText(r.Ended), r.Serial, r.Model, r.Game, r.Levels, string(r.Outcome), r.Error)
	if err != nil {
		return 0, err
	}
	if id, err = result.LastInsertId(); err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO imported_runs (name, run) VALUES (?, ?)", f.RunName, id)
	}
	return id, err
}
