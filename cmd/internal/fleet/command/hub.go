package command

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/cause"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/places"
)

// hubOptions are the flags of hub.
type hubOptions struct {
	listen, elsewhere, folder string
	lease                     time.Duration
	replicas                  int
	demo                      bool
}

func (p Program) hubCommand() *cobra.Command {
	var o hubOptions
	command := &cobra.Command{
		Use:   "hub",
		Short: "know the work of phones on many hosts",
		Long: `Hub is where the phones of many hosts get their work from: it keeps jobs, results
and who plays on which phone, in NATS JetStream. It prints the line to run on the
hosts with phones. It runs until it is interrupted; what it keeps stays in --folder,
and it goes on from there when it is started again.

With --nats it uses servers of JetStream that run elsewhere, in place of its own.

With --demo it brings a worker with a dozen simulated phones along: look at them with
tapwise fleet phones, and play on them with tapwise fleet run.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.hub(cmd.Context(), o) },
	}
	flags := command.Flags()
	flags.StringVar(&o.listen, "listen", usualListen, "`ADDRESS` to listen on; port 0 is any free one")
	flags.StringVar(&o.elsewhere, "nats", "", "the `URL` of servers of JetStream to use, in place of its own")
	flags.StringVar(&o.folder, "folder", "", "the `FOLDER` of what it keeps (default: tapwise/hub in your folder for state)")
	flags.DurationVar(&o.lease, "lease", hub.UsualLease, "after what time a phone or a job is another's, when nothing is heard of its worker")
	flags.IntVar(&o.replicas, "replicas", 1, "on how many servers everything is kept")
	flags.BoolVar(&o.demo, "demo", false, "bring a dozen simulated phones along")
	return command
}

func (p Program) hub(ctx context.Context, o hubOptions) error {
	if o.folder == "" {
		state, err := places.State()
		if err != nil {
			return cause.Inputf("hub: there is no folder to keep the work in: %w; say where with --folder", err)
		}
		o.folder = filepath.Join(state, "hub")
	}
	h, err := hub.Start(ctx, hub.Config{Listen: o.listen, Folder: o.folder, Elsewhere: o.elsewhere, Replicas: o.replicas, Lease: o.lease, Log: p.Log()})
	if err != nil {
		return cause.Input(err)
	}
	defer h.Close()
	if p.JSON() {
		if err := p.Print(map[string]string{"hub": h.URL()}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(p.Out, "tapwise worker --hub %s\n", h.URL())
	}
	if flusher, ok := p.Out.(interface{ Flush() error }); ok {
		if err := flusher.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.Err, "the hub is running; the line above starts a worker on a host with phones, Ctrl-C ends the hub\n")
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	over := make(chan struct{})
	if o.demo {
		go func() {
			defer close(over)
			if err := p.worker(ctx, workerOptions{hub: h.URL(), name: "demo", simulated: demoPhones}); err != nil && ctx.Err() == nil {
				cancel(fmt.Errorf("the worker of the demo: %w", err))
			}
		}()
	} else {
		close(over)
	}
	err = h.Run(ctx)
	cancel(nil)
	<-over
	return ended(ctx, err)
}

const demoPhones = 12
