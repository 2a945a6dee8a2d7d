package vision

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// canvas is a dark picture to draw small shapes on, brighter than their ground.
type canvas struct{ *image.RGBA }

func newCanvas(size image.Point) canvas {
	c := canvas{image.NewRGBA(image.Rectangle{Max: size})}
	c.paint(30, func(x, y float64) bool { return true })
	return c
}

// paint gives all pixels within a shape a level.
func (c canvas) paint(level uint8, within func(x, y float64) bool) {
	for y := range c.Rect.Dy() {
		for x := range c.Rect.Dx() {
			if within(float64(x), float64(y)) {
				c.SetRGBA(x, y, color.RGBA{level, level, level, 255})
			}
		}
	}
}

// stroke draws a line between two points.
func (c canvas) stroke(x0, y0, x1, y1, width float64, level uint8) {
	length := math.Hypot(x1-x0, y1-y0)
	ux, uy := (x1-x0)/length, (y1-y0)/length
	box := image.Rect(int(min(x0, x1)-width), int(min(y0, y1)-width), int(max(x0, x1)+width)+2, int(max(y0, y1)+width)+2).Intersect(c.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			px, py := float64(x)-x0, float64(y)-y0
			along, across := px*ux+py*uy, math.Abs(px*uy-py*ux)
			if along >= -width/2 && along <= length+width/2 && across <= width/2 {
				c.SetRGBA(x, y, color.RGBA{level, level, level, 255})
			}
		}
	}
}

// seen is the canvas as the eyes see it, with its masks.
func (c canvas) seen(t *testing.T) (*view, *masks) {
	t.Helper()
	v := &view{pixels: c.RGBA, dark: true}
	m, err := newMasks(v, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.close)
	return v, m
}

// maskOf is a mask given as text, in which # is 255. Each row begins with a tab.
func maskOf(t *testing.T, text string) gocv.Mat {
	t.Helper()
	rows := strings.Fields(text)
	var data []byte
	for _, row := range rows {
		for _, r := range row {
			if r == '#' {
				data = append(data, 255)
			} else {
				data = append(data, 0)
			}
		}
	}
	m, err := gocv.NewMatFromBytes(len(rows), len(rows[0]), gocv.MatTypeCV8U, data)
	if err != nil {
		t.Fatal(err)
	}
	mask := m.Clone() // the bytes are Go's
	m.Close()
	t.Cleanup(func() { mask.Close() })
	return mask
}

func textOf(t *testing.T, mask gocv.Mat) string {
	t.Helper()
	data, err := mask.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, p := range data {
		if i > 0 && i%mask.Cols() == 0 {
			b.WriteByte('\n')
		}
		if p != 0 {
			b.WriteByte('#')
		} else {
			b.WriteByte('.')
		}
	}
	return b.String()
}

func TestAreas(t *testing.T) {
	for _, test := range []struct{ name, mask, holes, solid, filled string }{
		{
			name:  "a ring with a dot in it, open diagonally to nothing",
			mask:  "..........\n.#######..\n.#.....#..\n.#.....#..\n.#..#..#..\n.#.....#..\n.#######..\n..........",
			holes: "2,2-7,6 full 1.00", solid: "1,1-8,7 4,4-5,5",
			filled: "..........\n.#######..\n.#######..\n.#######..\n.#######..\n.#######..\n.#######..\n..........",
		},
		{
			name:  "a corner holds lines together, not areas",
			mask:  "####......\n#..#......\n#..#......\n####......\n....####..\n....#..#..\n....####..",
			holes: "5,5-7,6 full 1.00; 1,1-3,3 full 1.00", solid: "0,0-8,7",
			filled: "####......\n####......\n####......\n####......\n....####..\n....####..\n....####..",
		},
		{
			name:  "a gap lets out",
			mask:  "#####.....\n#...#.....\n#.........\n#...#.....\n#####.....",
			holes: "", solid: "0,0-5,5",
			filled: "#####.....\n#...#.....\n#.........\n#...#.....\n#####.....",
		},
		{
			name:  "an L takes its outermost pixels' room",
			mask:  "########\n#.###..#\n#.###..#\n#......#\n########",
			holes: "1,1-7,4 full 0.67", solid: "0,0-8,5",
			filled: "########\n########\n########\n########\n########",
		},
		{
			name:  "to the last column, wider than eight pixels",
			mask:  "...........\n.........##\n##.......##\n##.........",
			holes: "", solid: "9,1-11,3 0,2-2,4",
			filled: "...........\n.........##\n##.......##\n##.........",
		},
	} {
		mask := maskOf(t, test.mask)
		zeros, err := zerosOf(mask)
		if err != nil {
			t.Fatal(err)
		}
		var holes, solid []string
		for _, h := range zeros.holes(image.Pt(1, 1), image.Pt(10, 10)) {
			b := h.bounds
			holes = append(holes, fmt.Sprintf("%d,%d-%d,%d full %.2f", b.Min.X, b.Min.Y, b.Max.X, b.Max.Y, zeros.full(h)))
		}
		if got := strings.Join(holes, "; "); got != test.holes {
			t.Errorf("%s: holes %s, expected %s of\n%s", test.name, got, test.holes, test.mask)
		}
		ones, err := solidOf(mask)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range ones.bounds() {
			solid = append(solid, fmt.Sprintf("%d,%d-%d,%d", b.Min.X, b.Min.Y, b.Max.X, b.Max.Y))
		}
		if got := strings.Join(solid, " "); got != test.solid {
			t.Errorf("%s: solid %s, expected %s of\n%s", test.name, got, test.solid, test.mask)
		}
		if err := fillHoles(mask, 25); err != nil {
			t.Fatal(err)
		}
		if got := textOf(t, mask); got != test.filled {
			t.Errorf("%s: filled\n%s\nexpected\n%s", test.name, got, test.filled)
		}
	}
}

