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
	"tapwise/solvers/all"
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
// game; the empty one is any. A profile that was asked for must be there, and be
// one of the game that was asked for.
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
	if folder := a.profileFolder(); folder != "" {
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
	switch got := p.forced.Profile.Game; game {
	case got, "":
		return p, nil
	case a.settings.Game:
		return nil, badInputf("--profile %s: a profile of %s, expected one of %s", name, got, game)
	}
	return &profiles{game: game}, nil // it is for other frames than this game's
}

// profileFolder is where the user's profiles lie, empty without a home.
func (a *app) profileFolder() string {
	if a.settings.Profiles != "" {
		return a.settings.Profiles
	}
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
	return calibrated.Eyes{Profile: p.profile, Light: true}
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

// useProfiles lets a phone be played on by the profile that fits it, with the
// timing it needs.
func (a *app) useProfiles(ctx context.Context, device phone, game string) (calibration.Timing, error) {
	timing := a.settings.Play.Timing
	found, err := a.profiles(game)
	if err != nil {
		return timing, err
	}
	found.model = device.Model
	*device.profiles = *found
	profile, err := a.applyProfile(ctx, device)
	if err != nil || profile == nil {
		return timing, err
	}
	return timing.For(profile.Settle), nil
}

// applyProfile makes the phone capture and touch in the ways that were measured
// to be best. The profile is nil when none fits.
func (a *app) applyProfile(ctx context.Context, device phone) (*calibration.Profile, error) {
	on, err := device.Screen(ctx)
	if err != nil {
		return nil, phoneFailed(err)
	}
	n, ok := device.profiles.choose(on.Current)
	if !ok {
		if forced := device.profiles.forced; forced != nil {
			return nil, badInputf("--profile %s: for frames of %s, expected the shape of the phone's %s", forced.Name,
				calibration.SizeOf(forced.Profile.Phone.Frame), calibration.SizeOf(on.Current))
		}
		return nil, nil
	}
	p := n.Profile
	a.log.Info("calibrated", "profile", n.Name, "file", n.File)
	if p.Capture != "" {
		if err := device.UseMethod(adb.Method(p.Capture)); err != nil {
			return nil, badInput(err)
		}
	}
	if p.Input != "" {
		if err := device.UseInput(ctx, p.Input); err != nil {
			return nil, phoneFailed(fmt.Errorf("profile %s: %w", n.Name, err))
		}
	}
	return p, nil
}

// profileGame is the game of the profile that was asked for, nil for none.
func (a *app) profileGame() (solvers.Game, error) {
	if a.settings.Profile == "" {
		return nil, nil
	}
	p, err := a.profiles("")
	if err != nil || p.forced == nil {
		return nil, err
	}
	game, err := all.ByName(p.forced.Profile.Game)
	if err != nil {
		return nil, badInputf("--profile %s: %w", p.forced.Name, err)
	}
	return game, nil
}

// screenGame is the game to look for on a phone's screen: the one asked for,
// else that of the profile asked for; nil when it has to be found out.
func (a *app) screenGame() (solvers.Game, error) {
	game, err := a.game()
	if game == nil && err == nil {
		return a.profileGame()
	}
	return game, err
}

// levels are those of the app whose frames have a size.
func (p *profiles) levels(size image.Point) solvers.Levels {
	if profile := p.profile(size); profile != nil {
		return profile.Levels
	}
	return solvers.Levels{}
}

// forcedLevels are those of a game in the app that the profile asked for is of.
func (a *app) forcedLevels(game solvers.Game, size image.Point) (solvers.Levels, error) {
	if a.settings.Profile == "" {
		return solvers.Levels{}, nil
	}
	p, err := a.profiles(game.Name())
	if err != nil || p.forced == nil {
		return solvers.Levels{}, err
	}
	return p.levels(size), nil
}

// recognise reads a frame, of the game asked for or of the one alone that reads
// it. A frame that is refused automatically is read by profiles that fit it: of
// a model's phone, where that is known.
func (a *app) recognise(ctx context.Context, frame *image.RGBA, on screen.Frame, game solvers.Game, model string) (sight recognise.Sight, err error) {
	games := all.Games()
	if game != nil {
		games = []solvers.Game{game}
		levels, levelsErr := a.forcedLevels(game, on.Size)
		if levelsErr != nil {
			return sight, levelsErr
		}
		sight, err = recognise.Look(ctx, eyes{}, frame, on, game, levels, a.settings.Play.SolveDeadline)
	} else {
		sight, err = recognise.Game(ctx, eyes{}, frame, on, games, a.settings.Play.SolveDeadline)
	}
	if err == nil || ctx.Err() != nil {
		return sight, err
	}
	if game == nil {
		if game, profileErr := a.profileGame(); profileErr != nil {
			return sight, profileErr
		} else if game != nil {
			games = []solvers.Game{game}
		}
	}
	var read []recognise.Sight
	for _, g := range games {
		now, ok, err := a.byProfile(ctx, frame, on, g, model)
		if err != nil {
			return sight, err
		}
		if ok {
			read = append(read, now)
		}
	}
	switch len(read) {
	case 0:
		return sight, err
	case 1:
		return read[0], nil
	}
	return sight, &solvers.ReadError{Reason: fmt.Sprintf("by the profiles it could be a board of %s and of %s", read[0].Game.Name(), read[1].Game.Name())}
}

// byProfile reads a frame by the profile of a game that fits it, if there is one.
func (a *app) byProfile(ctx context.Context, frame *image.RGBA, on screen.Frame, game solvers.Game, model string) (recognise.Sight, bool, error) {
	p, err := a.profiles(game.Name())
	if err != nil {
		return recognise.Sight{}, false, err
	}
	p.model = model
	n, ok := p.choose(on.Size)
	if !ok {
		return recognise.Sight{}, false, nil
	}
	sight, err := recognise.Look(ctx, p.eyes(), frame, on, game, n.Profile.Levels, a.settings.Play.SolveDeadline)
	switch {
	case ctx.Err() != nil:
		return sight, false, context.Cause(ctx)
	case errors.Is(err, solvers.ErrNoCover):
		return sight, false, fmt.Errorf("profile %s: cover is false: %w", n.Name, err)
	}
	if err != nil {
		a.log.Info("refused by the profile too", "profile", n.Name, "reason", err)
		return recognise.Sight{}, false, nil
	}
	return sight, true, nil
}
