package glyphs_test

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"

	"tapwise/solvers/screen"
	"tapwise/vision/internal/glyphs"
	"tapwise/vision/internal/glyphs/scenes"
)

var (
	write = flag.String("write-digits", "", "file to write the table of errors to")
	fonts = flag.String("fonts", "/usr/share/fonts", "folder with the fonts of the table")
	set   = flag.Int("digits-set", int(scenes.Test), "the set of fonts of the table")
)

// tally counts what became of numbers.
type tally struct{ right, refused, wrong, cells int }

func (t *tally) add(seen screen.Number, value int) bool {
	t.cells++
	switch {
	case seen.Seen != screen.ReadNumber:
		t.refused++
	case seen.Value == value:
		t.right++
	default:
		t.wrong++
		return false
	}
	return true
}

func (t *tally) sum(u tally) {
	t.right, t.refused, t.wrong, t.cells = t.right+u.right, t.refused+u.refused, t.wrong+u.wrong, t.cells+u.cells
}

func (t tally) String() string {
	return fmt.Sprintf("%.2f %% | %d | %d | %d", 100*float64(t.right)/float64(max(1, t.cells)), t.right, t.refused, t.wrong)
}

// condition is how the cells of a row of the table are drawn.
type condition struct {
	name   string
	height float64
	change func(*scenes.Scene)
}

var (
	white = color.RGBA{255, 255, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
)

func grey(v uint8) color.RGBA { return color.RGBA{v, v, v, 255} }

// conditions are the rows of the table.
func conditions() []condition {
	var all []condition
	for _, h := range []float64{10, 12, 16, 20, 28, 40, 60, 90, 120} {
		all = append(all, condition{fmt.Sprintf("%g px, black on white", h), h, func(*scenes.Scene) {}})
	}
	light := func(s *scenes.Scene) { s.Ground, s.Ink, s.Line = grey(18), white, grey(70) }
	all = append(all, condition{"12 px, white on dark", 12, light}, condition{"28 px, white on dark", 28, light})
	for _, c := range []int{128, 64, 40, 30} {
		all = append(all, condition{fmt.Sprintf("24 px, contrast %d", c), 24, func(s *scenes.Scene) { s.Ground, s.Ink = grey(200), grey(uint8(200-c)) }})
	}
	plate := func(p scenes.Plate, ground, on, ink color.RGBA) func(*scenes.Scene) {
		return func(s *scenes.Scene) {
			s.Plate, s.Ground, s.OnPlate, s.Ink = p, ground, on, ink
			s.Radius = s.Height * (0.75 + 0.3*float64(len(s.Text)-1))
			s.Cell = int(2.9 * s.Radius)
		}
	}
	for _, h := range []float64{12, 14, 16, 24, 40} {
		all = append(all,
			condition{fmt.Sprintf("%g px, white on a black disc", h), h, plate(scenes.Disc, white, black, white)},
			condition{fmt.Sprintf("%g px, black on a white disc", h), h, plate(scenes.Disc, grey(60), white, black)})
	}
	all = append(all,
		condition{"20 px, black on a grey disc", 20, plate(scenes.Disc, white, grey(130), black)},
		condition{"20 px, in a black ring", 20, plate(scenes.Ring, white, black, black)},
		condition{"20 px, blue on a yellow square", 20, plate(scenes.Rounded, white, color.RGBA{250, 220, 60, 255}, color.RGBA{20, 50, 160, 255})},
		condition{"20 px, red on green", 20, func(s *scenes.Scene) { s.Ground, s.Ink = color.RGBA{90, 160, 80, 255}, color.RGBA{220, 30, 40, 255} }},
	)
	for _, sigma := range []float64{0.7, 1, 1.5, 2} {
		all = append(all, condition{fmt.Sprintf("20 px, blur %g px", sigma), 20, func(s *scenes.Scene) { s.Blur = sigma }})
	}
	for _, sigma := range []float64{4, 8, 12, 20} {
		all = append(all, condition{fmt.Sprintf("20 px, noise %g", sigma), 20, func(s *scenes.Scene) { s.Noise = sigma }})
	}
	for _, quality := range []int{90, 70, 50, 30} {
		all = append(all, condition{fmt.Sprintf("20 px, JPEG %d", quality), 20, func(s *scenes.Scene) { s.JPEG = quality }})
	}
	all = append(all,
		condition{"14 px, blur 0.7, JPEG 70", 14, func(s *scenes.Scene) { s.Blur, s.JPEG = 0.7, 70 }},
		condition{"24 px, scaled to a half", 24, func(s *scenes.Scene) { s.Scale = 0.5 }},
		condition{"12 px, scaled to one and a half", 12, func(s *scenes.Scene) { s.Scale = 1.5 }},
		condition{"12 px, scaled to the double, JPEG 70", 12, func(s *scenes.Scene) { s.Scale, s.JPEG = 2, 70 }},
		condition{"20 px, 2 px aside, 3 px down", 20, func(s *scenes.Scene) { s.DX, s.DY = 2, 3 }},
		condition{"20 px, in a cell 6 times as high", 20, func(s *scenes.Scene) { s.Cell = 120 }},
		condition{"20 px, lines of 5 px", 20, func(s *scenes.Scene) { s.Border = 5 }},
	)
	return all
}

// scene is a number in a condition.
func (c condition) scene(f scenes.Font, text string) scenes.Scene {
	s := scenes.Scene{Font: f, Text: text, Height: c.height, Cell: int(2.4 * c.height), Ground: white, Ink: black, Line: grey(120), Border: 2}
	c.change(&s)
	return s
}

// readAll reads the numbers below 100 of a step, in all faces, and tells of each that was
// read wrong.
func readAll(t *testing.T, c condition, faces []scenes.Font, step int) tally {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(c.height)))
	var sum tally
	for k, f := range faces {
		for value := k % step; value < 100; value += step {
			picture, cell := c.scene(f, strconv.Itoa(value)).Draw(r)
			if seen := glyphs.Read(picture, cell); !sum.add(seen, value) {
				t.Errorf("%s, %s: %d was read as %d, confidence %g", c.name, f.Name, value, seen.Value, seen.Confidence)
			}
		}
	}
	return sum
}

