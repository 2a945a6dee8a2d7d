package report

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"time"

	"tapwise/cmd/internal/journal"
)

//go:embed report.html
var layout string

// minutes is a moment as the page shows it.
const minutes = "2006-01-02 15:04"

// Write writes the page about attempts, which are in the order in which they
// were played; now is when the page says that it was written. Pictures of
// failures are read from the attempts' evidence folders; one that cannot be
// read is left out.
func Write(ctx context.Context, w io.Writer, attempts []journal.Attempt, now time.Time) error {
	form, err := template.New("report").Funcs(template.FuncMap{"style": style, "script": script}).Parse(layout)
	if err != nil {
		return err
	}
	return form.Execute(w, newPage(ctx, attempts, now))
}

// page is what the template shows.
type page struct {
	Written  string
	First    string // when the first attempt began
	Last     string // when the last one began
	Attempts int
	Won      int
	Tiles    []tile
	Games    []gameRow
	Colours  map[string]template.CSS // by game
	Plots    []plot
	Failures []failureRow
	Runs     []runRow
}

// tile is a number with its name.
type tile struct{ Value, Name string }

func newPage(ctx context.Context, attempts []journal.Attempt, now time.Time) page {
	p := page{Written: now.Format(minutes), Attempts: len(attempts)}
	if len(attempts) == 0 {
		return p
	}
	p.First = attempts[0].Started.Local().Format(minutes)
	p.Last = attempts[len(attempts)-1].Started.Local().Format(minutes)
	p.count(attempts)
	p.Games = gameRows(attempts)
	p.Runs = runRows(attempts)
	p.Plots = plots(attempts)
	p.Failures = failures(ctx, attempts)
	p.Colours = colours(p.Games)
	return p
}

// count fills the tiles at the top of the page.
func (p *page) count(attempts []journal.Attempt) {
	failed, redone, unconfirmed := 0, 0, 0
	var played time.Duration
	for _, t := range attempts {
		if t.Verdict == journal.Won && !t.Again {
			p.Won++
		}
		if t.Verdict == journal.Failed {
			failed++
		}
		if t.Redone {
			redone++
		}
		if t.Unconfirmed != "" {
			unconfirmed++
		}
		if !t.Ended.IsZero() {
			played += t.Ended.Sub(t.Started)
		}
	}
	p.Tiles = []tile{
		{fmt.Sprint(p.Won), "levels won"},
		{fmt.Sprint(failed), "attempts failed"},
		{fmt.Sprint(redone), "played partly again"},
	}
	if unconfirmed > 0 {
		p.Tiles = append(p.Tiles, tile{fmt.Sprint(unconfirmed), "won, unconfirmed"})
	}
	p.Tiles = append(p.Tiles, tile{played.Round(time.Second).String(), "spent on levels"})
}
