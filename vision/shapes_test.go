package vision

import (
	"image"
	"image/color"
	"math"
	"testing"

	"tapwise/solvers/screen"
)

// shapesSpec asks for boards of all shapes with discs in their cells.
func shapesSpec() screen.Spec {
	spec := testSpec
	spec.Topologies = []screen.Topology{screen.Square, screen.Hex}
	spec.Discs, spec.Slanted, spec.Boxes = true, true, false
	return spec
}

// darkFrame is a frame with nothing on it.
func darkFrame(size image.Point) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	for i := range m.Pix {
		m.Pix[i] = 10
	}
	return m
}

// colourWhere paints the pixels whose middles lie in a shape.
func colourWhere(m *image.RGBA, area image.Rectangle, c color.RGBA, in func(x, y float64) bool) {
	area = area.Intersect(m.Rect)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if in(float64(x), float64(y)) {
				m.SetRGBA(x, y, c)
			}
		}
	}
}

func drawDisc(m *image.RGBA, cx, cy, radius float64, c color.RGBA) {
	area := image.Rect(round(cx-radius)-1, round(cy-radius)-1, round(cx+radius)+2, round(cy+radius)+2)
	colourWhere(m, area, c, func(x, y float64) bool { return math.Hypot(x-cx, y-cy) <= radius })
}

func drawSegment(m *image.RGBA, x0, y0, x1, y1, width float64, c color.RGBA) {
	length := math.Hypot(x1-x0, y1-y0)
	ux, uy := (x1-x0)/length, (y1-y0)/length
	area := image.Rect(round(min(x0, x1)-width)-1, round(min(y0, y1)-width)-1, round(max(x0, x1)+width)+2, round(max(y0, y1)+width)+2)
	colourWhere(m, area, c, func(x, y float64) bool {
		along, off := (x-x0)*ux+(y-y0)*uy, (y-y0)*ux-(x-x0)*uy
		return along >= -width/2 && along <= length+width/2 && math.Abs(off) <= width/2
	})
}

