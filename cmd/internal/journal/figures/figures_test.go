package figures

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tapwise/cmd/internal/console/metrics"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
)

// TestFigures: a level that was won again counts once, stages that an attempt did not come to
// are not counted, and a journal that cannot be read leaves what is known as it is.
func TestFigures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.db")
	var failure error
	handler := metrics.Handler(slog.New(slog.DiscardHandler), Of(func(ctx context.Context) (*journal.Journal, func() error, error) {
		if failure != nil {
			return nil, nil, failure
		}
		j, err := journal.OpenExisting(ctx, file)
		if err != nil {
			return nil, nil, err
		}
		return j, j.Close, nil
	}))
	shows := func(lines ...string) {
		t.Helper()
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
		for _, line := range lines {
			if !strings.Contains(answer.Body.String(), line+"\n") {
				t.Errorf("there is no line %s in\n%s", line, answer.Body)
			}
		}
	}
	shows(`tapwise_source_up{source="journal"} 1`) // there is none yet
	j, err := journal.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	at := time.Unix(1_800_000_000, 0)
	run, nothing := journal.Run{Started: at, Serial: "p", Game: "flow"}, journal.Run{Started: at, Serial: "p"}
	for _, r := range []*journal.Run{&run, &nothing} {
		if err := j.SaveRun(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	played := attempt.Record{Board: "AB\nAB", Read: attempt.Seconds{Duration: time.Second}, Solve: attempt.Seconds{Duration: time.Millisecond}, Captures: 4}
	open := journal.Attempt{Run: run.ID, Level: 2, Started: at, Verdict: journal.Started}
	for _, a := range []*journal.Attempt{
		{Run: run.ID, Level: 1, Started: at, Ended: at, Verdict: journal.Won, Record: played},
		{Run: run.ID, Level: 1, Started: at, Ended: at.Add(time.Minute), Verdict: journal.Won, Record: played, Again: true},
		{Run: run.ID, Level: 2, Started: at, Ended: at.Add(time.Hour), Verdict: journal.Interrupted},
		{Run: nothing.ID, Level: 1, Started: at, Ended: at, Verdict: journal.Failed, Error: "phone: it is locked"},
		&open,
	} {
		if err := j.SaveAttempt(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	known := []string{
		`tapwise_attempts_total{game="flow",verdict="won"} 2`, `tapwise_attempts_total{game="flow",verdict="interrupted"} 1`, `tapwise_attempts_total{game="unknown",verdict="failed"} 1`,
		`tapwise_levels_won_total{game="flow"} 1`, `tapwise_captures_total{game="flow"} 8`, `tapwise_last_win_timestamp_seconds{game="flow"} 1.80000006e+09`,
		`tapwise_stage_duration_seconds_count{game="flow",stage="read"} 2`, `tapwise_stage_duration_seconds_sum{game="flow",stage="read"} 2`,
		`tapwise_stage_duration_seconds_count{game="flow",stage="play"} 0`, `tapwise_stage_duration_seconds_count{game="unknown",stage="read"} 0`,
	}
	shows(known...)
	failure = errors.New("the journal is damaged")
	shows(append(known, `tapwise_source_up{source="journal"} 0`)...)
	failure = nil
	open.Verdict, open.Ended = journal.Unknown, at
	if err := j.SaveAttempt(t.Context(), &open); err != nil {
		t.Fatal(err)
	}
	shows(append(known, `tapwise_source_up{source="journal"} 1`, `tapwise_attempts_total{game="flow",verdict="unknown"} 1`)...)
}