func TestDiscsAmongOthers(t *testing.T) {
	for _, test := range []struct {
		name   string
		square [4]float64 // left, top, right, bottom; not a disc
		discs  [][3]float64
		want   int
	}{
		{"four alike and two small ones", [4]float64{200, 20, 260, 80}, [][3]float64{{60, 60, 20}, {120, 60, 20}, {60, 180, 20}, {180, 240, 20}, {240, 180, 7}, {250, 240, 7}}, 4},
		{"three are too few", [4]float64{200, 20, 260, 80}, [][3]float64{{60, 60, 20}, {120, 60, 20}, {60, 180, 20}}, 0},
		{"between pixels", [4]float64{}, [][3]float64{{60.5, 60.3, 18.4}, {120.2, 61, 18.4}, {60, 181.5, 18.4}, {180, 240.7, 18.4}, {240.4, 100, 18.4}}, 5},
	} {
		c := newCanvas(image.Pt(300, 300))
		for _, d := range test.discs {
			c.paint(200, func(x, y float64) bool { return math.Hypot(x-d[0], y-d[1]) <= d[2] })
		}
		s := test.square
		c.paint(200, func(x, y float64) bool { return x >= s[0] && x < s[2] && y >= s[1] && y < s[3] })
		found, err := discsOf(c.seen(t))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range test.discs[:test.want] {
			if slices.ContainsFunc(found, func(o disc) bool {
				return math.Hypot(o.x-d[0], o.y-d[1]) < 1 && math.Abs(o.radius-d[2]) < 1.2
			}) {
				n++
			}
		}
		if n != test.want || len(found) != test.want {
			t.Errorf("%s: %.1f, expected the first %d of %.1f", test.name, found, test.want, test.discs)
		}
	}
}

// TestHexLattice lays hexagons around discs given by column and half row.
func TestHexLattice(t *testing.T) {
	const pitch = 40.0
	many := [][2]int{{0, 0}, {1, 1}, {2, 4}, {3, 1}, {0, 6}, {1, 3}, {4, 2}, {5, 5}, {2, 2}}
	for _, test := range []struct {
		name  string
		cells [][2]int
		off   float64 // distance of the first disc from its place, in pitches
		ok    bool
	}{
		{"one of many beside the board", many, 3.3, true},
		{"one of many where there is no cell", append([][2]int{{7, 0}}, many...), 0, true},
		{"two of many where there is no cell", append([][2]int{{7, 0}, {8, 3}}, many...), 0, false},
		{"five", [][2]int{{0, 0}, {1, 1}, {2, 4}, {3, 1}, {0, 6}}, 0, true},
		{"one a little off", [][2]int{{0, 0}, {1, 1}, {2, 4}, {3, 1}, {0, 6}}, 0.03, true},
		{"one between cells", [][2]int{{0, 0}, {1, 1}, {2, 4}, {3, 1}, {0, 6}}, 0.3, false},
		{"one where there is no cell", [][2]int{{0, 0}, {1, 1}, {2, 4}, {3, 1}, {0, 5}}, 0, false},
	} {
		var discs []disc
		for i, at := range test.cells {
			d := disc{100 + float64(at[0])*pitch*halfRoot3, 80 + float64(at[1])*pitch/2, 0.35 * pitch}
			if i == 0 {
				d.x += test.off * pitch
			}
			discs = append(discs, d)
		}
		h, cells, strays := hexLattice(discs)
		if ok := len(cells) > 0; ok != test.ok {
			t.Errorf("%s: %+v with cells %v, expected a lattice: %v", test.name, h, cells, test.ok)
			continue
		}
		if len(cells) == 0 {
			continue
		}
		if len(cells)+len(strays) != len(discs) || len(strays) > 0 && strays[0] != discs[0] {
			t.Errorf("%s: %d of %d discs on the lattice, off it %v", test.name, len(cells), len(discs), strays)
		}
		discs = discs[len(strays):]
		for i, at := range cells {
			x, y := h.centre(at[0], at[1])
			if math.Hypot(x-discs[i].x, y-discs[i].y) > 0.05*pitch || math.Abs(h.pitch-pitch) > 0.5 {
				t.Errorf("%s: disc %d at %.1f,%.1f, its cell %v at %.1f,%.1f of pitch %.2f", test.name, i, discs[i].x, discs[i].y, at, x, y, h.pitch)
			}
		}
	}
}

