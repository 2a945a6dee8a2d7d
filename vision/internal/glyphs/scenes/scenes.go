// Package scenes draws cells with numbers and other marks, in the fonts that Debian
// ships, as apps draw them: for the training of package glyphs, and for its tests.
package scenes

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	scale "golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Set is what a family is used for. No family is used for two things.
type Set int

// The sets.
const (
	Train  Set = iota // the networks are made from these
	Choose            // the limits were chosen by these
	Test              // the table of errors is from these
)

// Families are the families of each set, each as the beginning of its files' names. Noto Sans,
// Roboto, Inter and what looks like them are in Test.
var Families = [...]string{
	Train: "DejaVu Free NotoSerif- NimbusSans- NimbusSansNarrow- NimbusRoman- NimbusMonoPS- URWGothic- " +
		"URWBookman- C059- P052- Cabin- Cantarell- Quicksand- Play- Jura- Karla- Manrope- JetBrainsMono- " +
		"Dosis- Mplus ComicNeue- LeagueSpartan- BebasNeue- Lato- FiraCode- GentiumPlus- eurof LinLibertine " +
		"PTS PTN PTF LeagueMono- Inconsolata Andika- OSP-DIN millimetreA Tuffy tiresias_infofont SwitzeraADF- " +
		"MekanusADFStd- VeranaSans routed-gothic GemunuLibre- osifont lmsans Hermit- mononoki- " +
		"YanoneKaffeesatz- OldStandard-",
	Choose: "Carlito- Caladea- Hack- Junction Yrsa- Beteckna Sora- Oxygen- B612 AveriaSansGWF- IkariusADFStd-",
	Test: "NotoSans- Roboto- RobotoCondensed- Inter- OpenSans- LiberationSans- LiberationSerif- LiberationMono- " +
		"Comfortaa- ClearSans-",
}

// Packages are the Debian packages with the families.
const Packages = "fonts-adf-ikarius fonts-adf-mekanus fonts-adf-switzera fonts-adf-verana fonts-averia-sans-gwf fonts-b612 fonts-bebas-neue " +
	"fonts-beteckna fonts-cabin fonts-cantarell fonts-clear-sans fonts-comfortaa fonts-comic-neue fonts-crosextra-caladea " +
	"fonts-crosextra-carlito fonts-dejavu-core fonts-dejavu-extra fonts-dosis fonts-eurofurence fonts-firacode fonts-freefont-ttf " +
	"fonts-gemunu-libre fonts-hack fonts-hermit fonts-inconsolata fonts-inter fonts-jetbrains-mono fonts-junction fonts-jura " +
	"fonts-karla fonts-lato fonts-league-mono fonts-league-spartan fonts-liberation fonts-linuxlibertine fonts-lmodern " +
	"fonts-manrope fonts-millimetre fonts-mononoki fonts-mplus fonts-noto-core fonts-oldstandard fonts-open-sans fonts-opendin " +
	"fonts-osifont fonts-oxygen fonts-paratype fonts-play fonts-quicksand fonts-roboto-unhinted fonts-routed-gothic " +
	"fonts-sil-andika fonts-sil-gentiumplus fonts-sora fonts-tiresias fonts-tuffy fonts-urw-base35 fonts-yanone-kaffeesatz " +
	"fonts-yrsa-rasa"

// A Font is one face of a family.
type Font struct {
	Family string
	Name   string // its file's name without the extension
	font   *opentype.Font
	scale  float64 // size per height of the figures
}

