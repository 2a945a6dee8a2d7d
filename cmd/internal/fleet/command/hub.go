package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/metrics"
	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/journal"
)

// hubOptions are the flags of hub.
type hubOptions struct {
	listen, elsewhere, folder string
	lease                     time.Duration
	replicas                  int
	secure, demo              bool
	address, metrics          string
}

func (p Program) hubCommand() *cobra.Command {
	var o hubOptions
	command := &cobra.Command{
		Use:   "hub",
		Short: "run a fleet's hub, which has the work for phones on many hosts",
		Long: `Hub gives work to the phones of many hosts: it keeps jobs, results and who plays on
which phone, in NATS JetStream. It prints the line to run on the hosts with phones.
It runs until it is interrupted; its data stay in --folder, and the next start
continues from there. What was played on all phones is in journal.db there: tapwise
history --journal FOLDER/journal.db, and report.

Beyond this machine (--listen 0.0.0.0:4222) it asks for TLS and credentials. It makes
its certificate and an operator's credential, keys/operator in its folder, for
tapwise fleet --hub FILE. tapwise hub add NAME prints the line to run on a host with
phones, which keeps the worker's credential in a file that only you may read there; it
is kept nowhere else. tapwise hub revoke NAME has the hub refuse it.

With --nats it uses servers of JetStream that run elsewhere, in place of its own.

With --metrics 127.0.0.1:9464 it shows Prometheus, at /metrics there, what was played
and how the fleet is.

It tells those who do not look when a run is over or stands still, and which phones need
a hand (docs/unattended.md).

With --demo it starts a worker with a dozen simulated phones: look at them with
tapwise fleet phones, and play on them with tapwise fleet run.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.hub(cmd.Context(), o) },
	}
	flags := command.Flags()
	flags.StringVar(&o.listen, "listen", usualListen, "`ADDRESS` to listen on; port 0 is any free one")
	flags.StringVar(&o.elsewhere, "nats", "", "servers of JetStream to use in place of its own: their `URL`, or a file that has a credential")
	command.PersistentFlags().StringVar(&o.folder, "folder", "", "the `FOLDER` of what it keeps (default: tapwise/hub in your folder for state)")
	flags.BoolVar(&o.secure, "secure", false, "ask for TLS and credentials on this machine, too")
	flags.StringVar(&o.address, "address", "", "the `HOST` at which workers reach the hub (default: what it listens on, or this host's first address)")
	flags.DurationVar(&o.lease, "lease", hub.UsualLease, "how long after its worker falls silent a phone or a job goes to another")
	flags.IntVar(&o.replicas, "replicas", 1, "on how many servers everything is kept")
	flags.StringVar(&o.metrics, "metrics", "", "`ADDRESS` on this machine at which Prometheus gets figures; port 0 is any free one")
	flags.String("on-end", "", "run a `COMMAND` when a run is over (docs/unattended.md)")
	flags.String("on-stuck", "", "run a `COMMAND` when a run or a phone stands still or needs a hand")
	flags.BoolVar(&o.demo, "demo", false, "bring a dozen simulated phones along")
	add := &cobra.Command{Use: "add NAME", Short: "make a worker's credential, and print the line to run on its host", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.addWorker(cmd.Context(), o, args[0]) }}
	revoke := &cobra.Command{Use: "revoke NAME", Short: "refuse a worker's credential from now on", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			keys, err := o.keys()
			if err == nil {
				err = keys.Revoke(args[0])
			}
			return cause.Input(err)
		}}
	command.AddCommand(add, revoke)
	return command
}

// place finds the folder of what the hub keeps.
func (o *hubOptions) place() error {
	if o.folder != "" {
		return nil
	}
	state, err := places.State()
	if err != nil {
		return cause.Inputf("hub: there is no folder to keep the work in: %w, or say where with --folder", err)
	}
	o.folder = filepath.Join(state, "hub")
	return nil
}

func (o hubOptions) keys() (hub.Keys, error) {
	err := o.place()
	return hub.OpenKeys(o.folder), err
}

func (p Program) addWorker(ctx context.Context, o hubOptions, name string) error {
	keys, err := o.keys()
	if err != nil {
		return err
	}
	credential, err := keys.Add(name)
	if err != nil {
		return cause.Inputf("hub add: %w", err)
	}
	// Whoever runs the line at once is not to be refused by a hub that does not know it yet.
	if err := pause.For(ctx, hub.KeysKnown); err != nil {
		return err
	}
	if p.JSON() {
		return p.Print(map[string]string{"hub": credential.String()})
	}
	// What printf is given is in no list of processes: every shell has it built in.
	file := name + ".credential"
	_, err = fmt.Fprintf(p.Out, "(umask 077; printf '%%s\\n' '%s' > %s) && tapwise worker --hub %s\n", credential, file, file)
	return err
}

// line prints the line that starts a worker of a hub on this machine.
func (p Program) line(hub string) error {
	if p.JSON() {
		return p.Print(map[string]string{"hub": hub})
	}
	_, err := fmt.Fprintf(p.Out, "tapwise worker --hub %s\n", hub)
	return err
}

// configured makes the hub's configuration of the flags.
func (p Program) configured(o hubOptions) (hub.Config, error) {
	config := hub.Config{Listen: o.listen, Folder: o.folder, Replicas: o.replicas, Lease: o.lease, Secure: o.secure, Address: o.address, Tell: p.Tell(), Log: p.Log()}
	if o.elsewhere != "" {
		reach, err := p.reach(o.elsewhere, "hub")
		if err != nil {
			return config, err
		}
		config.Elsewhere = &reach
	}
	return config, nil
}

func (p Program) hub(ctx context.Context, o hubOptions) (err error) {
	if err := o.place(); err != nil {
		return err
	}
	config, err := p.configured(o)
	if err != nil {
		return err
	}
	if o.demo && (o.secure || o.elsewhere != "") {
		return cause.Inputf("hub: --demo is for this machine, expected neither --secure nor --nats")
	}
	if err := os.MkdirAll(o.folder, 0o700); err != nil {
		return cause.Input(err)
	}
	if config.Journal, err = journal.Open(ctx, filepath.Join(o.folder, "journal.db")); err != nil {
		return cause.Input(err)
	}
	defer func() { err = errors.Join(err, config.Journal.Close()) }()
	h, err := hub.Start(ctx, config)
	if err != nil {
		return cause.Input(err)
	}
	defer h.Close()
	if o.metrics != "" {
		url, end, err := metrics.Listen(ctx, o.metrics, metrics.Handler(p.Log(), h.Figures()...))
		if err != nil {
			return cause.Inputf("hub: %w", err)
		}
		defer end()
		fmt.Fprintf(p.Err, "hub: figures for Prometheus are at %s\n", url)
	}
	if h.Secure() {
		fmt.Fprintf(p.Err, "hub: tapwise fleet --hub %s gives orders\n", h.Keys().Operator())
		fmt.Fprintf(p.Out, "tapwise hub add NAME --folder %s\n", o.folder)
	} else if err := p.line(h.URL()); err != nil {
		return err
	}
	if flusher, ok := p.Out.(interface{ Flush() error }); ok {
		if err := flusher.Flush(); err != nil {
			return err
		}
	}
	starts := "starts a worker on a host with phones"
	if h.Secure() {
		starts = "prints what starts a worker on a host with phones"
	}
	fmt.Fprintf(p.Err, "the hub is running; the line above %s, Ctrl-C ends the hub\n", starts)
	if o.demo {
		return p.demo(ctx, h)
	}
	return ended(ctx, h.Run(ctx))
}

// demo runs the hub beside a worker with simulated phones; where one ends, so does the
// other.
func (p Program) demo(ctx context.Context, h *hub.Hub) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	worked := make(chan error, 1)
	go func() {
		defer cancel()
		err := p.worker(ctx, workerOptions{hub: h.URL(), name: "demo", phones: true, simulated: demoPhones})
		if err != nil {
			err = fmt.Errorf("the worker of the demo: %w", err)
		}
		worked <- err
	}()
	err := ended(ctx, h.Run(ctx))
	cancel()
	return errors.Join(err, <-worked)
}

const demoPhones = 12
