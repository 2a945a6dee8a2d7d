package vision

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"tapwise/solvers/screen"
)

// checkBoard compares the observation of a scene with the scene.
func checkBoard(t *testing.T, s scene, seen *screen.Observation) {
	t.Helper()
	l := seen.Layout
	if l.Rows != s.rows || l.Cols != s.cols {
		t.Errorf("%d rows and %d columns at %v, expected %d and %d (doubts %q)", l.Rows, l.Cols, l.Board, s.rows, s.cols, seen.Doubts)
		return
	}
	if seen.Confidence < 0.7 || len(seen.Doubts) > 0 {
		t.Errorf("confidence %.2f, doubts %q, expected 0.7 and none", seen.Confidence, seen.Doubts)
	}
	if math.Abs(l.Pitch-s.pitch) > 0.01*s.pitch+0.1 {
		t.Errorf("pitch %.2f, expected %.2f", l.Pitch, s.pitch)
	}
	for r := range s.rows {
		for c := range s.cols {
			at := l.Centres[r*s.cols+c]
			x, y := s.x0+(float64(c)+0.5)*s.pitch, s.y0+(float64(r)+0.5)*s.pitch
			if math.Hypot(float64(at.X)-x, float64(at.Y)-y) > 0.03*s.pitch+1.5 {
				t.Errorf("cell %d,%d at %v, expected %.0f,%.0f", r, c, at, x, y)
			}
		}
	}
}

func TestObserveBoards(t *testing.T) {
	for i, size := range []image.Point{{480, 854}, {720, 1480}, {1080, 2400}, {1440, 2560}, {1200, 1600}, {1920, 1080}} {
		for k, sides := range [][2]int{{5, 5}, {7, 5}, {9, 9}, {15, 12}, {4, 9}, {18, 15}} {
			if testing.Short() && (i+k)%4 != 0 {
				continue
			}
			name := fmt.Sprintf("%dx%d board %dx%d", size.X, size.Y, sides[1], sides[0])
			t.Run(name, func(t *testing.T) {
				s := board(size, sides[0], sides[1])
				m := s.draw()
				checkBoard(t, s, observe(t, m, testSpec))
			})
		}
	}
}

func TestObserveDisturbed(t *testing.T) {
	s := board(image.Pt(720, 1480), 8, 6)
	m := s.draw()
	for _, test := range []struct {
		name  string
		frame *image.RGBA
	}{
		{"dimmed", dimmed(m, 0.6)},
		{"jpeg 40", compressed(t, m, 40)},
		{"noise 8", noisy(m, 8)},
		{"all of it", compressed(t, noisy(dimmed(m, 0.7), 4), 60)},
	} {
		t.Run(test.name, func(t *testing.T) { checkBoard(t, s, observe(t, test.frame, testSpec)) })
	}
	t.Run("light", func(t *testing.T) {
		light := s
		light.light = true
		spec := testSpec
		spec.Dark = false
		checkBoard(t, light, observe(t, light.draw(), spec))
	})
	t.Run("not at the origin", func(t *testing.T) {
		big := image.NewNRGBA(image.Rect(-10, -10, 1000, 2000))
		draw.Draw(big, image.Rect(50, 60, 770, 1540), m, image.Point{}, draw.Src)
		checkBoard(t, s, observe(t, big.SubImage(image.Rect(50, 60, 770, 1540)), testSpec))
	})
	t.Run("cut at the outer lines", func(t *testing.T) {
		cut := s
		at := image.Pt(round(s.x0), round(s.y0))
		cut.x0, cut.y0 = 0, 0
		r := image.Rect(at.X, at.Y, at.X+round(s.pitch*6), at.Y+round(s.pitch*8))
		checkBoard(t, cut, observe(t, m.SubImage(r), testSpec))
	})
}

