package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/terminal"
	"tapwise/cmd/internal/console/usage"
	"tapwise/cmd/internal/fleet"
)

func (p Program) fleetCommand() *cobra.Command {
	var url string
	command := &cobra.Command{
		Use:   "fleet",
		Short: "give work to the phones of a hub, and watch it",
		Long: `Fleet gives work to the phones of all workers of a hub, and shows what they do. Without
another command it shows the open runs, what each has cost so far and when it will be done at
the pace of the phones that play it, and below them, in one line a phone, what stands still,
why, and what helps.`,
		Args: usage.OnlyCommands,
	}
	command.PersistentFlags().StringVar(&url, "hub", "nats://"+usualListen, "the hub: its `URL`, or a file that has a credential, such as keys/operator in the hub's folder")
	with := func(f func(context.Context, *fleet.Client, []string) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			client, err := p.operator(cmd.Context(), url)
			if err != nil {
				return cause.Input(err)
			}
			defer client.Close()
			err = f(cmd.Context(), client, args)
			if errors.Is(err, fleet.ErrNoHub) || errors.Is(err, fleet.ErrRefused) {
				err = cause.Input(err)
			}
			return err
		}
	}
	command.RunE = with(p.now)
	command.AddCommand(p.runCommand(with),
		&cobra.Command{Use: "phones", Short: "list the phones of the fleet, and what they do", Args: cobra.NoArgs, RunE: with(p.phones)},
		&cobra.Command{Use: "jobs", Short: "list the runs that were ordered, how far they are and what they cost", Args: cobra.NoArgs, RunE: with(p.jobs)},
		&cobra.Command{Use: "show RUN", Short: "show a run level by level, and the phones that stand still", Args: cobra.ExactArgs(1), RunE: with(p.show),
			Long: `Show shows the levels of a run that were tried, what each of them took, and while the run is
open the phones that stand still, one a line, with the reason and what helps. With --json
lines with a level are levels, lines with a serial are phones, and the last line is the run.`},
		&cobra.Command{Use: "cancel RUN", Short: "end a run: levels under way are finished, no other is begun", Args: cobra.ExactArgs(1), RunE: with(p.cancel)},
		&cobra.Command{Use: "purge", Short: "remove the results that are booked from the hub", Args: cobra.NoArgs,
			Long: `Purge removes the results of workers that are booked: the journal of the hub has what was
played. Those that are not booked yet stay. The hub does so itself when they take half a
gibibyte.`,
			RunE: with(func(ctx context.Context, client *fleet.Client, _ []string) error { return client.Purge(ctx) })},
		p.evidenceCommand(with), p.drainCommand(with))
	return command
}

// withClient makes a command of what is done with a connection to the hub.
type withClient = func(func(context.Context, *fleet.Client, []string) error) func(*cobra.Command, []string) error

func (p Program) drainCommand(with withClient) *cobra.Command {
	var off bool
	command := &cobra.Command{
		Use:   "drain WORKER [SERIAL]",
		Short: "have a worker's phones, or one of them, take no more jobs",
		Long: `Drain has the phones of a worker, or the one with that serial, finish the level under
way and take no more jobs; what they leave of theirs is played by others. With --off
they take jobs again.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: with(func(ctx context.Context, client *fleet.Client, args []string) error {
			serial := ""
			if len(args) > 1 {
				serial = args[1]
			}
			return cause.Input(client.Drain(ctx, args[0], serial, off))
		}),
	}
	command.Flags().BoolVar(&off, "off", false, "have them take jobs again")
	return command
}

// list prints things as rows of a table, or as JSON.
func list[T any](p Program, all []T, cells func(T) []any) error {
	rows := terminal.NewTable(p.Out)
	for _, one := range all {
		if !p.JSON() {
			rows.Row(cells(one)...)
		} else if err := p.Print(one); err != nil {
			return err
		}
	}
	return rows.Flush()
}

func (p Program) phones(ctx context.Context, client *fleet.Client, _ []string) error {
	phones, err := client.Phones(ctx)
	if err != nil {
		return err
	}
	if len(phones) == 0 {
		fmt.Fprintln(p.Err, "the hub knows no phones")
	}
	return list(p, phones, func(phone fleet.Phone) []any {
		does := phone.State
		switch {
		case phone.Why != "":
			does += ": " + phone.Why
			if phone.Helps != "" {
				does += " (" + phone.Helps + ")"
			}
		case phone.Run != "":
			does += fmt.Sprintf(" run %s, level %d", phone.Run, phone.Level)
		}
		return []any{phone.Worker, phone.Serial, phone.Model, fmt.Sprintf("%d won", phone.Won), does}
	})
}

func bookedText(b fleet.Booked) string {
	if b.Reason == "" {
		return b.Verdict
	}
	first, _, _ := strings.Cut(b.Reason, "\n")
	return b.Verdict + ": " + first
}

func (p Program) cancel(ctx context.Context, client *fleet.Client, args []string) error {
	err := client.Cancel(ctx, args[0])
	if errors.Is(err, fleet.ErrUnknown) {
		return cause.Input(err)
	}
	return err
}
