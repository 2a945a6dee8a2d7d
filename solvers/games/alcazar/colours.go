package alcazar

import "image/color"

// Look is the colours of one of the app's looks by which its screens are read
// and its boards are drawn.
type Look struct {
	Card  color.NRGBA   // panels and buttons
	Bar   color.NRGBA   // the title of a panel
	Paths []color.NRGBA // that the app chooses the path's colour from
}

// LightLook is parchment and dark timber.
func LightLook() Look {
	return Look{
		Card:  color.NRGBA{252, 247, 234, 255},
		Bar:   color.NRGBA{110, 74, 48, 255},
		Paths: []color.NRGBA{{201, 72, 40, 255}, {36, 98, 170, 255}, {46, 125, 70, 255}, {130, 58, 150, 255}},
	}
}

// DarkLook is a night with golden walls.
func DarkLook() Look {
	return Look{
		Card:  color.NRGBA{26, 32, 60, 255},
		Bar:   color.NRGBA{58, 70, 122, 255},
		Paths: []color.NRGBA{{0, 208, 226, 255}, {255, 112, 92, 255}, {120, 226, 110, 255}, {240, 124, 224, 255}},
	}
}
