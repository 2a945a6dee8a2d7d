package report

import (
	"errors"
	"fmt"
	"html/template"
	"slices"
	"time"

	"tapwise/cmd/internal/console/pages"
	"tapwise/cmd/internal/journal"
	"tapwise/solvers/all"
)

// plot shows one duration of each attempt that was won. Plots are drawn by the page itself, as
// pages.Files says.
type plot struct {
	Name string `json:"name"`
	Dots []dot  `json:"dots"`
}

// dot is an attempt on a plot.
type dot struct {
	Seconds float64 `json:"seconds"`
	Game    string  `json:"kind"`
	Label   string  `json:"label"`
}

const (
	plotDots  = 2000                  // most dots on a plot; of more attempts, every n-th is shown
	leastTime = 10 * time.Microsecond // a shorter time is shown as this one: the scale is logarithmic
)

// plots is a plot for each phase of a level: reading, solving and playing.
func plots(attempts []journal.Attempt) []plot {
	var won []journal.Attempt
	for _, t := range attempts {
		if t.Verdict == journal.Won && t.Captures > 0 { // an attempt that was found won by a later process has no times
			won = append(won, t)
		}
	}
	if len(won) == 0 {
		return nil
	}
	all := []plot{{Name: "read: settle and read"}, {Name: "solve"}, {Name: "play: touch and verify"}}
	for i := 0; i < len(won); i += (len(won) + plotDots - 1) / plotDots {
		t := won[i]
		for p, took := range []time.Duration{t.Settle.Duration + t.Read.Duration, t.Solve.Duration, t.Play.Duration + t.Verify.Duration} {
			label := fmt.Sprintf("%s, run %d level %d: %s", t.Game, t.Run, t.Level, readable(took))
			all[p].Dots = append(all[p].Dots, dot{max(took, leastTime).Seconds(), t.Game, label})
		}
	}
	return all
}

// colours are those of games on plots, by name.
func colours(rows []gameRow) map[string]template.CSS {
	games := all.Games()
	found := map[string]template.CSS{}
	for _, row := range rows {
		hue := 210
		for i, g := range games {
			if g.Name() == row.Game {
				hue += 360 * i / len(games)
			}
		}
		found[row.Game] = template.CSS(fmt.Sprintf("hsl(%d 65%% 50%%)", hue%360))
	}
	return found
}

// style and script are files that reports have in common with the local page, word for word.
func style(name string) (template.CSS, error) {
	text, err := pages.Files.ReadFile(name)
	return template.CSS(text), err
}

// script is a file, with the licence of those who made it if it is another's.
func script(name string, licences ...string) (template.JS, error) {
	text, err := pages.Files.ReadFile(name)
	for _, licence := range licences {
		terms, missing := pages.Files.ReadFile(licence)
		text, err = slices.Concat([]byte("/*\n"), terms, []byte("*/\n"), text), errors.Join(err, missing)
	}
	return template.JS(text), err
}
