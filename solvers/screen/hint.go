package screen

import (
	"image"
	"image/color"
)

// Tone is a colour, and how far another may be from it and still count as it.
type Tone struct {
	Colour color.RGBA
	Margin int // the greatest difference in any channel, 0 to 255
}

// Has reports whether a colour counts as the tone.
func (t Tone) Has(c color.RGBA) bool {
	return absolute(t.Colour.R, c.R) <= t.Margin && absolute(t.Colour.G, c.G) <= t.Margin && absolute(t.Colour.B, c.B) <= t.Margin
}

func absolute(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// Palette is what the colours on a screen mean.
type Palette struct {
	Ground []Tone // of what is empty, the thin lines between cells included
	Marks  []Tone // of what lies on it, as far as known
}

// Empty reports whether a colour is one of the ground's.
func (p Palette) Empty(c color.RGBA) bool {
	for _, t := range p.Ground {
		if t.Has(c) {
			return true
		}
	}
	return false
}

// Hint is what is known of a board of squares before looking, from a
// calibration. With it a board is found of whose lines few can be seen, or, by
// its marks, one without any: what lies in the middle of cells and is not ground.
type Hint struct {
	Lines   bool // there are lines between cells
	Palette Palette
	// Room is the area that boards fill, as large as fits, in its middle.
	// Empty: boards lie in the middle of an upright frame's width, else anywhere.
	Room image.Rectangle
	// MarkRadius is that of the largest disc inside a mark, in pitches; 0 is
	// not known.
	MarkRadius float64
	// Rows and Cols of the board; 0 is not known.
	Rows, Cols int
}

// Mark is something on the ground of a board.
type Mark struct {
	X, Y   float64 // its middle, in pixels
	Radius float64 // of the largest disc inside it, in pixels
	Colour color.RGBA
}