func TestFindHexRows(t *testing.T) {
	spec := screen.Spec{MinSide: 2, MaxSide: 6, Dark: true}
	for _, test := range []struct {
		name    string
		side    int
		missing int // one side in this many is not drawn; 0 draws all
		want    int
	}{
		{"side 2", 2, 0, 2},
		{"side 3", 3, 0, 3},
		{"side 4", 4, 0, 4},
		{"side 3, a few lines short", 3, 25, 3},
		{"side 3, a third of the lines short", 3, 3, 0},
	} {
		drawn := hexBoard{x: 201.5, y: 190, px: 320 / float64(2*test.side-1), side: test.side}
		drawn.py = drawn.px * halfRoot3
		c := newCanvas(image.Pt(400, 400))
		n := 0
		done := map[[2]int]bool{}
		for u, v := range drawn.cells {
			x, y := drawn.centre(u, v)
			for k := range 6 {
				sin, cos := math.Sincos(float64(k) * math.Pi / 3)
				mx, my := x+cos*drawn.px/2, y+sin*drawn.px/2
				if at := [2]int{round(mx / 4), round(my / 4)}; !done[at] {
					done[at] = true
					if n++; test.missing > 0 && n%test.missing == 0 {
						continue
					}
					half := drawn.px / math.Sqrt(3) / 2
					c.stroke(mx-sin*half, my+cos*half, mx+sin*half, my-cos*half, 3, 140)
				}
			}
		}
		v, m := c.seen(t)
		found, confidence, err := hexRowsOf(v, m, spec)
		if err != nil {
			t.Fatal(err)
		}
		if found.side != test.want {
			t.Errorf("%s: side %d at %.1f,%.1f, confidence %.2f, expected side %d", test.name, found.side, found.x, found.y, confidence, test.want)
		} else if found.ok() && (math.Hypot(found.x-drawn.x, found.y-drawn.y) > 1.5 || math.Abs(found.pitch()-drawn.pitch()) > 0.5) {
			t.Errorf("%s: at %.1f,%.1f with pitch %.2f, expected %.1f,%.1f with %.2f", test.name, found.x, found.y, found.pitch(), drawn.x, drawn.y, drawn.pitch())
		}
	}
}

func TestFindCube(t *testing.T) {
	spec := screen.Spec{MinSide: 2, MaxSide: 7, Dark: true}
	for _, test := range []struct {
		name string
		side int
		half bool // only every other line between cells is drawn
		tall float64
		want int
	}{
		{"side 2", 2, false, 1, 2},
		{"side 3", 3, false, 1, 3},
		{"side 5", 5, false, 1, 5},
		{"side 4 of which each second line is there", 4, true, 1, 2},
		{"no regular hexagon", 3, false, 0.8, 0},
	} {
		drawn := cubeBoard{x: 205, y: 210.5, pitch: 180 / float64(test.side), side: test.side}
		c := newCanvas(image.Pt(420, 420))
		horizontal, vertical := drawn.edges()
		for k, edges := range [2][]edge{horizontal, vertical} {
			for i, e := range edges {
				// These lines of a face follow each other row by row, or column by column.
				line := i / test.side % (test.side + 1)
				if k == 1 {
					line = i % (test.side + 1)
				}
				if test.half && line%2 == 1 {
					continue
				}
				flat := func(y float64) float64 { return drawn.y + (y-drawn.y)*test.tall }
				c.stroke(e.x, flat(e.y), e.x+e.alongX, flat(e.y+e.alongY), 3, 150)
			}
		}
		v, m := c.seen(t)
		found, err := newSearch(v, m, spec, screen.Frame{}).findCube(m)
		if err != nil {
			t.Fatal(err)
		}
		l := found[0].layout
		if l.Cols != test.want {
			t.Errorf("%s: side %d, confidence %.2f, expected %d", test.name, l.Cols, found[0].confidence, test.want)
			continue
		}
		x, y := float64(l.Board.Min.X+l.Board.Max.X-1)/2, float64(l.Board.Min.Y+l.Board.Max.Y-1)/2
		if length := float64(l.Cols) * l.Pitch; l.Cols > 0 && (math.Hypot(x-drawn.x, y-drawn.y) > 1.5 || math.Abs(length-180) > 1.5) {
			t.Errorf("%s: at %.1f,%.1f, edges of %.1f, expected %.1f,%.1f and 180", test.name, x, y, length, drawn.x, drawn.y)
		}
	}
}

