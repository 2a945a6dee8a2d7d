package screen

import (
	"image"
	"image/color"
)

// Tone is a colour and the colours near it.
type Tone struct {
	Colour color.RGBA
	Margin int // the most difference in any channel, 0 to 255
}

// Has reports whether a colour belongs to the tone.
func (t Tone) Has(c color.RGBA) bool {
	return absolute(t.Colour.R, c.R) <= t.Margin && absolute(t.Colour.G, c.G) <= t.Margin && absolute(t.Colour.B, c.B) <= t.Margin
}

func absolute(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// Palette is the meaning of the colours on a screen.
type Palette struct {
	Ground []Tone // of empty cells, including the thin lines between them
	Marks  []Tone // of the marks on cells, as far as known
}

// Empty reports whether a colour belongs to the ground.
func (p Palette) Empty(c color.RGBA) bool {
	for _, t := range p.Ground {
		if t.Has(c) {
			return true
		}
	}
	return false
}

// Hint is knowledge of a board of squares from a calibration. With it a board can be
// found when few of its lines are seen, or none at all: by its marks, which lie in
// the middle of cells and are not ground.
type Hint struct {
	Lines   bool // there are lines between cells
	Palette Palette
	// Room is the area in whose middle boards lie, as large as fits, in pixels. When
	// it is empty, boards lie in the middle of an upright frame's width, and anywhere
	// on others.
	Room image.Rectangle
	// MarkRadius is the radius of the largest disc inside a mark, in pitches; 0 is
	// not known.
	MarkRadius float64
	// Rows and Cols are the board's; 0 is not known.
	Rows, Cols int
	// Pairs are cells whose marks belong together though they do not look alike, counted row by
	// row from 0; Alike are the mean colours of such marks. Both count if cells are
	// distinguished by signs.
	Pairs [][2]int
	Alike [][2]color.RGBA
}

// Mark is something drawn on the ground of a board.
type Mark struct {
	X, Y   float64 // its middle, in pixels
	Radius float64 // of the largest disc inside it, in pixels
	Colour color.RGBA
}
