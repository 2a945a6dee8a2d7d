package main

import (
	"context"
	"strings"

	"tapwise/adb"
	"tapwise/solvers"
)

// target is a phone to play on.
type target struct {
	serial string       // empty: the only phone there is
	game   solvers.Game // nil: the one on its screen
}

// targets are the phones that clear was asked for: by its flags, else by the
// configuration.
func (a *app) targets(ctx context.Context, o clearOptions) ([]target, error) {
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
	var targets []target
	seen := map[string]bool{}
	for _, text := range phones {
		t := target{serial: text, game: game}
		if i := strings.LastIndexByte(text, '='); i >= 0 {
			t.serial = text[:i]
			if t.game, err = gameNamed(text[i+1:]); err != nil {
				return nil, badInputf("clear: --serial %s: %w", text, err)
			}
		}
		if seen[t.serial] {
			return nil, badInputf("clear: --serial %s is given twice", t.serial)
		}
		seen[t.serial] = true
		targets = append(targets, t)
	}
	return targets, nil
}

// allDevices are the phones that are ready.
func (a *app) allDevices(ctx context.Context, game solvers.Game) ([]target, error) {
	client, err := a.client()
	if err != nil {
		return nil, err
	}
	devices, err := client.Devices(ctx)
	if err != nil {
		return nil, phoneFailed(err)
	}
	var targets []target
	for _, d := range devices {
		if err := d.Err(); err != nil {
			a.log.Warn("left out", "error", err)
			continue
		}
		targets = append(targets, target{d.Serial, game})
	}
	if len(targets) == 0 {
		return nil, phoneFailed(adb.ErrNoDevice)
	}
	return targets, nil
}
