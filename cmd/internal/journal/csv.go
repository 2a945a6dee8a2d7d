package journal

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"
)

// WriteCSV writes attempts as comma-separated values, below a line that names the
// columns. Durations are in seconds.
func WriteCSV(to io.Writer, attempts []Attempt) error {
	w := csv.NewWriter(to)
	rows := [][]string{{"attempt", "run", "level", "serial", "model", "game", "started", "ended", "verdict", "again", "redone", "rows", "cols",
		"settle_seconds", "read_seconds", "solve_seconds", "play_seconds", "verify_seconds", "captures", "unconfirmed", "error", "evidence", "hash", "board", "solution", "order"}}
	for _, t := range attempts {
		seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
		ended := ""
		if !t.Ended.IsZero() {
			ended = t.Ended.Format(time.RFC3339Nano)
		}
		rows = append(rows, []string{strconv.FormatInt(t.ID, 10), strconv.FormatInt(t.Run, 10), strconv.Itoa(t.Level), t.Serial, t.Model, t.Game,
			t.Started.Format(time.RFC3339Nano), ended, string(t.Verdict), strconv.FormatBool(t.Again), strconv.FormatBool(t.Redone),
			strconv.Itoa(t.Rows), strconv.Itoa(t.Cols), seconds(t.Settle.Duration), seconds(t.Read.Duration), seconds(t.Solve.Duration), seconds(t.Play.Duration), seconds(t.Verify.Duration),
			strconv.Itoa(t.Captures), t.Unconfirmed, t.Error, t.Evidence, t.Hash, t.Board, t.Solution, t.Order})
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return w.Error()
}
