package cells

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tapwise/solvers/screen"
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
	label         bool // ends are nothing but crosses that lie over pipes
	dark          bool // ends have dark colours
	glow          int  // pixels, to which ends shine
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
		{name: "gaps of nearly an end's colour", board: "A..B.\n..C..\n.AB..\nD..C.\n..D..", ground: grey230, other: grey230, page: color.RGBA{30, 128, 50, 255}, gap: 8, radius: 0.47, pitch: 64},
		{name: "pipes in all cells but one", board: "ABCA\n....\n.BC.\n....", pipe: "ab.a\nab.a\nab.a\naaaa", ground: grey230, other: grey230, page: grey90, gap: 8, radius: 0.3, pitch: 64},
		{name: "a pipe along all of the last row", board: "A...B\n..A..\n...B.\n.....\nC...C", pipe: ".....\n.....\n.....\n.....\nccccc", ground: grey230, other: grey230, page: grey90, gap: 8, radius: 0.4, pitch: 64, dark: true, glow: 9},
		{name: "a pipe along all of the first column", board: "D...A\n..B..\n.CA..\n...CB\nD....", pipe: "d....\nd....\nd....\nd....\nd....", ground: grey20, other: grey20, page: grey20, line: grey90, lineWidth: 2, radius: 0.35, pitch: 60},
		{name: "more rows than columns", board: "A..B\n....\n.C..\nAB..\n...C\n....\n.D.D", ground: paper, other: paper, page: paper, line: grey20, lineWidth: 2, radius: 0.3, pitch: 58},
	}
}

func (d drawing) rows() []string { return strings.Split(d.board, "\n") }

var (
	palette = []color.RGBA{{230, 30, 30, 255}, {20, 140, 40, 255}, {40, 60, 250, 255}, {230, 200, 0, 255}}
	darks   = []color.RGBA{{0, 0, 139, 255}, {59, 59, 59, 255}, {127, 0, 0, 255}}
)

// colour is that of the nth pair and its pipe.
func (d drawing) colour(n rune) color.RGBA {
	if d.dark {
		return darks[n]
	}
	return palette[n]
}

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
			d.end(frame, x, y, d.colour(letter-'A'))
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
				c := d.colour(letter - 'a')
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
	if d.label {
		d.cross(frame, x, y, c)
		return
	}
	around := r + 2 + float64(d.glow)
	for v := int(y - around); v <= int(y+around); v++ {
		for u := int(x - around); u <= int(x+around); u++ {
			dx, dy := float64(u)+0.5-x, float64(v)+0.5-y
			away := math.Hypot(dx, dy) - r
			if d.square {
				away = max(math.Abs(dx), math.Abs(dy)) - r
			}
			part := min(1, max(0, 0.5-away))
			if glow := float64(d.glow); away > 0 && away < glow {
				part = max(part, 0.4*(1-away/glow))
			}
			under := frame.RGBAAt(u, v)
			mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-part) + float64(b)*part + 0.5) }
			frame.SetRGBA(u, v, color.RGBA{mix(under.R, c.R), mix(under.G, c.G), mix(under.B, c.B), 255})
		}
	}
}

