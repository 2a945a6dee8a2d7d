package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/play/run"
	"tapwise/cmd/internal/play/trouble"
	"tapwise/cmd/internal/show/film"
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
see history and report. It can also start from a list of levels: the first that is
not complete is chosen. Ctrl-C ends the stroke under way, and leaves the finger up;
so does a terminal that is closed, or a reader of the output that ends (| head).

A phone that is asleep and not locked is woken; one that is locked has to be
unlocked. One process at a time plays on a phone. Another one is refused with exit
code 5, and the message says which process plays and since when.

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
			failures[i] = a.clearOn(ctx, j, t, o, show.phone(i))
			show.phone(i).end(failures[i])
		}()
	}
	wait.Wait()
	show.bars.Clear()
	if len(targets) == 1 {
		return failures[0]
	}
	return a.summary(targets, failures)
}

// clearOn plays on one phone.
func (a *app) clearOn(ctx context.Context, j *journal.Journal, t run.Target, o clearOptions, show *phoneProgress) (err error) {
	if o.resume && t.Game == nil && t.Serial != "" {
		if t.Game, err = a.opener().LastGame(ctx, j, t.Serial); err != nil {
			return err
		}
	}
	told := a.settings.Tell.Begin(ctx, a.log, t.Serial)
	defer func() { trouble.Tell(told, err) }()
	r, beside, err := a.start(ctx, j, t, o.run, journal.Run{Levels: o.levels}, o.resume)
	if err != nil {
		return err
	}
	defer func() { err = beside.end(err) }()
	show.opened(r.Player.Game.Name(), beside.times)
	told.Playing(r.Phone.Model, r.Player.Game.Name())
	if show.serial != "" {
		r.Player.Log = a.log.With("phone", show.serial)
	}
	if o.film != "" {
		strip := &film.Film{Game: r.Player.Game, Eyes: r.Player.Eyes, Overlay: r.Player.Picture, Pushed: func() *image.RGBA {
			g, err := r.Phone.Glimpse(ctx, 0, time.Nanosecond)
			if err != nil {
				return nil
			}
			return g.Frame
		}}
		r.Player.Watch, r.Player.KeepSolved = strip.Watch, true
		defer func() { err = errors.Join(err, strip.Write(o.film)) }()
	}
	return r.Clear(ctx, j, run.Order{Levels: o.levels, Resume: o.resume}, run.Told(show, told))
}

// summary says how it went on several phones; the exit code is the worst.
func (a *app) summary(targets []run.Target, failures []error) error {
	var worst error
	failed := 0
	for i, t := range targets {
		if failures[i] == nil {
			continue
		}
		failed++
		serial := wording.Cut(t.Serial)
		fmt.Fprintf(a.err, "%s: %s\n", serial, wording.Of(failures[i]))
		printTrouble(a.err, serial+": ", failures[i])
		worst = worse(worst, failures[i])
	}
	if worst == nil {
		return nil
	}
	fmt.Fprintf(a.err, "%d of %d phones failed\n", failed, len(targets))
	return codeError(exitCode(worst))
}