func TestFindDiscs(t *testing.T) {
	m := darkFrame(image.Pt(720, 1280))
	expected := [][2]float64{{100.5, 300.25}, {400, 300}, {100, 700.75}, {610, 900}, {333, 555}}
	colours := []color.RGBA{{255, 0, 0, 255}, {12, 41, 254, 255}, {128, 0, 128, 255}, {255, 255, 255, 255}, {0, 141, 0, 255}}
	for i, at := range expected {
		drawDisc(m, at[0], at[1], 36, colours[i])
	}
	// A dark letter on one, a pipe out of another, and discs of other sizes.
	drawSegment(m, 400, 285, 400, 315, 6, color.RGBA{255, 255, 255, 255})
	drawSegment(m, 100, 700, 300, 700, 30, colours[2])
	drawDisc(m, 600, 100, 14, colours[3])
	drawDisc(m, 300, 1100, 80, colours[3])
	drawSegment(m, 500, 500, 700, 500, 60, colours[0])
	v := &view{pixels: m, dark: true}
	masks, err := newMasks(v, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	defer masks.close()
	found, err := discsOf(v, masks)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(expected) {
		t.Errorf("found %v, expected discs at %v", found, expected)
	}
	for _, at := range expected {
		near := false
		for _, d := range found {
			near = near || math.Hypot(d.x-at[0], d.y-at[1]) < 1.5 && math.Abs(d.radius-36) < 1
		}
		if !near {
			t.Errorf("found %v, expected one of radius 36 at %v", found, at)
		}
	}
}

func TestFewDiscs(t *testing.T) {
	m := darkFrame(image.Pt(480, 854))
	for i := range 3 {
		drawDisc(m, 100+100*float64(i), 400, 30, color.RGBA{255, 255, 0, 255})
	}
	v := &view{pixels: m, dark: true}
	masks, err := newMasks(v, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	defer masks.close()
	if found, err := discsOf(v, masks); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v, expected none: three may be anything", found, err)
	}
}

// hexScene is a board of hexagons in columns: the even columns lie half a cell
// lower. The cells in discs have one.
type hexScene struct {
	size       image.Point
	rows, cols int
	x0, y0     float64 // of the middle of the cell in row 0 of column 1, were it column 0
	pitch      float64
	holes      map[[2]int]bool // by row and column
	discs      [][2]int
}

func (s hexScene) centre(row, col int) (x, y float64) {
	return s.x0 + float64(col)*s.pitch*math.Sqrt(3)/2, s.y0 + s.pitch*(float64(row)+0.5*float64(1-col%2))
}

func (s hexScene) draw() *image.RGBA {
	m := darkFrame(s.size)
	for row := range s.rows {
		for col := range s.cols {
			if s.holes[[2]int{row, col}] {
				continue
			}
			x, y := s.centre(row, col)
			radius := s.pitch / math.Sqrt(3)
			for k := range 6 {
				sin, cos := math.Sincos(float64(k) * math.Pi / 3)
				sin2, cos2 := math.Sincos(float64(k+1) * math.Pi / 3)
				drawSegment(m, x+radius*cos, y+radius*sin, x+radius*cos2, y+radius*sin2, 3, color.RGBA{120, 118, 82, 255})
			}
		}
	}
	for i, at := range s.discs {
		x, y := s.centre(at[0], at[1])
		drawDisc(m, x, y, 0.326*s.pitch, []color.RGBA{{255, 0, 0, 255}, {0, 255, 255, 255}, {234, 224, 0, 255}}[i/2%3])
	}
	return m
}

func TestHexColumns(t *testing.T) {
	for name, s := range map[string]hexScene{
		"6x5":              {size: image.Pt(720, 1280), rows: 6, cols: 5, x0: 110, y0: 240, pitch: 130, discs: [][2]int{{0, 0}, {2, 1}, {1, 3}, {5, 4}, {3, 2}, {4, 0}}},
		"begins far right": {size: image.Pt(720, 1280), rows: 4, cols: 6, x0: 100.4, y0: 400.7, pitch: 111.3, discs: [][2]int{{3, 3}, {1, 4}, {1, 5}, {2, 3}}},
		"a hole":           {size: image.Pt(1080, 1920), rows: 5, cols: 5, x0: 200, y0: 400, pitch: 190, holes: map[[2]int]bool{{2, 2}: true, {0, 1}: true}, discs: [][2]int{{0, 0}, {2, 1}, {1, 3}, {4, 4}, {3, 2}, {4, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			seen := observe(t, s.draw(), shapesSpec())
			l := seen.Layout
			if l.Topology != screen.Hex || l.Rows != s.rows || l.Cols != s.cols || math.Abs(l.Pitch-s.pitch) > 0.5 {
				t.Fatalf("seen %d rows and %d columns of %v, %.2f apart, confidence %.2f, doubts %v, expected %d and %d hexagons, %.2f apart",
					l.Rows, l.Cols, l.Topology, l.Pitch, seen.Confidence, seen.Doubts, s.rows, s.cols, s.pitch)
			}
			for row := range s.rows {
				for col := range s.cols {
					c := row*s.cols + col
					x, y := s.centre(row, col)
					if at := l.Centres[c]; math.Hypot(float64(at.X)-x, float64(at.Y)-y) > 2 {
						t.Errorf("row %d, column %d at %v, expected %.1f,%.1f", row, col, at, x, y)
					}
					for d, line := range seen.Sides[6*c : 6*c+6] {
						if !s.holes[[2]int{row, col}] && line.Support < 0.9 {
							t.Errorf("row %d, column %d, side %d: support %.2f, expected a line", row, col, d, line.Support)
						}
					}
				}
			}
		})
	}
}

// TestHexWords checks that words above the board are not taken for cells.
func TestHexWords(t *testing.T) {
	s := hexScene{size: image.Pt(720, 1280), rows: 5, cols: 5, x0: 110, y0: 240, pitch: 130, discs: [][2]int{{0, 0}, {2, 1}, {1, 3}, {4, 4}, {3, 2}, {4, 0}}}
	m := s.draw()
	for x := 20; x < 700; x += 22 {
		drawSegment(m, float64(x), 150, float64(x+12), 168, 4, color.RGBA{255, 255, 255, 255})
		drawSegment(m, float64(x+4), 170, float64(x+6), 148, 4, color.RGBA{255, 255, 255, 255})
	}
	if l := observe(t, m, shapesSpec()).Layout; l.Topology != screen.Hex || l.Rows != 5 || l.Cols != 5 {
		t.Errorf("seen %d rows and %d columns of %v, expected 5 and 5 hexagons", l.Rows, l.Cols, l.Topology)
	}
}

// TestSlanted looks at boards as photographs show them.
func TestSlanted(t *testing.T) {
	const side = 5
	discs := map[[2]int]color.RGBA{{0, 0}: {255, 0, 0, 255}, {4, 4}: {255, 0, 0, 255}, {1, 3}: {255, 255, 0, 255}, {3, 1}: {255, 255, 0, 255}}
	for name, corners := range map[string][4][2]float64{
		"turned":         {{180, 90}, {900, 170}, {830, 880}, {110, 800}},
		"seen from left": {{100, 100}, {860, 190}, {860, 790}, {100, 900}},
		"seen from below": {
			{200, 150}, {780, 150}, {900, 820}, {90, 820}},
	} {
		t.Run(name, func(t *testing.T) {
			m := darkFrame(image.Pt(1000, 1000))
			// The projection of the unit square on the corners (Heckbert).
			sx := corners[0][0] - corners[1][0] + corners[2][0] - corners[3][0]
			sy := corners[0][1] - corners[1][1] + corners[2][1] - corners[3][1]
			dx1, dy1 := corners[1][0]-corners[2][0], corners[1][1]-corners[2][1]
			dx2, dy2 := corners[3][0]-corners[2][0], corners[3][1]-corners[2][1]
			det := dx1*dy2 - dx2*dy1
			g, h := (sx*dy2-dx2*sy)/det, (dx1*sy-sx*dy1)/det
			project := func(u, w float64) (x, y float64) {
				a, b := corners[1][0]-corners[0][0]+g*corners[1][0], corners[3][0]-corners[0][0]+h*corners[3][0]
				d, e := corners[1][1]-corners[0][1]+g*corners[1][1], corners[3][1]-corners[0][1]+h*corners[3][1]
				below := g*u + h*w + 1
				return (a*u + b*w + corners[0][0]) / below, (d*u + e*w + corners[0][1]) / below
			}
			line := func(u0, w0, u1, w1 float64) {
				x0, y0 := project(u0, w0)
				x1, y1 := project(u1, w1)
				drawSegment(m, x0, y0, x1, y1, 3, color.RGBA{90, 140, 90, 255})
			}
			for k := range side + 1 {
				at := float64(k) / side
				line(at, 0, at, 1)
				line(0, at, 1, at)
			}
			for at, c := range discs {
				x, y := project((float64(at[1])+0.5)/side, (float64(at[0])+0.5)/side)
				drawDisc(m, x, y, 38, c)
			}
			seen := observe(t, m, shapesSpec())
			l := seen.Layout
			if l.Topology != screen.Square || l.Rows != side || l.Cols != side || seen.Confidence < 0.8 {
				t.Fatalf("seen %d rows and %d columns of %v, confidence %.2f, doubts %v, expected %d and %d squares", l.Rows, l.Cols, l.Topology, seen.Confidence, seen.Doubts, side, side)
			}
			for c, at := range l.Centres {
				row, col := c/side, c%side
				x, y := project((float64(col)+0.5)/side, (float64(row)+0.5)/side)
				if math.Hypot(float64(at.X)-x, float64(at.Y)-y) > 6 {
					t.Errorf("row %d, column %d at %v, expected %.0f,%.0f", row, col, at, x, y)
				}
				want, disc := discs[[2]int{row, col}]
				if got := seen.Readings[c][0].Colour; disc && screen.Contrast(got, want) > 30 || !disc && max(got.R, got.G, got.B) > 40 {
					t.Errorf("row %d, column %d: colour %v in its middle, expected %v", row, col, got, want)
				}
			}
		})
	}
}

// TestSquareOfDiscs finds the lattice of a board's discs although there is another
// disc beside it, of a lamp, and none when the lamp lies between the board's cells.
func TestSquareOfDiscs(t *testing.T) {
	s := board(image.Pt(720, 1480), 6, 6)
	s.discs = map[[2]int]color.RGBA{}
	for i := range 6 {
		s.discs[[2]int{i, i}], s.discs[[2]int{i, (i + 3) % 6}] = color.RGBA{255, 0, 0, 255}, color.RGBA{8, 180, 20, 255}
	}
	for _, test := range []struct {
		name string
		lamp [2]float64 // in rows and columns
		ok   bool
	}{
		{"below the board", [2]float64{7.3, 5.2}, true},
		{"between cells", [2]float64{3, 4}, false},
	} {
		m := s.draw()
		drawDisc(m, s.x0+test.lamp[1]*s.pitch, s.y0+test.lamp[0]*s.pitch, 0.352*s.pitch, color.RGBA{250, 220, 40, 255})
		v := &view{pixels: m, dark: true}
		masks, err := newMasks(v, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		defer masks.close()
		discs, err := discsOf(v, masks)
		if err != nil || len(discs) != len(s.discs)+1 {
			t.Fatalf("%s: %d discs, %v, expected %d", test.name, len(discs), err, len(s.discs)+1)
		}
		l := newSearch(v, masks, shapesSpec(), screen.Frame{}).squareOfDiscs(discs).lattice
		if l.ok() != test.ok || test.ok && (l.rows != s.rows || l.cols != s.cols || math.Abs(l.x0-s.x0) > 2 || math.Abs(l.y0-s.y0) > 2) {
			t.Errorf("%s: %+v, expected a lattice: %v", test.name, l, test.ok)
		}
	}
}

// TestUnions finds a board of a known size although something lies on all the
// lines that lead to one of its rows.
func TestUnions(t *testing.T) {
	spec := testSpec
	spec.MinSide, spec.MaxSide = 3, 3
	for row := range 3 {
		s := board(image.Pt(720, 1480), 3, 3)
		s.discs = nil
		m := s.draw()
		for k := range 4 {
			drawDisc(m, s.x0+float64(k)*s.pitch, s.y0+(float64(row)+0.5)*s.pitch, 0.3*s.pitch, color.RGBA{150, 120, 80, 255})
		}
		seen := observe(t, m, spec)
		if l := seen.Layout; l.Rows != 3 || l.Cols != 3 || math.Abs(float64(l.Board.Min.Y)-s.y0) > 3 || math.Abs(l.Pitch-s.pitch) > 2 {
			t.Errorf("row %d covered: %d rows and %d columns at %v, pitch %.1f, expected 3 and 3 from %.0f,%.0f, pitch %.1f", row, l.Rows, l.Cols, l.Board, l.Pitch, s.x0, s.y0, s.pitch)
		}
	}
}

func discsOf(v *view, m *masks) ([]disc, error) {
	return newDiscFinder(v, m).all()
}

// TestUpright tells boards of squares from those of hexagons by their upright lines.
func TestUpright(t *testing.T) {
	for _, test := range []struct {
		name  string
		frame *image.RGBA
		want  bool
	}{
		{"squares", board(image.Pt(720, 1280), 7, 5).draw(), true},
		{"many squares", board(image.Pt(480, 854), 15, 15).draw(), true},
		{"squares on a screen on its side", board(image.Pt(1280, 720), 5, 5).draw(), true},
		{"hexagons", hexScene{size: image.Pt(720, 1280), rows: 6, cols: 5, x0: 110, y0: 240, pitch: 130}.draw(), false},
		{"many hexagons", hexScene{size: image.Pt(1080, 1920), rows: 11, cols: 10, x0: 120, y0: 300, pitch: 104}.draw(), false},
		{"nothing", darkFrame(image.Pt(720, 1280)), false},
	} {
		m, err := newMasks(&view{pixels: test.frame, dark: true}, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		defer m.close()
		if got, err := m.upright(); err != nil || got != test.want {
			t.Errorf("%s: upright lines %v, %v, expected %v", test.name, got, err, test.want)
		}
	}
}

// TestBars finds a board with bars through the middles of its cells: half of its
// pitch fits the lines and the bars together.
func TestBars(t *testing.T) {
	for _, side := range []int{4, 5, 6} {
		s := board(image.Pt(50*side, 75*side), side, side)
		s.discs = nil
		m := s.draw()
		at := func(k float64) (x, y float64) { return s.x0 + k*s.pitch, s.y0 + k*s.pitch }
		for k := range side {
			x, y := at(float64(k) + 0.5)
			x0, y0 := at(0.1)
			x1, y1 := at(float64(side) - 0.1 - float64(k%2))
			drawSegment(m, x0, y, x1, y, 4, color.RGBA{0, 250, 20, 255})
			drawSegment(m, x, y0, x, y1, 4, color.RGBA{230, 90, 40, 255})
		}
		seen := observe(t, m, testSpec)
		if l := seen.Layout; l.Rows != side || l.Cols != side || math.Abs(l.Pitch-s.pitch) > 1 {
			t.Errorf("%d by %d seen as %d rows and %d columns, %.1f apart, confidence %.2f, expected %.1f apart", side, side, l.Rows, l.Cols, l.Pitch, seen.Confidence, s.pitch)
		}
	}
}
