package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/cmd/internal/journal/attempt"
)

// TestLocked expects a journal that another program has locked to be told of after a
// second, to be given up after ten, and to be used if it is free before. The time is that of
// the bubble.
func TestLocked(t *testing.T) {
	for name, do := range map[string]func(context.Context, *Journal, Opener, string) error{
		"open": func(ctx context.Context, _ *Journal, o Opener, file string) error {
			j, err := o.Open(ctx, file)
			if err == nil {
				err = j.Close()
			}
			return err
		},
		"read": func(ctx context.Context, _ *Journal, o Opener, file string) error {
			j, err := o.OpenExisting(ctx, file)
			if err == nil {
				err = j.Close()
			}
			return err
		},
		"save": func(ctx context.Context, j *Journal, _ Opener, _ string) error {
			return j.SaveRun(ctx, &Run{Started: time.Now(), Serial: "phone", Game: "flow"})
		},
		"import": func(ctx context.Context, j *Journal, _ Opener, _ string) error {
			return j.Import(ctx, []Foreign{{Name: "b", Run: Run{Order: "a", Game: "flow"}, Attempt: Attempt{Level: 1, Verdict: Won}}})
		},
	} {
		for _, held := range []time.Duration{500 * time.Millisecond, 5 * time.Second, time.Hour} {
			t.Run(name+" "+held.String(), func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "journal.db")
				wholeJournal(t, file)
				synctest.Test(t, func(t *testing.T) {
					var said bytes.Buffer
					o := Opener{Log: slog.New(slog.NewTextHandler(&said, nil))}
					j, err := o.Open(t.Context(), file)
					if err != nil {
						t.Fatal(err)
					}
					defer j.Close()
					release := lockFile(t, file)
					began := time.Now()
					time.AfterFunc(held, release)
					err = do(t.Context(), j, o, file)
					took := time.Since(began)
					if told := strings.Count(said.String(), "locked"); told != min(1, int(held/notice)) {
						t.Errorf("the lock was told of %d times: %s", told, said.String())
					}
					switch {
					case held < patience && (err != nil || took < held || took > held+longestPause):
						t.Errorf("%v after %v, expected success after %v", err, took, held)
					case held > patience && (!errors.Is(err, ErrLocked) || took < patience || took > patience+longestPause):
						t.Errorf("%v after %v, expected %q after %v", err, took, ErrLocked, patience)
					case held > patience && (!strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "SQLITE")):
						t.Errorf("%q, expected the file's name and no word of SQLite's", err)
					}
					release()
				})
			})
		}
	}
}

// lockFile has another connection write to a database until it is released.
func lockFile(t *testing.T, file string) (release func()) {
	t.Helper()
	other, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() { other.Close() }
}

// TestLockedInterrupted expects a wait to end with its context.
func TestLockedInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.db")
	wholeJournal(t, file)
	synctest.Test(t, func(t *testing.T) {
		defer lockFile(t, file)()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		if _, err := Open(ctx, file); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 2*time.Second {
			t.Errorf("%v after %v, expected the context's error", err, time.Since(began))
		}
	})
}

