package app

import (
	"cmp"
	"image/color"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/alcazar"
)

// look is how the app is drawn.
type look struct {
	alcazar.Look
	sky, ground color.NRGBA    // behind everything, at the top and at the bottom
	floors      [2]color.NRGBA // the rooms, like a chessboard
	yard        color.NRGBA    // where there is no room
	wall        color.NRGBA
	dots        color.NRGBA // borders without a wall
	yardDots    color.NRGBA // borders without a room
	pillar      color.NRGBA // at the corners of yards
	ink         color.NRGBA // texts and icons
	onBar       color.NRGBA // the words on a panel's title
	path        color.NRGBA
	onPath      color.NRGBA // words and marks on the path's colour
	wallWidth   float64     // in pitches
}

var black = color.NRGBA{0, 0, 0, 255}

// The width of walls, in pitches.
const (
	thickWall = 0.115
	thinWall  = 0.045
)

// lightLook is parchment and dark timber, darkLook a night with golden walls.
// The path's colour is the seed's choice.
var (
	lightLook = look{
		Look:      alcazar.LightLook(),
		sky:       color.NRGBA{233, 219, 190, 255},
		ground:    color.NRGBA{203, 179, 139, 255},
		floors:    [2]color.NRGBA{{252, 247, 234, 255}, {246, 239, 221, 255}},
		yard:      color.NRGBA{160, 158, 140, 255},
		wall:      color.NRGBA{74, 48, 33, 255},
		dots:      color.NRGBA{178, 152, 116, 255},
		yardDots:  color.NRGBA{252, 247, 234, 255},
		pillar:    color.NRGBA{30, 16, 8, 255},
		ink:       color.NRGBA{74, 48, 33, 255},
		onBar:     color.NRGBA{252, 247, 234, 255},
		onPath:    color.NRGBA{255, 255, 255, 255},
		wallWidth: thickWall,
	}
	darkLook = look{
		Look:      alcazar.DarkLook(),
		sky:       color.NRGBA{9, 11, 26, 255},
		ground:    color.NRGBA{22, 27, 54, 255},
		floors:    [2]color.NRGBA{{33, 41, 72, 255}, {37, 46, 80, 255}},
		yard:      color.NRGBA{2, 3, 8, 255},
		wall:      color.NRGBA{240, 206, 122, 255},
		dots:      color.NRGBA{122, 136, 184, 255},
		yardDots:  color.NRGBA{122, 136, 184, 255},
		pillar:    color.NRGBA{240, 206, 122, 255},
		ink:       color.NRGBA{232, 234, 246, 255},
		onBar:     color.NRGBA{255, 255, 255, 255},
		onPath:    color.NRGBA{9, 11, 26, 255},
		wallWidth: thinWall,
	}
)

// parseStyle reads a style, as New describes it.
func parseStyle(style string, seed uint64) (look, error) {
	look, width, err := simapp.LinedStyle(alcazar.Game{}, style, "light, dark, thick or thin", lightLook,
		map[string]look{"light": lightLook, "dark": darkLook}, map[string]float64{"thick": thickWall, "thin": thinWall})
	look.wallWidth = cmp.Or(width, look.wallWidth)
	look.path = look.Paths[seed%uint64(len(look.Paths))]
	return look, err
}
