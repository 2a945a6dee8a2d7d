package pointer

import (
	"errors"
	"fmt"
	"image"
)

// A Kind is what a finger does.
type Kind int

// What a finger does: it comes down, moves and goes up.
const (
	Down Kind = iota
	Move
	Up
)

// String is the kind's word.
func (k Kind) String() string { return [...]string{"down", "move", "up"}[k] }

// An Event is one moment of the one finger. At is a pixel; a finger that goes up keeps its last
// place.
type Event struct {
	Kind Kind
	At   image.Point
}

// An Encoder writes events in the form of one way to touch. A new stroke begins with Down and
// ends with Up; Encoders are not safe for concurrent use.
type Encoder interface {
	// Start is what is sent once, before the first event; empty for nothing.
	Start() []byte
	// Encode is one event, whole.
	Encode(Event) []byte
	// Release lifts a finger that an earlier connection may have left on the screen, and does
	// nothing if there is none. It is empty if the end of a connection lifts the finger.
	Release() []byte
	// Natural reports whether points are of the screen in its natural orientation
	// and in physical pixels; otherwise they are of the screen as apps see it.
	Natural() bool
}

// A Space is a screen as touches see it: how large it was built, how large apps see
// it, and how it is turned.
type Space struct {
	Physical image.Point // pixels, as the phone was built
	Current  image.Point // pixels, as apps see it: an override of the size, turned
	Rotation int         // quarter turns 0–3, as Android counts them
}

// ErrOverridden: the size of the screen is set to one of another shape.
var ErrOverridden = errors.New("the size is overridden to another shape")

// Check says why points cannot be turned back to natural ones; nil where they can.
func (s Space) Check() error {
	size := s.upright()
	if s.Rotation < 0 || s.Rotation > 3 {
		return fmt.Errorf("the screen's rotation is %d, expected 0 to 3 quarter turns", s.Rotation)
	}
	if s.Physical.X <= 0 || s.Physical.Y <= 0 || size.X <= 0 || size.Y <= 0 {
		return fmt.Errorf("a screen of %v pixels that apps see as %v", s.Physical, s.Current)
	}
	// Where an override has another shape, Android puts borders around the picture,
	// and nothing printed tells where.
	across, down := size.X*s.Physical.Y, size.Y*s.Physical.X
	if difference := max(across-down, down-across); difference*100 > max(across, down) {
		return fmt.Errorf("%w, %dx%d on a screen of %dx%d: `wm size reset` takes the override back",
			ErrOverridden, size.X, size.Y, s.Physical.X, s.Physical.Y)
	}
	return nil
}

// upright is the size that apps would see in the natural orientation.
func (s Space) upright() image.Point {
	if s.Rotation == 1 || s.Rotation == 3 {
		return image.Pt(s.Current.Y, s.Current.X)
	}
	return s.Current
}

// Natural turns a pixel of the screen as apps see it into one of the screen as it
// was built.
func (s Space) Natural(p image.Point) image.Point {
	size := s.upright()
	switch s.Rotation {
	case 1:
		p = image.Pt(size.X-1-p.Y, p.X)
	case 2:
		p = image.Pt(size.X-1-p.X, size.Y-1-p.Y)
	case 3:
		p = image.Pt(p.Y, size.Y-1-p.X)
	}
	return image.Pt((2*p.X+1)*s.Physical.X/(2*size.X), (2*p.Y+1)*s.Physical.Y/(2*size.Y))
}

// onAxis is the value of an axis from least to most that lands on the middle of
// pixel p, of so many pixels. Android takes the axis to have most-least+1 steps.
func onAxis(p, pixels, least, most int) int {
	if pixels <= 0 {
		return least
	}
	value := least + int((2*int64(p)+1)*(int64(most)-int64(least)+1)/(2*int64(pixels)))
	return min(max(value, least), most)
}
