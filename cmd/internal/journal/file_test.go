package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// contents are the bytes of every file below a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			found[e.Name()] = e.Type().String()
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = string(data)
	}
	return found
}

// makeDatabase writes a database of another program.
func makeDatabase(t *testing.T, file string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// crashed copies a database as a killed process leaves it, with a part that is
// only in the log.
func crashed(t *testing.T, to string, statements ...string) {
	t.Helper()
	from := filepath.Join(t.TempDir(), "open.db")
	db, err := sql.Open("sqlite", from)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range append([]string{"PRAGMA journal_mode(WAL)", "PRAGMA wal_autocheckpoint(0)"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	copyCrashed(t, to, from)
}

func copyCrashed(t *testing.T, to, from string) {
	t.Helper()
	if err := errors.Join(copyFile(to, from), copyFile(to+"-wal", from+"-wal")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(to + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("there is no log to test with: %v", err)
	}
}

// TestOtherFiles opens files that are no journals, for reading and for writing:
// one line says what each is, not a byte changes, and no file is left beside it.
func TestOtherFiles(t *testing.T) {
	const songs = "CREATE TABLE songs (name TEXT)"
	for name, test := range map[string]struct {
		file func(t *testing.T, file string)
		want error
	}{
		"foreign":         {func(t *testing.T, file string) { makeDatabase(t, file, songs) }, ErrForeign},
		"foreign, marked": {func(t *testing.T, file string) { makeDatabase(t, file, songs, "PRAGMA application_id = 7") }, ErrForeign},
		"foreign, versioned": {func(t *testing.T, file string) {
			makeDatabase(t, file, "CREATE TABLE runs (x)", "PRAGMA user_version = 1")
		}, ErrForeign},
		"foreign with a log": {func(t *testing.T, file string) { makeDatabase(t, file, "PRAGMA journal_mode(WAL)", songs) }, ErrForeign},
		"foreign, crashed":   {func(t *testing.T, file string) { crashed(t, file, songs, "INSERT INTO songs VALUES ('x')") }, ErrForeign},
		"foreign, crashed, marked": {func(t *testing.T, file string) {
			crashed(t, file, songs, "PRAGMA application_id = 7")
		}, ErrForeign},
		"text":   {func(t *testing.T, file string) { write(t, file, bytes.Repeat([]byte("no database\n"), 100)) }, ErrNotDatabase},
		"a byte": {func(t *testing.T, file string) { write(t, file, []byte("S")) }, ErrNotDatabase},
		"a header only": {func(t *testing.T, file string) {
			write(t, file, []byte("SQLite format 3\x00\x10\x00"))
		}, ErrDamaged},
		"cut off": {func(t *testing.T, file string) {
			wholeJournal(t, file)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			write(t, file, data[:2*len(data)/3])
		}, ErrDamaged},
		"a folder": {func(t *testing.T, file string) {
			if err := os.Mkdir(file, 0o755); err != nil {
				t.Fatal(err)
			}
		}, ErrNotFile},
		"a pipe": {func(t *testing.T, file string) {
			if err := syscall.Mkfifo(file, 0o644); err != nil {
				t.Skip(err)
			}
		}, ErrNotFile},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			file := filepath.Join(folder, "other.db")
			test.file(t, file)
			before := contents(t, folder)
			for way, open := range map[string]func(context.Context, string) (*Journal, error){"write": Open, "read": OpenExisting} {
				j, err := open(t.Context(), file)
				if err == nil {
					j.Close()
				}
				if !errors.Is(err, test.want) {
					t.Errorf("to %s: %v, expected %q", way, err, test.want)
					continue
				}
				if text := err.Error(); !strings.Contains(text, file) || strings.Contains(text, "\n") || !strings.Contains(text, "expected") {
					t.Errorf("to %s: %q, expected one line with the file and what was expected", way, text)
				}
			}
			if after := contents(t, folder); !maps.Equal(before, after) {
				for name := range after {
					if before[name] != after[name] {
						t.Errorf("%s was changed", name)
					}
				}
				t.Errorf("there were %d files, and are %d", len(before), len(after))
			}
		})
	}
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// wholeJournal makes a journal with three attempts.
func wholeJournal(t *testing.T, file string) {
	t.Helper()
	j, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, j)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestEmpty expects an empty file to be no journal yet, and reading not to make it
// one.
func TestEmpty(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, file string){
		"no bytes":           func(t *testing.T, file string) { write(t, file, nil) },
		"no tables":          func(t *testing.T, file string) { makeDatabase(t, file, "PRAGMA journal_mode(WAL)") },
		"nothing left in it": func(t *testing.T, file string) { makeDatabase(t, file, "CREATE TABLE x (y)", "DROP TABLE x") },
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			file := filepath.Join(folder, "journal.db")
			make(t, file)
			before := contents(t, folder)
			if _, err := OpenExisting(t.Context(), file); !errors.Is(err, ErrNone) {
				t.Errorf("to read: %v, expected %q", err, ErrNone)
			}
			if !maps.Equal(before, contents(t, folder)) {
				t.Error("reading changed it")
			}
			wholeJournal(t, file)
		})
	}
}

