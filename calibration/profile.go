package calibration

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Profile is what is known about one game's app on one kind of phone. Places are ratios of the
// frame, so that the profile also fits the same app on another resolution of the same shape.
// The zero value of a part says nothing about it.
type Profile struct {
	Game  string // the game's name
	Phone Phone
	App   string // the app's version; empty is any
	// Levels says how the app's levels differ from the game's own.
	Levels solvers.Levels

	Board   Board
	Reading Reading
	// Alike are the mean colours of marks that belong together though they do not look
	// alike, where Reading.Signs is set.
	Alike   [][2]color.RGBA
	Palette screen.Palette
	Buttons map[string]Point // by name: next, restart, close
	Safe    Insets           // margins that must not be touched: cutouts, the system's gestures

	Capture string // the best way to capture, as package adb names it; empty: not measured
	Input   string // the best way to touch: motion, corners or swipes; empty: not measured
	Settle  time.Duration
	Touch   []Touch // at most one for each rotation
}

// Phone is the kind of phone that a profile is for.
type Phone struct {
	Model    string      // the phone's own name for itself; empty is any
	Frame    image.Point // the size of the frames that were measured
	Rotation int         // of those frames, quarter turns 0 to 3; -1 not known
}

// Point is a place in ratios of the frame's width and height.
type Point struct{ X, Y float64 }

// PointAt is a pixel of a frame of a size, or the nearest one that the frame has.
func PointAt(at, size image.Point) Point {
	ratio := func(v, most int) float64 { return float64(min(max(v, 0), most)) / float64(most) }
	return Point{ratio(at.X, size.X), ratio(at.Y, size.Y)}
}

// In is the pixel of a frame.
func (p Point) In(size image.Point) image.Point {
	return image.Pt(int(math.Round(p.X*float64(size.X))), int(math.Round(p.Y*float64(size.Y))))
}

// Insets are margins of a frame, in ratios of its width and height.
type Insets struct{ Left, Top, Right, Bottom float64 }

// Board is the area that boards fill, as large as fits, in its middle, and the size
// of all boards, if they have one.
type Board struct {
	Left, Top, Right, Bottom float64 // in ratios of the frame
	Rows, Cols               int     // 0: they differ from level to level
}

// In is the area in pixels of a frame, empty when none is known.
func (b Board) In(size image.Point) image.Rectangle {
	if b.Right <= b.Left || b.Bottom <= b.Top {
		return image.Rectangle{}
	}
	return image.Rectangle{Point{b.Left, b.Top}.In(size), Point{b.Right, b.Bottom}.In(size)}
}

// Reading says how a theme differs from the game's own.
type Reading struct {
	// Signs: the cells are told by which of them look alike, whatever the theme; the
	// other fields are zero.
	Signs   bool
	Light   bool // the ground is bright, and everything on it darker
	NoLines bool // there are no visible lines between the cells
	// MarkRadius is the radius of the largest disc inside a clue's mark; between
	// RingInner and RingOuter a mark has one colour. All are in pitches. Zeros: the
	// game's own.
	MarkRadius, RingInner, RingOuter float64
}

// Own reports whether the screen looks as the game's own theme does, so that
// it is read without the profile.
func (r Reading) Own() bool { return r == Reading{} }

// Matches reports whether a frame has the shape of those that were measured: the
// same aspect ratio within 2 %.
func (p *Profile) Matches(size image.Point) bool {
	a, b := float64(size.X)*float64(p.Phone.Frame.Y), float64(size.Y)*float64(p.Phone.Frame.X)
	return a > 0 && b > 0 && math.Abs(a-b) <= 0.02*max(a, b)
}

// ringMeasure is the name of a game's measure of the place where a clue's mark has
// one colour; the profile moves it to its own such place.
const ringMeasure = "ring"

// rimMeasure is the name of a game's measure of a cell beside anything drawn on it:
// a drawn pipe may dye its cells.
const rimMeasure = "rim"

// Spec is what to look for on a frame of the given size: the game's own spec,
// changed for the profile's theme. The game's own is not modified.
func (p *Profile) Spec(own screen.Spec, size image.Point) screen.Spec {
	spec := own
	if p.Reading.Signs {
		spec.Signs = true
		if room := p.Board.In(size); !room.Empty() {
			spec.Hint = &screen.Hint{Room: room, Rows: p.Board.Rows, Cols: p.Board.Cols, Alike: p.Alike}
		}
		return spec
	}
	if room := p.Board.In(size); !room.Empty() {
		spec.Hint = &screen.Hint{Lines: !p.Reading.NoLines, Palette: p.Palette, Room: room, MarkRadius: p.Reading.MarkRadius, Rows: p.Board.Rows, Cols: p.Board.Cols}
	}
	if p.Reading.Own() {
		return spec
	}
	spec.Dark, spec.Either = !p.Reading.Light, false
	if p.Reading.RingOuter > 0 {
		spec.Measures = slices.Clone(own.Measures)
		for i, m := range spec.Measures {
			switch {
			case m.Name == ringMeasure:
				spec.Measures[i].Inner, spec.Measures[i].Radius = p.Reading.RingInner, p.Reading.RingOuter
			case math.Abs(m.X)+math.Abs(m.Y) > 0.4:
				// Measure where things leave a cell: marks of other shapes reach
				// further out than the game's own.
				m.X, m.Y, m.Radius = 1.1*m.X, 1.1*m.Y, 0.6*m.Radius
				spec.Measures[i] = m
			}
		}
	}
	return spec
}

