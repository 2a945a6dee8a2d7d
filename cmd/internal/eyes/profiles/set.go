package profiles

import (
	"image"

	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Set holds the profiles among which the one for a game on a phone is chosen. A
// nil set holds none.
type Set struct {
	// Model is the phone's; empty is unknown.
	Model string

	all   []calibration.Named
	asked *calibration.Named // the one asked for; nil: the one that fits best
	game  string
}

// Only returns a set that uses one profile for all frames of its shape.
func Only(p *calibration.Profile) *Set { return &Set{asked: &calibration.Named{Profile: p}} }

// Asked returns the profile that was asked for, and false when none was.
func (s *Set) Asked() (calibration.Named, bool) {
	if s == nil || s.asked == nil {
		return calibration.Named{}, false
	}
	return *s.asked, true
}

// Choose returns the profile for frames of a size in pixels, and false when none
// fits.
func (s *Set) Choose(size image.Point) (calibration.Named, bool) {
	if asked, ok := s.Asked(); ok {
		return asked, asked.Profile.Matches(size)
	}
	if s == nil {
		return calibration.Named{}, false
	}
	return calibration.Choose(s.all, calibration.Situation{Game: s.game, Model: s.Model, Frame: size})
}

// Eyes returns eyes that look by the profile for each frame's size.
func (s *Set) Eyes() calibrated.Eyes {
	return calibrated.Eyes{Profile: s.Profile, Light: true}
}

// Profile returns the profile for frames of a size in pixels, nil for none.
func (s *Set) Profile(size image.Point) *calibration.Profile {
	if n, ok := s.Choose(size); ok {
		return n.Profile
	}
	return nil
}

// Levels returns what the profile for frames of a size says of the app's levels.
func (s *Set) Levels(size image.Point) solvers.Levels {
	if profile := s.Profile(size); profile != nil {
		return profile.Levels
	}
	return solvers.Levels{}
}

// Aim returns the points of a gesture as they have to be sent for the touches to
// land where the gesture has them.
func (s *Set) Aim(g screen.Gesture) []image.Point {
	n, ok := s.Choose(g.On.Size)
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
