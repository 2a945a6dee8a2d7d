package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tapwise/adb"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/console/usage"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/cmd/internal/play/touchnotes"
	"tapwise/cmd/internal/play/trouble"
)

// runOptions are the flags that play and clear share.
type runOptions struct {
	app     string
	trace   string
	times   bool
	awake   bool
	quiet   bool
	onFail  string
	minutes float64
	until   string
	lasts   time.Duration
}

// flags adds those of every command that plays.
func (o *runOptions) flags(flags *pflag.FlagSet) {
	flags.StringVar(&o.app, "app", "", "the game's `PACKAGE` on the phone (default: the app that its level is seen in)")
	flags.StringVar(&o.trace, "trace", "", "write what took how long to `FILE`, for chrome://tracing or Perfetto")
	flags.BoolVar(&o.times, "times", false, "print a table of what took how long at the end")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print only what failed")
}

// clearFlags adds those of commands that play level after level.
func (o *runOptions) clearFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.onFail, "on-fail", string(player.FailStop), "after a level that failed: `stop`, retry it, or skip it")
	flags.Float64Var(&o.minutes, "minutes", 0, "begin no more level after this many minutes (0: no limit)")
	flags.DurationVar(&o.lasts, "for", 0, "begin no more level after this `TIME`, such as 2h or 45m (0: no limit)")
	flags.StringVar(&o.until, "until", "", "begin no more level after this time of the day, as `HH:MM`")
	flags.String("on-end", "", "run a `COMMAND` when the run has ended (docs/unattended.md)")
	flags.String("on-stuck", "", "run a `COMMAND` when the run stands still or needs a hand")
	flags.BoolVar(&o.awake, "stay-awake", true, "keep the screen on while the phone is plugged in, until the end")
}

const maxMinutes = 100_000

func (o *runOptions) validate() error {
	if o.onFail != "" {
		ways := []string{string(player.FailStop), string(player.FailRetry), string(player.FailSkip)}
		if err := usage.OneOf("--on-fail", o.onFail, ways); err != nil {
			return err
		}
	}
	if !(o.minutes >= 0 && o.minutes <= maxMinutes) {
		return badInputf("--minutes is %v, expected 0 to %d", o.minutes, maxMinutes)
	}
	if o.lasts < 0 || o.lasts > maxMinutes*time.Minute {
		return badInputf("--for is %v, expected 0s to %dh", o.lasts, maxMinutes/60)
	}
	if _, err := time.Parse(timeOfDay, o.until); o.until != "" && err != nil {
		return badInputf("--until is %q, expected a time of the day from 00:00 to 23:59", o.until)
	}
	return nil
}

// timeOfDay is the form of --until.
const timeOfDay = "15:04"

// limit is how long to begin levels from now on: the shortest of what the flags say; 0: for as
// long as there are any.
func (o *runOptions) limit(now time.Time) time.Duration {
	limits := []time.Duration{time.Duration(o.minutes * float64(time.Minute)), o.lasts}
	if until, err := time.Parse(timeOfDay, o.until); err == nil {
		end := time.Date(now.Year(), now.Month(), now.Day(), until.Hour(), until.Minute(), 0, 0, now.Location())
		if !end.After(now) {
			end = time.Date(now.Year(), now.Month(), now.Day()+1, until.Hour(), until.Minute(), 0, 0, now.Location())
		}
		limits = append(limits, end.Sub(now))
	}
	limits = slices.DeleteFunc(limits, func(d time.Duration) bool { return d == 0 })
	if len(limits) == 0 {
		return 0
	}
	return slices.Min(limits)
}

// running holds what goes on beside a player.
type running struct {
	finish []func() error // that end it, called from the last to the first
	times  *run.Times
}

// end ends it, and joins what fails to err.
func (r *running) end(err error) error {
	for _, f := range slices.Backward(r.finish) {
		err = errors.Join(err, f())
	}
	return err
}

