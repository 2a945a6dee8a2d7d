package calibration

import (
	"image"
	"reflect"
	"testing"

	"tapwise/solvers/screen"
)

func TestPlace(t *testing.T) {
	size := image.Pt(1000, 2000)
	p := Profile{Buttons: map[string]Point{"next": {0.5, 0.6}, "close": {0.9, 0.2}, "restart": {0.1, 0.95}}}
	button := func(name string, x, y int) screen.Button { return screen.Button{Name: name, At: image.Pt(x, y)} }
	for _, test := range []struct {
		kind       screen.PlaceKind
		seen, want []screen.Button
	}{
		{screen.Won, []screen.Button{button("next", 500, 900)}, []screen.Button{button("next", 500, 1200), button("close", 900, 400)}},
		{screen.Level, nil, []screen.Button{button("restart", 100, 1900)}},
		{screen.Popup, []screen.Button{button("close", 1, 2)}, []screen.Button{button("close", 1, 2)}},
		{screen.List, []screen.Button{button("level", 1, 2), button("next", 3, 4)}, []screen.Button{button("level", 1, 2), button("next", 3, 4)}},
		{screen.Elsewhere, nil, nil},
	} {
		seen := screen.Place{Kind: test.kind, Buttons: append([]screen.Button(nil), test.seen...)}
		if got := p.Place(seen, size); !reflect.DeepEqual(got.Buttons, test.want) {
			t.Errorf("%v: %v, expected %v", test.kind, got.Buttons, test.want)
		}
		if len(test.seen) > 0 && !reflect.DeepEqual(seen.Buttons, test.seen) {
			t.Errorf("%v: what was seen was changed to %v", test.kind, seen.Buttons)
		}
	}
}

func TestKeepSafe(t *testing.T) {
	size := image.Pt(1000, 2000)
	p := Profile{Phone: Phone{Frame: size}, Safe: Insets{Left: 0.05, Top: 0.02, Right: 0.01}}
	points := func(xy ...int) (all []image.Point) {
		for i := 0; i < len(xy); i += 2 {
			all = append(all, image.Pt(xy[i], xy[i+1]))
		}
		return all
	}
	for _, test := range []struct {
		rotation   int
		pitch      float64
		seen, want []image.Point // nil: refused
	}{
		{0, 100, points(50, 40, 989, 1999), points(50, 40, 989, 1999)},
		{0, 100, points(500, 500, 15, 500), points(500, 500, 50, 500)},      // the end, within the cell
		{0, 100, points(500, 500, 500, 1), points(500, 500, 500, 40)},       //
		{0, 100, points(500, 500, 5, 500), nil},                             // out of the cell
		{0, 0, points(500, 500, 49, 500), nil},                              // no board
		{0, 100, points(49, 500, 500, 500), nil},                            // the beginning
		{0, 100, points(500, 500, 49, 500, 500, 500), nil},                  // the middle
		{0, 100, points(49, 500), nil},                                      // a tap
		{2, 100, points(10, 500, 949, 500), points(10, 500, 949, 500)},      // upside down
		{2, 100, points(500, 500, 960, 500), points(500, 500, 949, 500)},    //
		{-1, 100, points(500, 500, 995, 1000), points(500, 500, 989, 1000)}, // not known: as measured
	} {
		g := []screen.Gesture{{On: screen.Frame{Size: size, Rotation: test.rotation}, Points: test.seen, Note: "pipe R"}}
		before := append([]image.Point(nil), test.seen...)
		got, err := p.KeepSafe(g, test.pitch)
		if (err == nil) != (test.want != nil) || err == nil && !reflect.DeepEqual(got[0].Points, test.want) {
			t.Errorf("%v turned %d: %v, error %v, expected %v", test.seen, test.rotation, got, err, test.want)
		}
		if !reflect.DeepEqual(g[0].Points, before) {
			t.Errorf("the gesture given was changed to %v", g[0].Points)
		}
	}
}
