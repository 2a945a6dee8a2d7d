package main

import (
	"fmt"
	"strings"
	"sync"

	"tapwise/cmd/internal/console/bars"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
)

// progress shows how far clear has come on its phones: on a terminal a bar for
// each of them, below the lines of the levels; elsewhere those lines only. With
// several phones, a line begins with the phone's name.
type progress struct {
	*app
	bars   *bars.Bars
	phones []*phoneProgress
}

// phoneProgress is the part of one phone. Its methods may be called from the
// phone's goroutine.
type phoneProgress struct {
	all    *progress
	serial string
	line   *bars.Line
	mu     sync.Mutex // for what follows
	game   string
	won    int
	times  *run.Times // where the times of levels are kept; nil is nowhere
}

var _ run.Progress = (*phoneProgress)(nil)

func newProgress(a *app, targets []run.Target) *progress {
	all := &progress{app: a, bars: bars.New(a.err)}
	for _, t := range targets {
		p := &phoneProgress{all: all}
		if len(targets) > 1 {
			p.serial = wording.Cut(t.Serial)
		}
		p.line = all.bars.Line(p.prefix())
		all.phones = append(all.phones, p)
	}
	return all
}

func (all *progress) phone(i int) *phoneProgress { return all.phones[i] }

// prefix names the phone where there are several.
func (p *phoneProgress) prefix() string {
	if p.serial == "" {
		return ""
	}
	return p.serial + "  "
}

// opened says which game is played, and where the times of its levels are kept.
func (p *phoneProgress) opened(game string, times *run.Times) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.game, p.times = game, times
}

// Begin tells how many levels there are, 0 when nobody knows, and how many of them
// are won already.
func (p *phoneProgress) Begin(levels, won int) {
	if p.all.terminal() && !p.all.quiet {
		p.line.Begin(p.game, levels, won)
	}
}

// Level prints the line of a level.
func (p *phoneProgress) Level(number int, r player.Report, failure error) error {
	p.times.Add(r)
	if failure == nil {
		p.won++
		p.line.Add()
	}
	return p.all.bars.Print(func() error { return p.all.printReport(p.serial, number, r, failure) })
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
	_ = p.all.bars.Print(func() error {
		_, err := fmt.Fprintf(p.all.err, "%s%s\n", p.prefix(), text)
		return err
	})
}

// end says that the phone is done.
func (p *phoneProgress) end(failure error) {
	state := "done"
	if failure != nil {
		line, _, _ := strings.Cut(wording.Of(failure), "\n")
		state = "stopped: " + line
	}
	p.line.Show(state)
	if !p.all.json && !p.all.quiet {
		p.note(fmt.Sprintf("%d won", p.won))
	}
}
