package journal

import (
	"context"
	"database/sql"
	"log/slog"
	"time"
)

// How long a statement waits for a file that another process has locked.
const (
	patience = 10 * time.Second // then it fails with ErrLocked
	notice   = time.Second      // then the log is told, once in a wait

	firstPause   = time.Millisecond
	longestPause = 50 * time.Millisecond
)

// database is the open file. SQLite itself does not wait (busy_timeout is 0): here the
// wait is told and can be cut short.
type database struct {
	*sql.DB
	file string
	log  *slog.Logger // nil: nobody is told
}

func (d database) ExecContext(ctx context.Context, query string, values ...any) (sql.Result, error) {
	return patiently(ctx, d, func() (sql.Result, error) { return d.DB.ExecContext(ctx, query, values...) })
}

func (d database) QueryContext(ctx context.Context, query string, values ...any) (*sql.Rows, error) {
	return patiently(ctx, d, func() (*sql.Rows, error) { return d.DB.QueryContext(ctx, query, values...) })
}

func (d database) BeginTx(ctx context.Context, o *sql.TxOptions) (*sql.Tx, error) {
	return patiently(ctx, d, func() (*sql.Tx, error) { return d.DB.BeginTx(ctx, o) })
}

// one reads the only row of a query; none is sql.ErrNoRows.
func (d database) one(ctx context.Context, to any, query string, values ...any) error {
	_, err := patiently(ctx, d, func() (any, error) { return nil, d.QueryRowContext(ctx, query, values...).Scan(to) })
	return err
}

// patiently does something again while the file is locked. What failed because of a lock
// has changed nothing.
func patiently[T any](ctx context.Context, d database, do func() (T, error)) (T, error) {
	began, told, pause := time.Now(), false, firstPause
	for {
		done, err := do()
		if code(err) != codeBusy {
			return done, err
		}
		waited := time.Since(began)
		if waited >= patience {
			return done, explain(err)
		}
		if waited >= notice && !told && d.log != nil {
			told = true
			d.log.Warn("another process has locked the journal; waiting for it", "file", d.file, "at most", patience)
		}
		select {
		case <-ctx.Done():
			return done, context.Cause(ctx)
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
}