// TestFindWalled draws boards given as text: + is a post, - and | are walls,
// . and : dotted lines, and a blank is an opening.
func TestFindWalled(t *testing.T) {
	spec := screen.Spec{MinSide: 2, MaxSide: 8, Dark: true, Walled: true}
	for _, board := range []string{
		"+-+-+-+\n|1:2:3|\n+.+.+.+\n|1:2:3|\n+.+.+.+\n|1:2:3|\n+-+-+-+",
		"+-+ +-+\n|1|2:3|\n+.+-+.+\n 1:2:3|\n+.+.+-+\n|1|2:3 \n+-+-+-+",
		"+-+-+-+-+\n|1:2|3:4 \n+.+.+.+-+\n|1|2:3:4|\n+-+.+.+.+\n|1:2:3|4|\n+ +-+-+-+",
	} {
		rows := strings.Split(board, "\n")
		const pitch, x0, y0 = 60.0, 70.0, 90.0
		height, width := len(rows)/2, len(rows[0])/2
		c := newCanvas(image.Pt(420, 420))
		for i, row := range rows {
			for k, r := range row {
				x, y := x0+float64(k)/2*pitch, y0+float64(i)/2*pitch
				switch r {
				case '+':
					c.stroke(x-1, y, x+1, y, 6, 210)
				case '-':
					c.stroke(x-pitch/2, y, x+pitch/2, y, 6, 210)
				case '|':
					c.stroke(x, y-pitch/2, x, y+pitch/2, 6, 210)
				case '.':
					for d := 6 - pitch/2; d < pitch/2-5; d += 6 {
						c.stroke(x+d, y, x+d+1, y, 2, 110)
					}
				case ':':
					for d := 6 - pitch/2; d < pitch/2-5; d += 6 {
						c.stroke(x, y+d, x, y+d+1, 2, 110)
					}
				}
			}
		}
		v, m := c.seen(t)
		found, err := newSearch(v, m, spec, screen.Frame{}).findWalled(m)
		if err != nil {
			t.Fatal(err)
		}
		seen, l := found[0], found[0].lattice
		if l.rows != height || l.cols != width {
			t.Errorf("%d rows and %d columns, confidence %.2f, expected %d and %d of\n%s", l.rows, l.cols, seen.confidence, height, width, board)
			continue
		}
		if math.Hypot(l.x0-x0, l.y0-y0) > 1.5 || math.Abs(l.pitch()-pitch) > 0.4 {
			t.Errorf("at %.1f,%.1f with pitch %.2f, expected %.0f,%.0f with %.0f", l.x0, l.y0, l.pitch(), x0, y0, pitch)
		}
		// The same text from the observation.
		kind := func(line screen.Line, wall, dots byte) byte {
			switch {
			case line.Support >= 0.65:
				return wall
			case line.Support >= 0.03:
				return dots
			}
			return ' '
		}
		var got strings.Builder
		for r := range height + 1 {
			for c := range width {
				got.WriteByte('+')
				got.WriteByte(kind(seen.horizontal[r*width+c], '-', '.'))
			}
			got.WriteByte('+')
			if r == height {
				break
			}
			got.WriteByte('\n')
			for c := range width + 1 {
				got.WriteByte(kind(seen.vertical[r*(width+1)+c], '|', ':'))
				if c < width {
					got.WriteByte(rows[2*r+1][2*c+1])
				}
			}
			got.WriteByte('\n')
		}
		if got.String() != board {
			t.Errorf("seen\n%s\nexpected\n%s", got.String(), board)
		}
	}
}
