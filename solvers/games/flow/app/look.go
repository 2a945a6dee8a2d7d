package app

import (
	"image/color"
	"math/rand/v2"
	"slices"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
)

// look is how the app is drawn, as far as it varies.
type look struct {
	pack    color.NRGBA // the pack's colour, which the title has
	adFree  bool
	checks  bool // check marks on the ends of finished pipes
	letters bool // colour-blind letters on the ends
	theme   *simapp.Theme
}

// packColour is a colour that a pack may have.
type packColour struct {
	name   string // the style's word
	colour color.NRGBA
}

var packColours = []packColour{
	{"green", color.NRGBA{0, 181, 0, 255}},
	{"red", color.NRGBA{255, 0, 0, 255}},
	{"orange", color.NRGBA{251, 137, 0, 255}},
	{"yellow", color.NRGBA{226, 218, 70, 255}},
	{"blue", color.NRGBA{9, 85, 255, 255}},
	{"cyan", color.NRGBA{0, 214, 206, 255}},
	{"purple", color.NRGBA{152, 43, 191, 255}},
}

// parseStyle reads a style, as New describes it.
func parseStyle(style string, seed uint64) (look, error) {
	look := look{pack: packColours[seed%uint64(len(packColours))].colour}
	err := simapp.StyleWords(flow.Game{}, style, "a colour, adfree, checks or letters", func(word string) bool {
		i := slices.IndexFunc(packColours, func(c packColour) bool { return c.name == word })
		switch {
		case i >= 0:
			look.pack = packColours[i].colour
		case word == "adfree":
			look.adFree = true
		case word == "checks":
			look.checks = true
		case word == "letters":
			look.letters = true
		default:
			return false
		}
		return true
	})
	return look, err
}

var (
	black = color.NRGBA{0, 0, 0, 255}
	white = color.NRGBA{255, 255, 255, 255}
	grey  = color.NRGBA{150, 150, 150, 255}
	off   = color.NRGBA{128, 128, 128, 255} // a disabled button
	gold  = color.NRGBA{240, 230, 10, 255}  // the light bulb
)

// lineColour is the grid's: a quarter of the sum of the pack's colour and white.
func (l look) lineColour() color.NRGBA {
	if l.theme != nil {
		return l.theme.Line
	}
	quarter := func(v uint8) uint8 { return uint8((int(v) + 255) / 4) }
	return color.NRGBA{quarter(l.pack.R), quarter(l.pack.G), quarter(l.pack.B), 255}
}

// lightColour is the colour of walls, and of the outlines of irregular boards.
func (l look) lightColour() color.NRGBA {
	if l.theme != nil {
		return l.theme.Text
	}
	return simapp.Mix(l.pack, white, 0.56)
}

// ink is the colour of words and signs.
func (l look) ink() color.NRGBA {
	if l.theme != nil {
		return l.theme.Text
	}
	return white
}

// colours are those of a puzzle's pipes. A theme with too few of them goes on
// with hues in between.
func (l look) colours(p *flow.Puzzle) []color.NRGBA {
	if l.theme == nil {
		return p.Colours()
	}
	colours := make([]color.NRGBA, p.Pipes())
	for i := range colours {
		if i < len(l.theme.Colours) {
			colours[i] = l.theme.Colours[i]
		} else {
			colours[i] = flow.ExtraColour(i)
		}
	}
	return colours
}

// randomOf is a random source for a part of the look.
func randomOf(seed uint64, stream int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(stream)))
}
