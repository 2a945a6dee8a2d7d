package app

import (
	"image/color"

	"tapwise/solvers/games/algemy"
)

// look is how the app is drawn. Sizes are in pitches except for gridLine.
type look struct {
	algemy.Palette
	ground   color.NRGBA
	line     color.NRGBA // grid and crystals
	engraved color.NRGBA // lines on a crystal that is full of colour
	faint    color.NRGBA // buttons that do nothing
	middle   color.NRGBA // the wheel's
	signal   color.NRGBA // what leads on after a level is solved
	gridLine float64     // in units, at least two pixels
	gemLine  float64
	outer    float64 // radius of a crystal's big cube
	inner    float64 // radius of the small cube inside it
	beam     float64 // width
	shine    float64 // a beam's opacity
	source   float64 // radius
}

// dayLook has the proportions and colours of the real game's pictures.
var dayLook = look{
	Palette:  algemy.DayPalette(),
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
}

var nightLook = look{
	Palette: algemy.Palette{
		Light: [6]color.NRGBA{
			{255, 64, 64, 255}, {255, 158, 40, 255}, {250, 232, 64, 255},
			{48, 190, 84, 255}, {104, 122, 255, 255}, {222, 84, 232, 255},
		},
		Brown: color.NRGBA{158, 96, 48, 255},
		White: color.NRGBA{248, 248, 248, 255},
	},
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
}
