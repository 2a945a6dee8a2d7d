package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"time"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/journal/attempt"
)

// Verdict is how an attempt ended.
type Verdict string

// The verdicts.
const (
	Started     Verdict = "started"     // not over: it is being played, or its process died
	Won         Verdict = "won"         // the screen said so, or Unconfirmed says why that is not certain
	Failed      Verdict = "failed"      // Error says why
	Interrupted Verdict = "interrupted" // stopped by a person or a crash before it was won
	Unknown     Verdict = "unknown"     // its process died, and nobody can tell whether it was won
)

// Verdicts returns all of them.
func Verdicts() []Verdict { return []Verdict{Started, Won, Failed, Interrupted, Unknown} }

// Outcome is how a run ended.
type Outcome string

// The outcomes.
const (
	Running        Outcome = ""            // under way, or its process died
	Done           Outcome = "done"        // all levels asked for are won, or there were no more
	RunFailed      Outcome = "failed"      // Error says why
	RunInterrupted Outcome = "interrupted" // by a person, or its time was up
)

// Run is one phone clearing levels of one game, or what was played of an order of the
// fleet's, on however many phones.
type Run struct {
	ID      int64     `json:"run"` // given by the journal
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"` // zero while it runs
	Serial  string    `json:"serial"`         // the phone's adb name; empty for an order's, whose attempts name the phones
	Model   string    `json:"model"`          // likewise
	Game    string    `json:"game"`
	Levels  int       `json:"levels"` // how many were to be won; 0: all there are
	Outcome Outcome   `json:"outcome"`
	Error   string    `json:"error,omitempty"`
	// Order is the fleet's name of the order that was played; empty for what was not ordered
	// there. An order has one run in a journal, which lasts as long as its attempts.
	Order string `json:"order,omitempty"`
}

// Attempt is one try at a level.
type Attempt struct {
	ID    int64 `json:"attempt"` // given by the journal
	Run   int64 `json:"run"`
	Level int   `json:"level"` // its number in the run, from 1, or in the pack of an order; all tries at a level have the same

	Serial string `json:"serial"` // the phone's; empty in SaveAttempt is the run's
	Model  string `json:"model"`  // likewise
	// These are the run's; SaveAttempt ignores them.
	Game  string `json:"game"`
	Order string `json:"order,omitempty"`

	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"` // zero while it is not over
	Verdict Verdict   `json:"verdict"`
	attempt.Record
	Hash     string `json:"hash,omitempty"`  // hashBoard of the board, filled in by SaveAttempt
	Again    bool   `json:"again,omitempty"` // the level had been won in this run before: it counts once
	Error    string `json:"error,omitempty"`
	Evidence string `json:"evidence,omitempty"` // a folder
}

// hashBoard returns a name for a board, 16 hexadecimal digits long, by which
// tries at the same level are easily found. The empty board has the empty name.
func hashBoard(board string) string {
	if board == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(board))
	return hex.EncodeToString(sum[:8])
}

// Filter chooses attempts; its zero value takes all of them.
type Filter struct {
	Run     int64
	Serial  string
	Game    string
	Verdict Verdict
	Since   time.Time // begun then or later
	Last    int       // the number of newest attempts to take; 0: all
}

// Journal is an open file. It is safe for concurrent use, also by several
// processes.
type Journal struct {
	db   database
	file string // its name in errors
	copy string // the folder of a copy, which Close removes; empty for the file itself
}

// ErrNone is the error of OpenExisting when there is no journal.
var ErrNone = errors.New("there is no journal yet")

// Opener opens journals. Its zero value is ready to use.
type Opener struct {
	Log *slog.Logger // is told of a wait for another process; nil: nobody is
}

// Open opens a journal with the zero [Opener].
func Open(ctx context.Context, file string) (*Journal, error) { return Opener{}.Open(ctx, file) }

// OpenExisting opens a journal for reading with the zero [Opener].
func OpenExisting(ctx context.Context, file string) (*Journal, error) {
	return Opener{}.OpenExisting(ctx, file)
}

