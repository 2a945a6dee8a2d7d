package cells

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// drawing is a board as an app may draw it.
type drawing struct {
	name          string
	board         string // rows; '.' is empty
	pipe          string // the same with pipes drawn on it, if any are
	ground, other color.RGBA
	page          color.RGBA
	line          color.RGBA
	lineWidth     int
	gap           int
	radius        float64 // of ends, in pitches
	tint          bool    // pipes tint their cells
	lit           int     // by how much a cell gets lighter towards its lower right corner
	pitch         int
	square        bool // ends are squares
}

var (
	grey20  = color.RGBA{20, 20, 20, 255}
	grey30  = color.RGBA{34, 34, 34, 255}
	grey90  = color.RGBA{90, 90, 90, 255}
	grey230 = color.RGBA{230, 230, 230, 255}
	paper   = color.RGBA{250, 250, 250, 255}
)

const plain = "A...B\n..C..\n.AB..\n....C\n....."

func drawings() []drawing {
	return []drawing{
		{name: "thin lines on black", board: plain, ground: grey20, other: grey20, page: grey20, line: grey90, lineWidth: 2, radius: 0.35, pitch: 60},
		{name: "faint lines", board: plain, ground: grey20, other: grey20, page: grey20, line: color.RGBA{28, 28, 28, 255}, lineWidth: 1, radius: 0.35, pitch: 50},
		{name: "thick lines on white", board: plain, ground: paper, other: paper, page: paper, line: grey90, lineWidth: 6, radius: 0.2, pitch: 70},
		{name: "cards", board: plain, ground: grey230, other: grey230, page: grey90, gap: 8, radius: 0.4, pitch: 64},
		{name: "in turn", board: plain, ground: grey20, other: grey30, page: grey20, radius: 0.3, pitch: 55},
		{name: "lit cells", board: plain, ground: grey20, other: grey20, page: grey90, lit: 12, radius: 0.3, pitch: 61},
		{name: "squares on cards", board: plain, ground: grey230, other: grey230, page: paper, gap: 3, radius: 0.44, square: true, pitch: 64},
		{name: "a pipe", board: plain, pipe: "a....\na.c..\naa...\n.....\n.....", ground: grey20, other: grey20, page: grey20, line: grey90, lineWidth: 2, radius: 0.35, pitch: 60},
		{name: "a pipe that tints", board: plain, pipe: "a....\na.c..\naa...\n.....\n.....", ground: grey20, other: grey20, page: grey20, line: grey90, lineWidth: 2, radius: 0.35, tint: true, pitch: 60},
		{name: "more rows than columns", board: "A..B\n....\n.C..\nAB..\n...C\n....\n.D.D", ground: paper, other: paper, page: paper, line: grey20, lineWidth: 2, radius: 0.3, pitch: 58},
	}
}

func (d drawing) rows() []string { return strings.Split(d.board, "\n") }

var palette = []color.RGBA{{230, 30, 30, 255}, {20, 140, 40, 255}, {40, 60, 250, 255}, {230, 200, 0, 255}}

// paint draws it on a page of 480x640 pixels with a button below.
func (d drawing) paint() *image.RGBA {
	frame := image.NewRGBA(image.Rect(0, 0, 480, 640))
	draw.Draw(frame, frame.Rect, image.NewUniform(d.page), image.Point{}, draw.Src)
	rows := d.rows()
	corner := image.Pt(37, 53)
	fill := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	at := func(row, col int) (x, y float64) {
		return float64(corner.X) + (float64(col)+0.5)*float64(d.pitch), float64(corner.Y) + (float64(row)+0.5)*float64(d.pitch)
	}
	for row, text := range rows {
		for col := range text {
			x, y := corner.X+col*d.pitch, corner.Y+row*d.pitch
			cell := image.Rect(x, y, x+d.pitch, y+d.pitch).Inset(d.gap / 2)
			c := d.ground
			if (row+col)%2 == 1 {
				c = d.other
			}
			fill(cell, c)
			for i := 0; d.lit > 0 && i < cell.Dx()*cell.Dy(); i++ {
				dx, dy := i%cell.Dx(), i/cell.Dx()
				more := uint8(d.lit * (dx + dy) / (cell.Dx() + cell.Dy()))
				frame.SetRGBA(cell.Min.X+dx, cell.Min.Y+dy, color.RGBA{c.R + more, c.G + more, c.B + more, 255})
			}
		}
	}
	width, height := len(rows[0])*d.pitch, len(rows)*d.pitch
	for i := 0; d.lineWidth > 0 && i <= len(rows[0]); i++ {
		x := corner.X + i*d.pitch - d.lineWidth/2
		fill(image.Rect(x, corner.Y, x+d.lineWidth, corner.Y+height), d.line)
	}
	for i := 0; d.lineWidth > 0 && i <= len(rows); i++ {
		y := corner.Y + i*d.pitch - d.lineWidth/2
		fill(image.Rect(corner.X, y, corner.X+width, y+d.lineWidth), d.line)
	}
	d.pipes(fill, at)
	for row, text := range rows {
		for col, letter := range text {
			if letter == '.' {
				continue
			}
			x, y := at(row, col)
			d.end(frame, x, y, palette[letter-'A'])
		}
	}
	fill(image.Rect(40, 560, 180, 610), grey90)
	return frame
}

