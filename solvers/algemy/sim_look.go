package algemy

import (
	"image/color"
)

// simLook is how the app is drawn. Sizes are in pitches but for gridLine.
type simLook struct {
	ground   color.NRGBA
	line     color.NRGBA // of grid and crystals
	engraved color.NRGBA // lines on a crystal that is full of colour
	faint    color.NRGBA // of what cannot be pushed
	middle   color.NRGBA // the wheel's
	signal   color.NRGBA // of what leads on after a level is solved
	gridLine float64     // in units, at least two pixels
	gemLine  float64
	outer    float64 // radius of a crystal's big cube
	inner    float64 // and of the small one inside it
	beam     float64 // width
	shine    float64 // a beam's opacity
	source   float64 // radius
	light    [6]color.NRGBA
	brown    color.NRGBA
	white    color.NRGBA
}

// dayLook has the proportions and colours of the real game's pictures.
var dayLook = simLook{
	ground:   color.NRGBA{255, 255, 255, 255},
	line:     color.NRGBA{0, 0, 0, 255},
	engraved: color.NRGBA{0, 0, 0, 255},
	faint:    color.NRGBA{205, 205, 205, 255},
	middle:   color.NRGBA{190, 190, 190, 255},
	signal:   color.NRGBA{0, 160, 70, 255},
	gridLine: 1.0 / 360,
	gemLine:  0.0345,
	outer:    0.437,
	inner:    0.215,
	beam:     0.34,
	shine:    0.55,
	source:   0.32,
	light: [6]color.NRGBA{
		{255, 0, 0, 255}, {255, 140, 0, 255}, {240, 240, 0, 255},
		{0, 150, 0, 255}, {80, 80, 255, 255}, {210, 0, 210, 255},
	},
	brown: color.NRGBA{120, 60, 0, 255},
	white: color.NRGBA{255, 255, 255, 255},
}

var nightLook = simLook{
	ground:   color.NRGBA{24, 26, 34, 255},
	line:     color.NRGBA{198, 202, 214, 255},
	engraved: color.NRGBA{18, 18, 24, 255},
	faint:    color.NRGBA{82, 86, 98, 255},
	middle:   color.NRGBA{120, 122, 130, 255},
	signal:   color.NRGBA{40, 200, 110, 255},
	gridLine: 1.0 / 190,
	gemLine:  0.042,
	outer:    0.4,
	inner:    0.25,
	beam:     0.26,
	shine:    0.7,
	source:   0.3,
	light: [6]color.NRGBA{
		{255, 64, 64, 255}, {255, 158, 40, 255}, {250, 232, 64, 255},
		{48, 190, 84, 255}, {104, 122, 255, 255}, {222, 84, 232, 255},
	},
	brown: color.NRGBA{158, 96, 48, 255},
	white: color.NRGBA{248, 248, 248, 255},
}

// colour is that of a crystal.
func (l *simLook) colour(k Crystal) color.NRGBA {
	switch k {
	case WhiteCrystal:
		return l.white
	case BrownCrystal:
		return l.brown
	}
	for c := Red; c <= Violet; c++ {
		if c.String() == k.String() {
			return l.light[c]
		}
	}
	return l.ground
}

// The faces of a cube that stands on a corner.
const (
	topFace = 1 << iota
	leftFace
	rightFace
)

// coloured is the faces of the small cube that carry a crystal's colour: the
// top stands for red, the left for blue, the right for yellow.
func coloured(k Crystal) int {
	switch k {
	case RedCrystal:
		return topFace
	case YellowCrystal:
		return rightFace
	case BlueCrystal:
		return leftFace
	case OrangeCrystal:
		return topFace | rightFace
	case GreenCrystal:
		return leftFace | rightFace
	case VioletCrystal:
		return topFace | leftFace
	case BrownCrystal:
		return topFace | leftFace | rightFace
	}
	return 0
}