func TestObserveMeasures(t *testing.T) {
	s := board(image.Pt(1080, 2340), 6, 6)
	seen := observe(t, s.draw(), testSpec)
	if seen.Layout.Rows != 6 {
		t.Fatalf("no board: %q", seen.Doubts)
	}
	for i, readings := range seen.Readings {
		if len(readings) != len(testSpec.Measures) {
			t.Fatalf("cell %d has %d readings, expected %d", i, len(readings), len(testSpec.Measures))
		}
		want, disc := s.discs[[2]int{i / 6, i % 6}]
		for k, r := range readings {
			if disc && k < 2 {
				if r.Colour != want || r.Spread > 1 {
					t.Errorf("cell %d, %s: %v spread %.1f, expected %v", i, testSpec.Measures[k].Name, r.Colour, r.Spread, want)
				}
			} else if max(r.Colour.R, r.Colour.G, r.Colour.B) > 40 || r.Spread > 8 {
				t.Errorf("cell %d, %s: %v spread %.1f, expected the background", i, testSpec.Measures[k].Name, r.Colour, r.Spread)
			}
		}
	}
	for _, lines := range [][]screen.Line{seen.Horizontal, seen.Vertical} {
		for i, line := range lines {
			if line.Support < 0.9 || line.Width < 2 || line.Width > 5 || screen.Contrast(line.Colour, s.line) > 20 {
				t.Errorf("line %d: %+v, expected one 3 pixels wide of %v", i, line, s.line)
			}
		}
	}
}

func TestObserveWallsAndHoles(t *testing.T) {
	s := board(image.Pt(1080, 2340), 6, 6)
	s.holes = [][2]int{{2, 2}, {2, 3}}
	s.walls = [][3]int{{2, 2, 0}, {2, 3, 0}, {3, 2, 0}, {3, 3, 0}, {2, 2, 1}, {2, 4, 1}, {4, 1, 0}}
	seen := observe(t, s.draw(), testSpec)
	checkBoard(t, s, seen)
	wall := map[[3]int]bool{}
	for _, w := range s.walls {
		wall[w] = true
	}
	for r := range 6 {
		for c := range 6 {
			for k, line := range []screen.Line{seen.Horizontal[r*6+c], seen.Vertical[r*7+c]} {
				at := [3]int{r, c, k}
				switch {
				case at == [3]int{2, 3, 1}:
					if line.Support > 0.2 {
						t.Errorf("line %v between the holes: %+v, expected none", at, line)
					}
				case wall[at] != (line.Width > 6):
					t.Errorf("line %v: %+v, wall %v", at, line, wall[at])
				}
			}
		}
	}
}

func TestObserveNothing(t *testing.T) {
	size := image.Pt(720, 1280)
	flat := image.NewRGBA(image.Rectangle{Max: size})
	random := rand.New(rand.NewPCG(3, 4))
	static := image.NewRGBA(image.Rectangle{Max: size})
	for i := range static.Pix {
		static.Pix[i] = uint8(random.IntN(256))
	}
	stripes := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			stripes.SetRGBA(x, y, color.RGBA{A: 255})
			if y%40 < 2 {
				stripes.SetRGBA(x, y, color.RGBA{200, 200, 200, 255})
			}
		}
	}
	for name, m := range map[string]image.Image{
		"black": flat, "static": static, "stripes": stripes,
		"small": image.NewGray(image.Rect(0, 0, 16, 16)),
		"thin":  image.NewGray(image.Rect(0, 0, 16, 3000)),
	} {
		seen := observe(t, m, testSpec)
		if seen.Layout.Rows != 0 || seen.Readings != nil || len(seen.Doubts) == 0 {
			t.Errorf("%s: a board of %d rows at %v with doubts %q, expected none and a doubt", name, seen.Layout.Rows, seen.Layout.Board, seen.Doubts)
		}
	}
}

func TestObserveTwoBoards(t *testing.T) {
	s := board(image.Pt(720, 1280), 6, 6)
	m := s.draw()
	both := image.NewRGBA(image.Rect(0, 0, 1500, 1280))
	draw.Draw(both, m.Rect, m, image.Point{}, draw.Src)
	draw.Draw(both, m.Rect.Add(image.Pt(760, 0)), m, image.Point{}, draw.Src)
	seen := observe(t, both, testSpec)
	if seen.Confidence > 0.5 || !strings.Contains(strings.Join(seen.Doubts, ";"), "more than one board") {
		t.Errorf("confidence %.2f, doubts %q, expected doubts about two boards", seen.Confidence, seen.Doubts)
	}
}

