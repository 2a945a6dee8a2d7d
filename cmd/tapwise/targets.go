package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tapwise/cmd/internal/play/run"
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
	return a.once(ctx, targets)
}

// once leaves out phones that are among the targets under another name: each is played on
// once, by the best of its names. Names that mean no phone stay, and fail when it is opened.
func (a *app) once(ctx context.Context, targets []run.Target) ([]run.Target, error) {
	if len(targets) < 2 {
		return targets, nil
	}
	client, err := a.client()
	if err != nil {
		return nil, err
	}
	phones, err := client.Phones(ctx)
	if err != nil {
		return nil, phoneFailed(err)
	}
	var kept []run.Target
	for _, t := range targets {
		at := -1
		for _, p := range phones {
			if p.Called(t.Serial) != "" {
				at = slices.IndexFunc(kept, func(other run.Target) bool { return p.Called(other.Serial) != "" })
				rank := func(name string) int { return slices.Index(p.Names, p.Called(name)) }
				if at >= 0 && rank(t.Serial) < rank(kept[at].Serial) {
					kept[at], t = t, kept[at]
				}
				break
			}
		}
		switch {
		case at < 0:
			kept = append(kept, t)
		case t.Game != kept[at].Game:
			return nil, badInputf("clear: --serial %s and --serial %s are one phone, expected one game for it", kept[at].Serial, t.Serial)
		default:
			fmt.Fprintf(a.err, "%s and %s are one phone, which is played on once, as %s\n", kept[at].Serial, t.Serial, kept[at].Serial)
		}
	}
	return kept, nil
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
