package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/cmd/internal/show/reading"
)

func (a *app) playCommand() *cobra.Command {
	var dryRun bool
	var o runOptions
	command := &cobra.Command{
		Use:   "play",
		Short: "play the level on the phone's screen",
		Long: `Play reads the level on the phone's screen, solves it, checks the solution and
plays it, then looks whether the level is won. A board with several solutions,
where the game's levels have one, is played when it was seen clearly and a second
look finds it again. A level that is complete already is left as it is, which is no
failure: play says so, and the exit code is 0. A phone that is asleep or locked is not
touched. Exit codes: 4 the screen could not be read, 5 the phone failed, is asleep or
locked, 6 the level was played but not won, 7 it was not solved within the
configuration's solve-deadline.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.play(cmd.Context(), dryRun, o) },
	}
	o.flags(command.Flags())
	command.Flags().BoolVar(&dryRun, "dry-run", false, "print the adb commands instead of running them")
	return command
}

func (a *app) play(ctx context.Context, dryRun bool, o runOptions) (err error) {
	game, err := a.game()
	if err != nil {
		return err
	}
	target := run.Target{Serial: a.settings.Serial, Game: game, Wake: run.MustBeAwake}
	if dryRun {
		r, err := a.opener().Open(ctx, target)
		if err != nil {
			return err
		}
		return a.preview(ctx, r)
	}
	j, err := a.openJournal(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	r, beside, err := a.start(ctx, j, target, o, journal.Run{Levels: 1}, false)
	if err != nil {
		return err
	}
	defer func() { err = beside.end(err) }()
	a.quiet = o.quiet
	report, err := r.Play(ctx, j, func(report player.Report, failure error) error {
		beside.times.Add(report)
		return a.printReport("", 1, report, failure)
	})
	if errors.Is(err, player.ErrComplete) {
		return a.printComplete(report)
	}
	return err
}

// preview prints the adb commands that would play the level on the screen.
func (a *app) preview(ctx context.Context, r *run.Run) error {
	report, lines, err := r.Preview(ctx)
	if errors.Is(err, player.ErrComplete) {
		return a.printComplete(report)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			Game     string   `json:"game"`
			Board    string   `json:"board"`
			Solution string   `json:"solution"`
			Commands []string `json:"commands"`
		}{report.Game, report.Board, report.Solution, lines})
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(a.out, line); err != nil {
			return err
		}
	}
	return nil
}

// levelLine is a level's report as JSON.
type levelLine struct {
	Serial string `json:"serial,omitempty"` // where several phones play
	Level  int    `json:"level"`
	Game   string `json:"game"`
	Status string `json:"status"` // won, failed, complete: before it was played
	attempt.Record
	Evidence string `json:"evidence,omitempty"`
	Warning  string `json:"warning,omitempty"`
	Error    string `json:"error,omitempty"`
}

// printComplete says that there is nothing to play.
func (p *printer) printComplete(r player.Report) error {
	if p.json {
		return p.printJSON(levelLine{Level: 1, Game: r.Game, Status: "complete", Record: attempt.Record{Settle: r.Settle, Read: r.Read, Captures: r.Captures}})
	}
	if p.quiet {
		return nil
	}
	_, err := fmt.Fprintf(p.err, "%v\n", player.ErrComplete)
	return err
}

// printReport prints a line for a level that was played or failed. The serial
// is empty where one phone plays.
func (p *printer) printReport(serial string, number int, r player.Report, failure error) error {
	if p.quiet && failure == nil {
		return nil
	}
	verdict := "won"
	switch {
	case failure != nil:
		verdict = "failed"
	case r.Redone:
		verdict = "won, after playing some of it again"
	case r.Several:
		verdict = "won, by one of several solutions"
	}
	if r.Unconfirmed != "" && failure == nil {
		verdict += ", unconfirmed: " + r.Unconfirmed
	}
	if p.json {
		line := levelLine{Serial: serial, Level: number, Game: r.Game, Status: "won", Record: r.Record, Evidence: r.Evidence}
		line.Warning = reading.Warning(r.Several, r.Uncovered)
		if failure != nil {
			line.Status, line.Error = "failed", wording.Of(failure)
		}
		return p.printJSON(line)
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }
	if serial != "" {
		serial += "  "
	}
	_, err := fmt.Fprintf(p.out, "%s%3d  %-8s %-7s read %-7s solve %-7s play %-8s %s\n", serial, number, r.Game,
		fmt.Sprintf("%dx%d", r.Cols, r.Rows), ms(r.Settle.Duration+r.Read.Duration), ms(r.Solve.Duration), ms(r.Play.Duration+r.Verify.Duration), verdict)
	return err
}
