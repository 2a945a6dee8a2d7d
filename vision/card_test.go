package vision

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"
)

var (
	cardFill   = color.RGBA{240, 244, 250, 255}
	cardGreen  = color.RGBA{20, 160, 80, 255}
	cardGrey   = color.RGBA{180, 190, 205, 255}
	cardBounds = image.Rect(60, 370, 660, 1110)
)

// drawCard is a dark frame with a card on it, at some bounds, with buttons in
// two colours.
func drawCard(bounds image.Rectangle, fill color.RGBA, buttons ...image.Rectangle) *image.RGBA {
	frame := image.NewRGBA(image.Rect(0, 0, 720, 1480))
	paint := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	paint(frame.Rect, color.RGBA{10, 12, 30, 255})
	paint(bounds, fill)
	for i, b := range buttons {
		paint(b, []color.RGBA{cardGreen, cardGrey}[min(i, 1)])
	}
	return frame
}

func TestCards(t *testing.T) {
	first, second := image.Rect(144, 700, 576, 780), image.Rect(144, 840, 576, 920)
	left, right := image.Rect(90, 700, 330, 780), image.Rect(390, 700, 630, 780)
	for _, test := range []struct {
		name    string
		bounds  image.Rectangle
		buttons []image.Rectangle
		want    int // buttons; 0: no card
	}{
		{"one button", cardBounds, []image.Rectangle{first}, 1},
		{"a column", cardBounds, []image.Rectangle{first, second}, 2},
		{"side by side", cardBounds, []image.Rectangle{left, right}, 0},
		{"no button", cardBounds, nil, 0},
		{"a button too high", cardBounds, []image.Rectangle{image.Rect(144, 700, 576, 950)}, 0},
		{"over the whole frame", image.Rect(8, 8, 712, 1472), []image.Rectangle{first}, 0},
		{"too narrow", image.Rect(200, 370, 520, 1110), []image.Rectangle{image.Rect(220, 700, 500, 780)}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			frame := drawCard(test.bounds, cardFill, test.buttons...)
			found := Cards(frame, nil)
			if test.want == 0 {
				if len(found) > 0 {
					t.Errorf("found %+v, expected none", found)
				}
				return
			}
			const slack = 6 // pixels: every second one is looked at
			if len(found) != 1 || len(found[0].Buttons) != test.want || !sameBounds(found[0].Bounds, test.bounds, slack) {
				t.Fatalf("found %+v, expected one card at %v with %d buttons", found, test.bounds, test.want)
			}
			for i, b := range found[0].Buttons {
				if !sameBounds(b, test.buttons[i], slack) {
					t.Errorf("button %d at %v, expected %v", i, b, test.buttons[i])
				}
			}
			if again := Cards(frame, Patches(frame)); len(again) > 0 {
				t.Errorf("found %+v, which were there before", again)
			}
		})
	}
}

func TestCardLike(t *testing.T) {
	button := image.Rect(144, 700, 576, 780)
	find := func(bounds image.Rectangle, fill color.RGBA, buttons ...image.Rectangle) Card {
		found := Cards(drawCard(bounds, fill, buttons...), nil)
		if len(found) != 1 {
			t.Fatalf("found %+v, expected one card", found)
		}
		return found[0]
	}
	card := find(cardBounds, cardFill, button)
	for _, test := range []struct {
		name          string
		other         Card
		like, colours bool
	}{
		{"the same", card, true, true},
		{"higher, its button further down", find(image.Rect(60, 300, 660, 1200), cardFill, button.Add(image.Pt(0, 200))), true, true},
		{"narrower", find(image.Rect(110, 370, 610, 1110), cardFill, button), false, true},
		{"two buttons", find(cardBounds, cardFill, button, button.Add(image.Pt(0, 140))), false, true},
		{"a smaller button", find(cardBounds, cardFill, button.Inset(14)), false, true},
		{"in another colour", find(cardBounds, color.RGBA{200, 220, 250, 255}, button), false, false},
	} {
		if like, colours := test.other.Like(card), test.other.SameColours(card); like != test.like || colours != test.colours {
			t.Errorf("%s: like %t, same colours %t, expected %t and %t", test.name, like, colours, test.like, test.colours)
		}
	}
}

func TestCovered(t *testing.T) {
	for _, test := range []struct {
		name   string
		bounds image.Rectangle
		want   bool
	}{
		{"nothing", image.Rectangle{}, false},
		{"a panel", cardBounds, true},
		{"a panel at the top", image.Rect(60, 60, 660, 500), false},
		{"something narrow", image.Rect(200, 370, 520, 1110), false},
	} {
		if got := Covered(drawCard(test.bounds, cardFill)); got != test.want {
			t.Errorf("%s: %t, expected %t", test.name, got, test.want)
		}
	}
}

// TestSame changes some of the pixels that are compared: every third of every
// third row, 10,000 in all.
func TestSame(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 300, 300))
	for _, test := range []struct {
		name    string
		changed int // pixels
		by      uint8
		oneIn   int
		want    bool
	}{
		{"no pixel", 0, 0, 1000, true},
		{"noise", 10_000, 24, 1000, true},
		{"few pixels", 10, 25, 1000, true},
		{"one more", 11, 25, 1000, false},
		{"one pixel where none may", 1, 25, 10_001, false},
	} {
		other := &image.RGBA{Pix: slices.Clone(frame.Pix), Stride: frame.Stride, Rect: frame.Rect}
		for i := range test.changed {
			other.Pix[other.PixOffset(i%100*3, i/100*3)+1] += test.by
		}
		if got := Same(frame, other, frame.Rect, test.oneIn); got != test.want {
			t.Errorf("%s: %t, expected %t", test.name, got, test.want)
		}
	}
	if !Same(frame, frame, frame.Rect, 1) || Same(frame, image.NewRGBA(image.Rect(0, 0, 300, 299)), frame.Rect, 1) {
		t.Error("a frame agrees with itself, and not with one of another size")
	}
	part := image.Rect(150, 0, 300, 300)
	other := &image.RGBA{Pix: slices.Clone(frame.Pix), Stride: frame.Stride, Rect: frame.Rect}
	draw.Draw(other, image.Rect(0, 0, 150, 300), image.White, image.Point{}, draw.Src)
	if !Same(frame, other, part, 1000) || Same(frame, other, frame.Rect, 1000) {
		t.Error("what lies outside the region was compared, or what lies inside it was not")
	}
}