// begin takes the phone for this process and sets the player up as the flags say.
// What it starts ends with end.
func (o *runOptions) begin(ctx context.Context, a *app, on *run.Run) (*running, error) {
	if err := on.Hold(ctx, o.awake); err != nil {
		return nil, err
	}
	r := &running{finish: []func() error{on.Close}}
	p := on.Player
	p.App, p.OnFail, p.Limit = o.app, player.OnFail(o.onFail), o.limit(time.Now())
	if o.trace != "" {
		p.Trace = player.NewTrace(time.Now(), on.Phone.Serial)
		r.finish = append(r.finish, func() error { return writeTrace(o.trace, p.Trace) })
	}
	if o.times {
		r.times = &run.Times{}
		r.finish = append(r.finish, func() error {
			_, err := fmt.Fprint(a.err, r.times)
			return err
		})
	}
	return r, nil
}

// start opens a run and begins it. What fails is remembered in the journal, as a failure of
// the run that was meant.
func (a *app) start(ctx context.Context, j *journal.Journal, t run.Target, o runOptions, meant journal.Run, resume bool) (*run.Run, *running, error) {
	r, err := a.opener().Open(ctx, t)
	if err == nil {
		var beside *running
		if beside, err = o.begin(ctx, a, r); err == nil {
			return r, beside, nil
		}
	}
	meant.Serial = t.Serial
	if t.Game != nil {
		meant.Game = t.Game.Name()
	}
	if r != nil {
		meant.Serial, meant.Model, meant.Game = r.Phone.Serial, r.Phone.Model, r.Player.Game.Name()
	}
	return nil, nil, errors.Join(err, run.NoteFailure(ctx, j, meant, resume, err))
}

func writeTrace(name string, t *player.Trace) error {
	file, err := os.Create(name)
	if err != nil {
		return badInput(err)
	}
	return errors.Join(t.Write(file), file.Close())
}

// opener returns what opens runs by the configuration.
func (a *app) opener() run.Opener {
	s := a.settings
	return run.Opener{
		ADB:      a.adbConfig(),
		Unusable: s.Unusable,
		Profiles: profiles.Store{Folder: a.profileFolder(), Asked: s.Profile, Game: s.Game},
		Timing:   s.Play.Timing,
		Evidence: s.Play.Evidence,
		Command:  strings.Join(append([]string{"tapwise"}, a.args...), " "),
		Hint:     trouble.Hint,
		Log:      a.log,
	}
}

// adbConfig returns how the configuration's adb server is reached and its phones are
// touched.
func (a *app) adbConfig() adb.Config {
	s := a.settings
	config := adb.Config{Host: s.ADB.Host, Port: s.ADB.Port, Timeout: s.ADB.Timeout, Display: s.Display, Touch: s.Touch, Capture: s.Capture, Log: a.log, Keeper: a.keeper}
	if folder, err := places.State(); err == nil { // without one nothing is remembered
		config.TouchStore = touchnotes.Folder{Path: filepath.Join(folder, "touch")}
	}
	return config
}

// client returns the client of the configuration's adb server.
func (a *app) client() (*adb.Client, error) { return a.opener().Client() }

// profiles reads the profiles for a game; the empty one is any.
func (a *app) profiles(game string) (*profiles.Set, error) { return a.opener().Profiles.For(game) }

// profileFolder returns the folder of the user's profiles, empty without a home.
func (a *app) profileFolder() string { return places.Profiles(a.settings.Profiles) }

// journalFile returns the journal's file.
func (a *app) journalFile() (string, error) { return places.Journal(a.settings.Journal) }

// openJournal opens the journal of the configuration, and makes it when there is
// none.
func (a *app) openJournal(ctx context.Context) (*journal.Journal, error) {
	file, err := a.journalFile()
	if err != nil {
		return nil, err
	}
	j, err := journal.Opener{Log: a.log}.Open(ctx, file)
	return j, badInput(err)
}

// readJournal opens the journal of the configuration, which must be there.
func (a *app) readJournal(ctx context.Context) (*journal.Journal, error) {
	file, err := a.journalFile()
	if err != nil {
		return nil, err
	}
	j, err := journal.Opener{Log: a.log}.OpenExisting(ctx, file)
	return j, badInput(err)
}