// cross draws an end that is a cross of two strokes: upright or slanted, thin or thick, by
// its colour. On a pipe it has the ground's colour.
func (d drawing) cross(frame *image.RGBA, x, y float64, c color.RGBA) {
	r, half, ink := 0.3*float64(d.pitch), 2.0, paper
	if frame.RGBAAt(int(x), int(y)) != d.ground {
		ink = d.ground
	}
	if c.R > 100 {
		half = 4
	}
	for v := int(y - r); v < int(y+r); v++ {
		for u := int(x - r); u < int(x+r); u++ {
			dx, dy := math.Abs(float64(u)+0.5-x), math.Abs(float64(v)+0.5-y)
			if c.G > 100 && math.Abs(dx-dy) < half || c.G <= 100 && min(dx, dy) < half {
				frame.SetRGBA(u, v, ink)
			}
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

// TestCorners reads a board of whose frame the rounded corners show in its corner cells.
func TestCorners(t *testing.T) {
	d := drawings()[3] // cards
	frame := d.paint()
	size := len(d.rows()) * d.pitch
	const leg = 17 // 4 pixels of the gap twice, and a seventh of the cell
	for i := range leg {
		for k := range leg - i {
			for _, at := range []image.Point{{i, k}, {size - 1 - i, k}, {i, size - 1 - k}, {size - 1 - i, size - 1 - k}} {
				frame.Set(37+at.X, 53+at.Y, palette[3])
			}
		}
	}
	if found := Boards(frame, Known{}); len(found) != 1 || renamed(found[0].String()) != renamed(d.board) {
		t.Errorf("got %v, expected\n%s", found, d.board)
	}
}

// TestGlows takes glows of dark ends that meet at the border of their cells for no pipe.
func TestGlows(t *testing.T) {
	black := color.RGBA{A: 255}
	d := drawing{board: "AB..C\n.....\n.A..B\n....C\n.....", ground: black, other: black, page: black, line: grey30, lineWidth: 2,
		radius: 0.45, dark: true, glow: 7, pitch: 68}
	found := find(d.paint(), usualStep)
	if len(found) == 0 {
		t.Fatal("no lattice found")
	}
	for _, l := range found {
		if b, ok := sortCells(d.paint(), l, nil); !ok || b.Cells[0].Links != [4]bool{} || l.Rows == 5 && renamed(b.String()) != d.board {
			t.Errorf("%d rows, cells of %.1f pixels: got\n%s\nwith links %v from the first cell, expected\n%s", l.Rows, l.Side, b, b.Cells[0].Links, d.board)
		}
	}
}

// TestInlay pairs two ends with labels of the colour of one of the grounds in turn, one on
// either.
func TestInlay(t *testing.T) {
	d := drawing{board: plain, ground: paper, other: color.RGBA{225, 225, 225, 255}, page: grey90, radius: 0.35, pitch: 64}
	frame := d.paint()
	for _, at := range [][2]float64{{0, 0}, {1, 2}} { // both of A, column and row
		d.cross(frame, 37+64*(at[0]+0.5), 53+64*(at[1]+0.5), palette[0])
	}
	if found := Boards(frame, Known{}); len(found) != 1 || renamed(found[0].String()) != renamed(d.board) {
		t.Errorf("got %v, expected\n%s", found, d.board)
	}
}

// TestButtonInPlace reads a board above which a button lies where a cell would.
func TestButtonInPlace(t *testing.T) {
	d := drawings()[3] // cards
	d.board = "...\n...\nA.A\n...\nB.B"
	frame := d.paint()
	draw.Draw(frame, image.Rect(37, 53, 37+3*d.pitch, 53+2*d.pitch), image.NewUniform(d.page), image.Point{}, draw.Src)
	draw.Draw(frame, image.Rect(37, 53, 37+d.pitch, 53+d.pitch).Inset(d.gap/2), image.NewUniform(paper), image.Point{}, draw.Src)
	if found := Boards(frame, Known{}); len(found) != 1 || renamed(found[0].String()) != "A.A\n...\nB.B" {
		t.Errorf("three rows, and a button two rows above: got %v, expected %s", found, "A.A/.../B.B")
	}
}

// TestTouching finds the lattice of cells of any whole number of pixels with nothing
// between them.
func TestTouching(t *testing.T) {
	for side := 10; side <= 120; side++ {
		for count := 3; count <= 12; count++ {
			var boxes []image.Rectangle
			for cell := range count * count {
				at := image.Pt(cell%count, cell/count).Mul(side)
				boxes = append(boxes, image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))})
			}
			if found := lattices(boxes, mostGap); len(found) != 1 || found[0].Rows != count || found[0].Cols != count {
				t.Errorf("%d cells of %d pixels in a row: %d lattices, expected one of all cells", count, side, len(found))
			}
		}
	}
}

