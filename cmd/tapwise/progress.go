package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/schollz/progressbar/v3"

	"tapwise/cmd/internal/player"
	"tapwise/cmd/internal/run"
)

// progress shows how far clear has come on its phones: on a terminal a bar for
// each of them, below the lines of the levels; elsewhere those lines only. With
// several phones, a line begins with the phone's name.
type progress struct {
	*app
	mu     sync.Mutex
	phones []*phoneProgress
	drawn  int // lines of bars on the screen
}

// phoneProgress is the part of one phone. Its methods may be called from the
// phone's goroutine.
type phoneProgress struct {
	all    *progress
	serial string
	bar    *progressbar.ProgressBar // nil where stderr is no terminal
	game   string
	won    int
	state  string     // beside the bar; empty while it plays
	times  *run.Times // where the times of levels are kept; nil is nowhere
}

var _ run.Progress = (*phoneProgress)(nil)

func newProgress(a *app, targets []run.Target) *progress {
	all := &progress{app: a}
	for _, t := range targets {
		all.phones = append(all.phones, &phoneProgress{all: all, serial: t.Serial})
	}
	return all
}

func (all *progress) phone(i int) *phoneProgress { return all.phones[i] }

// prefix names the phone where there are several.
func (p *phoneProgress) prefix() string {
	if len(p.all.phones) == 1 {
		return ""
	}
	return p.serial + "  "
}

// change runs f with the bars out of the way and draws them anew.
func (all *progress) change(f func() error) error {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.drawn > 0 {
		fmt.Fprintf(raw(all.err), "\x1b[%dA\x1b[J", all.drawn)
		all.drawn = 0
	}
	err := f()
	for _, p := range all.phones {
		if p.bar == nil {
			continue
		}
		line := strings.TrimSpace(strings.Trim(p.bar.String(), "\r"))
		fmt.Fprintf(all.err, "%s%s %s\n", p.prefix(), line, p.state)
		all.drawn++
	}
	return err
}

// opened says which game is played, and where the times of its levels are kept.
func (p *phoneProgress) opened(game string, times *run.Times) {
	p.all.mu.Lock()
	defer p.all.mu.Unlock()
	p.game, p.times = game, times
}

// Begin tells how many levels there are, 0 when nobody knows, and how many of them
// are won already.
func (p *phoneProgress) Begin(levels, won int) {
	if !p.all.terminal() || p.all.quiet {
		return
	}
	_ = p.all.change(func() error { // it does not fail
		total := levels
		if total == 0 {
			total = -1 // a spinner
		}
		p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(io.Discard), progressbar.OptionSetDescription(p.game),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true))
		_ = p.bar.Set(won) // progress is a courtesy, here and below
		return nil
	})
}

// Level prints the line of a level.
func (p *phoneProgress) Level(number int, r player.Report, failure error) error {
	p.times.Add(r)
	return p.all.change(func() error {
		if failure == nil {
			p.won++
			if p.bar != nil {
				_ = p.bar.Add(1)
			}
		}
		return p.all.printReport(p.name(), number, r, failure)
	})
}

// Complete says that there is nothing to resume.
func (p *phoneProgress) Complete(run int64) {
	p.note(fmt.Sprintf("run %d is complete, there is nothing to resume", run))
}

// NoMore says that the app has no more levels.
func (p *phoneProgress) NoMore() {
	if !p.all.quiet {
		p.note("no more levels")
	}
}

// note prints a remark.
func (p *phoneProgress) note(text string) {
	_ = p.all.change(func() error {
		_, err := fmt.Fprintf(p.all.err, "%s%s\n", p.prefix(), text)
		return err
	})
}

// name is the phone's name in the output, empty when it is the only one.
func (p *phoneProgress) name() string { return strings.TrimSpace(p.prefix()) }

// end says that the phone is done.
func (p *phoneProgress) end(failure error) {
	_ = p.all.change(func() error {
		p.state = "done"
		if failure != nil {
			p.state = "stopped: " + firstLine(failure)
		}
		if p.all.json || p.all.quiet {
			return nil
		}
		_, err := fmt.Fprintf(p.all.err, "%s%d won\n", p.prefix(), p.won)
		return err
	})
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// end takes the bars off the screen.
func (all *progress) end() {
	for _, p := range all.phones {
		p.bar = nil
	}
	_ = all.change(func() error { return nil })
}
