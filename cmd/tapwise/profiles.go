package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"

	"tapwise/adb"
	"tapwise/calibration"
	"tapwise/cmd/internal/calibrated"
	"tapwise/cmd/internal/recognise"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// profiles are those among which the one for a game on a phone is chosen. Nil
// has none.
type profiles struct {
	all    []calibration.Named
	forced *calibration.Named // the one asked for; nil: the one that fits best
	game   string
	model  string // of the phone; empty is unknown
	app    string // the app's version; empty is unknown
}

// profiles reads the user's profiles and those that come with tapwise, for a
// game. A profile that was asked for must be there and be one of that game.
func (a *app) profiles(game string) (*profiles, error) {
	p := &profiles{game: game}
	if a.settings.Profile == "none" {
		return p, nil
	}
	builtin, err := configs.Profiles()
	if err != nil {
		return nil, err
	}
	for _, file := range builtin {
		profile, err := calibration.Parse(file.Name, file.Text)
		if err != nil {
			return nil, err
		}
		p.all = append(p.all, calibration.Named{Name: strings.TrimSuffix(file.Name, ".yaml"), Profile: profile})
	}
	if folder := profileFolder(); folder != "" {
		own, err := calibration.Load(folder)
		if err != nil {
			return nil, badInput(err)
		}
		p.all = append(p.all, own...)
	}
	name := a.settings.Profile
	if name == "" {
		return p, nil
	}
	for i := len(p.all) - 1; i >= 0; i-- { // the user's own come last
		if p.all[i].Name == name {
			p.forced = &p.all[i]
			break
		}
	}
	if p.forced == nil {
		profile, err := calibration.LoadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			var names []string
			for _, n := range p.all {
				names = append(names, n.Name)
			}
			return nil, badInputf("--profile %s: no such file, and no profile of that name among %s", name, strings.Join(names, ", "))
		}
		if err != nil {
			return nil, badInput(err)
		}
		p.forced = &calibration.Named{Name: name, File: name, Profile: profile}
	}
	if got := p.forced.Profile.Game; got != game {
		return nil, badInputf("--profile %s: a profile of %s, expected one of %s", name, got, game)
	}
	return p, nil
}

// profileFolder is where the user's profiles lie, empty without a home.
func profileFolder() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "tapwise", "profiles")
}

// choose takes the profile for frames of a size.
func (p *profiles) choose(size image.Point) (calibration.Named, bool) {
	switch {
	case p == nil:
		return calibration.Named{}, false
	case p.forced != nil:
		return *p.forced, p.forced.Profile.Matches(size)
	}
	return calibration.Choose(p.all, calibration.Situation{Game: p.game, Model: p.model, Frame: size, App: p.app})
}

// eyes look by the profile for each frame's size.
func (p *profiles) eyes() calibrated.Eyes {
	return calibrated.Eyes{Profile: p.profile}
}

// profile is the one for frames of a size, nil for none.
func (p *profiles) profile(size image.Point) *calibration.Profile {
	if n, ok := p.choose(size); ok {
		return n.Profile
	}
	return nil
}

// aim are the points of a gesture as they have to be sent.
func (p *profiles) aim(g screen.Gesture) []image.Point {
	n, ok := p.choose(g.On.Size)
	if !ok {
		return g.Points
	}
	touch, ok := n.Profile.TouchFor(g.On.Rotation)
	if !ok {
		return g.Points
	}
	points := make([]image.Point, len(g.Points))
	for i, at := range g.Points {
		points[i] = touch.Aim(g.On.Size, at)
	}
	return points
}

// useProfiles lets a phone be played on by the profile that fits it.
func (a *app) useProfiles(ctx context.Context, device phone, game string) error {
	if device.profiles == nil {
		return nil
	}
	found, err := a.profiles(game)
	if err != nil {
		return err
	}
	found.model = device.Model
	*device.profiles = *found
	return a.applyProfile(ctx, device)
}

// applyProfile makes the phone capture and touch in the ways that were measured
// to be best, and waits as long as its animations need.
func (a *app) applyProfile(ctx context.Context, device phone) error {
	on, err := device.Screen(ctx)
	if err != nil {
		return phoneFailed(err)
	}
	n, ok := device.profiles.choose(on.Current)
	if !ok {
		if forced := device.profiles.forced; forced != nil {
			return badInputf("--profile %s: for frames of %s, expected the shape of the phone's %s", forced.Name,
				calibration.SizeOf(forced.Profile.Phone.Frame), calibration.SizeOf(on.Current))
		}
		return nil
	}
	p := n.Profile
	a.log.Info("calibrated", "profile", n.Name, "file", n.File)
	if p.Capture != "" {
		if err := device.UseMethod(adb.Method(p.Capture)); err != nil {
			return badInput(err)
		}
	}
	if p.Input != "" {
		if err := device.UseInput(ctx, p.Input); err != nil {
			return phoneFailed(fmt.Errorf("profile %s: %w", n.Name, err))
		}
	}
	t := &a.settings.Play.Timing
	t.SettleDeadline = max(t.SettleDeadline, 10*p.Settle)
	t.WinDeadline = max(t.WinDeadline, 10*p.Settle)
	t.NextDeadline = max(t.NextDeadline, 10*p.Settle)
	return nil
}

// byProfile reads a picture that is refused automatically by the profile of a
// game that fits it, if there is one.
func (a *app) byProfile(ctx context.Context, frame *image.RGBA, on screen.Frame, game solvers.Game) (recognise.Sight, bool, error) {
	if forced := a.settings.Profile; forced != "" && a.settings.Game == "" {
		return recognise.Sight{}, false, nil // whose it is is not known
	}
	p, err := a.profiles(game.Name())
	if err != nil {
		return recognise.Sight{}, false, err
	}
	n, ok := p.choose(on.Size)
	if !ok {
		return recognise.Sight{}, false, nil
	}
	sight, err := recognise.Look(ctx, p.eyes(), frame, on, game, a.settings.Play.SolveDeadline)
	if err != nil {
		a.log.Info("refused by the profile too", "profile", n.Name, "reason", err)
		return recognise.Sight{}, false, nil
	}
	return sight, true, nil
}
