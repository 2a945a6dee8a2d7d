package command

import (
	"context"
	"fmt"
	"runtime"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/batch"
	"tapwise/cmd/internal/puzzles/generating"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/puzzles/solving"
)

// maxCores is the most cores that one worker offers.
const maxCores = 1024

// connect connects to the fleet of a hub, to have it solve and make puzzles.
func (p Program) connect(ctx context.Context, url string) (batch.Fleet, *fleet.Client, error) {
	client, err := p.operator(ctx, url)
	if err != nil {
		return batch.Fleet{}, nil, cause.Input(err)
	}
	return batch.Fleet{Client: client, Log: p.Log()}, client, nil
}

// Solve solves puzzles on the fleet of the hub at a URL, as [batch.Fleet.Solve] does; with an
// empty URL this process solves them. Call the returned function at the end.
func (p Program) Solve(ctx context.Context, url string, job solving.Job, puzzles []puzzlefile.Puzzle, progress *solving.Progress) ([]<-chan solving.Result, func(), error) {
	if url == "" {
		return job.Solve(ctx, puzzles, progress), func() {}, nil
	}
	fleet, client, err := p.connect(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	results, end := fleet.Solve(ctx, job, puzzles, progress)
	return results, func() {
		end()
		client.Close()
	}, nil
}

// Make makes puzzles on the fleet of the hub at a URL, as [batch.Fleet.Make] does; with an
// empty URL this process makes them.
func (p Program) Make(ctx context.Context, url string, order generating.Order, progress func()) ([]generating.Made, error) {
	if url == "" {
		return order.Make(ctx, progress)
	}
	fleet, client, err := p.connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return fleet.Make(ctx, order, progress)
}

func (o workerOptions) checkCores() error {
	if o.cores < 0 || o.cores > maxCores {
		return cause.Inputf("worker: --cores is %d, expected 0 to %d", o.cores, maxCores)
	}
	if !o.phones && (o.cores == 0 || o.simulated > 0) {
		return cause.Inputf("worker: --phones=false leaves only cores to offer, expected --cores and no --simulated")
	}
	return nil
}

// offer offers the worker's cores until the context ends, or what it returns is called,
// which waits until the chunks under way were given back.
func (p Program) offer(ctx context.Context, agent *fleet.Agent, o workerOptions) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		offer := batch.Offer{Agent: agent, Worker: o.name, Cores: o.cores, Log: p.Log()}
		offer.Run(ctx)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// offerOnly is a worker without phones.
func (p Program) offerOnly(ctx context.Context, reach fleet.Config, o workerOptions) error {
	agent, err := fleet.Join(ctx, reach, true)
	if err != nil {
		return ended(ctx, err)
	}
	defer agent.Close()
	// Garbage is collected on the cores that are offered, not on those beside them.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(o.cores, runtime.GOMAXPROCS(0))))
	fmt.Fprintf(p.Err, "worker %s offers %d cores to %s; Ctrl-C ends it\n", o.name, o.cores, reach.URL)
	defer p.offer(ctx, agent, o)()
	select {
	case <-ctx.Done():
		return nil
	case <-agent.Ended():
		return ended(ctx, agent.Err())
	}
}