// Load loads the faces of a set's families below a folder. Files that are no fonts, or
// that lack a figure, are left out.
func Load(folder string, set Set) ([]Font, error) {
	var found []Font
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := strings.TrimSuffix(strings.TrimSuffix(entry.Name(), ".ttf"), ".otf")
		if name == entry.Name() {
			return nil
		}
		for _, family := range strings.Fields(Families[set]) {
			if !strings.HasPrefix(name, family) {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if font, err := NewFont(family, name, data); err == nil {
				found = append(found, font)
			}
			return nil
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("fonts: %w", err)
	}
	return found, nil
}

// NewFont is a face of a font file. It fails where the figures are missing.
func NewFont(family, name string, data []byte) (Font, error) {
	parsed, err := opentype.Parse(data)
	if err != nil {
		return Font{}, fmt.Errorf("font %s: %w", name, err)
	}
	f := Font{Family: family, Name: name, font: parsed}
	if !f.Has("0123456789") {
		return Font{}, fmt.Errorf("font %s: figures are missing", name)
	}
	const size = 200
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return Font{}, fmt.Errorf("font %s: %w", name, err)
	}
	bounds, _ := font.BoundString(face, "1")
	f.scale = size * 64 / float64(bounds.Max.Y-bounds.Min.Y)
	return f, nil
}

