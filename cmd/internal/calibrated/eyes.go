package calibrated

import (
	"image"

	"tapwise/calibration"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Eyes look at a frame as a profile says.
type Eyes struct {
	// Profile is the one for frames of a size, nil for none; as a nil function
	// always.
	Profile func(size image.Point) *calibration.Profile
}

// By are the eyes that look by a profile at frames of its shape, and as the
// game asks at others.
func By(p *calibration.Profile) Eyes {
	return Eyes{func(size image.Point) *calibration.Profile {
		if p == nil || !p.Matches(size) {
			return nil
		}
		return p
	}}
}

// Observe looks at a frame for what a game asks. What was seen of another theme
// comes as the game's own would have looked like.
func (e Eyes) Observe(frame *image.RGBA, on screen.Frame, own screen.Spec) (*screen.Observation, error) {
	var p *calibration.Profile
	if e.Profile != nil {
		p = e.Profile(on.Size)
	}
	if p == nil {
		return vision.Observe(frame, on, own)
	}
	spec := p.Spec(own, on.Size)
	seen, err := vision.Observe(frame, on, spec)
	if err != nil {
		return nil, err
	}
	if spec.Dark != own.Dark && own.Boxes {
		// Panels may keep the game's own looks whatever the theme.
		boxes := own
		boxes.Measures = nil
		other, err := vision.Observe(frame, on, boxes)
		if err != nil {
			return nil, err
		}
		seen.Boxes = append(seen.Boxes, other.Boxes...)
	}
	p.Translate(seen, own)
	return seen, nil
}
