package drawn

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"testing"
)

// look is how a test's board is drawn.
type look struct {
	name         string
	page, ground color.RGBA
	other        color.RGBA // of every other cell
	line         color.RGBA
	lineWidth    int
	gap          int
	radius       float64 // of ends, in pitches
	width        float64 // of pipes, in pitches
	tint         float64 // of the cells under a pipe, 0 to 1
	round        int     // radius of the cells' corners, in pixels
	shadow       bool    // ends cast one downwards, on their pipes too
}

var (
	dark  = color.RGBA{20, 22, 30, 255}
	shade = color.RGBA{40, 44, 52, 255}
	light = color.RGBA{250, 250, 246, 255}
	mauve = color.RGBA{208, 190, 214, 255}
	grey  = color.RGBA{128, 136, 144, 255}
)

// pipes are the colours of A, B, C, D; B is nearly as bright as the light ground.
var pipes = map[rune]color.RGBA{'A': {230, 25, 75, 255}, 'B': {255, 173, 173, 255}, 'C': {0, 100, 0, 255}, 'D': {70, 100, 255, 255}}

var lookList = []look{
	{name: "thin lines on dark", page: dark, ground: dark, other: dark, line: grey, lineWidth: 2, radius: 0.35, width: 0.3},
	{name: "cards", page: mauve, ground: light, other: light, gap: 6, radius: 0.3, width: 0.35, tint: 0.15},
	{name: "cards on black", page: color.RGBA{A: 255}, ground: light, other: light, gap: 8, radius: 0.46, width: 0.5},
	{name: "in turn", page: dark, ground: dark, other: shade, radius: 0.2, width: 0.2, tint: 0.3},
	{name: "thick lines", page: light, ground: light, other: light, line: grey, lineWidth: 5, radius: 0.4, width: 0.4},
	{name: "lines of a pipe's colour", page: dark, ground: dark, other: shade, line: pipes['B'], lineWidth: 4, radius: 0.3, width: 0.3},
	{name: "rounded cards", page: color.RGBA{168, 172, 170, 255}, ground: light, other: light, gap: 5, round: 14, radius: 0.3, width: 0.35, tint: 0.33},
	{name: "shadows", page: light, ground: light, other: light, line: grey, lineWidth: 1, radius: 0.42, width: 0.3, shadow: true},
	{name: "no lines", page: dark, ground: dark, other: dark, radius: 0.3, width: 0.3},
}

// board is the tests' board: capital letters are ends.
const board = "A..B\n.CC.\nA..B\nD..D"

// The pipes of a full board, as the cells that they lead through.
var solution = map[rune][]int{'A': {0, 4, 8}, 'B': {3, 7, 11}, 'C': {5, 6}, 'D': {12, 13, 14, 15}}

const (
	rows, cols = 4, 4
	pitch      = 60
)

var origin = image.Pt(50, 90)

