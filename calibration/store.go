package calibration

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tapwise/configs/boundedfile"
	"tapwise/configs/boundedyaml"
)

// Named is a profile and its origin.
type Named struct {
	Name    string // its file's name without .yaml
	File    string // empty for one that comes with tapwise
	Profile *Profile
}

// Situation is the phone and the app that a profile is wanted for.
type Situation struct {
	Game  string
	Model string      // the phone's; empty is unknown: then a profile of that very frame size may be for it
	Frame image.Point // the size of its frames in pixels
	App   string      // the app's version; empty is unknown
}

// fits ranks a profile for a situation; 0 means that it does not fit.
func (s Situation) fits(p *Profile) int {
	switch {
	case p.Game != s.Game,
		p.Phone.Model != "" && p.Phone.Model != s.Model && (s.Model != "" || p.Phone.Frame != s.Frame),
		!p.Matches(s.Frame),
		p.App != "" && s.App != "" && p.App != s.App:
		return 0
	}
	rank := 1
	if p.Phone.Model != "" && s.Model != "" {
		rank += 8
	}
	if p.Phone.Frame == s.Frame {
		rank += 4
	}
	if p.App != "" && p.App == s.App {
		rank += 2
	}
	return rank
}

// Choose picks the profile that fits a situation best: the user's own before one that comes
// with tapwise, then one for the phone's model before one for any, one for exactly this frame
// size before one of the same shape, one for the app's version before one for any. It reports
// false if none fits.
func Choose(profiles []Named, s Situation) (Named, bool) {
	var best Named
	rank := 0
	for _, n := range profiles {
		now := s.fits(n.Profile)
		if now > 0 && n.File != "" {
			now += 100
		}
		if now > rank {
			best, rank = n, now
		}
	}
	return best, rank > 0
}

// Load reads the profiles of a folder, in the order of their names. A missing folder has none.
// The error names the files with mistakes; the other profiles are still returned.
func Load(folder string) ([]Named, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(a, b) })
	var found []Named
	var errs []error
	for _, file := range files {
		p, err := LoadFile(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		base := filepath.Base(file)
		found = append(found, Named{Name: base[:len(base)-len(".yaml")], File: file, Profile: p})
	}
	return found, errors.Join(errs...)
}

// LoadFile reads a profile's file.
func LoadFile(file string) (*Profile, error) {
	text, err := boundedfile.Read(file, boundedyaml.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	return Parse(file, text)
}

// Naming makes an error about a temporary file name the file that was to be
// written.
func Naming(file string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	case err == nil:
		return nil
	}
	return fmt.Errorf("%s: %w", file, err)
}

// WriteTo writes a profile into a file, as Write does. One that Parse would refuse is not
// written.
func (p *Profile) WriteTo(file string) error {
	text := p.YAML()
	if _, err := Parse(file, text); err != nil {
		return fmt.Errorf("calibration: not written: %w", err)
	}
	return Write(file, text)
}

// Write replaces a file, and makes its folder if need be. If it is interrupted at
// any moment, the file is the old one or the new one, complete.
func Write(file string, text []byte) (err error) {
	folder := filepath.Dir(file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	temporary, err := os.CreateTemp(folder, ".tapwise-*")
	if err != nil {
		return fmt.Errorf("calibration: %w", Naming(file, err))
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("calibration: %w", Naming(file, err))
			_ = os.Remove(temporary.Name()) // at worst it is left behind
		}
	}()
	_, err = temporary.Write(text)
	if err == nil {
		err = temporary.Chmod(0o600)
	}
	if err == nil {
		err = temporary.Sync()
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err = os.Rename(temporary.Name(), file); err != nil {
		return err
	}
	// The new name is only safe once the folder is on disk.
	if opened, openErr := os.Open(folder); openErr == nil {
		_ = opened.Sync() // not every file system can do this
		_ = opened.Close()
	}
	return nil
}