// goFaces are the Go fonts, that no shape was made from, and that need not be installed.
func goFaces(t testing.TB) []scenes.Font {
	t.Helper()
	var faces []scenes.Font
	for _, f := range []struct {
		name string
		data []byte
	}{{"Go-Regular", goregular.TTF}, {"Go-Medium", gomedium.TTF}, {"Go-Bold", gobold.TTF}, {"Go-Mono", gomono.TTF}, {"Go-Mono-Bold", gomonobold.TTF}} {
		face, err := scenes.NewFont("Go", f.name, f.data)
		if err != nil {
			t.Fatal(err)
		}
		faces = append(faces, face)
	}
	return faces
}

// TestGoFonts reads the numbers 0 to 99 in each condition of the table.
func TestGoFonts(t *testing.T) {
	long(t)
	const step = 7
	var sum tally
	for _, c := range conditions() {
		row := readAll(t, c, goFaces(t), step)
		t.Logf("%-36s %v", c.name, row)
		sum.sum(row)
	}
	t.Logf("all %v", sum)
	if sum.right < sum.cells*95/100 {
		t.Errorf("%d of %d were read, expected 95 %%", sum.right, sum.cells)
	}
}

// TestRandomLooks reads numbers in looks by chance. In many of them the figures touch each
// other or the ring around them.
func TestRandomLooks(t *testing.T) {
	count := 2000
	if testing.Short() {
		count = 200
	}
	faces := goFaces(t)
	r := rand.New(rand.NewPCG(11, 1))
	var sum tally
	for range count {
		value := r.IntN(100)
		s := scenes.Random(r, faces[r.IntN(len(faces))], strconv.Itoa(value), 10+30*r.Float64())
		picture, cell := s.Draw(r)
		if seen := glyphs.Read(picture, cell); !sum.add(seen, value) {
			t.Errorf("%d was read as %d: %+v", value, seen.Value, s)
		}
	}
	t.Logf("%v", sum)
	if sum.right < sum.cells/2 {
		t.Errorf("%d of %d were read, expected half", sum.right, sum.cells)
	}
}