// paint draws the board with some pipes on it, moved down by some pixels.
func (l look) paint(trails map[rune][]int, down int) *image.RGBA {
	frame := image.NewRGBA(image.Rect(0, 0, 340, 520))
	fill := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(frame.Rect, l.page)
	centre := func(c int) image.Point {
		return origin.Add(image.Pt(c%cols*pitch+pitch/2, c/cols*pitch+pitch/2+down))
	}
	under := map[int]rune{}
	for name, trail := range trails {
		for _, c := range trail {
			under[c] = name
		}
	}
	for c := range rows * cols {
		at, half := centre(c), pitch/2-l.gap/2
		ground := l.ground
		if (c/cols+c%cols)%2 == 1 {
			ground = l.other
		}
		if name, ok := under[c]; ok && l.tint > 0 {
			p := pipes[name]
			mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-l.tint) + float64(b)*l.tint) }
			ground = color.RGBA{mix(ground.R, p.R), mix(ground.G, p.G), mix(ground.B, p.B), 255}
		}
		fill(image.Rect(at.X-half, at.Y-half, at.X+half, at.Y+half), ground)
		for i := range l.round * l.round { // the corners, outside of their circles
			x, y := i%l.round, i/l.round
			if math.Hypot(float64(l.round-x), float64(l.round-y)) > float64(l.round) {
				for _, p := range []image.Point{{x - half, y - half}, {half - 1 - x, y - half}, {x - half, half - 1 - y}, {half - 1 - x, half - 1 - y}} {
					frame.SetRGBA(at.X+p.X, at.Y+p.Y, l.page)
				}
			}
		}
	}
	for i := range rows + 1 {
		if l.lineWidth == 0 {
			break
		}
		y, x := origin.Y+down+i*pitch-l.lineWidth/2, origin.X+i*pitch-l.lineWidth/2
		fill(image.Rect(origin.X, y, origin.X+cols*pitch, y+l.lineWidth), l.line)
		fill(image.Rect(x, origin.Y+down, x+l.lineWidth, origin.Y+down+rows*pitch), l.line)
	}
	half := int(l.width * pitch / 2)
	for name, trail := range trails {
		for i := 1; i < len(trail); i++ {
			a, b := centre(trail[i-1]), centre(trail[i])
			fill(image.Rectangle{a, b}.Canon().Inset(-half), pipes[name])
		}
	}
	for c, name := range strings.ReplaceAll(board, "\n", "") {
		if name == '.' {
			continue
		}
		at := centre(c)
		for y := -pitch / 2; l.shadow && y < pitch; y++ {
			for x := -pitch / 2; x < pitch/2; x++ {
				if away := math.Hypot(float64(x), float64(y)-0.06*pitch) - l.radius*pitch; away < 0.1*pitch {
					under, part := frame.RGBAAt(at.X+x, at.Y+y), 1-0.4*min(1, 1-away/(0.1*pitch))
					frame.SetRGBA(at.X+x, at.Y+y, color.RGBA{uint8(part * float64(under.R)), uint8(part * float64(under.G)), uint8(part * float64(under.B)), 255})
				}
			}
		}
		for y := -pitch / 2; y < pitch/2; y++ {
			for x := -pitch / 2; x < pitch/2; x++ {
				if math.Hypot(float64(x), float64(y)) <= l.radius*pitch {
					frame.SetRGBA(at.X+x, at.Y+y, pipes[name])
				}
			}
		}
	}
	return frame
}

// seen is the board as it was seen first.
func seen(trails map[rune][]int) Board {
	b := Board{Rows: rows, Cols: cols, Pitch: pitch, Links: linksOf(trails)}
	for c, name := range strings.ReplaceAll(board, "\n", "") {
		b.Ends = append(b.Ends, name != '.')
		b.Centres = append(b.Centres, origin.Add(image.Pt(c%cols*pitch+pitch/2, c/cols*pitch+pitch/2)))
	}
	return b
}

func linksOf(trails map[rune][]int) [][4]bool {
	links := make([][4]bool, rows*cols)
	for _, trail := range trails {
		for i := 1; i < len(trail); i++ {
			a, b := trail[i-1], trail[i]
			d := map[int]int{-cols: 0, 1: 1, cols: 2, -1: 3}[b-a]
			links[a][d], links[b][(d+2)%4] = true, true
		}
	}
	return links
}

// part is the solution without a pipe, or with only the first cells of it.
func part(name rune, cells int) map[rune][]int {
	trails := map[rune][]int{}
	for n, trail := range solution {
		trails[n] = trail
	}
	trails[name] = trails[name][:cells]
	return trails
}

