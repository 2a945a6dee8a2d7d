package glyphs

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"tapwise/solvers/screen"
)

// sketch is a white cell of 160 pixels with rectangles on it.
func sketch(parts ...any) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 160, 160))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	for i := 0; i < len(parts); i += 2 {
		draw.Draw(m, parts[i].(image.Rectangle), image.NewUniform(parts[i+1].(color.RGBA)), image.Point{}, draw.Src)
	}
	return m
}

// TestUncovered takes away lines that lead into a cell, with the points on them, and nothing
// that may be a number.
func TestUncovered(t *testing.T) {
	blue, red, black := color.RGBA{0, 96, 255, 255}, color.RGBA{230, 0, 40, 255}, color.RGBA{0, 0, 0, 255}
	line, dot := image.Rect(79, 0, 82, 90), image.Rect(77, 87, 84, 94)
	one := image.Rect(76, 50, 86, 110) // a plain 1, as wide as figures are
	for name, test := range map[string]struct {
		cell  *image.RGBA
		clean bool
		seen  screen.NumberSeen
	}{
		"a line and a point":         {sketch(line, blue, dot, color.RGBA{0, 255, 255, 255}), true, screen.NoNumber},
		"a cross":                    {sketch(image.Rect(0, 70, 160, 72), blue, image.Rect(40, 0, 42, 160), red), true, screen.NoNumber},
		"nothing":                    {sketch(), false, 0},
		"a red figure":               {sketch(one, red), false, 0},
		"a thin figure in red":       {sketch(image.Rect(78, 50, 83, 110), red), false, 0},
		"a red figure beneath lines": {sketch(one, red, image.Rect(0, 70, 160, 72), blue), true, screen.UnclearNumber},
		"a grey line":                {sketch(line, color.RGBA{90, 90, 90, 255}), false, 0},
		"a wide band":                {sketch(image.Rect(60, 0, 100, 160), blue), false, 0},
		"a figure's place in black":  {sketch(image.Rect(50, 50, 110, 110), black, line, blue), true, screen.UnclearNumber},
	} {
		n, clean := ReadUncovered(test.cell, test.cell.Rect)
		if (clean != nil) != test.clean {
			t.Errorf("%s: traces %v, expected %v", name, clean != nil, test.clean)
		} else if test.clean && n.Seen == screen.ReadNumber && test.seen == screen.UnclearNumber || test.clean && test.seen == screen.NoNumber && n.Seen != test.seen {
			t.Errorf("%s: seen %v, expected %v", name, n, test.seen)
		} else if test.clean && test.seen == screen.UnclearNumber && n.Seen == screen.NoNumber {
			t.Errorf("%s: taken for nothing", name)
		}
	}
}
