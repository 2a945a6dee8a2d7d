package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/fleet"
)

// evidenceOptions are the flags of fleet evidence.
type evidenceOptions struct {
	output string
	wait   time.Duration
}

func (p Program) evidenceCommand(with withClient) *cobra.Command {
	var o evidenceOptions
	command := &cobra.Command{
		Use:   "evidence RUN LEVEL",
		Short: "fetch what a level that failed left at its worker",
		Long: `Evidence asks the worker that ended a failed level for what its phone left of the last
failure: the frames, what was seen on them and what was decided, packed into one file,
which tapwise replay takes. The worker keeps it in its own folder of evidence until
then, and has to be running.`,
		Args: cobra.ExactArgs(2),
		RunE: with(func(ctx context.Context, client *fleet.Client, args []string) error {
			return p.evidence(ctx, client, args, o)
		}),
	}
	flags := command.Flags()
	flags.StringVarP(&o.output, "output", "o", "", "the `FILE` to write (default: RUN-LEVEL.zip)")
	flags.DurationVar(&o.wait, "wait", time.Minute, "how long to wait for the worker")
	return command
}

func (p Program) evidence(ctx context.Context, client *fleet.Client, args []string, o evidenceOptions) error {
	level, err := strconv.Atoi(args[1])
	if err != nil || level < 1 || level > fleet.MaxLevels {
		return cause.Inputf("level %q, expected 1 to %d", args[1], fleet.MaxLevels)
	}
	if o.wait <= 0 || o.wait > fleet.AskedAge {
		return cause.Inputf("--wait is %v, expected up to %v", o.wait, fleet.AskedAge)
	}
	asking, cancel := context.WithTimeout(ctx, o.wait)
	defer cancel()
	booked, packed, err := client.Evidence(asking, args[0], level)
	switch {
	case errors.Is(err, fleet.ErrAway):
		return cause.Timef("%v in %v: is it running? tapwise fleet phones lists the phones of those that are", err, o.wait)
	case errors.Is(err, fleet.ErrUnknown), errors.Is(err, fleet.ErrNotFailed), errors.Is(err, fleet.ErrNoEvidence):
		return cause.Input(err)
	case err != nil:
		return err
	}
	if o.output == "" {
		o.output = fmt.Sprintf("%s-%d.zip", args[0], level)
	}
	if err := wholefile.WritePrivate(o.output, packed); err != nil {
		return err
	}
	if p.JSON() {
		return p.Print(map[string]any{"file": o.output, "bytes": len(packed), "worker": booked.Worker, "phone": booked.Phone})
	}
	_, err = fmt.Fprintln(p.Out, o.output)
	return err
}
