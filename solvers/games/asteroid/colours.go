package asteroid

import "image/color"

// Look is the colours and proportions of one of the app's looks, with which its screens are
// read and its boards are drawn.
type Look struct {
	Ground  color.NRGBA // behind everything, panels too
	Floor   color.NRGBA // where no tile lies
	Line    color.NRGBA // the lattice
	Tile    color.NRGBA
	Rock    color.NRGBA
	Edge    color.NRGBA // a rock's outline and craters
	Craft   color.NRGBA
	Hull    color.NRGBA // a spacecraft's outline
	Cockpit color.NRGBA
	Ink     color.NRGBA // texts and buttons
	Accent  color.NRGBA // the exit and panels' titles
	Outline float64     // the width of the outlines of rocks and spacecraft, in thirds of a tile
	Rough   bool        // rocks are no plain shapes
}

// SpaceLook is a dark one with rough rocks and a blue spacecraft.
func SpaceLook() Look {
	return Look{
		Ground:  color.NRGBA{9, 11, 22, 255},
		Floor:   color.NRGBA{3, 4, 9, 255},
		Line:    color.NRGBA{112, 124, 158, 255},
		Tile:    color.NRGBA{27, 38, 68, 255},
		Rock:    color.NRGBA{170, 136, 100, 255},
		Edge:    color.NRGBA{112, 84, 60, 255},
		Craft:   color.NRGBA{84, 180, 255, 255},
		Hull:    color.NRGBA{20, 92, 160, 255},
		Cockpit: color.NRGBA{235, 248, 255, 255},
		Ink:     color.NRGBA{232, 236, 246, 255},
		Accent:  color.NRGBA{0, 214, 116, 255},
		Outline: 0.07,
		Rough:   true,
	}
}

// FlatLook is a light one with plain round shapes and a red spacecraft.
func FlatLook() Look {
	return Look{
		Ground:  color.NRGBA{240, 242, 245, 255},
		Floor:   color.NRGBA{219, 224, 230, 255},
		Line:    color.NRGBA{96, 106, 118, 255},
		Tile:    color.NRGBA{255, 255, 255, 255},
		Rock:    color.NRGBA{118, 132, 148, 255},
		Edge:    color.NRGBA{84, 96, 110, 255},
		Craft:   color.NRGBA{236, 82, 62, 255},
		Hull:    color.NRGBA{206, 62, 46, 255},
		Cockpit: color.NRGBA{255, 226, 150, 255},
		Ink:     color.NRGBA{40, 48, 58, 255},
		Accent:  color.NRGBA{30, 150, 84, 255},
		Outline: 0.1,
	}
}
