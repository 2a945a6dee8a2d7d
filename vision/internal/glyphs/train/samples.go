package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"tapwise/vision/internal/glyphs"
	"tapwise/vision/internal/glyphs/scenes"
)

// sample is a shape and what it is: a figure, or glyphs.Other.
type sample struct {
	shape glyphs.Shape
	class int
}

// otherMarks are what is drawn beside figures. Letters that look like figures in many fonts are
// left out.
const otherMarks = "ABCDEFGHJKLMNPQRTUVWXYacdefhijkmnprtuvwxyz" +
	"!?#*+=%&@$/<>()[]{}^~" +
	"←→↑↓↗↘⇒★☆♔♕♚♛♞♠♥♦♣✓✔✗✘✚●■▲▼◆○□△◇∞☀☂☺♪⚑⚓⚡❤➜➤"

// Heights of the figures that are drawn, in pixels.
const (
	lowest  = 9
	highest = 48
)

// draw draws cells and gives the shapes that are found in them.
func draw(r *rand.Rand, families [][]scenes.Font, count int) []sample {
	marks := []rune(otherMarks)
	var samples []sample
	for range count {
		family := families[r.IntN(len(families))]
		font := family[r.IntN(len(family))]
		height := lowest * math.Pow(float64(highest)/lowest, r.Float64())
		text := strconv.Itoa(r.IntN(10))
		isNumber := true
		switch r.IntN(8) {
		case 0, 1:
			text, isNumber = string(marks[r.IntN(len(marks))]), false
			if r.IntN(8) == 0 {
				text += string(marks[r.IntN(len(marks))])
			}
			for f := 0; !font.Has(text) && f < 40; f++ {
				family = families[r.IntN(len(families))]
				font = family[r.IntN(len(family))]
			}
			if !font.Has(text) {
				continue
			}
		case 2, 3, 4:
			text = strconv.Itoa(10 + r.IntN(90))
		}
		scene := scenes.Random(r, font, text, height)
		samples = append(samples, shapes(r, scene, isNumber)...)
	}
	return samples
}

// Limits of what is taken for what.
const (
	groundLevels = 24   // a candidate's ground is no further from the colour that the text stands on,
	farLevels    = 60   // or the text is none on it if it is further than this
	bothWide     = 0.9  // times the height: a glyph that is wider is two figures
	nearCut      = 0.07 // times the height: a cut no further from where the second figure begins is right
	farCut       = 0.2  // times the height: and one at least as far is wrong
)

// shapes are the shapes that are found in a scene. Those found on another colour than
// the one that the text stands on, and those of a text that fell into the wrong number
// of parts, are no figures.
func shapes(r *rand.Rand, s scenes.Scene, isNumber bool) []sample {
	picture, cell := s.Draw(r)
	ground := s.Ground
	if s.Plate == scenes.Disc || s.Plate == scenes.Rounded {
		ground = s.OnPlate
	}
	var found []sample
	add := func(all []glyphs.Shape, right bool) {
		for i, shape := range all {
			class := glyphs.Other
			if right {
				class = int(s.Text[i] - '0')
			}
			found = append(found, sample{shape, class})
		}
	}
	height := s.Height
	if s.Scale > 0 {
		height *= s.Scale
	}
	look := glyphs.Looks[max(0, r.IntN(2*len(glyphs.Looks))-len(glyphs.Looks))]
	for _, c := range glyphs.Candidates(picture, cell, look) {
		far := 0
		for i, level := range []uint8{ground.R, ground.G, ground.B} {
			d := int(level) - int(c.Ground[i])
			far = max(far, d, -d)
		}
		cuts := c.Cuts()
		switch {
		case !isNumber || far > farLevels:
			add(c.Shapes, false)
		case far > groundLevels:
		case len(c.Shapes) == len(s.Text):
			add(c.Shapes, true)
			if len(cuts) > 0 && r.IntN(4) == 0 {
				add(narrower(cuts[r.IntN(len(cuts))].Shapes), false)
			}
		case len(c.Shapes) > len(s.Text):
			add(c.Shapes, false)
		case len(c.Shapes) == 1 && c.Shapes[0].Width > bothWide: // else the other one is lost
			add(c.Shapes, false)
			for _, cut := range cuts {
				switch off := math.Abs(float64(cut.At) - s.Between()); {
				case off <= max(1, nearCut*height):
					add(cut.Shapes, true)
				case off >= farCut*height && r.IntN(3) == 0:
					add(narrower(cut.Shapes), false)
				}
			}
		}
	}
	return found
}

// narrower is the half of a wrong cut that is surely no figure: the other may look like one, an 8
// without its left side like a 3.
func narrower(halves []glyphs.Shape) []glyphs.Shape {
	if halves[0].Width < halves[1].Width {
		return halves[:1]
	}
	return halves[1:]
}
