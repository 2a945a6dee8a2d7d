package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/calibration"
	"tapwise/cmd/internal/journal"
	"tapwise/configs/boundedfile"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/vision"
)

//go:embed report.html
var reportPage string

func (a *app) reportCommand() *cobra.Command {
	var o historyOptions
	var file string
	command := &cobra.Command{
		Use:   "report",
		Short: "write a page about what was played",
		Long: `Report writes one HTML page about the attempts that the journal remembers: what
was played, how long everything took, and a picture of each failure. The page
needs no other file. The flags choose attempts as those of history do.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.report(cmd.Context(), o, file) },
	}
	o.addTo(command)
	command.Flags().StringVarP(&file, "output", "o", "tapwise-report.html", "the `FILE` to write; - is standard output")
	return command
}

func (a *app) report(ctx context.Context, o historyOptions, file string) error {
	now := time.Now()
	attempts, err := a.attempts(ctx, o, now)
	if err != nil {
		return err
	}
	page, err := template.New("report").Parse(reportPage)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := page.Execute(&text, newReport(ctx, attempts, now)); err != nil {
		return err
	}
	if file == "-" {
		_, err := a.out.Write(text.Bytes())
		return err
	}
	if err := writeWhole(file, text.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, file)
	return err
}

// writeWhole writes a file so that a failure leaves no half of it.
func writeWhole(name string, data []byte) (err error) {
	defer func() { err = badInput(calibration.Naming(name, err)) }()
	temporary, err := os.CreateTemp(filepath.Dir(name), ".tapwise-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // after the renaming there is nothing
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}

// report is what the page shows.
type report struct {
	Written  string
	First    string // when the first attempt began
	Last     string
	Attempts int
	Won      int
	Tiles    []tile
	Games    []gameRow
	Legend   []dot // a dot for each game
	Plots    []plot
	Failures []failureRow
	Runs     []runRow
}

// tile is a number with its name.
type tile struct{ Value, Name string }

// gameRow is a line of the table of games and phones.
type gameRow struct {
	Game, Serial, Model string
	Won, Failed, Others int
	Settle, Solve, Play string // medians
	Captures            string
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

// failureRow is an attempt that was not won.
type failureRow struct {
	When, Game, Serial, Verdict, Error, Evidence, Board string
	Run                                                 int64
	Level                                               int
	Picture                                             template.URL // a data address; empty where there is none
}

// mostFailures is how many failures get a picture, the newest: each takes some
// ten kilobytes.
const mostFailures = 100

func newReport(ctx context.Context, attempts []journal.Attempt, now time.Time) report {
	r := report{Written: now.Format("2006-01-02 15:04"), Attempts: len(attempts)}
	if len(attempts) == 0 {
		return r
	}
	r.First = attempts[0].Started.Local().Format("2006-01-02 15:04")
	r.Last = attempts[len(attempts)-1].Started.Local().Format("2006-01-02 15:04")
	failed, redone := 0, 0
	var played time.Duration
	for _, t := range attempts {
		if t.Verdict == journal.Won && !t.Again {
			r.Won++
		}
		if t.Verdict == journal.Failed {
			failed++
		}
		if t.Redone {
			redone++
		}
		if !t.Ended.IsZero() {
			played += t.Ended.Sub(t.Started)
		}
		if t.Verdict == journal.Failed || t.Verdict == journal.Unknown {
			r.Failures = append(r.Failures, newFailure(t))
		}
	}
	slices.Reverse(r.Failures)
	if len(r.Failures) > mostFailures {
		r.Failures = r.Failures[:mostFailures]
	}
	for i := range r.Failures {
		r.Failures[i].Picture = failurePicture(ctx, r.Failures[i].Evidence)
	}
	r.Tiles = []tile{
		{fmt.Sprint(r.Won), "levels won"},
		{fmt.Sprint(failed), "attempts failed"},
		{fmt.Sprint(redone), "played partly again"},
		{played.Round(time.Second).String(), "spent on levels"},
	}
	r.Games = gameRows(attempts)
	r.Runs = runRows(attempts)
	r.Plots = plots(attempts)
	for _, row := range r.Games {
		d := dot{Class: gameClass(row.Game), Title: row.Game}
		if !slices.Contains(r.Legend, d) {
			r.Legend = append(r.Legend, d)
		}
	}
	return r
}

func newFailure(t journal.Attempt) failureRow {
	return failureRow{When: t.Started.Local().Format(time.DateTime), Game: t.Game, Serial: t.Serial, Verdict: string(t.Verdict), Error: t.Error,
		Evidence: t.Evidence, Board: t.Board, Run: t.Run, Level: t.Level}
}

// failurePicture is the last picture of an evidence folder, small, as a data
// address: the overlay of what was seen where there is one, else the frame.
func failurePicture(ctx context.Context, folder string) template.URL {
	if folder == "" {
		return ""
	}
	for _, pattern := range []string{"overlay-*.png", "frame-*.png"} {
		names, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(names) == 0 {
			continue
		}
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		data, err := boundedfile.ReadIn(folder, filepath.Base(names[len(names)-1]), vision.MaxBytes)
		if err != nil {
			continue // evidence may have been tidied away
		}
		frame, err := vision.Decode(ctx, data)
		if err != nil {
			continue
		}
		const width = 240
		var small bytes.Buffer
		if err := jpeg.Encode(&small, shrink(frame, width), &jpeg.Options{Quality: 70}); err != nil {
			continue
		}
		return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(small.Bytes()))
	}
	return ""
}

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
			r.settle = append(r.settle, t.Settle+t.Read)
			r.solve = append(r.solve, t.Solve)
			r.play = append(r.play, t.Play+t.Verify)
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

// median of a list that is not empty; it sorts the list.
func median[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// readable is a duration as people read it.
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

func runRows(attempts []journal.Attempt) []runRow {
	var rows []runRow
	first, last := map[int64]time.Time{}, map[int64]time.Time{}
	for _, t := range attempts {
		i := slices.IndexFunc(rows, func(r runRow) bool { return r.Run == t.Run })
		if i < 0 {
			i = len(rows)
			rows = append(rows, runRow{Run: t.Run, Started: t.Started.Local().Format("2006-01-02 15:04"), Game: t.Game, Serial: t.Serial})
			first[t.Run] = t.Started
		}
		r := &rows[i]
		r.Attempts++
		if t.Verdict == journal.Won && !t.Again {
			r.Levels++
		}
		if t.Ended.After(last[t.Run]) {
			last[t.Run] = t.Ended
		}
		title := fmt.Sprintf("level %d: %s", t.Level, t.Verdict)
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

// plot is a picture of one duration over the attempts that were won.
type plot struct {
	Title  string
	Median string
	Most   string // the 95th of a hundred
	Dots   []dot
	Ticks  []tick
}

// dot is an attempt on a plot, in its units: 600 wide, 160 high.
type dot struct {
	X, Y  float64
	Class string // of the game, for its colour
	Title string
}

// tick is a line across a plot with its name.
type tick struct {
	Y    float64
	Name string
}

const (
	plotWidth  = 600.0
	plotHeight = 160.0
	plotDots   = 2000 // most on a plot; more are thinned out
)

func plots(attempts []journal.Attempt) []plot {
	var won []journal.Attempt
	for _, t := range attempts {
		if t.Verdict == journal.Won && t.Captures > 0 { // one that was found won afterwards has no times
			won = append(won, t)
		}
	}
	if len(won) == 0 {
		return nil
	}
	var plots []plot
	for _, p := range []struct {
		title string
		of    func(journal.Attempt) time.Duration
	}{
		{"read: settle and read", func(t journal.Attempt) time.Duration { return t.Settle + t.Read }},
		{"solve", func(t journal.Attempt) time.Duration { return t.Solve }},
		{"play: touch and verify", func(t journal.Attempt) time.Duration { return t.Play + t.Verify }},
	} {
		plots = append(plots, newPlot(p.title, won, p.of))
	}
	return plots
}

// gameClass is the name by which the page's style knows the colour of a game.
func gameClass(name string) string {
	i := slices.IndexFunc(all.Games(), func(g solvers.Game) bool { return g.Name() == name })
	return fmt.Sprintf("game%d", i)
}

// newPlot puts durations on a scale of powers of ten.
func newPlot(title string, won []journal.Attempt, of func(journal.Attempt) time.Duration) plot {
	var times []time.Duration
	for _, t := range won {
		times = append(times, max(of(t), 10*time.Microsecond))
	}
	sorted := slices.Sorted(slices.Values(times))
	p := plot{Title: title, Median: readable(median(sorted)), Most: readable(sorted[(len(sorted)-1)*95/100])}
	low, high := 10*time.Microsecond, 100*time.Microsecond
	for low*10 <= sorted[0] {
		low *= 10
	}
	for high < sorted[len(sorted)-1] || high <= low {
		high *= 10
	}
	y := func(d time.Duration) float64 {
		return plotHeight * (1 - math.Log(float64(d)/float64(low))/math.Log(float64(high)/float64(low)))
	}
	for d := low; d <= high; d *= 10 {
		p.Ticks = append(p.Ticks, tick{y(d), d.String()})
	}
	every := (len(won) + plotDots - 1) / plotDots
	for i, t := range won {
		if i%every != 0 {
			continue
		}
		p.Dots = append(p.Dots, dot{
			X: plotWidth * (float64(i) + 0.5) / float64(len(won)), Y: y(times[i]), Class: gameClass(t.Game),
			Title: fmt.Sprintf("%s, run %d level %d: %s", t.Game, t.Run, t.Level, readable(times[i])),
		})
	}
	return p
}
