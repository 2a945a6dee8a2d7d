package adrift

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"tapwise/solvers/simapp"
)

// simLook is what is free about the app's look.
type simLook struct {
	sky, ground      color.NRGBA    // behind everything, at the top and at the bottom
	speck            color.NRGBA    // of what floats in it
	speckSize        float64        // the largest, in units
	faces            [3]color.NRGBA // of the cube's faces
	line             color.NRGBA    // between cells
	edge             color.NRGBA    // of the cube's edges
	stones           [3]color.NRGBA // on each face
	ink              color.NRGBA    // of texts and icons
	card             color.NRGBA    // of panels
	bar, onBar       color.NRGBA    // of a panel's title
	accent, onAccent color.NRGBA    // of the first button and the progress
	bright           float64        // how much brighter than usual the chains are
	lineWidth        float64        // in pitches; edges are twice as wide
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
	darkLook = simLook{
		sky:       color.NRGBA{6, 7, 18, 255},
		ground:    color.NRGBA{20, 24, 52, 255},
		speck:     color.NRGBA{220, 226, 255, 255},
		speckSize: 0.003,
		faces:     [3]color.NRGBA{{50, 62, 104, 255}, {36, 45, 80, 255}, {26, 33, 62, 255}},
		line:      color.NRGBA{112, 130, 184, 255},
		edge:      color.NRGBA{168, 186, 238, 255},
		stones:    [3]color.NRGBA{{150, 150, 152, 255}, {128, 128, 130, 255}, {108, 108, 110, 255}},
		ink:       color.NRGBA{234, 238, 255, 255},
		card:      color.NRGBA{28, 34, 66, 255},
		bar:       color.NRGBA{60, 74, 130, 255},
		onBar:     color.NRGBA{255, 255, 255, 255},
		accent:    color.NRGBA{122, 214, 255, 255},
		onAccent:  color.NRGBA{10, 14, 34, 255},
		bright:    0.12,
		lineWidth: thinLine,
	}
	lightLook = simLook{
		sky:       color.NRGBA{234, 246, 252, 255},
		ground:    color.NRGBA{188, 217, 235, 255},
		speck:     color.NRGBA{255, 255, 255, 120},
		speckSize: 0.045,
		faces:     [3]color.NRGBA{{255, 255, 255, 255}, {238, 242, 248, 255}, {220, 227, 238, 255}},
		line:      color.NRGBA{126, 142, 170, 255},
		edge:      color.NRGBA{58, 72, 104, 255},
		stones:    [3]color.NRGBA{{146, 147, 150, 255}, {126, 127, 130, 255}, {106, 107, 110, 255}},
		ink:       color.NRGBA{40, 54, 86, 255},
		card:      color.NRGBA{255, 255, 255, 255},
		bar:       color.NRGBA{58, 72, 104, 255},
		onBar:     color.NRGBA{255, 255, 255, 255},
		accent:    color.NRGBA{24, 118, 210, 255},
		onAccent:  color.NRGBA{255, 255, 255, 255},
		lineWidth: thickLine,
	}
)

// parseSimStyle reads a style: words separated by blanks, in any order. dark
// (the usual one: a starry night, thin lines) or light (a bright day, thick
// lines); thick or thin for the other width of lines.
func parseSimStyle(style string) (simLook, error) {
	look := darkLook
	width := 0.0
	for _, word := range strings.Fields(style) {
		switch word {
		case "dark":
			look = darkLook
		case "light":
			look = lightLook
		case "thick":
			width = thickLine
		case "thin":
			width = thinLine
		default:
			return darkLook, fmt.Errorf("adrift: style %q, expected dark, light, thick or thin", word)
		}
	}
	if width > 0 {
		look.lineWidth = width
	}
	return look, nil
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

// coloursOf gives each chain its colour: the one that was seen when the puzzle
// was read from a screen; that of its letter when every letter has one; else the
// app's colours in order, and hues in between when there are more chains.
func (l simLook) coloursOf(p *Puzzle) []color.NRGBA {
	if len(p.shades) == p.Colours() {
		return p.shades
	}
	colours := make([]color.NRGBA, p.Colours())
	lettered := true
	for i := range colours {
		known := false
		for _, c := range chainColours {
			if c.letter == p.Label(i) {
				colours[i], known = c.colour, true
			}
		}
		lettered = lettered && known
	}
	for i := range colours {
		switch {
		case lettered:
		case i < len(chainColours):
			colours[i] = chainColours[i].colour
		default:
			colours[i] = hue(0.03+0.618034*float64(i), 0.6+0.13*float64(i%4))
		}
		colours[i] = simapp.Mix(colours[i], white, l.bright)
	}
	return colours
}

// hue is a colour of the circle, t in turns, with a brightness up to 1.
func hue(t, brightness float64) color.NRGBA {
	channel := func(shift float64) uint8 {
		_, f := math.Modf(t + shift)
		v := math.Abs(6*f-3) - 1
		return uint8(255 * brightness * min(max(v, 0.1), 1))
	}
	return color.NRGBA{channel(0), channel(2.0 / 3), channel(1.0 / 3), 255}
}