// TestSince draws boards in several looks, and more or less on them. What is there must
// be seen, and nothing else.
func TestSince(t *testing.T) {
	box := func(r image.Rectangle, c color.RGBA) func(*image.RGBA) {
		return func(frame *image.RGBA) { draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src) }
	}
	for _, l := range lookList {
		for _, test := range []struct {
			name          string
			before, after map[rune][]int
			down          int
			over          func(*image.RGBA)
			refused       bool
		}{
			{name: "nothing"},
			{name: "full", after: solution},
			{name: "one lost", after: part('D', 0)},
			{name: "short one lost", after: part('C', 0)},
			{name: "half lost", after: part('A', 2)},
			{name: "begun", before: part('A', 0), after: solution},
			{name: "taken off", before: map[rune][]int{'A': solution['A']}, after: part('A', 0)},
			{name: "moved", after: solution, down: -17},
			{name: "moved, one lost", after: part('D', 0), down: 41},
			{name: "a panel in a pipe's colour", after: solution, over: box(image.Rect(20, 150, 320, 260), pipes['A']), refused: true},
			{name: "a panel in the ground's colour", after: solution, over: box(image.Rect(20, 150, 320, 260), l.ground), refused: true},
			{name: "a panel over a corner", after: solution, over: box(image.Rect(200, 60, 340, 200), grey), refused: true},
			{name: "a finger's mark", over: box(image.Rect(120, 100, 150, 130), pipes['D']), refused: true},
			{name: "a bar over a row", after: solution, over: box(image.Rect(0, 290, 340, 310), pipes['C']), refused: true},
			{name: "another page around it", after: solution, refused: true, over: func(frame *image.RGBA) {
				for y := range frame.Rect.Dy() {
					for x := range frame.Rect.Dx() {
						if !image.Pt(x, y).In(image.Rect(45, 85, 295, 335)) {
							frame.SetRGBA(x, y, color.RGBA{90, 160, 60, 255})
						}
					}
				}
			}},
			{name: "dark", after: solution, refused: true, over: func(frame *image.RGBA) {
				for i := range frame.Pix {
					if i%4 < 3 {
						frame.Pix[i] /= 4
					}
				}
			}},
		} {
			before, now := l.paint(test.before, 0), l.paint(test.after, test.down)
			if test.over != nil {
				test.over(now)
			}
			cells, moved, err := Since(before, now, seen(test.before))
			want := linksOf(test.after)
			switch {
			case test.refused && err == nil:
				t.Errorf("%s, %s: seen as %v, expected an error", l.name, test.name, cells)
			case test.refused:
			case err != nil && test.down != 0 && l.tint > 0.2:
				// Strong tints hide where small ends are, which nothing else tells.
			case err != nil:
				t.Errorf("%s, %s: %v", l.name, test.name, err)
			case moved != image.Pt(0, test.down):
				t.Errorf("%s, %s: moved by %v, expected by %d down", l.name, test.name, moved, test.down)
			default:
				for c := range cells {
					if cells[c].Links != want[c] {
						t.Errorf("%s, %s: row %d, column %d: links %v, expected %v", l.name, test.name, c/cols+1, c%cols+1, cells[c].Links, want[c])
					}
				}
			}
		}
	}
}

// TestTouching has ends so large that those of neighbouring cells touch: that is no pipe.
func TestTouching(t *testing.T) {
	l := lookList[0]
	l.radius = 0.53
	cells, _, err := Since(l.paint(nil, 0), l.paint(nil, 0), seen(nil))
	if err != nil {
		t.Fatal(err)
	}
	for c := range cells {
		if cells[c].Links != [4]bool{} {
			t.Errorf("row %d, column %d: links %v, expected none", c/cols+1, c%cols+1, cells[c].Links)
		}
	}
}

// TestSinceRefuses gives boards that are none.
func TestSinceRefuses(t *testing.T) {
	frame := lookList[0].paint(nil, 0)
	full := seen(nil)
	for c := range full.Ends {
		full.Ends[c] = true
	}
	far := seen(nil)
	far.Centres[3] = image.Pt(1e6, -1e6)
	short := seen(nil)
	short.Links = short.Links[1:]
	for name, b := range map[string]Board{"none": {}, "no empty cell": full, "too few links": short} {
		if _, _, err := Since(frame, frame, b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, err := Since(frame, image.NewRGBA(image.Rect(0, 0, 9, 9)), seen(nil)); err == nil {
		t.Error("a frame of another size: no error")
	}
	_, _, _ = Since(frame, frame, far) // whatever it says, it ends
}
