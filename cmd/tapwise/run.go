package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tapwise/cmd/internal/player"
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
	flags.Float64Var(&o.minutes, "minutes", 0, "begin no more level after so many minutes (0: no limit)")
	flags.BoolVar(&o.awake, "stay-awake", true, "keep the screen on while the phone is plugged in, until the end")
}

const maxMinutes = 100_000

func (o *runOptions) validate() error {
	if o.onFail != "" {
		ways := []string{string(player.FailStop), string(player.FailRetry), string(player.FailSkip)}
		if err := oneOf("--on-fail", o.onFail, ways); err != nil {
			return err
		}
	}
	if !(o.minutes >= 0 && o.minutes <= maxMinutes) {
		return badInputf("--minutes is %v, expected 0 to %d", o.minutes, maxMinutes)
	}
	return nil
}

// running is what goes on beside a player.
type running struct {
	finish []func() error // in reverse order
	times  *times
}

// end ends it, and joins what fails to err.
func (r *running) end(err error) error {
	for _, f := range slices.Backward(r.finish) {
		err = errors.Join(err, f())
	}
	return err
}

// beside takes the phone for this process and sets a player up as the flags say.
// What it starts ends with end.
func (a *app) beside(ctx context.Context, device phone, p *player.Player, o runOptions) (*running, error) {
	release, err := a.hold(device.Serial)
	if err != nil {
		return nil, err
	}
	r := &running{finish: []func() error{release}}
	p.App, p.OnFail, p.Limit = o.app, player.OnFail(o.onFail), time.Duration(o.minutes*float64(time.Minute))
	if o.trace != "" {
		p.Trace = player.NewTrace(time.Now(), device.Serial)
		r.finish = append(r.finish, func() error { return writeTrace(o.trace, p.Trace) })
	}
	if o.times {
		r.times = &times{}
		r.finish = append(r.finish, func() error {
			_, err := fmt.Fprint(a.err, r.times)
			return err
		})
	}
	if o.awake {
		giveBack, err := a.keepAwake(ctx, device.Device)
		if err != nil {
			return nil, errors.Join(err, release())
		}
		r.finish = append(r.finish, giveBack)
	}
	return r, nil
}

func writeTrace(name string, t *player.Trace) error {
	file, err := os.Create(name)
	if err != nil {
		return badInput(err)
	}
	return errors.Join(t.Write(file), file.Close())
}

// times collects what each stage of the levels took.
type times struct{ reports []player.Report }

func (t *times) add(r player.Report) {
	if t != nil {
		t.reports = append(t.reports, r)
	}
}

// String is a table of the stages, their medians and their worst.
func (t *times) String() string {
	if len(t.reports) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %10s %10s\n", fmt.Sprintf("of %d levels", len(t.reports)), "median", "worst")
	for _, stage := range []struct {
		name string
		of   func(player.Report) time.Duration
	}{
		{"settle", func(r player.Report) time.Duration { return r.Settle }},
		{"look and read", func(r player.Report) time.Duration { return r.Read }},
		{"solve", func(r player.Report) time.Duration { return r.Solve }},
		{"play", func(r player.Report) time.Duration { return r.Play }},
		{"verify", func(r player.Report) time.Duration { return r.Verify }},
		{"waiting for the phone", func(r player.Report) time.Duration { return r.Phone }},
		{"waiting between looks", func(r player.Report) time.Duration { return r.Idle }},
		{"the program's own", func(r player.Report) time.Duration { return r.Own }},
	} {
		all := make([]time.Duration, len(t.reports))
		for i, r := range t.reports {
			all[i] = stage.of(r)
		}
		slices.Sort(all)
		fmt.Fprintf(&b, "%-24s %7.1f ms %7.1f ms\n", stage.name, milliseconds(all[len(all)/2]), milliseconds(all[len(all)-1]))
	}
	captures, strokes := 0, 0
	for _, r := range t.reports {
		captures += r.Captures
		strokes += r.Strokes
	}
	n := float64(len(t.reports))
	fmt.Fprintf(&b, "a level: %.1f frames, %.1f gestures\n", float64(captures)/n, float64(strokes)/n)
	return b.String()
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
