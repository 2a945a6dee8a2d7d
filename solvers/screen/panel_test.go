package screen

import (
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