// Translate turns an observation of the profile's theme into what the game's own
// theme would have looked like: the ground black, marks in colours that stand out
// from it, thin lines between the cells, dyed cells dark. It changes the
// observation in place; own is the spec that it was measured with.
func (p *Profile) Translate(seen *screen.Observation, own screen.Spec) {
	if p.Reading.Own() || p.Reading.Signs {
		return
	}
	seen.Translated = true
	rim := slices.IndexFunc(own.Measures, func(m screen.Measure) bool { return m.Name == rimMeasure })
	for _, readings := range seen.Readings {
		strange := p.strange(readings)
		var dye *color.RGBA
		if rim >= 0 && rim < len(readings) && !strange && p.dyed(readings[rim].Colour) {
			c := readings[rim].Colour
			dye = &c
		}
		for i, r := range readings {
			switch {
			case strange:
				readings[i] = p.translate(r)
				readings[i].Spread = 255
			case dye != nil && screen.Contrast(r.Colour, *dye) <= dyeMargin:
				readings[i].Colour = color.RGBA{darkDye, darkDye, darkDye, 255}
			default:
				readings[i] = p.translate(r)
			}
			readings[i].Shown = r.Colour
		}
	}
	thin := float64(max(2, min(seen.On.Size.X, seen.On.Size.Y)/360))
	for _, lines := range [][]screen.Line{seen.Horizontal, seen.Vertical} {
		for i, line := range lines {
			if p.Reading.Light {
				lines[i].Colour = inverted(line.Colour)
			}
			if p.Reading.NoLines && !(line.Support >= 0.6 && line.Width >= 2*thin) {
				lines[i] = screen.Line{Support: 1, Width: thin, Colour: color.RGBA{64, 64, 64, 255}}
			}
		}
	}
}

const (
	// dyeMargin is how much colours of one dyed cell may differ.
	dyeMargin = 12
	// darkDye is the brightness that a dyed cell is translated to: neither ground
	// nor ink.
	darkDye = 36
)

// dyed reports whether a cell's colour beside the drawing on it is neither the
// ground's nor a mark's.
func (p *Profile) dyed(c color.RGBA) bool {
	return !p.Palette.Empty(c) && !slices.ContainsFunc(p.Palette.Marks, func(t screen.Tone) bool { return t.Has(c) })
}

// strange reports whether a cell has a single colour that is not the ground's: then
// it is not a cell of the board, whatever lies there.
func (p *Profile) strange(readings []screen.Reading) bool {
	for _, r := range readings {
		if p.Palette.Empty(r.Colour) || screen.Contrast(r.Colour, readings[0].Colour) > 24 {
			return false
		}
	}
	return true
}

// leastInk is the least value (the brightest channel) of a translated colour that
// is not ground.
const leastInk = 96

func (p *Profile) translate(r screen.Reading) screen.Reading {
	for _, t := range p.Palette.Ground {
		if t.Has(r.Colour) {
			ground := screen.Reading{Colour: color.RGBA{A: 255}, Spread: r.Spread}
			if r.Spread <= float64(t.Margin) {
				ground.Spread = min(r.Spread, 2)
			}
			return ground
		}
	}
	c := r.Colour
	for _, t := range p.Palette.Marks {
		if t.Has(c) {
			c = t.Colour
			break
		}
	}
	if p.Reading.Light {
		c = inverted(c)
	}
	if brightest := max(c.R, c.G, c.B); brightest < leastInk {
		more := leastInk - brightest
		c.R, c.G, c.B = c.R+more, c.G+more, c.B+more
	}
	return screen.Reading{Colour: c, Spread: r.Spread}
}

func inverted(c color.RGBA) color.RGBA { return color.RGBA{255 - c.R, 255 - c.G, 255 - c.B, c.A} }

// ParseSize reads a size such as 1080x2340.
func ParseSize(text string) (image.Point, error) {
	var size image.Point
	var rest string
	n, _ := fmt.Sscanf(text+" ", "%dx%d%s", &size.X, &size.Y, &rest)
	if n != 2 || size.X < 16 || size.Y < 16 || size.X > 16384 || size.Y > 16384 {
		return image.Point{}, fmt.Errorf("size %q, expected WIDTHxHEIGHT in pixels, 16 to 16384 each", text)
	}
	return size, nil
}