func (d drawing) pipes(fill func(image.Rectangle, color.RGBA), at func(row, col int) (x, y float64)) {
	rows := strings.Split(d.pipe, "\n")
	half := float64(d.pitch) * 0.17
	for pass := range 2 {
		for row, text := range rows {
			for col, letter := range text {
				if letter == '.' {
					continue
				}
				c := palette[letter-'a']
				x, y := at(row, col)
				if pass == 0 {
					if d.tint {
						side := float64(d.pitch)/2 - 2
						fill(rectangle(x-side, y-side, x+side, y+side), color.RGBA{d.ground.R + c.R/6, d.ground.G + c.G/6, d.ground.B + c.B/6, 255})
					}
					continue
				}
				if col+1 < len(text) && rune(text[col+1]) == letter {
					u, _ := at(row, col+1)
					fill(rectangle(x-half, y-half, u+half, y+half), c)
				}
				if row+1 < len(rows) && rune(rows[row+1][col]) == letter {
					_, v := at(row+1, col)
					fill(rectangle(x-half, y-half, x+half, v+half), c)
				}
			}
		}
	}
}

func rectangle(x0, y0, x1, y1 float64) image.Rectangle {
	return image.Rect(int(x0), int(y0), int(x1), int(y1))
}

// end draws an end with smooth edges.
func (d drawing) end(frame *image.RGBA, x, y float64, c color.RGBA) {
	r := d.radius * float64(d.pitch)
	for v := int(y - r - 2); v <= int(y+r+2); v++ {
		for u := int(x - r - 2); u <= int(x+r+2); u++ {
			dx, dy := float64(u)+0.5-x, float64(v)+0.5-y
			away := math.Hypot(dx, dy) - r
			if d.square {
				away = max(math.Abs(dx), math.Abs(dy)) - r
			}
			part := min(1, max(0, 0.5-away))
			under := frame.RGBAAt(u, v)
			mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-part) + float64(b)*part + 0.5) }
			frame.SetRGBA(u, v, color.RGBA{mix(under.R, c.R), mix(under.G, c.G), mix(under.B, c.B), 255})
		}
	}
}

// renamed gives groups new letters in the order they come.
func renamed(board string) string {
	names := map[rune]rune{}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(".?\n", r) {
			return r
		}
		if _, ok := names[r]; !ok {
			names[r] = rune('A' + len(names))
		}
		return names[r]
	}, board)
}

func TestBoards(t *testing.T) {
	for _, d := range drawings() {
		t.Run(d.name, func(t *testing.T) {
			found := Boards(d.paint(), Known{})
			if len(found) != 1 {
				t.Fatalf("%d boards found, expected one", len(found))
			}
			if got := renamed(found[0].String()); got != renamed(d.board) {
				t.Errorf("got\n%s\nexpected\n%s", got, renamed(d.board))
			}
			if math.Abs(found[0].Pitch-float64(d.pitch)) > 0.2 {
				t.Errorf("pitch %v, expected %d", found[0].Pitch, d.pitch)
			}
			if d.pipe == "" {
				return
			}
			for i, c := range found[0].Cells {
				row, col := i/found[0].Cols, i%found[0].Cols
				at := func(row, col int) byte {
					lines := strings.Split(d.pipe, "\n")
					if row < 0 || col < 0 || row >= len(lines) || col >= len(lines[0]) {
						return '.'
					}
					return lines[row][col]
				}
				for direction, step := range steps {
					want := at(row, col) != '.' && at(row, col) == at(row+step.Y, col+step.X)
					if c.Links[direction] != want {
						t.Errorf("row %d column %d: link in direction %d is %v, expected %v", row+1, col+1, direction, c.Links[direction], want)
					}
				}
			}
		})
	}
}

