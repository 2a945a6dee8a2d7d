package calibration

import (
	"fmt"
	"image"
	"math"

	"tapwise/solvers/screen"
)

// Place moves the buttons of a place in a game's app to where the profile says they
// are: next and close on the panel of a completed level, restart on a level. Other
// places, messages and lists, stay as they were seen.
func (p *Profile) Place(seen screen.Place, size image.Point) screen.Place {
	var names []string
	switch seen.Kind {
	case screen.Won:
		names = []string{"next", "close"}
	case screen.Level:
		names = []string{"restart"}
	}
	place := seen
	place.Buttons = append([]screen.Button(nil), seen.Buttons...)
	for _, name := range names {
		at, ok := p.Buttons[name]
		if !ok {
			continue
		}
		known := screen.Button{Name: name, At: at.In(size)}
		found := false
		for i := range place.Buttons {
			if place.Buttons[i].Name == name {
				place.Buttons[i], found = known, true
			}
		}
		if !found {
			place.Buttons = append(place.Buttons, known)
		}
	}
	return place
}

// SafeOn is the part of a screen, in pixels, that may be touched. On a phone held
// the other way up, the margins change sides.
func (p *Profile) SafeOn(on screen.Frame) image.Rectangle {
	s := p.Safe
	if on.Rotation >= 0 && p.Phone.Rotation >= 0 && (on.Rotation-p.Phone.Rotation)%4 != 0 {
		s.Left, s.Right, s.Top, s.Bottom = s.Right, s.Left, s.Bottom, s.Top
	}
	w, h := float64(on.Size.X), float64(on.Size.Y)
	return image.Rect(int(math.Ceil(w*s.Left)), int(math.Ceil(h*s.Top)), int(math.Floor(w*(1-s.Right))), int(math.Floor(h*(1-s.Bottom))))
}

// KeepSafe keeps gestures within the part of the screen that may be touched. A
// stroke that ends outside ends at the rim instead if that is still well inside the
// same cell; pitch is the board's, in pixels, and 0 if there is no board: then no
// end moves. Any other point outside is an error. The given gestures are not
// changed.
func (p *Profile) KeepSafe(gestures []screen.Gesture, pitch float64) ([]screen.Gesture, error) {
	kept := append([]screen.Gesture(nil), gestures...)
	for i, g := range gestures {
		safe := p.SafeOn(g.On)
		last := len(g.Points) - 1
		for k, at := range g.Points {
			if at.In(safe) {
				continue
			}
			rim := image.Pt(min(max(at.X, safe.Min.X), safe.Max.X-1), min(max(at.Y, safe.Min.Y), safe.Max.Y-1))
			most := int(insideCell * pitch)
			if k == 0 || k != last || max(rim.X-at.X, at.X-rim.X) > most || max(rim.Y-at.Y, at.Y-rim.Y) > most {
				return nil, fmt.Errorf("%s: %v lies outside %v, the part of the screen that the profile calls safe to touch", g.Note, at, safe)
			}
			kept[i].Points = append(append([]image.Point(nil), g.Points[:last]...), rim)
		}
	}
	return kept, nil
}

// insideCell is the distance from a cell's middle, in pitches, that is still in
// that cell without doubt.
const insideCell = 0.4
