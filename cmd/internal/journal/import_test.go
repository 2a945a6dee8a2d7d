package journal

import (
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tapwise/cmd/internal/journal/attempt"
)

// TestImport: what comes twice is there once, and a level that was won twice counts once.
func TestImport(t *testing.T) {
	j, err := Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one := func(name string, level int, verdict Verdict) Foreign {
		return Foreign{Name: name, Run: Run{Order: "order", Started: at, Ended: at.Add(time.Duration(level) * time.Second), Game: "game", Outcome: Done},
			Attempt: Attempt{Level: level, Serial: "phone " + name, Model: "model", Started: at, Ended: at, Verdict: verdict, Record: attempt.Record{Board: "A.A", Play: lasted(time.Second)}}}
	}
	first := []Foreign{one("a", 1, Failed), one("b", 1, Won), one("c", 2, Won)}
	for range 2 {
		if err := j.Import(t.Context(), first); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Import(t.Context(), []Foreign{one("d", 2, Won), one("a", 1, Failed)}); err != nil {
		t.Fatal(err)
	}
	attempts, err := j.Attempts(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(attempts) != 4 || !attempts[3].Again || attempts[2].Again || attempts[0].Verdict != Failed || attempts[1].Play != lasted(time.Second) {
		t.Errorf("%d attempts, expected four of which only the last is won again: %+v", len(attempts), attempts)
	}
	runs, err := j.Runs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 1 || !runs[0].Ended.Equal(at.Add(2*time.Second)) {
		t.Errorf("runs are %+v, expected one that ends with its last attempt", runs)
	}
	if of, err := j.Attempts(t.Context(), Filter{Serial: "phone c"}); err != nil || len(of) != 1 || of[0].Level != 2 || of[0].Serial != "phone c" || of[0].Model != "model" || of[0].Order != "order" {
		t.Errorf("of one phone there are %+v (%v), expected its attempt, with the phone and the order", of, err)
	}
	if last, ok, err := j.LastRun(t.Context(), "phone c", "game"); err != nil || ok {
		t.Errorf("the last run on a phone is %+v (%v), expected none: an order is no phone's", last, err)
	}
	if won, err := j.LevelsWon(t.Context(), runs[0].ID); err != nil || won != 2 {
		t.Errorf("%d levels won (%v), expected 2", won, err)
	}
	if err := j.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestOutbox: what is not removed is there when the journal is opened again, in order,
// for its owner.
func TestOutbox(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.db")
	for round := range 2 {
		j, err := Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		mine, err := j.Outbox(t.Context(), "mine")
		if err != nil {
			t.Fatal(err)
		}
		other, err := j.Outbox(t.Context(), "other")
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			for _, id := range []string{"c", "a", "b"} {
				if err := mine.Add(t.Context(), Parcel{ID: id, Subject: "s", Data: []byte(id)}); err != nil {
					t.Fatal(err)
				}
			}
			if err := mine.Remove(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
			if err := mine.Add(t.Context(), Parcel{ID: "b"}); err == nil {
				t.Error("a parcel is there twice")
			}
		}
		found, err := mine.Oldest(t.Context(), 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 2 || found[0].ID != "c" || found[1].ID != "b" || string(found[1].Data) != "b" {
			t.Errorf("round %d: the outbox has %v, expected c and b", round, found)
		}
		if found, err := other.Oldest(t.Context(), 5); err != nil || len(found) != 0 {
			t.Errorf("another's outbox has %v (%v), expected nothing", found, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoted: a folder is found by whoever noted it, and by nobody else, also when the
// journal is opened again; the newest are kept.
func TestNoted(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand transactions take a minute with the race detector")
	}
	file := filepath.Join(t.TempDir(), "journal.db")
	for _, first := range []bool{true, false} {
		j, err := Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		mine, err := j.Noted(t.Context(), "mine")
		if err != nil {
			t.Fatal(err)
		}
		other, err := j.Noted(t.Context(), "other")
		if err != nil {
			t.Fatal(err)
		}
		if first {
			for i := range mostNoted + 2 {
				if err := mine.Note(t.Context(), strconv.Itoa(i), "folder "+strconv.Itoa(i)); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					if err := other.Note(t.Context(), "0", "another"); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for _, c := range []struct {
			of       *Noted
			id, want string
		}{{mine, "2", "folder 2"}, {mine, strconv.Itoa(mostNoted + 1), fmt.Sprintf("folder %d", mostNoted+1)}, {mine, "1", ""}, {mine, "0", ""}, {other, "0", "another"}, {other, "2", ""}} {
			if got, err := c.of.Folder(t.Context(), c.id); err != nil || got != c.want {
				t.Errorf("first is %v: %s of %s is %q, %v, expected %q", first, c.id, c.of.owner, got, err, c.want)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