// TestOutweighs takes parts of cells for no board, and a board for no part of another.
func TestOutweighs(t *testing.T) {
	b := Board{Lattice: Lattice{X: 100, Y: 100, Pitch: 100, Rows: 5, Cols: 5, count: 25}}
	for name, test := range map[string]struct {
		l    Lattice
		want bool
	}{
		"quarters of cells, few of them seen": {Lattice{X: 75, Y: 75, Pitch: 50, Rows: 10, Cols: 10, count: 18}, true},
		"smaller cells, most of them seen":    {Lattice{X: 75, Y: 75, Pitch: 50, Rows: 10, Cols: 10, count: 90}, false},
		"few ends":                            {Lattice{X: 100, Y: 100, Pitch: 100, Rows: 5, Cols: 5, count: 8}, true},
		"elsewhere":                           {Lattice{X: 900, Y: 100, Pitch: 50, Rows: 10, Cols: 10, count: 18}, false},
	} {
		if got := b.outweighs(test.l); got != test.want {
			t.Errorf("%s: outweighs %v, expected %v", name, got, test.want)
		}
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

// TestKnown reads every drawing whose rectangle a person drew, up to roomOff pitches off
// on each side, and whose size is known; also without anything between the cells.
func TestKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	all := drawings()
	bare := all[0]
	bare.name, bare.lineWidth = "nothing between the cells", 0
	labelled := all[7]
	labelled.name, labelled.label = "labels over a pipe", true
	for _, d := range append(all, bare, labelled) {
		rows := d.rows()
		room := image.Rect(37, 53, 37+len(rows[0])*d.pitch, 53+len(rows)*d.pitch)
		for range 4 {
			off := func() int { return int((2*random.Float64() - 1) * 0.15 * float64(d.pitch)) }
			known := Known{Rows: len(rows), Cols: len(rows[0]),
				Room: image.Rect(room.Min.X+off(), room.Min.Y+off(), room.Max.X+off(), room.Max.Y+off())}
			found := Boards(d.paint(), known)
			if len(found) != 1 {
				t.Errorf("%s in %v: %d boards found, expected one", d.name, known.Room, len(found))
				continue
			}
			if got := renamed(found[0].String()); got != renamed(d.board) {
				t.Errorf("%s in %v: got\n%s\nexpected\n%s", d.name, known.Room, got, renamed(d.board))
			}
		}
	}
}

// TestDenied refuses rooms whose cells would lie between those that are seen: marks
// that are cut by a border look like two ends of a pipe.
func TestDenied(t *testing.T) {
	d := drawings()[0]
	d.board = "CAD.\n..A.\n..B.\nCBD."
	d.radius = 0.3
	frame := d.paint()
	room := image.Rect(37, 53, 37+4*d.pitch, 53+4*d.pitch)
	if found := Boards(frame, Known{Room: room, Rows: 4, Cols: 4}); len(found) != 1 || renamed(found[0].String()) != renamed(d.board) {
		t.Errorf("its own room: got %v, expected\n%s", found, d.board)
	}
	for l := range knownLattices(frame, Known{Room: room, Rows: 4, Cols: 3}) {
		t.Errorf("three columns in the middle of four: tried at %.0f, %.0f", l.X, l.Y)
	}
}

// TestKnownInPart narrows the search by what is known.
func TestKnownInPart(t *testing.T) {
	d := drawings()[0]
	for _, test := range []struct {
		name  string
		known Known
		one   bool
	}{
		{"its size", Known{Rows: 5, Cols: 5}, true},
		{"another size", Known{Rows: 6, Cols: 5}, false}, // the row more may be above or below
		{"a smaller size", Known{Rows: 4, Cols: 5}, false},
		{"its room", Known{Room: image.Rect(37, 53, 337, 353)}, true},
		{"a larger room", Known{Room: image.Rect(0, 40, 400, 500)}, true},
		{"another room", Known{Room: image.Rect(37, 300, 337, 600)}, false},
	} {
		if found := Boards(d.paint(), test.known); (len(found) == 1) != test.one {
			t.Errorf("%s: %d boards found, expected one: %v", test.name, len(found), test.one)
		}
	}
}

// TestGrown reads boards of which a row or column merges with the page, and boards whose
// cells only a panel around them tells.
func TestGrown(t *testing.T) {
	rim := drawings()[5] // lit cells
	rim.board, rim.page = "A...B\n..C..\n.A...\n....C\nB....", rim.ground
	line := drawings()[0] // the line below the last row is missing
	line.board = "A..B.\n..C..\n.A..C\n.....\nB...."
	cut := line.paint()
	draw.Draw(cut, image.Rect(37-1, 53+5*line.pitch-1, 37+5*line.pitch+2, 53+5*line.pitch+2), image.NewUniform(line.page), image.Point{}, draw.Src)
	panel := drawings()[0]
	panel.board, panel.lineWidth, panel.page = "A...B\nA.C..\nB....\nC....\n....D\n....D", 0, paper
	for name, test := range map[string]struct {
		frame *image.RGBA
		board string
	}{
		"cells that are lit": {rim.paint(), rim.board},
		"a missing line":     {cut, line.board},
		"a panel":            {panel.paint(), panel.board},
	} {
		found := Boards(test.frame, Known{})
		if len(found) != 1 {
			t.Errorf("%s: %d boards found, expected one", name, len(found))
			continue
		}
		if got := renamed(found[0].String()); got != renamed(test.board) {
			t.Errorf("%s: got\n%s\nexpected\n%s", name, got, renamed(test.board))
		}
	}
}

// TestSure is beyond doubt of clear boards, and in doubt where anything could be there
// that was not told.
func TestSure(t *testing.T) {
	for _, d := range drawings() {
		// Half of the rim of cells in turn merges with the page, and large squares reach to
		// where walls are looked for: these are in doubt as they are.
		if d.pipe != "" || d.name == "faint lines" || d.name == "in turn" || d.square {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			fill := func(frame *image.RGBA, r image.Rectangle, c color.RGBA) {
				draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src)
			}
			width, height := len(d.rows()[0])*d.pitch, len(d.rows())*d.pitch
			right, bottom := 37+width, 53+height
			for _, test := range []struct {
				name   string
				change func(frame *image.RGBA) *image.RGBA
				sure   bool
			}{
				{"as it is", func(frame *image.RGBA) *image.RGBA { return frame }, true},
				{"a wall", func(frame *image.RGBA) *image.RGBA {
					fill(frame, image.Rect(37+d.pitch-4, 53+d.pitch, 37+d.pitch+4, 53+2*d.pitch), color.RGBA{120, 160, 90, 255})
					return frame
				}, false},
				{"a warp", func(frame *image.RGBA) *image.RGBA {
					for i := range len(d.rows()) + 1 {
						y := 53 + i*d.pitch
						fill(frame, image.Rect(37-d.pitch/7, y-1, 37, y+1), color.RGBA{120, 160, 90, 255})
						fill(frame, image.Rect(right, y-1, right+d.pitch/7, y+1), color.RGBA{120, 160, 90, 255})
					}
					return frame
				}, false},
				{"covered below", func(frame *image.RGBA) *image.RGBA {
					fill(frame, image.Rect(0, bottom+2, 480, bottom+d.pitch), color.RGBA{120, 160, 90, 255})
					return frame
				}, false},
				{"cut off", func(frame *image.RGBA) *image.RGBA {
					part := image.NewRGBA(image.Rect(0, 0, right+3, 640))
					draw.Draw(part, part.Rect, frame, image.Point{}, draw.Src)
					return part
				}, false},
				{"an end that hardly shows", func(frame *image.RGBA) *image.RGBA {
					x, y := 37+d.pitch+d.pitch/2, 53+d.pitch/2
					c := frame.RGBAAt(x, y)
					c.R -= 9
					fill(frame, image.Rect(x-d.pitch/4, y-d.pitch/4, x+d.pitch/4, y+d.pitch/4), c)
					return frame
				}, false},
				{"dimmed", func(frame *image.RGBA) *image.RGBA {
					for i := range frame.Pix {
						if i%4 < 3 {
							frame.Pix[i] /= 8
						}
					}
					return frame
				}, false},
			} {
				found := Boards(test.change(d.paint()), Known{})
				if len(found) == 0 && !test.sure {
					continue // refused
				}
				if len(found) != 1 {
					t.Errorf("%s: %d boards found, expected one", test.name, len(found))
					continue
				}
				if c := found[0].Confidence(); (c >= beyondDoubt) != test.sure {
					t.Errorf("%s: confidence %.2f, expected at least %.2f: %v", test.name, c, beyondDoubt, test.sure)
				}
			}
		})
	}
}