// Has reports whether a face has all characters of a text.
func (f Font) Has(text string) bool {
	var b sfnt.Buffer
	for _, r := range text {
		if i, err := f.font.GlyphIndex(&b, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// Plate is what a number stands on.
type Plate int

// The plates.
const (
	Bare    Plate = iota // on the cell
	Disc                 // on a filled disc
	Rounded              // on a filled square with rounded corners
	Ring                 // in a ring, whose inside has the cell's colour
	plates
)

// Scene is a cell as an app draws it, with what is around it.
type Scene struct {
	Font    Font
	Text    string
	Height  float64    // of the figures, in pixels
	Cell    int        // the cell's side, in pixels
	Ink     color.RGBA // of the text
	Ground  color.RGBA // of the cell
	Plate   Plate
	OnPlate color.RGBA // the plate's colour
	Radius  float64    // of the plate, in pixels
	Line    color.RGBA // of the cell's border
	Border  int        // its width in pixels, half of it in the cell
	DX, DY  float64    // pixels: the text stands so far from the middle
	Slant   float64    // of the text, in pixels to the right for each pixel up
	Wider   float64    // the text is wider than the font has it by this share
	Blur    float64    // pixels: standard deviation
	Noise   float64    // levels: standard deviation
	JPEG    int        // quality, 0 without
	Scale   float64    // the picture is scaled by this before its JPEG, 0 is not
}

// Draw draws a scene: a picture with the cell and a margin around it, and where the cell
// is. The noise comes from a generator of numbers.
func (s Scene) Draw(r *rand.Rand) (*image.RGBA, image.Rectangle) {
	margin := 6 + s.Border
	picture := image.NewRGBA(image.Rect(0, 0, s.Cell+2*margin, s.Cell+2*margin))
	cell := image.Rect(margin, margin, margin+s.Cell, margin+s.Cell)
	draw.Draw(picture, picture.Rect, image.NewUniform(s.Ground), image.Point{}, draw.Src)
	if s.Border > 0 {
		line := image.NewUniform(s.Line)
		half := s.Border / 2
		for _, at := range []int{margin, margin + s.Cell} {
			draw.Draw(picture, image.Rect(at-half, 0, at-half+s.Border, picture.Rect.Max.Y), line, image.Point{}, draw.Src)
			draw.Draw(picture, image.Rect(0, at-half, picture.Rect.Max.X, at-half+s.Border), line, image.Point{}, draw.Src)
		}
	}
	middle := float64(margin) + float64(s.Cell)/2
	s.plate(picture, middle)
	s.text(picture, middle)
	if s.Blur > 0 {
		blur(picture, s.Blur)
	}
	if s.Noise > 0 {
		for i := range picture.Pix {
			if i%4 < 3 {
				picture.Pix[i] = uint8(min(255, max(0, math.Round(float64(picture.Pix[i])+s.Noise*r.NormFloat64()))))
			}
		}
	}
	if s.Scale > 0 {
		rect := func(r image.Rectangle) image.Rectangle {
			by := func(v int) int { return int(math.Round(s.Scale * float64(v))) }
			return image.Rect(by(r.Min.X), by(r.Min.Y), by(r.Max.X), by(r.Max.Y))
		}
		scaled := image.NewRGBA(rect(picture.Rect))
		scale.BiLinear.Scale(scaled, scaled.Rect, picture, picture.Rect, draw.Src, nil)
		picture, cell = scaled, rect(cell)
	}
	if s.JPEG > 0 {
		picture = recompress(picture, s.JPEG)
	}
	return picture, cell
}

// Between is the column of the picture at which the second figure begins.
func (s Scene) Between() float64 {
	face, err := opentype.NewFace(s.Font.font, &opentype.FaceOptions{Size: s.Height * s.Font.scale, DPI: 72})
	if err != nil {
		return 0
	}
	first, all := font.MeasureString(face, s.Text[:1]), font.MeasureString(face, s.Text)
	x := float64(6+s.Border) + float64(s.Cell)/2 + s.DX + (1+s.Wider)*float64(2*first-all)/128
	if s.Scale > 0 {
		x *= s.Scale
	}
	return x
}

// plate draws what the number stands on, smooth at its rim.
func (s Scene) plate(picture *image.RGBA, middle float64) {
	if s.Plate == Bare {
		return
	}
	distance := func(x, y float64) float64 { // from the rim, positive inside
		dx, dy := math.Abs(x-middle), math.Abs(y-middle)
		if s.Plate != Rounded {
			return s.Radius - math.Hypot(dx, dy)
		}
		corner := s.Radius / 3
		dx, dy = max(0, dx-s.Radius+corner), max(0, dy-s.Radius+corner)
		return corner - math.Hypot(dx, dy)
	}
	for y := range picture.Rect.Max.Y {
		for x := range picture.Rect.Max.X {
			d := distance(float64(x)+0.5, float64(y)+0.5)
			cover := min(1, max(0, d+0.5))
			if s.Plate == Ring {
				cover = min(cover, min(1, max(0, max(1.5, s.Radius/10)-d+0.5)))
			}
			if cover > 0 {
				picture.SetRGBA(x, y, mix(picture.RGBAAt(x, y), s.OnPlate, cover))
			}
		}
	}
}

// mix is a colour with a share of another over it.
func mix(under, over color.RGBA, share float64) color.RGBA {
	m := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return color.RGBA{m(under.R, over.R), m(under.G, over.G), m(under.B, over.B), 255}
}

// text draws the text: its width in the middle, as apps do, and the height of a figure.
func (s Scene) text(picture *image.RGBA, middle float64) {
	if s.Text == "" {
		return
	}
	size := s.Height * s.Font.scale
	face, err := opentype.NewFace(s.Font.font, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return // a face that could be made once can be made again
	}
	wide := 1 + s.Wider
	pen, foot := middle+s.DX-wide*float64(font.MeasureString(face, s.Text))/128, middle+s.DY+s.Height/2
	at := func(p fixed.Point26_6) (x, y float32) {
		dx, dy := float64(p.X)/64, float64(p.Y)/64
		return float32(pen + wide*dx - s.Slant*(dy+s.Height/2)), float32(foot + dy)
	}
	raster := vector.NewRasterizer(picture.Rect.Dx(), picture.Rect.Dy())
	var b sfnt.Buffer
	before := rune(-1)
	for _, char := range s.Text {
		glyph, err := s.Font.font.GlyphIndex(&b, char)
		if err != nil {
			return
		}
		outline, err := s.Font.font.LoadGlyph(&b, glyph, fixed.Int26_6(math.Round(64*size)), nil)
		if err != nil {
			return
		}
		pen += wide * float64(face.Kern(before, char)) / 64
		for _, part := range outline {
			ax, ay := at(part.Args[0])
			bx, by := at(part.Args[1])
			cx, cy := at(part.Args[2])
			switch part.Op {
			case sfnt.SegmentOpMoveTo:
				raster.MoveTo(ax, ay)
			case sfnt.SegmentOpLineTo:
				raster.LineTo(ax, ay)
			case sfnt.SegmentOpQuadTo:
				raster.QuadTo(ax, ay, bx, by)
			case sfnt.SegmentOpCubeTo:
				raster.CubeTo(ax, ay, bx, by, cx, cy)
			}
		}
		advance, _ := face.GlyphAdvance(char)
		pen += wide * float64(advance) / 64
		before = char
	}
	raster.Draw(picture, picture.Rect, image.NewUniform(s.Ink), image.Point{})
}
