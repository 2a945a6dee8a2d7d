package report

import (
	"testing"
	"time"

	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
)

// TestLongReport stays small: dots are thinned out, failures limited.
func TestLongReport(t *testing.T) {
	var attempts []journal.Attempt
	for i := range 9000 {
		a := journal.Attempt{ID: int64(i + 1), Run: 1, Level: i + 1, Game: "flow", Verdict: journal.Won, Started: time.Unix(int64(i), 0), Ended: time.Unix(int64(i)+1, 0), Record: attempt.Record{Captures: 3}}
		if i%10 == 0 {
			a.Verdict = journal.Failed
		}
		attempts = append(attempts, a)
	}
	r := newPage(t.Context(), attempts, time.Unix(9000, 0))
	if r.Won != 8100 || len(r.Failures) != mostFailures || r.Failures[0].Level != 8991 {
		t.Errorf("%d won, %d failures, the first at level %d", r.Won, len(r.Failures), r.Failures[0].Level)
	}
	for _, p := range r.Plots {
		if len(p.Dots) > plotDots || len(p.Dots) < plotDots/2 {
			t.Errorf("%s: %d dots", p.Name, len(p.Dots))
		}
	}
}

// TestRunOfPhones: a run of an order names how many phones played it.
func TestRunOfPhones(t *testing.T) {
	rows := runRows([]journal.Attempt{{Run: 1, Serial: "a"}, {Run: 2, Serial: "a"}, {Run: 1, Serial: "b"}, {Run: 1, Serial: "a"}})
	if len(rows) != 2 || rows[1].Serial != "2 phones" || rows[0].Serial != "a" {
		t.Errorf("rows are %+v, expected a run of two phones below that of one", rows)
	}
}
