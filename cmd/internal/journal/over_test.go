package journal

import (
	"context"
	"slices"
	"testing"
	"time"
)

// TestOver: each attempt is told once, when it is over, however late; those of another file
// are told anew.
func TestOver(t *testing.T) {
	j, _ := newJournal(t)
	ctx := context.Background()
	attempts := fill(t, j)
	var counted Counted
	afresh := 0
	told := func(j *Journal) (numbers []int64) {
		t.Helper()
		err := j.Over(ctx, &counted, func() { afresh++ }, func(a Attempt) {
			numbers = append(numbers, a.ID)
			if a.ID == attempts[0].ID && (a.Game != "flow" || a.Captures != 5 || a.Play != attempts[0].Play || !a.Ended.Equal(attempts[0].Ended) || a.Board != "") {
				t.Errorf("told %+v, expected what can be counted of %+v", a, attempts[0])
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return numbers
	}
	if got := told(j); !slices.Equal(got, []int64{attempts[0].ID, attempts[2].ID}) {
		t.Errorf("told %v, expected the two that are over", got)
	}
	if got := told(j); got != nil {
		t.Errorf("told %v again", got)
	}
	attempts[1].Verdict, attempts[1].Ended = Won, noon.Add(time.Minute)
	later := Attempt{Run: attempts[0].Run, Level: 3, Started: noon, Ended: noon, Verdict: Failed}
	for _, a := range []*Attempt{&attempts[1], &later} {
		if err := j.SaveAttempt(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	if got := told(j); !slices.Equal(got, []int64{attempts[1].ID, later.ID}) {
		t.Errorf("told %v, expected the one that was open and the new one", got)
	}
	if got := told(j); got != nil || afresh != 0 {
		t.Errorf("told %v, %d times anew, expected nothing", got, afresh)
	}
	other, _ := newJournal(t)
	fill(t, other)
	if got := told(other); len(got) != 2 || afresh != 1 {
		t.Errorf("of another file told %v, %d times anew, expected 2 attempts and once", got, afresh)
	}
}

// TestOverMany: attempts are told once however many there are.
func TestOverMany(t *testing.T) {
	j, _ := newJournal(t)
	ctx := context.Background()
	run := Run{Started: noon, Serial: "R58M", Game: "flow"}
	if err := j.SaveRun(ctx, &run); err != nil {
		t.Fatal(err)
	}
	const many = 2*overAtOnce + 5
	if _, err := j.db.ExecContext(ctx, `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
		INSERT INTO attempts (run, level, started, verdict, board, hash, rows, cols, solution, settle, read, solve, play, verify, captures, redone)
		SELECT ?, n, '', CASE WHEN n % 5000 = 0 THEN 'started' ELSE 'won' END, '', '', 0, 0, '', 0, 0, 0, 0, 0, 0, 0 FROM numbers`, many, run.ID); err != nil {
		t.Fatal(err)
	}
	var counted Counted
	told := map[int64]int{}
	for range 2 {
		if err := j.Over(ctx, &counted, nil, func(a Attempt) { told[a.ID]++ }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j.db.ExecContext(ctx, "UPDATE attempts SET verdict = 'unknown' WHERE verdict = 'started'"); err != nil {
		t.Fatal(err)
	}
	if err := j.Over(ctx, &counted, nil, func(a Attempt) { told[a.ID]++ }); err != nil {
		t.Fatal(err)
	}
	for id, n := range told {
		if n != 1 {
			t.Errorf("attempt %d was told %d times", id, n)
		}
	}
	if len(told) != many || len(counted.open) != 0 {
		t.Errorf("%d attempts were told, and %d are open, expected %d and none", len(told), len(counted.open), many)
	}
}