// TestTouching draws numbers on plates that become too small for them: a figure that
// touches the rim is lost in it, and the other one must not be read alone. On yet smaller
// plates, out of whose middle the number is, too, next to nothing of the lost figure shows on
// them. Where it has the colour of the cell, nothing shows beside them either: such discs are
// not as small.
func TestTouching(t *testing.T) {
	long(t)
	f := goFaces(t)[2]
	r := rand.New(rand.NewPCG(12, 1))
	var sum tally
	for name, look := range map[string]struct {
		plate scenes.Plate
		ink   color.RGBA
		least float64 // of the plate's radius, in heights of the number
	}{
		"disc on ground of the ink's colour": {scenes.Disc, white, 0.74},
		"disc":                               {scenes.Disc, color.RGBA{250, 220, 60, 255}, 0.58},
		"ring":                               {scenes.Ring, black, 0.58},
	} {
		for share := look.least; share < 1.3; share += 0.07 {
			for value := 10; value < 100; value += 3 {
				s := scenes.Scene{Font: f, Text: strconv.Itoa(value), Height: 24, Cell: 66, Ground: white, Ink: look.ink, Plate: look.plate, OnPlate: black, Radius: 24 * share}
				for _, s.DX = range []float64{-9, -6, 0, 6, 9} { // so that the other one may stand in the middle
					picture, cell := s.Draw(r)
					if seen := glyphs.Read(picture, cell); !sum.add(seen, value) {
						t.Errorf("%s of %.2f, %g px aside: %d was read as %d", name, share, s.DX, value, seen.Value)
					} else if seen.Seen == screen.NoNumber {
						t.Errorf("%s of %.2f, %g px aside: %d was taken for no number", name, share, s.DX, value)
					}
				}
			}
		}
	}
	t.Logf("%v", sum)
}

// TestBesideAPath reads numbers on discs beside which a path lies, on a ground of their colour.
func TestBesideAPath(t *testing.T) {
	f := goFaces(t)[2]
	r := rand.New(rand.NewPCG(13, 1))
	path := image.NewUniform(color.RGBA{120, 90, 245, 255})
	for value := range 100 {
		text := strconv.Itoa(value)
		s := scenes.Scene{Font: f, Text: text, Height: 26, Cell: 85, Ground: white, Ink: white, Plate: scenes.Disc, OnPlate: black, Radius: 34}
		clear, cell := s.Draw(r)
		if glyphs.Read(clear, cell).Seen != screen.ReadNumber {
			continue // its figures are not read anywhere
		}
		middle := cell.Min.Add(cell.Size().Div(2))
		for name, arms := range map[string][]image.Rectangle{
			"to the left and down": {image.Rect(cell.Min.X, middle.Y-34, middle.X, middle.Y+34), image.Rect(middle.X-34, middle.Y, middle.X+34, cell.Max.Y)},
			"to the left":          {image.Rect(cell.Min.X, middle.Y-34, middle.X, middle.Y+34)},
			"through":              {image.Rect(cell.Min.X, middle.Y-34, cell.Max.X, middle.Y+34)},
		} {
			picture := image.NewRGBA(clear.Rect)
			draw.Draw(picture, picture.Rect, clear, clear.Rect.Min, draw.Src)
			for _, arm := range arms {
				for y := arm.Min.Y; y < arm.Max.Y; y++ {
					for x := arm.Min.X; x < arm.Max.X; x++ {
						if dx, dy := x-middle.X, y-middle.Y; dx*dx+dy*dy > 34*34 {
							picture.Set(x, y, path.C)
						}
					}
				}
			}
			if seen := glyphs.Read(picture, cell); seen.Seen != screen.ReadNumber || seen.Value != value {
				t.Errorf("%d beside a path %s: %+v", value, name, seen)
			}
		}
	}
}

// TestBesideAWall reads numbers on discs beside which walls of their colour stand.
func TestBesideAWall(t *testing.T) {
	f := goFaces(t)[2]
	r := rand.New(rand.NewPCG(14, 1))
	read := 0
	for value := 1; value < 30; value++ {
		s := scenes.Scene{Font: f, Text: strconv.Itoa(value), Height: 10, Cell: 46, Ground: white, Ink: white, Plate: scenes.Disc, OnPlate: black, Radius: 12}
		picture, cell := s.Draw(r)
		wall := cell.Dx() / 7
		for walls, side := range []image.Rectangle{
			{cell.Min, image.Pt(cell.Max.X, cell.Min.Y+wall)},
			{image.Pt(cell.Max.X-wall, cell.Min.Y), cell.Max},
			{cell.Min, image.Pt(cell.Min.X+wall, cell.Max.Y)},
		} { // one after the other
			draw.Draw(picture, side, image.NewUniform(black), image.Point{}, draw.Src)
			if seen := glyphs.Read(picture, cell); seen.Seen == screen.ReadNumber && seen.Value != value {
				t.Errorf("%d beside %d walls: %+v", value, walls+1, seen)
			} else if seen.Seen == screen.ReadNumber {
				read++
			}
		}
	}
	if read < 75 {
		t.Errorf("%d of 87 are read, expected 75", read)
	}
}

