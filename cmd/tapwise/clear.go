package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/film"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/player"
	"tapwise/solvers/all"
)

// clearOptions are the flags of clear.
type clearOptions struct {
	levels  int
	film    string
	resume  bool
	phones  []string
	devices bool
	run     runOptions
}

func (a *app) clearCommand() *cobra.Command {
	var o clearOptions
	command := &cobra.Command{
		Use:   "clear",
		Short: "play level after level, on one phone or several",
		Long: `Clear plays the level on the phone's screen, goes on to the next one, and so on
until --levels are won, the time is up, none is left or one fails. It prints a
line a level and remembers each in the journal, before it is played and after:
see history and report. A list of levels is a beginning too: the first that is
not complete is chosen. Ctrl-C ends the stroke under way, and leaves the finger up;
so does a terminal that is closed, or a reader of the output that ends (| head).

A phone that is asleep and not locked is woken; one that is locked has to be
unlocked. One process at a time plays on a phone. Another one is refused with exit
code 5, and told which process plays and since when.

With --resume it goes on with the last run of the same game on the same phone,
whatever ended it, and counts no level twice: a level that was being played is
looked for on the screen. When that run was complete there is nothing to do.

With --serial given several times, or with --all-devices, it plays on several
phones at once, each for itself: one that fails does not stop the others, and
the exit code is the worst of theirs (from bad to worse: 6, 3, 7, 4, 5, 2, 1). --serial SERIAL=GAME says what is played
on which; without it the game is --game, or the one seen on the screen.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.clear(cmd.Context(), o) },
	}
	flags := command.Flags()
	o.run.flags(flags)
	o.run.clearFlags(flags)
	flags.IntVar(&o.levels, "levels", 0, "how many levels to win on each phone; 0: until there are no more")
	flags.StringVar(&o.film, "film", "", "keep pictures of the run as `NAME`.png (a film strip) and NAME.gif (animated)")
	flags.BoolVar(&o.resume, "resume", false, "go on with the last run")
	flags.StringArrayVar(&o.phones, "serial", nil, "a phone's `NAME`, as `tapwise devices` shows it, or NAME=GAME; may be given several times")
	flags.BoolVar(&o.devices, "all-devices", false, "play on every phone that is ready")
	return command
}

func (a *app) clear(ctx context.Context, o clearOptions) (err error) {
	if o.levels < 0 {
		return badInputf("clear: --levels is %d, expected 0 or more", o.levels)
	}
	if err := o.run.validate(); err != nil {
		return err
	}
	a.quiet = o.run.quiet
	targets, err := a.targets(ctx, o)
	if err != nil {
		return err
	}
	if len(targets) > 1 && (o.film != "" || o.run.trace != "" || o.run.app != "") {
		return badInputf("clear: --film, --trace and --app take one phone, got %d", len(targets))
	}
	if o.film != "" {
		if err := os.MkdirAll(filepath.Dir(o.film), 0o755); err != nil {
			return badInput(err)
		}
	}
	j, err := a.openJournal(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()

	show := newProgress(a, targets)
	failures := make([]error, len(targets))
	var wait sync.WaitGroup
	for i, t := range targets {
		wait.Add(1)
		go func() {
			defer wait.Done()
			c := &clearing{app: a, options: o, journal: j, target: t, progress: show.phone(i)}
			failures[i] = c.clear(ctx)
			c.progress.end(failures[i])
		}()
	}
	wait.Wait()
	show.end()
	if len(targets) == 1 {
		return failures[0]
	}
	return a.summary(targets, failures)
}

// clearing is the work on one phone.
type clearing struct {
	*app
	options  clearOptions
	journal  *journal.Journal
	target   target
	progress *phoneProgress
}

func (c *clearing) clear(ctx context.Context) (err error) {
	if err := c.resumeGame(ctx); err != nil {
		return err
	}
	device, p, err := c.playerFor(ctx, c.target, wakeIt)
	if err != nil {
		return err
	}
	beside, err := c.beside(ctx, device, p, c.options.run)
	if err != nil {
		return err
	}
	defer func() { err = beside.end(err) }()
	c.progress.opened(p.Game.Name())
	if name := c.progress.name(); name != "" {
		p.Log = c.log.With("phone", name)
	}
	if c.options.film != "" {
		strip := &film.Film{Game: p.Game, Eyes: p.Eyes, Overlay: p.Picture}
		p.Watch, p.KeepSolved = strip.Watch, true
		defer func() { err = errors.Join(err, strip.Write(c.options.film)) }()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &recorder{journal: c.journal, stop: stop, now: time.Now}
	if c.options.resume {
		more, err := r.resume(ctx, device, p, c.options.levels)
		if err != nil {
			return err
		}
		if !more {
			c.progress.note(fmt.Sprintf("run %d is complete, there is nothing to resume", r.run.ID))
			return nil
		}
	} else if err := r.begin(ctx, device, p, c.options.levels); err != nil {
		return err
	}
	err = c.levels(ctx, p, r, beside.times)
	endErr := r.end(ctx, err)
	if errors.Is(err, errTimeUp) {
		err = nil // as asked for
	}
	return errors.Join(err, endErr)
}

// errTimeUp is how a run ends that began no more level because of --minutes.
// It did what was asked for, but can be resumed.
var errTimeUp = errors.New("the time is up")

// resumeGame takes the game of the phone's last run when none is asked for.
func (c *clearing) resumeGame(ctx context.Context) error {
	if !c.options.resume || c.target.game != nil || c.target.serial == "" {
		return nil
	}
	run, ok, err := c.journal.LastRun(ctx, c.target.serial, "")
	if err != nil || !ok {
		return err
	}
	c.target.game, err = all.ByName(run.Game)
	return err
}

// levels plays what is left of a run.
func (c *clearing) levels(ctx context.Context, p *player.Player, r *recorder, times *times) error {
	var failure error // of what is done after a level
	began := time.Now()
	for {
		levels, more, err := r.remaining(ctx)
		if err != nil || !more {
			return err
		}
		c.progress.begin(r.run.Levels, r.run.Levels-levels)
		won, err := p.Clear(ctx, levels, func(report player.Report, levelErr error) {
			times.add(report)
			saveErr := r.finish(ctx, report, levelErr)
			if saveErr != nil {
				r.stop(saveErr)
			}
			failure = errors.Join(failure, saveErr, c.progress.level(r.last.Level, report, levelErr))
		})
		// A level that was won before does not count: then one is still missing.
		err = errors.Join(err, failure)
		switch {
		case err != nil:
			return err
		case p.Limit > 0 && time.Since(began) >= p.Limit && (levels == 0 || won < levels):
			return errTimeUp
		case levels == 0 || won < levels:
			if p.NoMore() && !c.quiet {
				c.progress.note("no more levels")
			}
			return nil
		}
	}
}

// summary says how it went on several phones; the exit code is the worst.
func (a *app) summary(targets []target, failures []error) error {
	var worst error
	failed := 0
	for i, t := range targets {
		if failures[i] == nil {
			continue
		}
		failed++
		fmt.Fprintf(a.err, "%s: %v\n", t.serial, failures[i])
		if h := hint(failures[i]); h != "" {
			fmt.Fprintf(a.err, "%s: hint: %s\n", t.serial, h)
		}
		worst = worse(worst, failures[i])
	}
	if worst == nil {
		return nil
	}
	fmt.Fprintf(a.err, "%d of %d phones failed\n", failed, len(targets))
	return codeError(exitCode(worst))
}
