package app

import (
	"image/color"

	"tapwise/solvers/games/asteroid"
)

// look is how the app is drawn. A rough one has stars.
type look struct {
	asteroid.Look
	wall      color.NRGBA // around the board
	faint     color.NRGBA // buttons that do nothing
	lineWidth float64     // the width of the lattice's lines, in units
}

var spaceLook = look{
	Look:      asteroid.SpaceLook(),
	wall:      color.NRGBA{48, 54, 74, 255},
	faint:     color.NRGBA{84, 90, 110, 255},
	lineWidth: 1.0 / 300,
}

var flatLook = look{
	Look:      asteroid.FlatLook(),
	wall:      color.NRGBA{196, 204, 212, 255},
	faint:     color.NRGBA{190, 196, 203, 255},
	lineWidth: 1.0 / 240,
}