// TestCrashedJournal opens journals as a killed process leaves them, among them
// one with everything in the log, and one from before journals were marked.
func TestCrashedJournal(t *testing.T) {
	folder := t.TempDir()
	live, logged := filepath.Join(folder, "live.db"), filepath.Join(folder, "logged.db")
	j, err := Open(t.Context(), live)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	fill(t, j)
	copyCrashed(t, logged, live)
	unmarked := filepath.Join(folder, "unmarked.db")
	wholeJournal(t, unmarked)
	makeDatabase(t, unmarked, "PRAGMA application_id = 0")
	for _, file := range []string{logged, unmarked} {
		wantThree(t, file)
		header, err := readHeader(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := header[headerApplication : headerApplication+4]; string(got) != "tapw" {
			t.Errorf("%s is marked %q", file, got)
		}
	}
}

func wantThree(t *testing.T, file string) {
	t.Helper()
	j, err := OpenExisting(t.Context(), file)
	if err != nil {
		t.Error(err)
		return
	}
	attempts, err := j.Attempts(t.Context(), Filter{})
	if err != nil || len(attempts) != 3 {
		t.Errorf("%s: %d attempts, %v, expected 3", file, len(attempts), err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

// TestDamagedRows expects damage that shows only while rows are read to be called
// damage, with the file's name.
func TestDamagedRows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.db")
	wholeJournal(t, file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(data); i++ { // all but the schema
		data[i] ^= 0x55
	}
	write(t, file, data)
	j, err := OpenExisting(t.Context(), file)
	if err == nil {
		defer j.Close()
		_, err = j.Attempts(t.Context(), Filter{})
	}
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "malformed") {
		t.Errorf("%v, expected that %s is damaged", err, file)
	}
}

// readOnlyVariable makes a copy of the test, run by a user who may not write, read
// a journal and try to write it.
const readOnlyVariable = "JOURNAL_TEST_READ_ONLY"

func TestMain(m *testing.M) {
	if file := os.Getenv(readOnlyVariable); file != "" {
		ctx := context.Background()
		j, err := OpenExisting(ctx, file)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		attempts, err := j.Attempts(ctx, Filter{})
		fmt.Println(len(attempts), err, j.Close())
		_, err = Open(ctx, file)
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestReadOnly expects journals that may not be written to be read, in whatever
// state they are: closed, as a killed process left them, of an older version, and
// while another process writes. Nothing is left beside them.
func TestReadOnly(t *testing.T) {
	top := t.TempDir()
	program := filepath.Join(top, "test")
	if err := errors.Join(copyFile(program, os.Args[0]), os.Chmod(program, 0o755), os.Chmod(top, 0o755), os.Chmod(filepath.Dir(top), 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(t *testing.T, file string){
		"closed": wholeJournal,
		"killed": func(t *testing.T, file string) {
			live := filepath.Join(t.TempDir(), "live.db")
			j, err := Open(t.Context(), live)
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			fill(t, j)
			copyCrashed(t, file, live)
		},
		"old": func(t *testing.T, file string) {
			text, err := os.ReadFile("testdata/version1.sql")
			if err != nil {
				t.Fatal(err)
			}
			makeDatabase(t, file, string(text), "INSERT INTO attempts SELECT 3, run, 3, started, ended, 'failed', board, hash, rows, cols, solution, settle, read, solve, play, verify, captures, redone, error, evidence FROM attempts WHERE id = 2")
		},
		"being written": func(t *testing.T, file string) {
			j, err := Open(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { j.Close() })
			fill(t, j)
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(top, name)
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, "journal.db")
			make(t, file)
			before := contents(t, folder)
			for name := range before {
				if err := os.Chmod(filepath.Join(folder, name), 0o444); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(folder, 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(folder, 0o755) }) // so that it can be removed
			child := exec.Command(program)
			child.Env = append(os.Environ(), readOnlyVariable+"="+file, "TMPDIR=/tmp")
			child.Dir = "/"
			if os.Getuid() == 0 { // root may write anything
				const nobody = 65534
				child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			}
			output, err := child.CombinedOutput()
			want := fmt.Sprintf("3 <nil> <nil>\njournal %s: %v\n", file, ErrReadOnly)
			if string(output) != want || err != nil {
				t.Errorf("got %v\n%s\nexpected\n%s", err, output, want)
			}
			if after := contents(t, folder); !maps.Equal(before, after) {
				t.Errorf("it was changed: %d files before, %d after", len(before), len(after))
			}
		})
	}
}
