package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// Foreign is an attempt of an order's run that was made elsewhere. Its name, which nothing
// else has, takes the place of its number.
type Foreign struct {
	Name    string
	Run     Run
	Attempt Attempt
}

// importTable remembers what was taken in from elsewhere. See outboxTable.
const importTable = `CREATE TABLE IF NOT EXISTS imported (
	name    TEXT PRIMARY KEY, -- of the attempt where it was made
	attempt INTEGER NOT NULL REFERENCES attempts (id)
) STRICT`

// Import takes in attempts that were made elsewhere, all or none; each once, however
// often it comes. When it returns, they are on the disk. A level that was won before in
// its run is one that was won Again.
func (j *Journal) Import(ctx context.Context, all []Foreign) error {
	if _, err := j.db.ExecContext(ctx, importTable); err != nil {
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
	run, err := saveOrdered(ctx, transaction{tx}, &f.Run)
	if err != nil {
		return err
	}
	a := f.Attempt
	if err := tx.QueryRowContext(ctx, "SELECT count(*) > 0 FROM attempts WHERE run = ? AND level = ? AND verdict = 'won' AND again = 0", run, a.Level).Scan(&a.Again); err != nil {
		return err
	}
	a.Again = a.Again && a.Verdict == Won
	result, err := tx.ExecContext(ctx, `INSERT INTO attempts (run, level, started, ended, verdict, board, hash, rows, cols, solution,
		settle, read, solve, play, verify, captures, redone, error, evidence, again, unconfirmed, serial, model) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
		run, a.Level, timeText(a.Started), timeText(a.Ended), string(a.Verdict), a.Board, hashBoard(a.Board), a.Rows, a.Cols, a.Solution,
		seconds(a.Settle.Duration), seconds(a.Read.Duration), seconds(a.Solve.Duration), seconds(a.Play.Duration), seconds(a.Verify.Duration), a.Captures, a.Redone, a.Error, a.Again, a.Unconfirmed, a.Serial, a.Model)
	if err != nil {
		return err
	}
	id, err := result.LastInsertId()
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO imported (name, attempt) VALUES (?, ?)", f.Name, id)
	}
	return err
}

// transaction is an executor.
type transaction struct{ *sql.Tx }

func (t transaction) one(ctx context.Context, to any, query string, values ...any) error {
	return t.QueryRowContext(ctx, query, values...).Scan(to)
}
