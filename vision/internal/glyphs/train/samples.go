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

// otherMarks are what is drawn beside figures. The letters O and o, which are figures in
// many fonts, are left out.
const otherMarks = "ABCDEFGHIJKLMNPQRSTUVWXYZabcdefghijklmnpqrstuvwxyz" +
	"ABDGSZIJTYUbgqsz" + // again: these look most like figures
	"!?#*+=%&@$/<>()[]{}|^~" +
	"←→↑↓↗↘⇒★☆♔♕♚♛♞♠♥♦♣✓✔✗✘✚●■▲▼◆○□△◇∞☀☂☺♪⚑⚓⚡❤➜➤"

// Heights of the figures that are drawn, in pixels.
const (
	lowest  = 9
	highest = 36
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

// groundLevels is how far, in levels, a candidate's ground may be from the colour that
// a scene's text stands on.
const groundLevels = 24

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
	for _, c := range glyphs.Candidates(picture, cell) {
		far := 0
		for i, level := range []uint8{ground.R, ground.G, ground.B} {
			d := int(level) - int(c.Ground[i])
			far = max(far, d, -d)
		}
		right := isNumber && far <= groundLevels && len(c.Shapes) == len(s.Text)
		for i, shape := range c.Shapes {
			class := glyphs.Other
			if right {
				class = int(s.Text[i] - '0')
			}
			found = append(found, sample{shape, class})
		}
	}
	return found
}
