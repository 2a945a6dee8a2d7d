package vision

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// TestAppeared changes a screen in several ways: only what looks like a button has
// appeared, and not what was there before, at the same place or at one that has moved.
func TestAppeared(t *testing.T) {
	page, blue, grey := color.RGBA{240, 240, 240, 255}, color.RGBA{30, 90, 200, 255}, color.RGBA{120, 120, 120, 255}
	board := image.Rect(40, 200, 320, 480)
	undo, arrow := image.Rect(60, 520, 140, 560), image.Rect(150, 580, 210, 620)
	paint := func(parts map[image.Rectangle]color.RGBA) *image.RGBA {
		frame := image.NewRGBA(image.Rect(0, 0, 360, 720))
		draw.Draw(frame, frame.Rect, image.NewUniform(page), image.Point{}, draw.Src)
		for r, c := range parts {
			draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src)
		}
		return frame
	}
	type parts = map[image.Rectangle]color.RGBA
	up := image.Pt(0, -20)
	for _, test := range []struct {
		name   string
		before []parts
		now    parts
		moved  image.Point
		want   int
	}{
		{name: "nothing", before: []parts{{undo: grey}}, now: parts{undo: grey}},
		{name: "an arrow", before: []parts{{undo: grey}}, now: parts{undo: grey, arrow: blue}, want: 1},
		{name: "two", before: []parts{{}}, now: parts{undo: grey, arrow: blue}, want: 2},
		{name: "there before the last stroke", before: []parts{{undo: grey}, {undo: grey, arrow: blue}}, now: parts{undo: grey, arrow: blue}},
		{name: "on the board", before: []parts{{}}, now: parts{image.Rect(60, 300, 120, 360): blue}},
		{name: "a digit", before: []parts{{}}, now: parts{image.Rect(60, 100, 68, 116): grey}},
		{name: "a line", before: []parts{{}}, now: parts{image.Rect(0, 600, 360, 606): grey}},
		{name: "another page", before: []parts{{}}, now: parts{image.Rect(0, 0, 360, 190): blue}},
		{name: "what was there has moved", before: []parts{{undo: grey}}, now: parts{undo.Add(up): grey}, moved: up},
		{name: "and something has come", before: []parts{{undo: grey}}, now: parts{undo.Add(up): grey, arrow: blue}, moved: up, want: 1},
	} {
		var before []*image.RGBA
		for _, b := range test.before {
			before = append(before, paint(b))
		}
		found := Appeared(paint(test.now), before, board, test.moved)
		if len(found) != test.want {
			t.Errorf("%s: %v, expected %d", test.name, found, test.want)
			continue
		}
		if test.want == 1 && !arrow.Inset(-6).Canon().Eq(found[0].Union(arrow.Inset(-6))) {
			t.Errorf("%s: found at %v, expected %v", test.name, found[0], arrow)
		}
	}
}
