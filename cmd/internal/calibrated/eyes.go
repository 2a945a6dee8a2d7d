package calibrated

import (
	"image"
	"image/color"

	"tapwise/calibration"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Eyes look at frames with a profile.
type Eyes struct {
	// Profile returns the profile for frames of a size, nil for none; a nil
	// function always has none.
	Profile func(size image.Point) *calibration.Profile
	// Light accepts a screen without a profile that is bright where the game's own
	// is dark, for a theme on a light ground.
	Light bool
}

// By returns eyes that use a profile for frames of its shape; at other frames they
// look as the game asks.
func By(p *calibration.Profile) Eyes {
	return Eyes{Profile: func(size image.Point) *calibration.Profile {
		if p == nil || !p.Matches(size) {
			return nil
		}
		return p
	}}
}

// Observe looks at a frame for what a game asks. An observation of another theme is
// translated to the game's own.
func (e Eyes) Observe(frame *image.RGBA, on screen.Frame, own screen.Spec) (*screen.Observation, error) {
	if own.Signs {
		return vision.Observe(frame, on, own) // cells that look alike do so in any theme
	}
	var p *calibration.Profile
	if e.Profile != nil {
		p = e.Profile(on.Size)
	}
	if p == nil && e.Light && own.Dark && !own.Either && bright(frame) {
		p = &calibration.Profile{Reading: calibration.Reading{Light: true}}
		p.Palette.Ground = []screen.Tone{calibration.GroundOf(frame)}
	}
	if p == nil {
		return vision.Observe(frame, on, own)
	}
	if p.Reading.Signs {
		return observeSigns(frame, on, p, own)
	}
	spec := p.Spec(own, on.Size)
	seen, err := vision.Observe(frame, on, spec)
	if err != nil {
		return nil, err
	}
	if spec.Dark != own.Dark && own.Boxes {
		// Panels may have the game's own look whatever the theme.
		boxes := own
		boxes.Measures = nil
		other, err := vision.Observe(frame, on, boxes)
		if err != nil {
			return nil, err
		}
		seen.Boxes = append(seen.Boxes, other.Boxes...)
	}
	p.Translate(seen, own)
	for _, c := range seen.Candidates {
		c.Seen.Boxes = seen.Boxes
		p.Translate(c.Seen, own)
	}
	return seen, nil
}

// bright reports whether at least two thirds of a frame's middle are light. It
// is more cautious than the eyes' own choice between dark and light, the median
// intensity: what is in between (5 of 256 real frames are light on 54 to 60 in
// 100 of their middle) is looked at as the game's own dark look.
func bright(frame *image.RGBA) bool {
	const samples = 32 // in a row and in a column
	b := frame.Bounds()
	var pixels []color.RGBA
	for row := samples / 4; row < samples*3/4; row++ {
		for col := range samples {
			pixels = append(pixels, frame.RGBAAt(b.Min.X+b.Dx()*col/samples, b.Min.Y+b.Dy()*row/samples))
		}
	}
	const mostly = 2.0 / 3
	return screen.ShadeOf(pixels).Light >= mostly
}
