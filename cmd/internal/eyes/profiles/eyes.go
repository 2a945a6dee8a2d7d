package profiles

import (
	"image"
	"reflect"

	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// plainEyes look at one frame without a profile, for many games. They remember the looks for cells
// that look alike, which are the same whatever profile was tried before them.
type plainEyes struct {
	frame *vision.Frame // nil before the first look
	seen  []look
}

// look is what was seen for one spec.
type look struct {
	spec screen.Spec
	seen screen.Observation
}

func (e *plainEyes) close() {
	if e.frame != nil {
		e.frame.Close()
	}
}

// Observe implements recognise.Eyes.
func (e *plainEyes) Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	if e.frame == nil {
		var err error
		if e.frame, err = vision.NewFrame(frame, on); err != nil {
			return nil, err
		}
	}
	if !spec.Signs {
		return e.frame.Observe(spec)
	}
	for _, known := range e.seen {
		if reflect.DeepEqual(known.spec, spec) {
			again := known.seen // its boxes are the caller's to set
			return &again, nil
		}
	}
	seen, err := e.frame.Observe(spec)
	if err == nil {
		e.seen = append(e.seen, look{spec, *seen})
	}
	return seen, err
}

// profileEyes look at a frame by a profile first. The second look, for cells that look
// alike, needs none.
type profileEyes struct {
	calibrated.Eyes
	plain *plainEyes
}

// Observe implements recognise.Eyes.
func (e profileEyes) Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	if spec.Signs {
		return e.plain.Observe(frame, on, spec)
	}
	return e.Eyes.Observe(frame, on, spec)
}
