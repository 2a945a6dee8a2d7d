package flow

import (
	"image/color"
	"slices"

	simapp "tapwise/solvers/app"
)

// pipeColour is a colour of the real game.
type pipeColour struct {
	letter string // which boards of real screens are written with
	colour color.NRGBA
}

// pipeColours are the real game's, in the order in which it gives them to pipes.
var pipeColours = []pipeColour{
	{"R", color.NRGBA{255, 0, 0, 255}},
	{"G", color.NRGBA{0, 141, 0, 255}},
	{"B", color.NRGBA{12, 41, 254, 255}},
	{"Y", color.NRGBA{234, 224, 0, 255}},
	{"O", color.NRGBA{251, 137, 0, 255}},
	{"C", color.NRGBA{0, 255, 255, 255}},
	{"M", color.NRGBA{255, 10, 202, 255}},
	{"m", color.NRGBA{165, 42, 42, 255}},
	{"P", color.NRGBA{128, 0, 128, 255}},
	{"W", color.NRGBA{255, 255, 255, 255}},
	{"A", color.NRGBA{159, 158, 189, 255}},
	{"g", color.NRGBA{0, 255, 0, 255}},
	{"T", color.NRGBA{160, 138, 81, 255}},
	{"b", color.NRGBA{8, 24, 159, 255}},
	{"c", color.NRGBA{0, 128, 128, 255}},
	{"p", color.NRGBA{255, 124, 236, 255}},
}

// Colours are the colours of the pipes: those that were seen when the puzzle was
// read from a screen; those of the labels when every label is a colour's letter;
// else the game's colours in order. Pipes beyond its 16 colours get an [ExtraColour].
func (p *Puzzle) Colours() []color.NRGBA {
	if len(p.colours) == p.Pipes() {
		return p.colours
	}
	if colours, ok := p.letteredColours(); ok {
		return colours
	}
	colours := make([]color.NRGBA, p.Pipes())
	for i := range colours {
		if i < len(pipeColours) {
			colours[i] = pipeColours[i].colour
		} else {
			colours[i] = ExtraColour(i)
		}
	}
	return colours
}

// letteredColours are the colours that the labels stand for, if all do.
func (p *Puzzle) letteredColours() ([]color.NRGBA, bool) {
	colours := make([]color.NRGBA, p.Pipes())
	for i := range colours {
		k := slices.IndexFunc(pipeColours, func(c pipeColour) bool { return c.letter == p.Label(i) })
		if k < 0 {
			return nil, false
		}
		colours[i] = pipeColours[k].colour
	}
	return colours, true
}

// ExtraColour is the colour of a pipe, from 0, for which a look has no colour of
// its own: the hues of consecutive pipes are a golden angle apart.
func ExtraColour(pipe int) color.NRGBA {
	return simapp.Hue(0.05+0.618034*float64(pipe), 0.15, 0.55+0.15*float64(pipe%4))
}

// ColourLetter is what colour-blind players read on an end: A for red, B for
// green and so on in the game's order of colours. A pipe of another colour has
// the letter of its number, from 0.
func ColourLetter(c color.NRGBA, pipe int) string {
	i := slices.IndexFunc(pipeColours, func(k pipeColour) bool { return k.colour == c })
	if i < 0 {
		i = pipe % len(letters)
	}
	return letters[i : i+1]
}
