package player

import (
	"context"
	"image"
	"testing"

	"tapwise/adb/simphone"
	"tapwise/solvers/flow"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// BenchmarkLook looks at the two pictures of a level that have to be looked at
// on a screen of full size: the board, and the panel when it is won.
func BenchmarkLook(b *testing.B) {
	g, p := newGlass(b)
	g.size = image.Pt(1080, 2340)
	board := simphone.Render(g.app, g.size, g.now)
	if _, err := p.Level(context.Background()); err != nil {
		b.Fatal(err)
	}
	panel := simphone.Render(g.app, g.size, g.now)
	spec := flow.Game{}.Spec()
	boxes := screen.Spec{MinSide: spec.MinSide, MaxSide: spec.MaxSide, Dark: spec.Dark, Either: spec.Either, Boxes: true}
	for _, picture := range []struct {
		name  string
		frame *image.RGBA
		spec  screen.Spec
		want  screen.PlaceKind
	}{{"board", board, spec, screen.Level}, {"panel", panel, boxes, screen.Won}} {
		b.Run(picture.name, func(b *testing.B) {
			for range b.N {
				seen, err := vision.Observe(picture.frame, screen.Frame{Size: g.size}, picture.spec)
				if err != nil {
					b.Fatal(err)
				}
				if place := (flow.Game{}).Locate(seen); place.Kind != picture.want {
					b.Fatalf("taken for %s, expected %s", place.Kind, picture.want)
				}
			}
		})
	}
}
