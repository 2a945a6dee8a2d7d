package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"tapwise/cmd/internal/journal"
)

// gameRow is a line of the table of games and phones.
type gameRow struct {
	Game, Serial, Model string
	Won, Failed, Others int
	Settle, Solve, Play string // medians of the attempts won; a dash without any
	Captures            string // likewise
	settle, solve, play []time.Duration
	captures            []int
}

// runRow is a line of the table of runs.
type runRow struct {
	Run                   int64
	Started, Game, Serial string
	Levels, Attempts      int
	Spent                 string
	Cells                 []cell
}

// cell is an attempt as a small square.
type cell struct {
	Class, Title string
}

// gameRows is a row for each game on each phone, in the order in which they were
// first played.
func gameRows(attempts []journal.Attempt) []gameRow {
	var rows []gameRow
	for _, t := range attempts {
		i := slices.IndexFunc(rows, func(r gameRow) bool { return r.Game == t.Game && r.Serial == t.Serial })
		if i < 0 {
			i = len(rows)
			rows = append(rows, gameRow{Game: t.Game, Serial: t.Serial, Model: t.Model})
		}
		r := &rows[i]
		switch t.Verdict {
		case journal.Won:
			r.Won++
			r.settle = append(r.settle, t.Settle.Duration+t.Read.Duration)
			r.solve = append(r.solve, t.Solve.Duration)
			r.play = append(r.play, t.Play.Duration+t.Verify.Duration)
			r.captures = append(r.captures, t.Captures)
		case journal.Failed:
			r.Failed++
		default:
			r.Others++
		}
	}
	for i := range rows {
		r := &rows[i]
		r.Settle, r.Solve, r.Play, r.Captures = "–", "–", "–", "–"
		if r.Won > 0 {
			r.Settle, r.Solve, r.Play = readable(median(r.settle)), readable(median(r.solve)), readable(median(r.play))
			r.Captures = fmt.Sprint(median(r.captures))
		}
	}
	return rows
}

// runRows is a row for each run, the newest first.
func runRows(attempts []journal.Attempt) []runRow {
	var rows []runRow
	phones := map[int64]map[string]bool{}
	first, last := map[int64]time.Time{}, map[int64]time.Time{}
	for _, t := range attempts {
		i := slices.IndexFunc(rows, func(r runRow) bool { return r.Run == t.Run })
		if i < 0 {
			i = len(rows)
			rows = append(rows, runRow{Run: t.Run, Started: t.Started.Local().Format(minutes), Game: t.Game, Serial: t.Serial})
			first[t.Run], phones[t.Run] = t.Started, map[string]bool{}
		}
		r := &rows[i]
		r.Attempts++
		phones[t.Run][t.Serial] = true
		if n := len(phones[t.Run]); n > 1 { // of an order of the fleet's
			r.Serial = fmt.Sprintf("%d phones", n)
		}
		if t.Verdict == journal.Won && !t.Again {
			r.Levels++
		}
		if t.Ended.After(last[t.Run]) {
			last[t.Run] = t.Ended
		}
		title := fmt.Sprintf("level %d: %s", t.Level, t.Verdict)
		if t.Unconfirmed != "" {
			title += ", unconfirmed: " + t.Unconfirmed
		}
		if t.Error != "" {
			title += ": " + t.Error
		}
		r.Cells = append(r.Cells, cell{string(t.Verdict), title})
	}
	for i := range rows {
		if end := last[rows[i].Run]; !end.IsZero() {
			rows[i].Spent = end.Sub(first[rows[i].Run]).Round(time.Second).String()
		}
	}
	slices.Reverse(rows)
	return rows
}

// median is the median of a list that is not empty, the lower one if there are
// two; it sorts the list.
func median[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// readable is a duration rounded for people.
func readable(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	switch {
	case ms >= 10_000:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms >= 10:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}
