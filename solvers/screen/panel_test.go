package screen

import (
	"image"
	"image/color"
	"testing"
)

// TestPanelLook compares colours of panels with those of a game's own.
func TestPanelLook(t *testing.T) {
	rgb := func(r, g, b uint8) color.RGBA { return color.RGBA{r, g, b, 255} }
	dark := PanelLook{Bar: rgb(0, 56, 0), Fill: rgb(0, 0, 0), Button: rgb(0, 0, 0)}
	light := PanelLook{Bar: rgb(58, 72, 104), Fill: rgb(255, 255, 255), Button: rgb(24, 118, 210)}
	for _, test := range []struct {
		name      string
		seen, own PanelLook
		want      bool
	}{
		{"the same", dark, dark, true},
		{"dimmed", PanelLook{rgb(1, 35, 2), rgb(0, 0, 0), rgb(3, 3, 3)}, dark, true},
		{"of a wide gamut", PanelLook{rgb(22, 55, 15), rgb(0, 0, 0), rgb(0, 0, 0)}, dark, true},
		{"a blue title", PanelLook{rgb(20, 40, 110), rgb(0, 0, 0), rgb(0, 0, 0)}, dark, false},
		{"a grey title", PanelLook{rgb(40, 40, 40), rgb(0, 0, 0), rgb(0, 0, 0)}, dark, false},
		{"a bright green title", PanelLook{rgb(30, 180, 60), rgb(0, 0, 0), rgb(0, 0, 0)}, dark, false},
		{"no title", PanelLook{Fill: rgb(0, 0, 0), Button: rgb(0, 0, 0)}, dark, false},
		{"a button full of colour", PanelLook{rgb(0, 56, 0), rgb(0, 0, 0), rgb(40, 90, 220)}, dark, false},
		{"a light one, dimmed", PanelLook{rgb(35, 43, 62), rgb(153, 153, 153), rgb(14, 71, 126)}, light, true},
		{"a light one with a button that is not filled", PanelLook{rgb(58, 72, 104), rgb(255, 255, 255), rgb(255, 255, 255)}, light, false},
		{"a light one with a green button", PanelLook{rgb(58, 72, 104), rgb(255, 255, 255), rgb(24, 160, 70)}, light, false},
		{"nothing known of the own", dark, PanelLook{}, false},
	} {
		if got := test.seen.Like(test.own); got != test.want {
			t.Errorf("%s: %v like %v is %t, expected %t", test.name, test.seen, test.own, got, test.want)
		}
	}
}

// TestPanel tells a panel from what of the board behind it looks like one.
func TestPanel(t *testing.T) {
	card := Box{Bounds: image.Rect(80, 600, 640, 1000), Bar: color.RGBA{110, 74, 48, 255}, Fill: color.RGBA{252, 247, 234, 255}}
	next := Box{Bounds: image.Rect(130, 780, 590, 860), Fill: color.RGBA{36, 98, 170, 255}}
	again := Box{Bounds: image.Rect(130, 900, 590, 980), Fill: card.Fill}
	rooms := Box{Bounds: image.Rect(40, 460, 680, 720), Fill: color.RGBA{110, 82, 105, 255}}
	wall := Box{Bounds: image.Rect(70, 490, 650, 530), Fill: color.RGBA{116, 118, 116, 255}}
	below := Box{Bounds: image.Rect(120, 1020, 600, 1060), Fill: color.RGBA{46, 28, 24, 255}}
	for _, test := range []struct {
		name    string
		boxes   []Box
		buttons int
		fill    color.RGBA
	}{
		{"nothing", nil, 0, color.RGBA{}},
		{"buttons alone", []Box{next, again}, 0, color.RGBA{}},
		{"a panel", []Box{card, next, again}, 2, card.Fill},
		{"a message", []Box{card, again}, 1, card.Fill},
		{"a panel over a board with a bar below", []Box{card, next, again, below}, 2, card.Fill},
		{"a panel over a board", []Box{rooms, card, next, again, wall}, 2, card.Fill},
	} {
		seen := Observation{On: Frame{Size: image.Pt(720, 1560)}, Boxes: test.boxes}
		p, ok := seen.Panel()
		if ok != (test.buttons > 0) || len(p.Buttons) != test.buttons || p.Look.Fill != test.fill {
			t.Errorf("%s: %+v, %t, expected %d buttons on %v", test.name, p, ok, test.buttons, test.fill)
		}
	}
}
