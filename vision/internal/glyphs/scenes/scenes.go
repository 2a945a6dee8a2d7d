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

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A Family is the faces of one typeface.
type Family struct {
	Name   string
	prefix string // of its files' names
	Set    Set
}

// Set is what a family is used for. No family is used for two things.
type Set int

// The sets.
const (
	Train  Set = iota // the networks and the kept shapes are made from these
	Choose            // the limits were chosen by these
	Test              // the table of errors is from these
)

// Families are the families, by the beginning of their files' names. Those of one
// designer's hand are in one set: Open Sans is like Noto Sans, Liberation like Nimbus.
var Families = []Family{
	{"DejaVu", "DejaVu", Train},
	{"FreeFont", "Free", Train},
	{"Noto Sans", "NotoSans-", Train},
	{"Noto Sans Display", "NotoSansDisplay-", Train},
	{"Noto Serif", "NotoSerif-", Train},
	{"Nimbus Sans", "NimbusSans-", Train},
	{"Nimbus Sans Narrow", "NimbusSansNarrow-", Train},
	{"Nimbus Roman", "NimbusRoman-", Train},
	{"Nimbus Mono", "NimbusMonoPS-", Train},
	{"URW Gothic", "URWGothic-", Train},
	{"URW Bookman", "URWBookman-", Train},
	{"C059", "C059-", Train},
	{"P052", "P052-", Train},
	{"Cabin", "Cabin-", Train},
	{"Cantarell", "Cantarell-", Train},
	{"Quicksand", "Quicksand-", Train},
	{"Play", "Play-", Train},
	{"Jura", "Jura-", Train},
	{"Karla", "Karla-", Train},
	{"Manrope", "Manrope-", Train},
	{"JetBrains Mono", "JetBrainsMono-", Train},
	{"Dosis", "Dosis-", Train},
	{"M+", "Mplus", Train},
	{"Comic Neue", "ComicNeue-", Train},
	{"League Spartan", "LeagueSpartan-", Train},
	{"Bebas Neue", "BebasNeue-", Train},
	{"Lato", "Lato-", Train},
	{"Fira Code", "FiraCode-", Train},
	{"Gentium", "GentiumPlus-", Train},
	{"Eurofurence", "eurof", Train},
	{"Linux Libertine", "LinLibertine", Train},

	{"Carlito", "Carlito-", Choose},
	{"Caladea", "Caladea-", Choose},
	{"Hack", "Hack-", Choose},
	{"Junction", "Junction", Choose},
	{"Yrsa", "Yrsa-", Choose},
	{"Beteckna", "Beteckna", Choose},

	{"Roboto", "Roboto-", Test},
	{"Roboto Condensed", "RobotoCondensed-", Test},
	{"Inter", "Inter-", Test},
	{"Open Sans", "OpenSans-", Test},
	{"Liberation Sans", "LiberationSans-", Test},
	{"Liberation Serif", "LiberationSerif-", Test},
	{"Liberation Mono", "LiberationMono-", Test},
	{"Comfortaa", "Comfortaa-", Test},
	{"Clear Sans", "ClearSans-", Test},
}

// Packages are the Debian packages with the families.
const Packages = "fonts-beteckna fonts-bebas-neue fonts-cabin fonts-cantarell fonts-clear-sans fonts-comfortaa fonts-comic-neue " +
	"fonts-crosextra-caladea fonts-crosextra-carlito fonts-dejavu-core fonts-dejavu-extra fonts-dosis fonts-eurofurence fonts-firacode " +
	"fonts-freefont-ttf fonts-hack fonts-inter fonts-jetbrains-mono fonts-junction fonts-jura fonts-karla fonts-lato fonts-league-spartan " +
	"fonts-liberation fonts-linuxlibertine fonts-manrope fonts-mplus fonts-noto-core fonts-open-sans fonts-play fonts-quicksand " +
	"fonts-roboto-unhinted fonts-sil-gentiumplus fonts-urw-base35 fonts-yrsa-rasa"

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
		for _, f := range Families {
			if f.Set != set || !strings.HasPrefix(name, f.prefix) {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if font, err := NewFont(f.Name, name, data); err == nil {
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
	Blur    float64    // pixels: standard deviation
	Noise   float64    // levels: standard deviation
	JPEG    int        // quality, 0 without
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
	if s.JPEG > 0 {
		picture = recompress(picture, s.JPEG)
	}
	return picture, cell
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
	face, err := opentype.NewFace(s.Font.font, &opentype.FaceOptions{Size: s.Height * s.Font.scale, DPI: 72})
	if err != nil {
		return // a face that could be made once can be made again
	}
	advance := font.MeasureString(face, s.Text)
	point := func(x float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(64 * x)) }
	d := font.Drawer{Dst: picture, Src: image.NewUniform(s.Ink), Face: face,
		Dot: fixed.Point26_6{X: point(middle+s.DX) - advance/2, Y: point(middle + s.DY + s.Height/2)}}
	d.DrawString(s.Text)
}
