package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/phones"
	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers/all"
)

// workerOptions are the flags of worker.
type workerOptions struct {
	hub, name, pack  string
	simulated, cores int
	phones           bool
}

const maxSimulated = 200

func (p Program) workerCommand() *cobra.Command {
	var o workerOptions
	command := &cobra.Command{
		Use:   "worker",
		Short: "play a hub's jobs on the phones of this host",
		Long: `Worker plays what a hub has to be played on the phones of this host: all that the
adb server shows as ready. It waits for a hub that is not there, and when the hub goes
away it finishes the level under way, keeps what was played in the journal, and
delivers it when the hub is back.

With --cores it also offers processor cores for tapwise solve --fleet and tapwise
generate --fleet; with --phones=false it does nothing but that, and needs no adb.

With --simulated it brings simulated phones along, with an adb server of their own,
and plays on these only, on as many at a time as the host has processors.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.worker(cmd.Context(), o) },
	}
	flags := command.Flags()
	flags.StringVar(&o.hub, "hub", "nats://"+usualListen, "the hub: its `URL`, or a file that has a credential as tapwise hub add prints it; - reads it from standard input")
	flags.StringVar(&o.name, "name", "", "the worker's `NAME`, unlike all others of the hub (default: the host's)")
	flags.IntVar(&o.simulated, "simulated", 0, "bring that many simulated phones along")
	flags.IntVar(&o.cores, "cores", 0, "offer that many processor cores to solve and make puzzles for others")
	flags.BoolVar(&o.phones, "phones", true, "play on phones; --phones=false only offers --cores")
	flags.StringVar(&o.pack, "pack", "", "`FILE` of the levels that the simulated phones offer (default: the pack that comes with tapwise)")
	return command
}

func (p Program) worker(ctx context.Context, o workerOptions) (err error) {
	reach, err := p.workerReach(&o)
	if err != nil {
		return err
	}
	if o.simulated < 0 || o.simulated > maxSimulated {
		return cause.Inputf("worker: --simulated is %d, expected 0 to %d", o.simulated, maxSimulated)
	}
	if err := o.checkCores(); err != nil {
		return err
	}
	if o.pack != "" && o.simulated == 0 {
		return cause.Inputf("worker: --pack is for simulated phones, expected --simulated too")
	}
	if !o.phones {
		return p.offerOnly(ctx, reach, o)
	}
	shelf := &phones.Shelf{Opener: p.Opener()}
	if o.simulated > 0 {
		simulated, err := p.simulate(ctx, o, shelf)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, simulated.Close()) }()
	} else if shelf.Journal, err = p.Journal(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shelf.Journal.Close()) }()
	outbox, err := shelf.Journal.Outbox(ctx, o.name)
	if err != nil {
		return err
	}
	noted, err := shelf.Journal.Noted(ctx, o.name)
	if err != nil {
		return err
	}
	agent, err := fleet.Join(ctx, reach, true)
	if err != nil {
		return ended(ctx, err)
	}
	defer agent.Close()
	fmt.Fprintf(p.Err, "worker %s takes jobs from %s; Ctrl-C ends it\n", o.name, reach.URL)
	defer p.offer(ctx, agent, o)()
	w := worker.Worker{Name: o.name, Agent: agent, Shelf: shelf, Outbox: outbox, Evidence: phones.Evidence{Noted: noted}, Eyes: shelf, Code: p.Code, Hint: shelf.Opener.Help, Log: p.Log()}
	if o.simulated > 0 {
		w.AtOnce = max(2, runtime.GOMAXPROCS(0))
	}
	return ended(ctx, w.Run(ctx))
}

// workerReach says how a worker reaches the hub, and gives it a name: that of its
// credential, the one asked for, or the host's.
func (p Program) workerReach(o *workerOptions) (fleet.Config, error) {
	named := o.name != ""
	if !named {
		host, err := os.Hostname()
		if err != nil {
			return fleet.Config{}, cause.Inputf("worker: the host has no name: %w; say one with --name", err)
		}
		host, _, _ = strings.Cut(host, ".")
		o.name = fleet.Token(host)
	}
	if err := fleet.CheckWorker(o.name); err != nil {
		return fleet.Config{}, cause.Input(err)
	}
	reach, err := p.reach(o.hub, o.name)
	if err == nil && named && reach.Name != o.name {
		err = cause.Inputf("worker: --name %s, and the credential is that of %s", o.name, reach.Name)
	}
	o.name = reach.Name
	return reach, err
}

// simulate starts simulated phones and has the shelf use them.
func (p Program) simulate(ctx context.Context, o workerOptions, shelf *phones.Shelf) (*phones.Simulated, error) {
	game, err := p.Game()
	if err != nil {
		return nil, err
	}
	if game == nil {
		game = all.Games()[0]
	}
	var folder string
	var j *journal.Journal
	if j, folder, err = p.Simulated(ctx); err != nil {
		return nil, err
	}
	options := simulation.Usual()
	options.Size.X, options.Size.Y = options.Size.X/2, options.Size.Y/2 // a quarter of the pixels to look at
	simulated, err := phones.Simulate(ctx, o.simulated, simulation.GameApp{Game: game, Pack: o.pack}, options)
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	shelf.Journal, shelf.Games, shelf.Show = j, []string{game.Name()}, simulated.Show
	shelf.Opener.ADB.Host, shelf.Opener.ADB.Port, shelf.Opener.Unusable = "127.0.0.1", simulated.Server.Port(), nil
	shelf.Opener.Profiles = profiles.Store{Folder: folder, Asked: shelf.Opener.Profiles.Asked}
	return simulated, nil
}
