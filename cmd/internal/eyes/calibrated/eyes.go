package calibrated

import (
	"image"
	"image/color"
	"slices"

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
	if seen, err = placed(frame, on, p, spec, seen); err != nil {
		return nil, err
	}
	p.Translate(seen, own)
	for _, c := range seen.Candidates {
		c.Seen.Boxes = seen.Boxes
		p.Translate(c.Seen, own)
	}
	return seen, nil
}

// leastPlaced is the share of the sides of a stated board's cells on which lines are seen
// where a frame shows that board, and leastWhole that at which nothing can cover it.
const leastPlaced, leastWhole = 0.4, 0.95

// placed is what is seen of the board that a profile says lies in its area, with its rows
// and columns: what was stated counts, whatever else on the frame looks like more of the board
// or like a panel. Where no such board shows, it is what was seen.
func placed(frame *image.RGBA, on screen.Frame, p *calibration.Profile, spec screen.Spec, seen *screen.Observation) (*screen.Observation, error) {
	room := p.Board.In(on.Size)
	if !p.Reading.Own() || room.Empty() || p.Board.Rows == 0 || p.Board.Cols == 0 || spec.Candidates || !slices.Contains(spec.Topologies, screen.Square) {
		return seen, nil
	}
	area := room
	if liesAt(seen.Layout, p.Board.Rows, p.Board.Cols, room) {
		area = seen.Layout.Board.Intersect(image.Rectangle{Max: on.Size}) // more exactly
	}
	at, err := vision.ObserveAt(frame, on, spec, area, p.Board.Rows, p.Board.Cols)
	if err != nil || at.Confidence < leastPlaced {
		return seen, nil // there is no such board, or its cells would be smaller than any
	}
	whole := at.Confidence >= leastWhole
	at.Boxes, at.Confidence = seen.Boxes, 1 // in where the board lies: a person said so
	seen = at
	if whole {
		seen.Boxes = slices.DeleteFunc(slices.Clone(seen.Boxes), func(b screen.Box) bool { return !b.Bounds.Overlaps(room) })
	}
	return seen, nil
}

// liesAt reports whether a layout has so many rows and columns, in an area.
func liesAt(l screen.Layout, rows, cols int, area image.Rectangle) bool {
	slack := int(l.Pitch / 3)
	return l.Rows == rows && l.Cols == cols && l.Board.In(area.Inset(-slack)) && area.In(l.Board.Inset(-slack))
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

// observeSigns looks at a frame by a profile whose boards are told by cells that look
// alike. The boxes are looked for as the game asks.
func observeSigns(frame *image.RGBA, on screen.Frame, p *calibration.Profile, own screen.Spec) (*screen.Observation, error) {
	if len(own.Measures) == 0 {
		return vision.Observe(frame, on, own) // no board is asked for
	}
	return ObserveSigns(frame, on, p.Spec(own, on.Size), own)
}

// ObserveSigns looks at a frame for the signs that a spec asks for, and for the boxes of
// the game's own.
func ObserveSigns(frame *image.RGBA, on screen.Frame, spec, own screen.Spec) (*screen.Observation, error) {
	boxes := own
	boxes.Measures = nil
	seen, err := vision.Observe(frame, on, spec)
	if err != nil || !own.Boxes {
		return seen, err
	}
	around, err := vision.Observe(frame, on, boxes)
	if err != nil {
		return nil, err
	}
	seen.Boxes = around.Boxes
	return seen, nil
}
