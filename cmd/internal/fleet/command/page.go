package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/page/web"
	"tapwise/solvers/described"
)

// pageLevels is the most levels of a run that the page orders: a request waits until the
// hub has all of them.
const pageLevels = 10_000

// redial is the pause between two tries to reach a hub that was not there or refused us.
const redial = time.Second

// Page returns the fleet of a hub for the page, an address, a credential or a file that has
// one. The hub need not be there: it is looked for until the context ends.
func (p Program) Page(ctx context.Context, hub string) (web.Fleet, error) {
	config, err := p.reach(hub, "page-"+fleet.NewID())
	if err != nil {
		return nil, err
	}
	page := &page{hub: config.URL, trouble: errors.New("looking for the hub")}
	go page.connect(ctx, config)
	return page, nil
}

// page joins the page to a hub.
type page struct {
	hub string

	mu       sync.Mutex
	client   *fleet.Client // nil: the hub was not reached yet
	overview *fleet.Overview
	trouble  error // why there is no client
}

// connect keeps a connection to the hub until the context ends. A connection that is
// there comes back by itself; one that was refused is made again.
func (p *page) connect(ctx context.Context, config fleet.Config) {
	for ctx.Err() == nil {
		connected, end := context.WithCancel(ctx)
		client, err := fleet.Dial(ctx, config, false)
		p.mu.Lock()
		p.client, p.trouble = client, err
		if err == nil {
			p.overview = client.Overview(connected)
		}
		p.mu.Unlock()
		if err == nil {
			select {
			case <-ctx.Done():
			case <-client.Ended():
			}
			client.Close()
		}
		end()
		select {
		case <-ctx.Done():
		case <-time.After(redial):
		}
	}
}

// reached returns the connection, or why there is none.
func (p *page) reached() (*fleet.Client, *fleet.Overview, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.trouble != nil:
		return nil, p.overview, p.trouble
	default:
		return p.client, p.overview, p.client.Trouble()
	}
}

func (p *page) Now() web.FleetState {
	state := web.FleetState{Hub: p.hub}
	_, overview, err := p.reached()
	if err != nil {
		state.Trouble = wording.Of(err)
	}
	if overview == nil {
		return state
	}
	view := overview.Now()
	state.Drained = view.Drained
	for _, phone := range view.Phones {
		state.Phones = append(state.Phones, web.FleetPhone{
			Worker: phone.Worker, Serial: phone.Serial, Model: phone.Model, State: phone.State, Why: phone.Why,
			Seconds: phone.For.Seconds(), Draining: phone.Draining, Run: phone.Run, Level: phone.Level,
			Won: phone.Won, Failed: phone.Failed, PerHour: phone.PerHour,
		})
	}
	for _, run := range view.Runs {
		state.Runs = append(state.Runs, web.FleetRun{
			Run: run.ID, Game: run.Game, Pack: run.Pack, State: run.State, Levels: run.Levels, Won: run.Won, Failed: run.Failed, At: run.Created.UnixMilli(),
		})
	}
	return state
}

func (p *page) Start(ctx context.Context, o web.FleetOrder) (string, error) {
	client, overview, err := p.reached()
	if err != nil {
		return "", err
	}
	order := fleet.Order{Game: o.Game.Name(), Description: described.Carry(o.Game), Pack: o.Pack}
	if order.Phones, err = fleet.ParseWanted(o.Phones); err != nil {
		return "", fmt.Errorf("%w: %w", web.ErrAsked, err)
	}
	levels, err := chosen(o.Levels, o.Boards)
	if err == nil && len(levels) > pageLevels {
		err = fmt.Errorf("%d levels, expected at most %d", len(levels), pageLevels)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", web.ErrAsked, err)
	}
	fit := 0
	for _, phone := range overview.Now().Phones {
		if phone.State != fleet.Unready && order.Phones.Fits(phone.Phone) && phone.Plays(order.Game) {
			fit++
		}
	}
	order, err = client.Submit(ctx, order, levels, len(o.Boards), jobSize(len(levels), fit))
	return order.ID, err
}

// jobSize is how many levels a phone takes at a time, so that each phone gets about two
// jobs of a run that is short.
func jobSize(levels, phones int) int { return min(max(1, levels/max(1, 2*phones)), usualJob) }

func (p *page) Cancel(ctx context.Context, run string) error {
	client, _, err := p.reached()
	if err != nil {
		return err
	}
	if err = client.Cancel(ctx, run); errors.Is(err, fleet.ErrUnknown) {
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}

func (p *page) Drain(ctx context.Context, worker, serial string, off bool) error {
	if err := fleet.CheckWorker(worker); err != nil {
		return fmt.Errorf("%w: %w", web.ErrAsked, err)
	}
	client, _, err := p.reached()
	if err != nil {
		return err
	}
	return client.Drain(ctx, worker, serial, off)
}

func (p *page) Picture(ctx context.Context, worker, serial string) ([]byte, error) {
	if err := fleet.CheckWorker(worker); err != nil {
		return nil, fmt.Errorf("%w: %w", web.ErrAsked, err)
	}
	client, _, err := p.reached()
	if err != nil {
		return nil, err
	}
	return client.Look(ctx, worker, serial)
}

var _ web.Fleet = (*page)(nil)
