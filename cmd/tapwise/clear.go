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
	command := &cobra.Command{
		Use:   "clear",
		Short: "play level after level",
		Long: `Clear plays the level on the phone's screen, goes on to the next one, and so on
until --levels are won, none is left or one fails. It prints a line a level.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.clear(cmd.Context(), levels, film) },
	}
	command.Flags().IntVar(&levels, "levels", 0, "how many levels to win; 0: until there are no more")
	command.Flags().StringVar(&film, "film", "", "keep pictures of the run as `NAME`.png (a film strip) and NAME.gif (animated)")
	return command
}

func (a *app) clear(ctx context.Context, levels int, filmName string) error {
	if levels < 0 {
		return badInputf("clear: --levels is %d, expected 0 or more", levels)
	}
	_, p, err := a.player(ctx)
	if err != nil {
		return err
	}
	var strip *film
	if filmName != "" {
		if err := os.MkdirAll(filepath.Dir(filmName), 0o755); err != nil {
			return badInput(err)
		}
		strip = &film{}
		p.Watch = strip.watch
	}
	var bar *progressbar.ProgressBar
	if a.terminal() {
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
	if !a.json {
		fmt.Fprintf(a.err, "%d won\n", won)
	}
	return errors.Join(err, printErr)
}