func TestObservePartOfABoard(t *testing.T) {
	s := board(image.Pt(720, 1280), 8, 8)
	part := s.draw().SubImage(image.Rect(0, 0, 720, int(s.y0+4.5*s.pitch)))
	seen := observe(t, part, testSpec)
	if seen.Confidence > 0.5 || !strings.Contains(strings.Join(seen.Doubts, ";"), "beyond its lower side") {
		t.Errorf("confidence %.2f, doubts %q, expected the doubt that the board goes on below", seen.Confidence, seen.Doubts)
	}
}

func TestObserveBoxes(t *testing.T) {
	s := board(image.Pt(1080, 2340), 7, 7)
	m := s.draw()
	fill := func(r image.Rectangle, c color.RGBA) { draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src) }
	panel := image.Rect(120, 700, 960, 1500)
	fill(panel, color.RGBA{66, 41, 83, 255})
	fill(panel.Inset(6), color.RGBA{A: 255})
	title := image.Rect(120, 600, 960, 700)
	fill(title, color.RGBA{0, 56, 0, 255})
	fill(image.Rect(120, 700, 960, 710), color.RGBA{0, 126, 0, 255})
	buttons := []image.Rectangle{image.Rect(180, 1000, 900, 1130), image.Rect(180, 1180, 900, 1310)}
	for _, b := range buttons {
		fill(b, color.RGBA{255, 255, 255, 255})
		fill(b.Inset(6), color.RGBA{A: 255})
		fill(image.Rect(450, b.Min.Y+50, 600, b.Min.Y+60), color.RGBA{255, 255, 255, 255}) // its words
	}
	seen := observe(t, m, testSpec)
	for _, want := range append(buttons, panel) {
		found := false
		for _, b := range seen.Boxes {
			if !alike(b.Bounds, want) {
				continue
			}
			found = true
			if want == panel && !alike(b.Title, title) {
				t.Errorf("title of the panel %v, expected %v", b.Title, title)
			}
			if want != panel && min(b.Line.R, b.Line.G, b.Line.B) < 200 {
				t.Errorf("outline of the button %v, expected white", b.Line)
			}
			if max(b.Fill.R, b.Fill.G, b.Fill.B) > 20 {
				t.Errorf("inside of %v: %v, expected black", want, b.Fill)
			}
		}
		if !found {
			t.Errorf("no box like %v among %+v", want, seen.Boxes)
		}
	}
}

func TestObserveRefuses(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 100, 100))
	on := screen.Frame{Size: image.Pt(100, 100)}
	noSides := testSpec
	noSides.MinSide = 0
	for _, test := range []struct {
		name  string
		frame image.Image
		on    screen.Frame
		spec  screen.Spec
		want  string
	}{
		{"no frame", nil, on, testSpec, "no frame"},
		{"no pixels", image.NewRGBA(image.Rectangle{}), screen.Frame{}, testSpec, "0x0"},
		{"another size", m, screen.Frame{Size: image.Pt(100, 101)}, testSpec, "100x101"},
		{"no sides", m, on, noSides, "0 to 20"},
		{"a huge frame", image.NewUniform(color.Black), on, testSpec, "at most"},
	} {
		_, err := Observe(test.frame, test.on, test.spec)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, expected one with %q", test.name, err, test.want)
		}
	}
	// Cells other than squares are not looked for.
	hexes := testSpec
	hexes.Topologies = []screen.Topology{screen.Hex}
	if seen := observe(t, board(image.Pt(480, 854), 5, 5).draw(), hexes); seen.Layout.Rows != 0 {
		t.Errorf("a board of squares found where hexagons were asked for")
	}
}

// TestObserveAtOnce lets several goroutines look at one frame.
func TestObserveAtOnce(t *testing.T) {
	m := board(image.Pt(480, 854), 6, 6).draw()
	want := observe(t, m, testSpec)
	var wait sync.WaitGroup
	for range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			got, err := Observe(m, screen.Frame{Size: m.Rect.Size(), Rotation: -1}, testSpec)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("error %v, seen\n%v\nexpected\n%v", err, got, want)
			}
		}()
	}
	wait.Wait()
}

