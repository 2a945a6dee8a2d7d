package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/journal/report"
)

func (a *app) reportCommand() *cobra.Command {
	var o historyOptions
	var file string
	command := &cobra.Command{
		Use:   "report",
		Short: "write a page about what was played",
		Long: `Report writes one HTML page about the attempts that the journal remembers: what
was played, how long everything took, and a picture of each failure. The page
needs no other file. The flags choose attempts as those of history do.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.report(cmd.Context(), o, file) },
	}
	o.addTo(command)
	command.Flags().StringVarP(&file, "output", "o", "tapwise-report.html", "the `FILE` to write; - is standard output")
	return command
}

func (a *app) report(ctx context.Context, o historyOptions, file string) error {
	now := time.Now()
	attempts, err := a.attempts(ctx, o, now)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := report.Write(ctx, &text, attempts, now); err != nil {
		return err
	}
	if file == "-" {
		_, err := a.out.Write(text.Bytes())
		return err
	}
	if err := wholefile.Write(file, text.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, file)
	return err
}
