package fit

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// stated reports whether a person said where the picture's board lies and how many
// rows and columns it has.
func (p Picture) stated() bool { return !p.Board.Empty() && p.Rows > 0 && p.Cols > 0 }

// states reports whether a person said anything of the picture's board.
func (p Picture) states() bool { return !p.Board.Empty() || p.Rows > 0 || p.Cols > 0 }

// showsMore reports whether a board whose place and size are stated, read by its cells that
// look alike, has all marks by which it was read as one of another theme, and more: those
// that are nearly as dark as the cells are hidden from a theme.
func (f Fitted) showsMore(themed Fitted) bool {
	l := f.Seen.Layout
	if t := themed.Seen.Layout; !f.stated() || l.Rows != t.Rows || l.Cols != t.Cols || len(f.Seen.Signs) != len(l.Centres) {
		return false
	}
	unseen, both := 0, 0
	for c, at := range l.Centres {
		marked := slices.ContainsFunc(themed.Marks, func(m screen.Mark) bool {
			return max(math.Abs(m.X-float64(at.X)), math.Abs(m.Y-float64(at.Y))) < l.Pitch/2
		})
		switch {
		case marked && f.Seen.Signs[c].Group == 0:
			return false
		case marked:
			both++
		case f.Seen.Signs[c].Group > 0:
			unseen++
		}
	}
	return both > 0 && unseen > 0
}

// bySigns reads a picture by its cells that look alike, of which the draft's board is
// what the picture says of it.
func (f *fitter) bySigns(now *Fitted) (*calibration.Profile, error) {
	if !f.game.About().ReadsSigns {
		return nil, fmt.Errorf("boards of %s are not told by cells that look alike", f.game.Name())
	}
	seen, err := ObserveStated(now.Picture, f.game)
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
	draft := &calibration.Profile{Reading: calibration.Reading{Signs: true}, Alike: ColoursOf(now.Picture, seen)}
	now.Seen, now.Marks = seen, nil
	return draft, f.read(now)
}

// ObserveStated looks at a picture for cells that look alike, with the place, the size and the
// pairs of marks that were stated for its board.
func ObserveStated(p Picture, game solvers.Game) (*screen.Observation, error) {
	draft := &calibration.Profile{Reading: calibration.Reading{Signs: true}}
	if room := p.Board; !room.Empty() {
		draft.Board = calibration.Room([]calibration.Sample{{Frame: p.Frame, Layout: screen.Layout{On: p.on(), Board: room}}})
		draft.Board.Rows, draft.Board.Cols = p.Rows, p.Cols
	}
	own := game.Spec()
	spec := draft.Spec(own, p.on().Size)
	if spec.Hint != nil {
		spec.Hint.Pairs = p.pairs()
	}
	return calibrated.ObserveSigns(p.Frame, p.on(), spec, own)
}

// ColoursOf returns the mean colours of the marks that a picture says belong together.
// By them a profile knows such marks again.
func ColoursOf(p Picture, seen *screen.Observation) [][2]color.RGBA {
	var colours [][2]color.RGBA
	for _, pair := range p.pairs() {
		colours = append(colours, [2]color.RGBA{seen.Signs[pair[0]].Colour, seen.Signs[pair[1]].Colour})
	}
	return colours
}

// pairs are the cells whose marks belong together, counted row by row. Cells that the
// board has not are left out.
func (p Picture) pairs() [][2]int {
	var pairs [][2]int
	on := image.Rect(0, 0, p.Cols, p.Rows)
	for _, pair := range p.Alike {
		if a, b := pair[0], pair[1]; a.In(on) && b.In(on) {
			pairs = append(pairs, [2]int{a.Y*p.Cols + a.X, b.Y*p.Cols + b.X})
		}
	}
	return pairs
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
		if d := f.drafts[i]; d != nil {
			p.Alike = append(p.Alike, d.Alike...)
		}
		if level.Rows != rows || level.Cols != cols {
			rows, cols = 0, 0
		}
	}
	p.Board = calibration.Room(samples)
	p.Board.Rows, p.Board.Cols = rows, cols
	f.addButtons(p)
	return p, nil
}
