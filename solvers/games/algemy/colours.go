package algemy

import "image/color"

// Palette is the colours of one of the app's looks.
type Palette struct {
	Light [6]color.NRGBA // by Colour
	Brown color.NRGBA
	White color.NRGBA
}

// DayPalette is the colours of the real game's pictures.
func DayPalette() Palette {
	return Palette{
		Light: [6]color.NRGBA{
			{255, 0, 0, 255}, {255, 140, 0, 255}, {240, 240, 0, 255},
			{0, 150, 0, 255}, {80, 80, 255, 255}, {210, 0, 210, 255},
		},
		Brown: color.NRGBA{120, 60, 0, 255},
		White: color.NRGBA{255, 255, 255, 255},
	}
}

// Crystal is a crystal's colour, transparent for [Empty].
func (p Palette) Crystal(k Crystal) color.NRGBA {
	switch k {
	case WhiteCrystal:
		return p.White
	case BrownCrystal:
		return p.Brown
	}
	for c := Red; c <= Violet; c++ {
		if c.String() == k.String() {
			return p.Light[c]
		}
	}
	return color.NRGBA{}
}

// Faces are visible faces of a cube that stands on a corner.
type Faces uint8

// The visible faces, a bit each.
const (
	TopFace Faces = 1 << iota
	LeftFace
	RightFace
)

// Faces are the faces of the small cube that carry the crystal's colour: the top
// stands for red, the left for blue, the right for yellow.
func (c Crystal) Faces() Faces {
	switch c {
	case RedCrystal:
		return TopFace
	case YellowCrystal:
		return RightFace
	case BlueCrystal:
		return LeftFace
	case OrangeCrystal:
		return TopFace | RightFace
	case GreenCrystal:
		return LeftFace | RightFace
	case VioletCrystal:
		return TopFace | LeftFace
	case BrownCrystal:
		return TopFace | LeftFace | RightFace
	}
	return 0
}
