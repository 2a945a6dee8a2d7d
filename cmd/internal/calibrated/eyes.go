package calibrated

import (
	"image"

	"tapwise/calibration"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Eyes look at a frame as a profile says; without one, as the game asks.
type Eyes struct{ Profile *calibration.Profile }

// Observe looks at a frame for what a game asks. What was seen of another theme
// comes as the game's own would have looked like.
func (e Eyes) Observe(frame *image.RGBA, on screen.Frame, own screen.Spec) (*screen.Observation, error) {
	if e.Profile == nil || e.Profile.Reading.Own() && (e.Profile.Board.Rows == 0 || e.Profile.Board.Cols == 0) {
		return vision.Observe(frame, on, own)
	}
	spec := e.Profile.Spec(own, on.Size)
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
	e.Profile.Translate(seen)
	return seen, nil
}