// TestFull plays on disks of every small size until they are full: each error is one line
// that says so, what was saved without an error is there afterwards, and a journal that
// could not be made leaves nothing.
func TestFull(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("tapwise", folder, "tmpfs", 0, "size=400k"); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	filler := filepath.Join(folder, "filler")
	made := 0
	for room := 0; room <= 200; room += 8 {
		if err := os.WriteFile(filler, make([]byte, (400-room)<<10), 0o600); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, "state", "tapwise", "journal.db")
		saved, err := saveUntilFull(t.Context(), file)
		if !errors.Is(err, ErrFull) || strings.ContainsAny(err.Error(), "\n()") || !strings.Contains(err.Error(), file) {
			t.Errorf("with room for %d KiB: %v, expected one line that the disk is full", room, err)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if saved < 0 {
			if left := contents(t, folder); len(left) > 0 {
				t.Errorf("with room for %d KiB, a journal that could not be made left %d files", room, len(left))
			}
			if _, err := os.Stat(filepath.Join(folder, "state")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("with room for %d KiB, the folder of a journal that could not be made is left: %v", room, err)
			}
			continue
		}
		made++
		j, err := OpenExisting(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		attempts, err := j.Attempts(t.Context(), Filter{Verdict: Won})
		if err := errors.Join(err, j.Check(t.Context()), j.Close()); err != nil || len(attempts) != saved {
			t.Errorf("with room for %d KiB: %d attempts are won, %v, expected the %d that were saved", room, len(attempts), err, saved)
		}
		if err := os.RemoveAll(filepath.Join(folder, "state")); err != nil {
			t.Fatal(err)
		}
	}
	if made == 0 {
		t.Error("no journal was made with room for 200 KiB")
	}
}

// saveUntilFull returns how many attempts were saved as won, -1 where no journal could be
// opened, and the error that ended it.
func saveUntilFull(ctx context.Context, file string) (saved int, err error) {
	j, err := Open(ctx, file)
	if err != nil {
		return -1, err
	}
	defer j.Close()
	run := Run{Started: time.Now(), Serial: "phone", Game: "flow"}
	if err := j.SaveRun(ctx, &run); err != nil {
		return 0, err
	}
	for level := 1; ; level++ {
		a := Attempt{Run: run.ID, Level: level, Started: time.Now(), Verdict: Started, Record: attempt.Record{Board: strings.Repeat("A..A\n", 100)}}
		if err := j.SaveAttempt(ctx, &a); err != nil {
			return saved, err
		}
		a.Verdict, a.Ended = Won, time.Now()
		if err := j.SaveAttempt(ctx, &a); err != nil {
			return saved, err
		}
		saved++
	}
}

// TestAnyDamage damages and cuts journals at random places, with a log beside them and
// without. Each is read, or refused with one line of this package's own.
func TestAnyDamage(t *testing.T) {
	folder := t.TempDir()
	live, closed := filepath.Join(folder, "live.db"), filepath.Join(folder, "closed.db")
	j, err := Open(t.Context(), live)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	fill(t, j)
	logged := filepath.Join(folder, "logged.db")
	copyCrashed(t, logged, live)
	wholeJournal(t, closed)
	random := rand.New(rand.NewPCG(1, 2))
	for range 120 {
		from := []string{closed, logged}[random.IntN(2)]
		file := filepath.Join(t.TempDir(), "journal.db")
		if err := errors.Join(copyFile(file, from), copyFile(file+"-wal", from+"-wal")); err != nil {
			t.Fatal(err)
		}
		part := file
		if from == logged && random.IntN(2) == 0 {
			part += "-wal"
		}
		data, err := os.ReadFile(part)
		if err != nil || len(data) == 0 {
			continue
		}
		what := "changed"
		if random.IntN(2) == 0 {
			what, data = "cut off", data[:random.IntN(len(data))]
		} else {
			for range 1 + random.IntN(200) {
				data[random.IntN(len(data))] ^= byte(1 + random.IntN(255))
			}
		}
		write(t, part, data)
		for way, open := range map[string]func(context.Context, string) (*Journal, error){"read": OpenExisting, "write": Open} {
			j, err := open(t.Context(), file)
			if err == nil {
				_, err = j.Attempts(t.Context(), Filter{})
				if way == "write" && err == nil {
					run := Run{Started: time.Now(), Serial: "phone", Game: "flow"}
					err = j.SaveRun(t.Context(), &run)
				}
				j.Close()
			}
			if err == nil {
				continue
			}
			known := false
			for _, is := range []error{ErrForeign, ErrNotDatabase, ErrDamaged, ErrNone, ErrDisk} {
				known = known || errors.Is(err, is)
			}
			if text := err.Error(); !known || !strings.Contains(text, file) || strings.ContainsAny(text, "\n()") {
				t.Errorf("%s %s, opened to %s: %q", filepath.Base(part), what, way, text)
			}
		}
	}
}
