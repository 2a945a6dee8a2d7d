package calibrated

import (
	"errors"
	"fmt"
	"image"

	"tapwise/calibration"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// observeSigns looks at a frame by a profile whose boards are told by cells that look
// alike. The boxes are looked for as the game asks.
func observeSigns(frame *image.RGBA, on screen.Frame, p *calibration.Profile, own screen.Spec) (*screen.Observation, error) {
	boxes := own
	boxes.Measures = nil
	if len(own.Measures) == 0 {
		return vision.Observe(frame, on, boxes) // no board is asked for
	}
	seen, err := vision.Observe(frame, on, p.Spec(own, on.Size))
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

// stated reports whether a person said where the picture's board lies and how many
// rows and columns it has.
func (p Picture) stated() bool { return !p.Board.Empty() && p.Rows > 0 && p.Cols > 0 }

// bySigns reads a picture by its cells that look alike, of which the draft's board is
// what the picture says of it.
func (f *fitter) bySigns(now *Fitted) (*calibration.Profile, error) {
	if !f.game.Spec().ReadsSigns {
		return nil, fmt.Errorf("boards of %s are not told by cells that look alike", f.game.Name())
	}
	size := now.Frame.Bounds().Size()
	draft := &calibration.Profile{Reading: calibration.Reading{Signs: true}}
	draft.Phone.Frame = size
	if room := now.Board; !room.Empty() {
		layout := screen.Layout{On: now.on(), Board: room}
		draft.Board = calibration.Room([]calibration.Sample{{Frame: now.Frame, Layout: layout}})
		draft.Board.Rows, draft.Board.Cols = now.Rows, now.Cols
	}
	seen, err := By(draft).Observe(now.Frame, now.on(), f.game.Spec())
	if err != nil {
		return nil, err
	}
	if seen.Layout.Rows == 0 {
		reason := "no board"
		if len(seen.Doubts) > 0 {
			reason = seen.Doubts[0]
		}
		return nil, errors.New(reason)
	}
	if err := now.agrees(seen.Layout); err != nil {
		return nil, err
	}
	now.Seen, now.Marks = seen, nil
	return draft, f.read(now)
}

// signsProfile completes a profile of boards that are told by cells that look alike.
// Its area is that of the boards, its size the one that every picture's board was said
// to have.
func (f *fitter) signsProfile(p *calibration.Profile) (*calibration.Profile, error) {
	p.Reading = calibration.Reading{Signs: true}
	var samples []calibration.Sample
	rows, cols := f.levels[0].Rows, f.levels[0].Cols
	for i := range f.levels {
		level := &f.levels[i]
		p.Levels.Several = p.Levels.Several || level.Levels.Several
		p.Levels.Uncovered = p.Levels.Uncovered || level.Levels.Uncovered
		l := level.Seen.Layout
		if !level.Board.Empty() {
			l.Board = level.Board // by which it was read
		}
		samples = append(samples, calibration.Sample{Frame: level.Frame, Layout: l})
		if level.Rows != rows || level.Cols != cols {
			rows, cols = 0, 0
		}
	}
	p.Board = calibration.Room(samples)
	p.Board.Rows, p.Board.Cols = rows, cols
	f.addButtons(p)
	return p, nil
}
