package asteroid

import (
	"image/color"
)

// simLook is how the app is drawn.
type simLook struct {
	ground   color.NRGBA
	wall     color.NRGBA // around the board
	floor    color.NRGBA // where no tile lies
	line     color.NRGBA // of the lattice
	tile     color.NRGBA
	rock     color.NRGBA
	edge     color.NRGBA // a rock's outline and craters
	craft    color.NRGBA
	hull     color.NRGBA // a spacecraft's outline
	cockpit  color.NRGBA
	ink      color.NRGBA // of texts and buttons
	faint    color.NRGBA // of buttons that do nothing
	accent   color.NRGBA // of the exit and panels' titles
	lineWide float64     // of the lattice, in units
	outline  float64     // of rocks and spacecraft, in thirds of a tile
	rough    bool        // rocks are no plain shapes, and there are stars
}

var spaceLook = simLook{
	ground:   color.NRGBA{9, 11, 22, 255},
	wall:     color.NRGBA{48, 54, 74, 255},
	floor:    color.NRGBA{3, 4, 9, 255},
	line:     color.NRGBA{112, 124, 158, 255},
	tile:     color.NRGBA{27, 38, 68, 255},
	rock:     color.NRGBA{170, 136, 100, 255},
	edge:     color.NRGBA{112, 84, 60, 255},
	craft:    color.NRGBA{84, 180, 255, 255},
	hull:     color.NRGBA{20, 92, 160, 255},
	cockpit:  color.NRGBA{235, 248, 255, 255},
	ink:      color.NRGBA{232, 236, 246, 255},
	faint:    color.NRGBA{84, 90, 110, 255},
	accent:   color.NRGBA{0, 214, 116, 255},
	lineWide: 1.0 / 300,
	outline:  0.07,
	rough:    true,
}

var flatLook = simLook{
	ground:   color.NRGBA{240, 242, 245, 255},
	wall:     color.NRGBA{196, 204, 212, 255},
	floor:    color.NRGBA{219, 224, 230, 255},
	line:     color.NRGBA{96, 106, 118, 255},
	tile:     color.NRGBA{255, 255, 255, 255},
	rock:     color.NRGBA{118, 132, 148, 255},
	edge:     color.NRGBA{84, 96, 110, 255},
	craft:    color.NRGBA{236, 82, 62, 255},
	hull:     color.NRGBA{206, 62, 46, 255},
	cockpit:  color.NRGBA{255, 226, 150, 255},
	ink:      color.NRGBA{40, 48, 58, 255},
	faint:    color.NRGBA{190, 196, 203, 255},
	accent:   color.NRGBA{30, 150, 84, 255},
	lineWide: 1.0 / 240,
	outline:  0.1,
}
