package app

import (
	"cmp"
	"image/color"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/adrift"
)

// look is how the app is drawn.
type look struct {
	adrift.Look
	sky, ground color.NRGBA // behind everything, at the top and at the bottom
	speck       color.NRGBA // what floats in the sky
	speckSize   float64     // the largest, in units
	line        color.NRGBA // between cells
	edge        color.NRGBA // the cube's edges
	ink         color.NRGBA // texts and icons
	onBar       color.NRGBA // the words on a panel's title
	onAccent    color.NRGBA // the words on a panel's first button
	lineWidth   float64     // in pitches; edges are twice as wide
}

var (
	black   = color.NRGBA{0, 0, 0, 255}
	white   = color.NRGBA{255, 255, 255, 255}
	warning = color.NRGBA{255, 40, 40, 255}
)

// The width of lines between cells, in pitches.
const (
	thickLine = 0.06
	thinLine  = 0.02
)

// darkLook is a night full of stars with thin bright lines, lightLook a bright
// day with thick ones.
var (
	darkLook = look{
		Look:      adrift.DarkLook(),
		sky:       color.NRGBA{6, 7, 18, 255},
		ground:    color.NRGBA{20, 24, 52, 255},
		speck:     color.NRGBA{220, 226, 255, 255},
		speckSize: 0.003,
		line:      color.NRGBA{112, 130, 184, 255},
		edge:      color.NRGBA{168, 186, 238, 255},
		ink:       color.NRGBA{234, 238, 255, 255},
		onBar:     color.NRGBA{255, 255, 255, 255},
		onAccent:  color.NRGBA{10, 14, 34, 255},
		lineWidth: thinLine,
	}
	lightLook = look{
		Look:      adrift.LightLook(),
		sky:       color.NRGBA{234, 246, 252, 255},
		ground:    color.NRGBA{188, 217, 235, 255},
		speck:     color.NRGBA{255, 255, 255, 120},
		speckSize: 0.045,
		line:      color.NRGBA{126, 142, 170, 255},
		edge:      color.NRGBA{58, 72, 104, 255},
		ink:       color.NRGBA{40, 54, 86, 255},
		onBar:     color.NRGBA{255, 255, 255, 255},
		onAccent:  color.NRGBA{255, 255, 255, 255},
		lineWidth: thickLine,
	}
)

// parseStyle reads a style, as New describes it.
func parseStyle(style string) (look, error) {
	look, width, err := simapp.LinedStyle(adrift.Game{}, style, "dark, light, thick or thin", darkLook,
		map[string]look{"dark": darkLook, "light": lightLook}, map[string]float64{"thick": thickLine, "thin": thinLine})
	look.lineWidth = cmp.Or(width, look.lineWidth)
	return look, err
}
