package adrift

import (
	"image/color"

	simapp "tapwise/solvers/app"
)

// Look is the colours of one of the app's looks by which its screens are read
// and its boards are drawn.
type Look struct {
	Card   color.NRGBA    // panels
	Bar    color.NRGBA    // the title of a panel
	Accent color.NRGBA    // the first button of a panel
	Faces  [3]color.NRGBA // the cube's: top, left, right
	Stones [3]color.NRGBA // on each face
	Bright float64        // how much of white the chains' colours have, 0 to 1
}

// DarkLook is a starry night.
func DarkLook() Look {
	return Look{
		Card:   color.NRGBA{28, 34, 66, 255},
		Bar:    color.NRGBA{60, 74, 130, 255},
		Accent: color.NRGBA{122, 214, 255, 255},
		Faces:  [3]color.NRGBA{{50, 62, 104, 255}, {36, 45, 80, 255}, {26, 33, 62, 255}},
		Stones: [3]color.NRGBA{{150, 150, 152, 255}, {128, 128, 130, 255}, {108, 108, 110, 255}},
		Bright: 0.12,
	}
}

// LightLook is a bright day.
func LightLook() Look {
	return Look{
		Card:   color.NRGBA{255, 255, 255, 255},
		Bar:    color.NRGBA{58, 72, 104, 255},
		Accent: color.NRGBA{24, 118, 210, 255},
		Faces:  [3]color.NRGBA{{255, 255, 255, 255}, {238, 242, 248, 255}, {220, 227, 238, 255}},
		Stones: [3]color.NRGBA{{146, 147, 150, 255}, {126, 127, 130, 255}, {106, 107, 110, 255}},
	}
}

// chainColours are the app's, in the order in which it gives them to chains,
// each with the letter that stands for it.
var chainColours = []struct {
	letter string
	colour color.NRGBA
}{
	{"R", color.NRGBA{229, 45, 45, 255}},
	{"B", color.NRGBA{33, 100, 243, 255}},
	{"G", color.NRGBA{40, 158, 62, 255}},
	{"Y", color.NRGBA{250, 204, 0, 255}},
	{"P", color.NRGBA{142, 52, 204, 255}},
	{"O", color.NRGBA{246, 126, 0, 255}},
	{"C", color.NRGBA{0, 196, 218, 255}},
	{"M", color.NRGBA{236, 64, 172, 255}},
	{"L", color.NRGBA{168, 216, 36, 255}},
	{"N", color.NRGBA{140, 84, 46, 255}},
	{"T", color.NRGBA{0, 122, 112, 255}},
	{"V", color.NRGBA{176, 150, 255, 255}},
}

// Chains are the colours of a puzzle's chains: those that were seen when the
// puzzle was read from a screen; those of the letters when every letter has one;
// else the app's colours in order, and hues between them when there are more
// chains.
func (l Look) Chains(p *Puzzle) []color.NRGBA {
	if len(p.shades) == p.Colours() {
		return p.shades
	}
	colours, lettered := letteredColours(p)
	white := color.NRGBA{255, 255, 255, 255}
	for i := range colours {
		switch {
		case lettered:
		case i < len(chainColours):
			colours[i] = chainColours[i].colour
		default:
			colours[i] = simapp.Hue(0.03+0.618034*float64(i), 0.1, 0.6+0.13*float64(i%4))
		}
		colours[i] = simapp.Mix(colours[i], white, l.Bright)
	}
	return colours
}

// letteredColours are the colours that the letters of chains stand for, and
// whether every letter stands for one.
func letteredColours(p *Puzzle) (colours []color.NRGBA, all bool) {
	colours, all = make([]color.NRGBA, p.Colours()), true
	for i := range colours {
		known := false
		for _, c := range chainColours {
			if c.letter == p.Label(i) {
				colours[i], known = c.colour, true
			}
		}
		all = all && known
	}
	return colours, all
}