// TestRefuse looks at boards that nobody should be sure of.
func TestRefuse(t *testing.T) {
	for name, change := range map[string]func(*drawing){
		"an end without its mate": func(d *drawing) { d.board = "A...B\n..C..\n.AB..\n.....\n....." },
		"three alike":             func(d *drawing) { d.board = "A...B\n..C..\n.AB..\n....C\nA...." },
		"one pair":                func(d *drawing) { d.board = "A....\n.....\n.A...\n.....\n....." },
		"nothing":                 func(d *drawing) { d.board = ".....\n.....\n.....\n.....\n....." },
		"no cells to be seen":     func(d *drawing) { d.lineWidth = 0 },
	} {
		d := drawings()[0]
		change(&d)
		if found := Boards(d.paint(), Known{}); len(found) > 0 {
			t.Errorf("%s: read as\n%s", name, found[0])
		}
	}
}

// TestAreas compares the areas of random pictures with those that a flood fill finds.
func TestAreas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		size := image.Pt(1+random.IntN(12), 1+random.IntN(12))
		frame := image.NewRGBA(image.Rectangle{Max: size})
		for i := range frame.Pix {
			frame.Pix[i] = uint8(random.IntN(3) * 5)
		}
		want := map[area]int{}
		done := map[image.Point]bool{}
		for y := range size.Y {
			for x := range size.X {
				if a := flood(frame, image.Pt(x, y), done); a.pixels > 0 {
					want[a]++
				}
			}
		}
		got := map[area]int{}
		for _, a := range areas(frame, 1, usualStep) {
			got[a]++
		}
		if len(got) != len(want) {
			t.Fatalf("%d kinds of areas, expected %d", len(got), len(want))
		}
		for a, n := range want {
			if got[a] != n {
				t.Fatalf("%d areas like %+v, expected %d", got[a], a, n)
			}
		}
	}
}

func flood(frame *image.RGBA, from image.Point, done map[image.Point]bool) area {
	var a area
	stack := []image.Point{from}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if done[p] {
			continue
		}
		done[p] = true
		a.pixels++
		a.box = a.box.Union(image.Rectangle{p, p.Add(image.Pt(1, 1))})
		for _, s := range steps {
			if q := p.Add(s); q.In(frame.Rect) && near(frame.Pix[frame.PixOffset(p.X, p.Y):], frame.Pix[frame.PixOffset(q.X, q.Y):], usualStep) {
				stack = append(stack, q)
			}
		}
	}
	return a
}

// FuzzBoards looks at pictures that are no board.
func FuzzBoards(f *testing.F) {
	f.Add(uint64(1), 40, 30, 5)
	f.Add(uint64(2), 200, 100, 20)
	f.Add(uint64(3), 1, 1, 1)
	f.Fuzz(func(t *testing.T, seed uint64, width, height, rectangles int) {
		if width < 1 || height < 1 || width*height > 1<<16 || rectangles > 200 {
			return
		}
		random := rand.New(rand.NewPCG(seed, 0))
		frame := image.NewRGBA(image.Rect(0, 0, width, height))
		for range rectangles {
			x, y, side := random.IntN(width), random.IntN(height), 1+random.IntN(30)
			c := palette[random.IntN(len(palette))]
			draw.Draw(frame, image.Rect(x, y, x+side, y+side), image.NewUniform(c), image.Point{}, draw.Src)
		}
		Boards(frame, Known{})
	})
}

func BenchmarkBoards(b *testing.B) {
	d := drawings()[0]
	small := d.paint()
	frame := image.NewRGBA(image.Rect(0, 0, 1080, 2400))
	for y := range 2400 {
		for x := range 1080 {
			frame.SetRGBA(x, y, small.RGBAAt(x*480/1080, y*640/2400*2400/2400))
		}
	}
	for b.Loop() {
		Boards(frame, Known{})
	}
}

// String is the board as text: a letter for each group of marks, '.' where there is
// none, '?' where it is unclear.
func (b Board) String() string {
	var text []byte
	for i, c := range b.Cells {
		if i > 0 && i%b.Cols == 0 {
			text = append(text, '\n')
		}
		switch {
		case c.Mark == Unclear:
			text = append(text, '?')
		case c.Mark <= Through:
			text = append(text, '.')
		default:
			text = append(text, byte('A'+int(c.Mark-Alike)-1))
		}
	}
	return string(text)
}
