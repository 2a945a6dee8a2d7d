package profiles

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"tapwise/calibration"
	"tapwise/cmd/internal/console/cause"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// None is the name that asks for no profile at all.
const None = "none"

// Store says where profiles are and which one was asked for. Files are read anew
// each time, so that a profile written meanwhile is found.
type Store struct {
	// Folder holds the user's own profiles; empty is no folder.
	Folder string
	// Asked is the name or the file of the profile asked for, or None; empty is
	// the one that fits best.
	Asked string
	// Game is the name of the game asked for, which the profile asked for must be
	// of; empty is any.
	Game string
}

// For reads the profiles among which those of a game are chosen; the empty game is any. The
// profile asked for must exist. If it is for another game, that is an error if the game was
// also asked for; otherwise no profile is used.
func (s Store) For(game string) (*Set, error) {
	if s.Asked == None {
		return &Set{game: game}, nil
	}
	known, err := s.read()
	if err != nil {
		return nil, err
	}
	set := &Set{all: known, game: game}
	if s.Asked == "" {
		return set, nil
	}
	if set.asked, err = s.find(known); err != nil {
		return nil, err
	}
	switch got := set.asked.Profile.Game; game {
	case got, "":
		return set, nil
	case s.Game:
		return nil, cause.Inputf("--profile %s: a profile of %s, expected one of %s", s.Asked, got, game)
	}
	return &Set{game: game}, nil // it is for other frames than this game's
}

// read reads the profiles that come with tapwise, and after them the user's own.
func (s Store) read() ([]calibration.Named, error) {
	builtin, err := configs.Profiles()
	if err != nil {
		return nil, err
	}
	var known []calibration.Named
	for _, file := range builtin {
		profile, err := calibration.Parse(file.Name, file.Text)
		if err != nil {
			return nil, err
		}
		known = append(known, calibration.Named{Name: strings.TrimSuffix(file.Name, ".yaml"), Profile: profile})
	}
	if s.Folder == "" {
		return known, nil
	}
	own, err := calibration.Load(s.Folder)
	if err != nil {
		return nil, cause.Input(err)
	}
	return append(known, own...), nil
}

// find returns the profile asked for, among those known or in a file of its own.
func (s Store) find(known []calibration.Named) (*calibration.Named, error) {
	for i := len(known) - 1; i >= 0; i-- { // the user's own come last
		if known[i].Name == s.Asked {
			return &known[i], nil
		}
	}
	profile, err := calibration.LoadFile(s.Asked)
	if errors.Is(err, os.ErrNotExist) {
		var names []string
		for _, n := range known {
			names = append(names, n.Name)
		}
		return nil, cause.Inputf("--profile %s: no such file, and no profile of that name among %s", s.Asked, strings.Join(names, ", "))
	}
	if err != nil {
		return nil, cause.Input(err)
	}
	return &calibration.Named{Name: s.Asked, File: s.Asked, Profile: profile}, nil
}

// AskedGame returns the game of the profile that was asked for, nil when none was.
func (s Store) AskedGame() (solvers.Game, error) {
	if s.Asked == "" {
		return nil, nil
	}
	set, err := s.For("")
	if err != nil || set.asked == nil {
		return nil, err
	}
	game, err := all.ByName(set.asked.Profile.Game)
	if err != nil {
		return nil, cause.Inputf("--profile %s: %w", set.asked.Name, err)
	}
	return game, nil
}

// FileFor returns the user's file for a profile, named after its game, model and
// frame. The file need not be there yet.
func (s Store) FileFor(p *calibration.Profile) (string, error) {
	if s.Folder == "" {
		return "", cause.Inputf("calibrate: there is no configuration folder: say where to write with --output")
	}
	name := p.Game
	if p.Phone.Model != "" {
		name += "-" + p.Phone.Model
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name+"-"+calibration.SizeOf(p.Phone.Frame))
	return filepath.Join(s.Folder, name+".yaml"), nil
}

// Load reads the profile in a file, nil when there is no such file.
func Load(file string) (*calibration.Profile, error) {
	known, err := calibration.LoadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return known, cause.Input(err)
}
