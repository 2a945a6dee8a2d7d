package journal

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"tapwise/cmd/internal/journal/attempt"
)

func newJournal(t *testing.T) (*Journal, string) {
	t.Helper()
	// Characters with a meaning in a URL must have none here.
	file := filepath.Join(t.TempDir(), "a folder%20?x=1#", "journal.db")
	j, err := Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	return j, file
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 123e6, time.UTC)

// fill writes two runs with three attempts and returns them.
func fill(t *testing.T, j *Journal) []Attempt {
	t.Helper()
	ctx := context.Background()
	first := Run{Started: noon, Serial: "R58M", Model: "Pixel", Game: "flow", Levels: 3}
	second := Run{Started: noon.Add(time.Hour), Serial: "10.0.0.2:5555", Model: "Mi", Game: "other"}
	for _, r := range []*Run{&first, &second} {
		if err := j.SaveRun(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	attempts := []Attempt{
		{Run: first.ID, Serial: "R58M", Model: "Pixel", Game: "flow", Level: 1, Started: noon, Ended: noon.Add(time.Second), Verdict: Won,
			Record: attempt.Record{Board: "AB\nAB", Rows: 2, Cols: 2, Solution: "aabb", Settle: lasted(120 * time.Millisecond), Read: lasted(7 * time.Microsecond),
				Solve: lasted(time.Millisecond), Play: lasted(2 * time.Second), Verify: lasted(300 * time.Millisecond), Captures: 5, Redone: true, Unconfirmed: "the board was left"}},
		{Run: first.ID, Serial: "R58M", Model: "Pixel", Game: "flow", Level: 2, Started: noon.Add(2 * time.Second), Verdict: Started, Record: attempt.Record{Board: "A.\n.A"}},
		{Run: second.ID, Serial: "10.0.0.2:5555", Model: "Mi", Game: "other", Level: 1, Started: noon.Add(time.Hour), Ended: noon.Add(time.Hour + time.Minute),
			Verdict: Failed, Error: "read: it's \"odd\"\n", Evidence: "/tmp/x"},
	}
	for i := range attempts {
		if err := j.SaveAttempt(ctx, &attempts[i]); err != nil {
			t.Fatal(err)
		}
	}
	return attempts
}

func TestRowsComeBack(t *testing.T) {
	j, file := newJournal(t)
	ctx := context.Background()
	want := fill(t, j)
	want[1].Verdict, want[1].Ended, want[1].Captures = Unknown, noon.Add(time.Minute), 9
	if err := j.SaveAttempt(ctx, &want[1]); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, err := OpenExisting(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	got, err := j.Attempts(ctx, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nexpected\n%+v", got, want)
	}
	if err := j.Check(ctx); err != nil {
		t.Error(err)
	}
}

func TestFilter(t *testing.T) {
	j, _ := newJournal(t)
	all := fill(t, j)
	for _, test := range []struct {
		filter Filter
		want   []int
	}{
		{Filter{}, []int{0, 1, 2}},
		{Filter{Last: 2}, []int{1, 2}},
		{Filter{Run: all[0].Run}, []int{0, 1}},
		{Filter{Run: all[0].Run, Last: 1}, []int{1}},
		{Filter{Serial: "R58M"}, []int{0, 1}},
		{Filter{Game: "other"}, []int{2}},
		{Filter{Verdict: Won}, []int{0}},
		{Filter{Since: noon.Add(2 * time.Second)}, []int{1, 2}},
		{Filter{Since: noon.Add(2*time.Second + time.Millisecond)}, []int{2}},
		{Filter{Game: "flow", Verdict: Failed}, nil},
	} {
		var want []Attempt
		for _, i := range test.want {
			want = append(want, all[i])
		}
		got, err := j.Attempts(context.Background(), test.filter)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: got\n%+v, %v\nexpected\n%+v", test.filter, got, err, want)
		}
	}
}

func TestRuns(t *testing.T) {
	j, _ := newJournal(t)
	ctx := context.Background()
	fill(t, j)
	if _, ok, err := j.LastRun(ctx, "R58M", "other"); ok || err != nil {
		t.Errorf("a run that is not there: %v, %v", ok, err)
	}
	if r, ok, err := j.LastRun(ctx, "10.0.0.2:5555", ""); !ok || err != nil || r.Game != "other" {
		t.Errorf("any game: %+v, %v, %v", r, ok, err)
	}
	r, ok, err := j.LastRun(ctx, "R58M", "flow")
	if !ok || err != nil || r.Outcome != Running || r.Levels != 3 {
		t.Fatalf("got %+v, %v, %v", r, ok, err)
	}
	r.Outcome, r.Ended, r.Error = RunFailed, noon.Add(time.Hour), "the phone is gone"
	if err := j.SaveRun(ctx, &r); err != nil {
		t.Fatal(err)
	}
	again, _, err := j.LastRun(ctx, "R58M", "flow")
	if err != nil || again != r {
		t.Errorf("got %+v, %v\nexpected %+v", again, err, r)
	}
	if runs, err := j.Runs(ctx); err != nil || len(runs) != 2 || runs[0] != r {
		t.Errorf("got %+v, %v", runs, err)
	}
}

// TestWonOnce: the file itself refuses a level that is won twice.
func TestWonOnce(t *testing.T) {
	j, _ := newJournal(t)
	ctx := context.Background()
	a := fill(t, j)[0]
	if n, err := j.LevelsWon(ctx, a.Run); n != 1 || err != nil {
		t.Errorf("%d won, %v, expected 1", n, err)
	}
	a.ID = 0
	if err := j.SaveAttempt(ctx, &a); !errors.Is(err, ErrWonTwice) || !strings.Contains(err.Error(), "run 1") || strings.Contains(err.Error(), "constraint") {
		t.Errorf("level 1 won again: %v", err)
	}
	a.Again = true
	if err := j.SaveAttempt(ctx, &a); err != nil {
		t.Error(err)
	}
	a.ID, a.Again, a.Level = 0, false, 3
	if err := j.SaveAttempt(ctx, &a); err != nil {
		t.Error(err)
	}
	if n, err := j.LevelsWon(ctx, a.Run); n != 2 || err != nil {
		t.Errorf("%d won, %v, expected 2", n, err)
	}
}

func TestRefusedRows(t *testing.T) {
	j, _ := newJournal(t)
	ctx := context.Background()
	good := fill(t, j)[1]
	for name, change := range map[string]func(*Attempt){
		"a verdict that is none":   func(a *Attempt) { a.Verdict = "maybe" },
		"a run that is not there":  func(a *Attempt) { a.Run = 99 },
		"an attempt never written": func(a *Attempt) { a.ID = 99 },
	} {
		a := good
		change(&a)
		if err := j.SaveAttempt(ctx, &a); err == nil {
			t.Errorf("%s was saved", name)
		}
	}
	if err := j.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestMigration opens a file as version 1 wrote it, and takes it through a
// migration that fails and one that works.
func TestMigration(t *testing.T) {
	ctx := context.Background()
	text, err := os.ReadFile("testdata/version1.sql")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "journal.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	wantRows := func(j *Journal) {
		t.Helper()
		attempts, err := j.Attempts(ctx, Filter{})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, a := range attempts {
			lines = append(lines, fmt.Sprintln(a.Run, a.Level, a.Serial, a.Game, a.Verdict, a.Hash == hashBoard(a.Board), a.Play))
		}
		want := "1 1 R58M flow won true 2s\n1 2 R58M flow started true 0s\n"
		if got := strings.Join(lines, ""); got != want {
			t.Errorf("got\n%s\nexpected\n%s", got, want)
		}
		if err := j.Check(ctx); err != nil {
			t.Error(err)
		}
	}
	wantVersion := func(want int) {
		t.Helper()
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var got int
		if err := db.QueryRow("PRAGMA user_version").Scan(&got); err != nil || got != want {
			t.Errorf("version %d, %v, expected %d", got, err, want)
		}
	}

	j, err := Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	wantRows(j)
	j.Close()
	wantVersion(len(migrations))

	const column = "ALTER TABLE attempts ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'"
	next := len(migrations) + 1
	if _, err := (Opener{}).open(ctx, file, append(migrations[:len(migrations):len(migrations)], column+"; ALTER TABLE nothing ADD COLUMN x TEXT")); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("migration to version %d", next)) {
		t.Errorf("a migration that fails: %v", err)
	}
	wantVersion(len(migrations))
	// The failed migration left nothing, or the column would be there twice.
	j, err = (Opener{}).open(ctx, file, append(migrations[:len(migrations):len(migrations)], column))
	if err != nil {
		t.Fatal(err)
	}
	wantRows(j)
	var mood string
	if err := j.db.QueryRow("SELECT mood FROM attempts LIMIT 1").Scan(&mood); err != nil || mood != "calm" {
		t.Errorf("the new column holds %q, %v", mood, err)
	}
	j.Close()
	wantVersion(next)

	// Now it is newer than what Open knows.
	if _, err := Open(ctx, file); err == nil || !strings.Contains(err.Error(), "newer tapwise") {
		t.Errorf("a newer file: %v", err)
	}
}

func TestRefusedFiles(t *testing.T) {
	ctx := context.Background()
	folder := t.TempDir()
	other := filepath.Join(folder, "other.db")
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE songs (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, bytes.Repeat([]byte("no database\n"), 100), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		other:  "another program",
		text:   "not a database",
		folder: folder,
	} {
		before, _ := os.ReadFile(file)
		if _, err := Open(ctx, file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, expected its name and %q", file, err, want)
		}
		if after, _ := os.ReadFile(file); file == text && !bytes.Equal(before, after) {
			t.Errorf("%s was changed", file)
		}
	}
	if _, err := OpenExisting(ctx, filepath.Join(folder, "none.db")); !errors.Is(err, ErrNone) {
		t.Errorf("no file: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "none.db")); err == nil {
		t.Error("OpenExisting made a file")
	}
}

// TestTogether opens one new file several times at once, again and again, and
// writes.
func TestTogether(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "journal.db")
	const sides, attempts = 4, 25
	var wait sync.WaitGroup
	for side := range sides {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range 20 {
				j, err := Open(ctx, file)
				if err != nil {
					t.Error(err)
					return
				}
				j.Close()
			}
			j, err := Open(ctx, file)
			if err != nil {
				t.Error(err)
				return
			}
			defer j.Close()
			r := Run{Started: noon, Serial: fmt.Sprint(side), Game: "flow"}
			if err := j.SaveRun(ctx, &r); err != nil {
				t.Error(err)
			}
			for level := range attempts {
				a := Attempt{Run: r.ID, Level: level + 1, Started: noon, Verdict: Started}
				if err := j.SaveAttempt(ctx, &a); err != nil {
					t.Error(err)
				}
				a.Verdict = Won
				if err := j.SaveAttempt(ctx, &a); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wait.Wait()
	j, err := Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if list, err := j.Attempts(ctx, Filter{Verdict: Won}); err != nil || len(list) != sides*attempts {
		t.Errorf("%d attempts, %v, expected %d", len(list), err, sides*attempts)
	}
	if err := j.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestDamage expects Check to find a page that was overwritten.
func TestDamage(t *testing.T) {
	j, file := newJournal(t)
	ctx := context.Background()
	fill(t, j)
	j.Close() // which takes the log into the file
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 2*4096 + 100; i < len(data); i += 7 {
		data[i] ^= 0x55
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	j, err = Open(ctx, file)
	if err == nil {
		defer j.Close()
		err = j.Check(ctx)
	}
	if err == nil {
		t.Error("a damaged file was found whole")
	}
}

func lasted(d time.Duration) attempt.Seconds { return attempt.Seconds{Duration: d} }

func TestJSON(t *testing.T) {
	a := Attempt{ID: 7, Run: 1, Level: 2, Game: "flow", Started: noon, Verdict: Won, Record: attempt.Record{Play: lasted(1500 * time.Millisecond)}}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"attempt":7,"run":1,"level":2,"serial":"","model":"","game":"flow","started":"2026-11-21T12:00:00.123Z","verdict":"won",` +
		`"settle_seconds":0,"read_seconds":0,"solve_seconds":0,"play_seconds":1.5,"verify_seconds":0,"captures":0,"redone":false}`
	if string(text) != want {
		t.Errorf("got\n%s\nexpected\n%s", text, want)
	}
}