func TestOverlay(t *testing.T) {
	m := board(image.Pt(480, 854), 5, 5).draw()
	before := *m
	before.Pix = append([]uint8(nil), m.Pix...)
	seen := observe(t, m, testSpec)
	c := seen.Layout.Centres
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	out, err := Overlay(m, seen, []Mark{
		{Points: c[12:13], Label: "A", Colour: red},
		{Points: []image.Point{c[6], c[7], c[8]}, Colour: red},
		{Points: c[18:19], Colour: red},
		{Points: []image.Point{c[15], c[16], c[17]}, Colour: blue, Width: 30},
		{Points: c[3:4], Colour: blue, Width: 20},
		{Points: c[23:24], Colour: red, Width: 40, Fault: true},
		{Fault: true}, {Width: 20},
		{Points: []image.Point{c[0], c[0]}, Width: 20},
		{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m.Pix, before.Pix) {
		t.Error("the frame itself was drawn on")
	}
	if got := out.RGBAAt(c[7].X, c[7].Y); got != red {
		t.Errorf("colour %v on a stroke, expected %v", got, red)
	}
	if got := out.RGBAAt(c[18].X+round(0.15*seen.Layout.Pitch), c[18].Y); got != red {
		t.Errorf("colour %v on the ring around a tap, expected %v", got, red)
	}
	for name, place := range map[string]struct {
		at   image.Point
		want color.RGBA
	}{
		"in a wide line":          {c[15].Add(image.Pt(20, 13)), blue},
		"at a wide line's rim":    {c[15].Add(image.Pt(20, 16)), rimColour},
		"on the head of an arrow": {c[16].Add(c[17]).Div(2), color.RGBA{255, 255, 255, 255}},
		"on a disc":               {c[3].Add(image.Pt(5, 5)), blue},
		"on the ring of a fault":  {c[23].Add(image.Pt(20, 0)), red},
		"on the cross of a fault": {c[23].Add(image.Pt(6, -6)), red},
	} {
		if got := out.RGBAAt(place.at.X, place.at.Y); got != place.want {
			t.Errorf("colour %v %s, expected %v", got, name, place.want)
		}
	}
	x := seen.Layout.Board.Min.X + (seen.Layout.Board.Dx()-1)*2/5
	if got := out.RGBAAt(x, c[6].Y+20); got != latticeColour {
		t.Errorf("colour %v on a line of the lattice, expected %v", got, latticeColour)
	}
	if _, err := Overlay(m, &screen.Observation{}, nil); err == nil {
		t.Error("an observation of another frame was drawn, expected an error")
	}
	if _, err := Overlay(nil, seen, nil); err == nil {
		t.Error("an overlay of no frame, expected an error")
	}
}

// BenchmarkObserve measures the stages of looking at a board of squares, and all of
// them.
func BenchmarkObserve(b *testing.B) {
	m := board(image.Pt(1080, 2400), 12, 9).draw()
	v := &view{pixels: m, dark: true}
	fresh := func() *masks {
		masks, err := newMasks(v, 2, false)
		if err != nil {
			b.Fatal(err)
		}
		return masks
	}
	var l lattice
	stage := func(name string, do func(*masks) error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer() // masks keep their results
				masks := fresh()
				b.StartTimer()
				err := do(masks)
				b.StopTimer()
				masks.close()
				b.StartTimer()
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("masks", func(b *testing.B) {
		for b.Loop() {
			fresh().close()
		}
	})
	stage("lattice", func(m *masks) error {
		found, err := newSearch(v, m, testSpec, screen.Frame{}).findLattice(m)
		if err == nil && !found[0].ok() {
			err = errors.New("no board found")
		}
		if err == nil {
			l = found[0].lattice
		}
		return err
	})
	stage("boxes", func(m *masks) error {
		_, err := findBoxes(v, m, l)
		return err
	})
	stage("discs", func(m *masks) error {
		_, err := newDiscFinder(v, m).all()
		return err
	})
	stage("slanted", func(m *masks) error {
		_, err := quadrilaterals(m)
		return err
	})
	layout := l.layout(screen.Frame{})
	stage("measure", func(*masks) error {
		v.measure(layout, testSpec.Measures)
		return nil
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			observe(b, m, testSpec)
		}
	})
}