// TestSureNarrow has a button close to a board: no doubt where the cells clearly differ
// from what is between.
func TestSureNarrow(t *testing.T) {
	for i, sure := range map[int]bool{0: false, 3: true} { // thin lines on black; cards
		d := drawings()[i]
		frame := d.paint()
		bottom := 53 + len(d.rows())*d.pitch
		draw.Draw(frame, image.Rect(37, bottom+8, 200, bottom+40), image.NewUniform(palette[0]), image.Point{}, draw.Src)
		found := Boards(frame, Known{})
		if len(found) != 1 {
			t.Errorf("%s: %d boards found, expected one", d.name, len(found))
			continue
		}
		if c := found[0].Confidence(); (c >= beyondDoubt) != sure {
			t.Errorf("%s: confidence %.2f, expected at least %.2f: %v", d.name, c, beyondDoubt, sure)
		}
	}
}

// TestAreas compares the areas of random pictures with those that a flood fill finds.
func TestAreas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		size := image.Pt(1+random.IntN(40), 1+random.IntN(12))
		frame := image.NewRGBA(image.Rectangle{Max: size})
		step := uint8(1 + random.IntN(14))
		// The fewer values, the more neighbours are near, and the more rows are alike.
		values := 2 + random.IntN(3)
		for i := range frame.Pix {
			frame.Pix[i] = uint8(random.IntN(values) * 5)
		}
		for y := 1; y < size.Y; y++ {
			if random.IntN(3) == 0 {
				copy(frame.Pix[y*frame.Stride:(y+1)*frame.Stride], frame.Pix[(y-1)*frame.Stride:])
			}
		}
		want := map[area]int{}
		done := map[image.Point]bool{}
		for y := range size.Y {
			for x := range size.X {
				if a := flood(frame, image.Pt(x, y), step, done); a.pixels > 0 {
					want[a]++
				}
			}
		}
		got := map[area]int{}
		for _, a := range areas(frame, 1, step) {
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

// TestNear compares levels with each other, by themselves and two pixels at a time.
func TestNear(t *testing.T) {
	for _, step := range []uint8{faintStep, usualStep, 7, 14} {
		for a := range 256 {
			for b := range 256 {
				far := a-b > int(step) || b-a > int(step)
				row := []uint8{uint8(a), 9, 9, 255, uint8(b), 9, 9, 255, uint8(a), 9, 9, 255, uint8(b), 9, 9, 255}
				ends, want := appendEnds(nil, row, step), 1
				if far {
					want = 4
				}
				if within(uint8(a), uint8(b), step) == far || len(ends) != want {
					t.Fatalf("levels %d and %d with step %d: near %v, %d runs, expected %v and %d", a, b, step, far, len(ends), !far, want)
				}
			}
		}
	}
}

// TestNoAreas looks at noise: what is refused with one step is refused with every smaller
// one.
func TestNoAreas(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	refused, accepted := 0, 0
	for _, deviation := range []int{1, 2, 4, 8, 16, 32, 64} {
		frame := image.NewRGBA(image.Rect(0, 0, 400, 401))
		for i := range frame.Pix {
			frame.Pix[i] = uint8(128 + random.IntN(2*deviation) - deviation)
		}
		before := false
		for _, step := range []uint8{14, 7, usualStep, faintStep} {
			_, ok := areasOf(frame, 4, step)
			if before && ok {
				t.Errorf("deviation %d: not refused with step %d, but with a greater one", deviation, step)
			}
			if before = !ok; ok {
				accepted++
			} else {
				refused++
			}
		}
	}
	if refused == 0 || accepted == 0 {
		t.Errorf("%d refused and %d not, expected some of both", refused, accepted)
	}
}

func flood(frame *image.RGBA, from image.Point, step uint8, done map[image.Point]bool) area {
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
			if q := p.Add(s); q.In(frame.Rect) && screen.Contrast(frame.RGBAAt(p.X, p.Y), frame.RGBAAt(q.X, q.Y)) <= int(step) {
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

// TestDistance compares marks of thin strokes that lie each another part of a pixel off
// its cell's middle: which of two is the first does not matter.
func TestDistance(t *testing.T) {
	const pitch, side = 48, 4
	frame := image.NewRGBA(image.Rect(0, 0, pitch*side, pitch*side))
	// at is how much of a pixel a ring covers whose inner and outer edge are those of a letter O.
	at := func(x, y float64) float64 {
		wide, narrow := math.Hypot(x/14, y/17), math.Hypot(x/8, y/15)
		return max(0, min(1, (1-wide)*15)) * max(0, min(1, (narrow-1)*11))
	}
	var ends []int
	for cell := range side * side {
		row, col := cell/side, cell%side
		off := float64(cell) / 7
		isEnd := (row+col)%2 == 0
		if isEnd {
			ends = append(ends, cell)
		}
		for y := range pitch {
			for x := range pitch {
				c := grey230
				if isEnd {
					drawn := at(float64(x-pitch/2)-off+1, float64(y-pitch/2)+off/2-0.5)
					v := uint8(float64(grey230.R) - drawn*float64(grey230.R-grey20.R))
					c = color.RGBA{v, v, v, 255}
				}
				frame.SetRGBA(col*pitch+x, row*pitch+y, c)
			}
		}
	}
	s := newSorter(frame, Lattice{X: pitch / 2, Y: pitch / 2, Pitch: pitch, Side: pitch - 1, Rows: side, Cols: side}, nil)
	if !s.grounds() {
		t.Fatal("no cell is empty")
	}
	s.strip()
	nearly := 0
	for i, a := range ends {
		for _, b := range ends[:i] {
			one, other := s.distance(a, b), s.distance(b, a)
			if one != other {
				t.Errorf("cells %d and %d differ by %d, and the other way round by %d", a, b, one, other)
			}
			if one > sameMark && one <= alikeMark {
				nearly++
			}
		}
	}
	if nearly == 0 {
		t.Error("no two marks are alike only when they are looked at closely")
	}
}
