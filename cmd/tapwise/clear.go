package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"tapwise/cmd/internal/player"
)

func (a *app) clearCommand() *cobra.Command {
	var levels int
	var film string
	var o runOptions
	command := &cobra.Command{
		Use:   "clear",
		Short: "play level after level",
		Long: `Clear plays the level on the phone's screen, goes on to the next one, and so on
until --levels are won, the time is up, none is left or one fails. It prints a
line a level. A list of levels is a beginning too: the first that is not complete
is chosen. Ctrl-C ends the stroke under way, and leaves the finger up.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.clear(cmd.Context(), levels, film, o) },
	}
	o.flags(command.Flags())
	o.clearFlags(command.Flags())
	command.Flags().IntVar(&levels, "levels", 0, "how many levels to win; 0: until there are no more")
	command.Flags().StringVar(&film, "film", "", "keep pictures of the run as `NAME`.png (a film strip) and NAME.gif (animated)")
	return command
}

func (a *app) clear(ctx context.Context, levels int, filmName string, o runOptions) (err error) {
	if levels < 0 {
		return badInputf("clear: --levels is %d, expected 0 or more", levels)
	}
	if err := o.validate(); err != nil {
		return err
	}
	device, p, err := a.player(ctx)
	if err != nil {
		return err
	}
	beside, err := a.beside(ctx, device, p, o)
	if err != nil {
		return err
	}
	defer func() { err = beside.end(err) }()
	a.quiet = o.quiet
	var strip *film
	if filmName != "" {
		if err := os.MkdirAll(filepath.Dir(filmName), 0o755); err != nil {
			return badInput(err)
		}
		strip = &film{}
		p.Watch = strip.watch
	}
	var bar *progressbar.ProgressBar
	if a.terminal() && !a.quiet {
		total := levels
		if total == 0 {
			total = -1 // not known: a spinner
		}
		bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.err), progressbar.OptionSetDescription("levels"),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
		_ = bar.RenderBlank() // progress is a courtesy, here and below
	}
	played := 0
	var printErr error
	won, err := p.Clear(ctx, levels, func(r player.Report, err error) {
		played++
		beside.times.add(r)
		if bar != nil {
			_ = bar.Clear()
		}
		printErr = errors.Join(printErr, a.printReport(played, r, err))
		if bar != nil && r.Won {
			_ = bar.Add(1)
		}
	})
	if bar != nil {
		_ = bar.Finish()
	}
	if strip != nil {
		err = errors.Join(err, strip.write(filmName))
	}
	if !a.json && !a.quiet {
		fmt.Fprintf(a.err, "%d won\n", won)
	}
	return errors.Join(err, printErr)
}
