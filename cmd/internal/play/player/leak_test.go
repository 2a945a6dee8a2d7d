//go:build matprofile

package player_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"runtime/pprof"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestLeaks looks at frames for every game, those on which its board is and
// those on which it is not, in every way there is, and counts the Mats left
// open each time. It needs gocv's profile of them: make leaks.
func TestLeaks(t *testing.T) {
	open := pprof.Lookup("gocv.io/x/gocv.Mat")
	if open == nil {
		t.Fatal("no profile of Mats, expected gocv's under the tag matprofile")
	}
	closed := func(name string, look func()) {
		t.Helper()
		before := open.Count()
		look()
		if after := open.Count(); after != before {
			var b bytes.Buffer
			if err := open.WriteTo(&b, 1); err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s: %d Mats open, %d before:\n%s", name, after, before, b.String())
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	type picture struct {
		name  string
		frame *image.RGBA
		game  int // of its board, in readGames; -1 when it has none
	}
	var pictures []picture
	size := image.Pt(360, 780)
	for i, of := range readGames {
		// The first and the last board of each variant.
		var options []solvers.GenerateOptions
		for i, o := range of.options {
			if i == 0 || i == len(of.options)-1 || o.Variant != of.options[i-1].Variant {
				options = append(options, o)
			}
		}
		for _, o := range options {
			level, err := of.game.Generate(t.Context(), o, random)
			if err != nil {
				t.Fatal(err)
			}
			for _, style := range of.styles {
				app, err := all.Simulate(of.game, []solvers.Puzzle{level}, simapp.Options{Style: style, Seed: 4})
				if err != nil {
					t.Fatal(err)
				}
				name := of.game.Name() + " " + o.Variant + " " + style
				render := func() *image.RGBA { return simphone.Render(app, size, 2*time.Second) }
				pictures = append(pictures, picture{name, render(), i},
					picture{name + ", noise", noisy(render(), 12, random), i},
					picture{name + ", covered", covered(render(), random), i})
			}
		}
	}
	for _, other := range boardless {
		frame := image.NewRGBA(image.Rectangle{Max: size})
		other.draw(frame, random)
		pictures = append(pictures, picture{other.name, frame, -1})
	}
	pictures = append(pictures, picture{"the smallest", image.NewRGBA(image.Rect(0, 0, 16, 16)), -1})

	read := make([]int, len(readGames))
	for _, p := range pictures {
		on := screen.Frame{Size: p.frame.Rect.Size(), Rotation: -1}
		for i, of := range readGames {
			spec := of.game.Spec()
			var seen *screen.Observation
			closed(p.name+" as "+of.game.Name(), func() {
				var err error
				if seen, err = vision.Observe(p.frame, on, spec); err != nil {
					t.Fatalf("%s as %s: %v", p.name, of.game.Name(), err)
				}
			})
			if _, err := of.game.Read(seen); err == nil && p.game == i {
				read[i]++
			}
			closed(p.name+" as "+of.game.Name()+", by hints", func() {
				hinted := spec
				ground := p.frame.RGBAAt(on.Size.X/2, on.Size.Y/8)
				tone := []screen.Tone{{Colour: color.RGBA{ground.R, ground.G, ground.B, 255}, Margin: 24}}
				room := image.Rect(0, on.Size.Y/4, on.Size.X, on.Size.Y/4+on.Size.X)
				for _, lines := range []bool{true, false} {
					hinted.Hint = &screen.Hint{Lines: lines, Palette: screen.Palette{Ground: tone}, Room: room}
					if _, err := vision.Observe(p.frame, on, hinted); err != nil {
						t.Errorf("%s with a hint: %v", p.name, err)
					}
					if _, err := vision.ObserveMarked(p.frame, on, hinted); err != nil {
						t.Errorf("%s by its marks: %v", p.name, err)
					}
				}
				if _, err := vision.Marks(p.frame, room, tone); err != nil {
					t.Errorf("marks of %s: %v", p.name, err)
				}
				_, err := vision.ObserveAt(p.frame, on, spec, room, 6, 6)
				if small := on.Size.X < 24; (err != nil) != small {
					t.Errorf("%s at its place: %v", p.name, err)
				}
				if _, err := vision.Overlay(p.frame, seen, []vision.Mark{{Points: seen.Layout.Centres, Label: "A"}}); err != nil {
					t.Errorf("overlay of %s: %v", p.name, err)
				}
				spec.MinSide = 0
				if _, err := vision.Observe(p.frame, on, spec); err == nil {
					t.Error("boards without sides looked for, expected an error")
				}
			})
		}
	}
	for i, of := range readGames {
		if read[i] == 0 {
			t.Errorf("no board of %s was read: the test does not look at what it should", of.game.Name())
		}
	}

	var encoded bytes.Buffer
	if err := png.Encode(&encoded, pictures[0].frame); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{encoded.Bytes(), encoded.Bytes()[:encoded.Len()/2], encoded.Bytes()[:20], nil} {
		closed("decoding", func() {
			if _, err := vision.Decode(t.Context(), data); err == nil && len(data) < 100 {
				t.Errorf("%d bytes were decoded, expected an error", len(data))
			}
		})
	}
}
