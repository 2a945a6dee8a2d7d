package flow

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/simapp"
)

// simLook is what is free about the app's look.
type simLook struct {
	pack    color.NRGBA // the pack's colour: the title's
	adFree  bool
	checks  bool // check marks on the ends of finished pipes
	letters bool // colour-blind letters on the ends
	theme   *solvers.Theme
}

// namedColour is a colour and the word or letter for it.
type namedColour struct {
	name   string
	colour color.NRGBA
}

// colourNamed finds a colour by its name.
func colourNamed(list []namedColour, name string) (color.NRGBA, bool) {
	i := slices.IndexFunc(list, func(c namedColour) bool { return c.name == name })
	if i < 0 {
		return color.NRGBA{}, false
	}
	return list[i].colour, true
}

// packColours are the colours that a pack may have, by the style's word.
var packColours = []namedColour{
	{"green", color.NRGBA{0, 181, 0, 255}},
	{"red", color.NRGBA{255, 0, 0, 255}},
	{"orange", color.NRGBA{251, 137, 0, 255}},
	{"yellow", color.NRGBA{226, 218, 70, 255}},
	{"blue", color.NRGBA{9, 85, 255, 255}},
	{"cyan", color.NRGBA{0, 214, 206, 255}},
	{"purple", color.NRGBA{152, 43, 191, 255}},
}

// parseSimStyle reads a style: words separated by blanks, in any order. A pack
// colour (green, red, orange, yellow, blue, cyan, purple; the seed chooses one
// when none is named), adfree for a screen without the banner, checks for
// check marks on the ends of finished pipes, letters for the letters that
// colour-blind players see on the ends.
func parseSimStyle(style string, seed uint64) (simLook, error) {
	look := simLook{pack: packColours[seed%uint64(len(packColours))].colour}
	for _, word := range strings.Fields(style) {
		colour, ok := colourNamed(packColours, word)
		switch {
		case ok:
			look.pack = colour
		case word == "adfree":
			look.adFree = true
		case word == "checks":
			look.checks = true
		case word == "letters":
			look.letters = true
		default:
			return look, fmt.Errorf("flow: style %q, expected a colour, adfree, checks or letters", word)
		}
	}
	return look, nil
}

var (
	black = color.NRGBA{0, 0, 0, 255}
	white = color.NRGBA{255, 255, 255, 255}
	grey  = color.NRGBA{150, 150, 150, 255}
	off   = color.NRGBA{128, 128, 128, 255} // of a disabled button
	gold  = color.NRGBA{240, 230, 10, 255}  // of the light bulb
)

// pipeColours are the game's, in the order in which it gives them to pipes,
// with the letters that boards of real screens are written with.
var pipeColours = []namedColour{
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

// coloursOf gives each pipe its colour: the one that was seen when the puzzle
// was read from a screen; that of its letter when every pipe's label is a
// colour's letter; else the game's colours in order. The real game has 16; what
// is more gets hues in between.
func coloursOf(p *Puzzle) []color.NRGBA {
	if len(p.colours) == p.Pipes() {
		return p.colours
	}
	colours := make([]color.NRGBA, p.Pipes())
	lettered := true
	for i := range colours {
		colours[i], lettered = colourNamed(pipeColours, p.Label(i))
		if !lettered {
			break
		}
	}
	if lettered {
		return colours
	}
	for i := range colours {
		if i < len(pipeColours) {
			colours[i] = pipeColours[i].colour
		} else {
			colours[i] = hue(0.05+0.618034*float64(i), 0.55+0.15*float64(i%4))
		}
	}
	return colours
}

// colourLetter is what colour-blind players read on an end: A for red, B for
// green and so on; a pipe of no such colour has the letter of its number.
func colourLetter(c color.NRGBA, pipe int) string {
	i := slices.IndexFunc(pipeColours, func(n namedColour) bool { return n.colour == c })
	if i < 0 {
		i = pipe % len(letters)
	}
	return letters[i : i+1]
}

// hue is a colour of the circle, t in turns, with a brightness up to 1.
func hue(t, brightness float64) color.NRGBA {
	channel := func(shift float64) uint8 {
		_, f := math.Modf(t + shift)
		v := math.Abs(6*f-3) - 1
		return uint8(255 * brightness * min(max(v, 0.15), 1))
	}
	return color.NRGBA{channel(0), channel(2.0 / 3), channel(1.0 / 3), 255}
}

// lineColour is the grid's: a quarter of the way of the pack's colour and white together.
func (l simLook) lineColour() color.NRGBA {
	if l.theme != nil {
		return l.theme.Line
	}
	quarter := func(v uint8) uint8 { return uint8((int(v) + 255) / 4) }
	return color.NRGBA{quarter(l.pack.R), quarter(l.pack.G), quarter(l.pack.B), 255}
}

// lightColour is that of walls and of the outlines of irregular boards.
func (l simLook) lightColour() color.NRGBA {
	if l.theme != nil {
		return l.theme.Text
	}
	return simapp.Mix(l.pack, white, 0.56)
}

// ink is the colour of words and signs.
func (l simLook) ink() color.NRGBA {
	if l.theme != nil {
		return l.theme.Text
	}
	return white
}

// colours are those of a puzzle's pipes. A theme with too few of them goes on
// with hues in between.
func (l simLook) colours(p *Puzzle) []color.NRGBA {
	if l.theme == nil {
		return coloursOf(p)
	}
	colours := make([]color.NRGBA, p.Pipes())
	for i := range colours {
		if i < len(l.theme.Colours) {
			colours[i] = l.theme.Colours[i]
		} else {
			colours[i] = hue(0.05+0.618034*float64(i), 0.55+0.15*float64(i%4))
		}
	}
	return colours
}

// simRandom is the source of what is random about the look.
func simRandom(seed uint64, stream int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(stream)))
}
