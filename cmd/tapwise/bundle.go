package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/show/bundle"
)

// bundleOptions are the flags of bundle.
type bundleOptions struct {
	bundle.Options
	output string
	dryRun bool
}

func (a *app) bundleCommand() *cobra.Command {
	var o bundleOptions
	command := &cobra.Command{
		Use:   "bundle [FOLDER | IMAGE]",
		Short: "pack what a maintainer needs of a screen or a level that went wrong",
		Long: `Bundle packs into one file what a maintainer needs of a screen that is not read
(IMAGE), or of a level that went wrong (the FOLDER that the message named; without
it, the newest one that the journal knows): frames, what was seen on them and what
each way of looking found, versions, what doctor says, and the last run's events.

It lists what is in it before it writes it; --dry-run writes nothing. Phones' names
and your home folder's are left out. Pictures show your whole screen: --blur leaves
only the board. tapwise replay takes the file.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			from := ""
			if len(args) > 0 {
				from = args[0]
			}
			return a.bundle(cmd.Context(), from, o)
		},
	}
	flags := command.Flags()
	flags.StringVarP(&o.output, "output", "o", "", "the `FILE` to write (default: tapwise-bundle-TIME.zip)")
	flags.BoolVar(&o.Blur, "blur", false, "make all but the board unreadable")
	flags.BoolVar(&o.dryRun, "dry-run", false, "list what would be in it, and write nothing")
	return command
}

func (a *app) bundle(ctx context.Context, from string, o bundleOptions) error {
	game, err := a.game()
	if err != nil {
		return err
	}
	examination, err := a.examination()
	if err != nil {
		return err
	}
	journal, err := a.journalFile()
	if err != nil {
		return err
	}
	b, err := bundle.Collect(ctx, bundle.Source{From: from, Journal: journal, Reader: a.opener().Reader(), Game: game, Examination: examination}, o.Options)
	if err != nil {
		return err
	}
	table := a.table()
	for _, e := range b.Entries() {
		table.Row(e.Name, fmt.Sprintf("%d bytes", len(e.Data)), e.What)
	}
	if err := table.Flush(); err != nil || o.dryRun {
		return err
	}
	if o.output == "" {
		o.output = "tapwise-bundle-" + time.Now().Format("20060102-150405") + ".zip"
	}
	if err := b.Write(o.output); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, o.output)
	return err
}
