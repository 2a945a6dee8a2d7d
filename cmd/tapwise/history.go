package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/usage"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/journal"
)

// historyOptions are the flags that choose attempts.
type historyOptions struct {
	verdict string
	since   string
	run     int64
	last    int
	csv     bool
}

func (a *app) historyCommand() *cobra.Command {
	var o historyOptions
	command := &cobra.Command{
		Use:   "history",
		Short: "list what was played",
		Long: `History lists the attempts that the journal remembers, the oldest first: all of
them, or those of a --game, a phone (--serial), a --verdict, a --run, --since a
time, or the --last N.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.history(cmd.Context(), o) },
	}
	o.addTo(command)
	command.Flags().BoolVar(&o.csv, "csv", false, "print comma-separated values, with the board and the solution")
	return command
}

func (o *historyOptions) addTo(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&o.verdict, "verdict", "", "only the attempts that ended so: "+strings.Join(verdictNames(), ", "))
	flags.StringVar(&o.since, "since", "", "only what began at that `TIME` or later: 2006-01-02, \"2006-01-02 15:04\", or 12h ago")
	flags.Int64Var(&o.run, "run", 0, "only the run with that `NUMBER`")
	flags.IntVar(&o.last, "last", 0, "show only the newest `N`; 0: all")
}

func verdictNames() []string {
	var names []string
	for _, v := range journal.Verdicts() {
		names = append(names, string(v))
	}
	return names
}

// attempts returns the attempts of the journal that the flags choose.
func (a *app) attempts(ctx context.Context, o historyOptions, now time.Time) ([]journal.Attempt, error) {
	filter := journal.Filter{Run: o.run, Serial: a.settings.OwnSerial(), Verdict: journal.Verdict(o.verdict), Last: o.last}
	if o.verdict != "" {
		if err := usage.OneOf("history: --verdict", o.verdict, verdictNames()); err != nil {
			return nil, err
		}
	}
	if o.last < 0 || o.run < 0 {
		return nil, badInputf("history: --last and --run must not be negative")
	}
	game, err := a.game()
	if err != nil {
		return nil, err
	}
	if game != nil {
		filter.Game = game.Name()
	}
	if filter.Since, err = journal.ParseSince(o.since, now); err != nil {
		return nil, badInputf("history: %w", err)
	}
	j, err := a.readJournal(ctx)
	if err != nil {
		return nil, err
	}
	attempts, err := j.Attempts(ctx, filter)
	return attempts, errors.Join(err, j.Close())
}

func (a *app) history(ctx context.Context, o historyOptions) error {
	attempts, err := a.attempts(ctx, o, time.Now())
	if err != nil {
		return err
	}
	switch {
	case a.json && o.csv:
		return badInputf("history: both --json and --csv, expected one of them")
	case a.json:
		for _, attempt := range attempts {
			if err := a.printJSON(attempt); err != nil {
				return err
			}
		}
		return nil
	case o.csv:
		return journal.WriteCSV(a.out, attempts)
	}
	table := a.table()
	for _, t := range attempts {
		size := "-"
		if t.Rows > 0 {
			size = fmt.Sprintf("%dx%d", t.Cols, t.Rows)
		}
		verdict := string(t.Verdict)
		switch {
		case t.Again:
			verdict += " again"
		case t.Redone:
			verdict += ", after playing some of it again"
		}
		if t.Unconfirmed != "" {
			verdict += ", unconfirmed: " + t.Unconfirmed
		}
		if t.Error != "" {
			first, _, _ := strings.Cut(wording.Cut(t.Error), "\n")
			verdict += ": " + first
		}
		table.Row(t.Started.Local().Format(time.DateTime), strings.TrimSpace(fmt.Sprintf("run %d %s", t.Run, t.Order)), cmp.Or(t.Serial, "-"), cmp.Or(t.Game, "-"), fmt.Sprintf("level %d", t.Level), size, spent(t), verdict)
	}
	if len(attempts) == 0 {
		fmt.Fprintln(a.err, "nothing of that kind was played")
	}
	return table.Flush()
}

// spent returns how long an attempt took, as people read it.
func spent(t journal.Attempt) string {
	if t.Ended.IsZero() {
		return "-"
	}
	return fmt.Sprintf("%.1f s", t.Ended.Sub(t.Started).Seconds())
}