// Open opens a journal, makes it if there is none, and brings its schema up to date. A file
// that is no journal, or one of a newer tapwise, is refused and stays unchanged. If no journal
// can be made, no file is left. Only the user who makes a journal may read it.
func (o Opener) Open(ctx context.Context, file string) (j *Journal, err error) {
	undo, err := prepare(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", file, explain(err))
	}
	defer func() {
		// Others may be making the journal too, and wait for each other.
		if errors.Is(err, ErrFull) || errors.Is(err, ErrDisk) {
			undo()
		}
	}()
	exists, err := identify(ctx, file)
	if err == nil && exists && !writable(file) {
		err = ErrReadOnly // SQLite would say so only at the first write
	}
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", file, err)
	}
	if exists { // since before journals were closed to others
		for _, name := range []string{file, file + "-wal", file + "-shm"} {
			_ = os.Chmod(name, 0o600) // another user's stays as it is
		}
	}
	return o.open(ctx, file, migrations)
}

// OpenExisting opens a journal for reading, or fails with ErrNone if there is none. Of a
// read-only journal it reads a copy, made now.
func (o Opener) OpenExisting(ctx context.Context, file string) (*Journal, error) {
	exists, err := identify(ctx, file)
	if err == nil && !exists {
		err = ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", file, err)
	}
	// SQLite itself would leave files beside a journal that it cannot write.
	if writable(file) {
		j, err := o.open(ctx, file, migrations)
		if !errors.Is(err, ErrReadOnly) {
			return j, err
		}
	}
	folder, name, err := copyJournal(file)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", file, err)
	}
	j, err := o.open(ctx, name, migrations)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("journal %s: %w", file, errors.Unwrap(err)), os.RemoveAll(folder))
	}
	j.file, j.copy = file, folder
	return j, nil
}

func (o Opener) open(ctx context.Context, file string, steps []string) (*Journal, error) {
	name, err := address(file, url.Values{
		"_pragma": {"busy_timeout(0)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
		// A transaction that begins by reading cannot wait for a writer later.
		"_txlock": {"immediate"},
	})
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", file, err)
	}
	opened, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", file, err)
	}
	// SQLite has one writer at a time; waiting in line here needs no retries.
	opened.SetMaxOpenConns(1)
	db := database{opened, file, o.Log}
	if err := migrate(ctx, db, steps); err != nil {
		_ = db.Close() // nothing was written that could be lost
		return nil, fmt.Errorf("journal %s: %w", file, explain(err))
	}
	return &Journal{db: db, file: file}, nil
}

// failed adds the name of the journal to an error, which is one of the input as that name
// is.
func (j *Journal) failed(err error) error {
	return cause.Inputf("journal %s: %w", j.file, explain(err))
}

// Close closes the file.
func (j *Journal) Close() error {
	err := j.db.Close()
	if j.copy != "" {
		err = errors.Join(err, os.RemoveAll(j.copy))
	}
	return err
}

// Check reads the whole file and reports the first damage found.
func (j *Journal) Check(ctx context.Context) error {
	for _, pragma := range []string{"integrity_check", "foreign_key_check"} {
		rows, err := j.db.QueryContext(ctx, "SELECT * FROM pragma_"+pragma)
		if err != nil {
			return j.failed(fmt.Errorf("%s: %w", pragma, err))
		}
		var found string
		for rows.Next() && found == "" {
			var first sql.NullString
			columns, err := rows.Columns()
			if err != nil {
				return errors.Join(err, rows.Close())
			}
			values := []any{&first}
			for range columns[1:] {
				values = append(values, new(any))
			}
			if err := rows.Scan(values...); err != nil {
				return errors.Join(j.failed(fmt.Errorf("%s: %w", pragma, err)), rows.Close())
			}
			if first.String != "ok" {
				found = first.String
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return j.failed(fmt.Errorf("%s: %w", pragma, err))
		}
		if found != "" {
			return j.failed(fmt.Errorf("%w: %s: %s", ErrDamaged, pragma, found))
		}
	}
	return nil
}

// timeLayout sorts as text.
const timeLayout = "2006-01-02T15:04:05.000Z"

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeLayout)
}

func parseTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(timeLayout, text)
	if err != nil {
		return t, fmt.Errorf("%w: a time is %q", ErrDamaged, text)
	}
	return t, nil
}

// seconds is a duration as the file holds it, a whole number of microseconds.
func seconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e6 }

func duration(seconds float64) time.Duration {
	return time.Duration(seconds*1e6+0.5) * time.Microsecond
}