// marks are what is no number. The letters O, o, l and I, which are figures in many fonts,
// and those that look like figures alone are told in docs/digits.md.
const marks = "ABCDEFGHJKLMNPQRTUVWXY" + "acdefhkmnprtuvwxy" + "!?#*+=%&@$<>[]{}^~" + "←→↑↓★☆♛♚♠♥♦♣✓✗✚▲▼◆△◇☀"

// TestMarks reads letters and signs: none is a number.
func TestMarks(t *testing.T) {
	long(t)
	faces := goFaces(t)
	if installed, err := scenes.Load(*fonts, scenes.Train); err == nil {
		for _, f := range installed {
			if strings.HasPrefix(f.Name, "DejaVuSans") { // has the signs
				faces = append(faces, f)
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 1))
	drawn := 0
	for _, f := range faces {
		for _, mark := range marks {
			if !f.Has(string(mark)) {
				continue
			}
			for _, c := range conditions()[3:6] {
				drawn++
				picture, cell := c.scene(f, string(mark)).Draw(r)
				if seen := glyphs.Read(picture, cell); seen.Seen == screen.ReadNumber {
					t.Errorf("%s, %s: %c was read as %d, confidence %g", c.name, f.Name, mark, seen.Value, seen.Confidence)
				}
			}
		}
	}
	t.Logf("%d marks", drawn)
}

// TestNoNumber reads cells without a number: with nothing, and with plain plates.
func TestNoNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for plate := scenes.Bare; plate <= scenes.Ring; plate++ {
		for _, radius := range []float64{12, 18, 27} {
			s := scenes.Scene{Cell: 72, Ground: white, Plate: plate, OnPlate: color.RGBA{200, 60, 50, 255}, Radius: radius, Line: grey(90), Border: 3}
			picture, cell := s.Draw(r)
			if seen := glyphs.Read(picture, cell); seen.Seen != screen.NoNumber {
				t.Errorf("plate %d of radius %g: %+v, expected no number", plate, radius, seen)
			}
		}
	}
}

// TestTable is the table of errors on the fonts that Debian ships. It takes minutes, and
// runs only when it is told where to write, or with another set of fonts.
func TestTable(t *testing.T) {
	long(t)
	if *write == "" && *set == int(scenes.Test) {
		t.Skip("-write-digits FILE writes the table")
	}
	faces, err := scenes.Load(*fonts, scenes.Set(*set))
	if err != nil || len(faces) == 0 {
		t.Skipf("no fonts of the table below %s (%v): apt-get install %s", *fonts, err, scenes.Packages)
	}
	var b strings.Builder
	var sum tally
	for _, c := range conditions() {
		row := readAll(t, c, faces, 3)
		fmt.Fprintf(&b, "| %s | %v |\n", c.name, row)
		t.Logf("| %s | %v |", c.name, row)
		sum.sum(row)
	}
	fmt.Fprintf(&b, "| **all** | %v |\n", sum)
	t.Logf("all %v of %d faces", sum, len(faces))
	if *write != "" {
		if err := replaceTable(*write, b.String()); err != nil {
			t.Fatal(err)
		}
	}
}

// tableHead stands above the table in its file.
const tableHead = "| cells | right | numbers read | refused | wrong |\n|---|---|---|---|---|\n"

// replaceTable replaces the lines of the table in a file.
func replaceTable(path, rows string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, after, found := strings.Cut(string(data), tableHead)
	if !found {
		return fmt.Errorf("%s: no table that begins with %q", path, tableHead)
	}
	for strings.HasPrefix(after, "|") {
		_, after, _ = strings.Cut(after, "\n")
	}
	return os.WriteFile(path, []byte(before+tableHead+rows+after), 0o644)
}

func BenchmarkRead(b *testing.B) {
	faces := goFaces(b)
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name string
		text string
		cell int
	}{{"empty", "", 120}, {"one", "7", 120}, {"two", "28", 120}, {"small", "28", 40}} {
		s := scenes.Scene{Font: faces[0], Text: c.text, Height: float64(c.cell) / 2.4, Cell: c.cell, Ground: white, Ink: black, Line: grey(120), Border: 2}
		picture, cell := s.Draw(r)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				sinkNumber = glyphs.Read(picture, cell)
			}
		})
	}
}

var sinkNumber screen.Number

// long leaves a test out with -short, as the run with the race detector has it.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("too long for -short, runs without it")
	}
}
