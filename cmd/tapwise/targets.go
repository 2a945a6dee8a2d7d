package main

import (
	"context"
	"strings"

	"tapwise/cmd/internal/run"
	"tapwise/solvers"
)

// targets returns the phones that clear was asked to play on: by its flags, else
// by the configuration.
func (a *app) targets(ctx context.Context, o clearOptions) ([]run.Target, error) {
	game, err := a.game()
	if err != nil {
		return nil, err
	}
	if o.devices {
		if len(o.phones) > 0 {
			return nil, badInputf("clear: both --serial and --all-devices, expected one of them")
		}
		return a.allDevices(ctx, game)
	}
	phones := o.phones
	if len(phones) == 0 {
		phones = strings.Split(a.settings.Serial, ",")
	}
	var targets []run.Target
	seen := map[string]bool{}
	for _, text := range phones {
		t := run.Target{Serial: text, Game: game, Wake: run.WakeIt}
		if i := strings.LastIndexByte(text, '='); i >= 0 {
			t.Serial = text[:i]
			if t.Game, err = gameNamed(text[i+1:]); err != nil {
				return nil, badInputf("clear: --serial %s: %w", text, err)
			}
		}
		if seen[t.Serial] {
			return nil, badInputf("clear: --serial %s is given twice", t.Serial)
		}
		seen[t.Serial] = true
		targets = append(targets, t)
	}
	return targets, nil
}

// allDevices returns the phones that are ready.
func (a *app) allDevices(ctx context.Context, game solvers.Game) ([]run.Target, error) {
	serials, err := a.opener().Ready(ctx)
	var targets []run.Target
	for _, serial := range serials {
		targets = append(targets, run.Target{Serial: serial, Game: game, Wake: run.WakeIt})
	}
	return targets, err
}
