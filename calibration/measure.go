package calibration

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// GroundOf is the most frequent colour in the middle of a frame, with a margin for
// colours that look the same.
func GroundOf(frame *image.RGBA) screen.Tone {
	b := frame.Bounds()
	b.Min.Y += b.Dy() / 5
	b.Max.Y -= b.Dy() / 4
	counts := map[[3]uint8]int{}
	const every = 3 // pixels
	for y := b.Min.Y; y < b.Max.Y; y += every {
		for x := b.Min.X; x < b.Max.X; x += every {
			c := frame.RGBAAt(x, y)
			counts[[3]uint8{c.R / 8, c.G / 8, c.B / 8}]++
		}
	}
	var most [3]uint8
	n := -1
	for c, k := range counts {
		if k > n || k == n && slices.Compare(c[:], most[:]) < 0 {
			most, n = c, k
		}
	}
	return screen.Tone{Colour: color.RGBA{8*most[0] + 4, 8*most[1] + 4, 8*most[2] + 4, 255}, Margin: 14}
}

// Sample is one picture whose board is known.
type Sample struct {
	Frame *image.RGBA
	// Layout says where its cells are, Marks are the marks in them.
	Layout screen.Layout
	Marks  []screen.Mark
}

// Ground returns the tones of a board's ground, measured in the corners of its
// cells, where neither marks nor pipes reach, and of the lines between the cells.
func Ground(frame *image.RGBA, l screen.Layout) []screen.Tone {
	var corners, lines []color.RGBA
	for _, at := range l.Centres {
		for _, side := range [4]image.Point{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
			x, y := float64(at.X)+0.43*l.Pitch*float64(side.X), float64(at.Y)+0.43*l.Pitch*float64(side.Y)
			if c, ok := colourAt(frame, x, y); ok {
				corners = append(corners, c)
			}
		}
		// A colour beside a line that is far from the ground is a pipe's or a
		// wall's.
		for _, along := range []float64{-0.4, 0.4} {
			for off := -3.0; off <= 3; off++ {
				if c, ok := colourAt(frame, float64(at.X)+0.5*l.Pitch+off, float64(at.Y)+along*l.Pitch); ok {
					lines = append(lines, c)
				}
			}
		}
	}
	tones := []screen.Tone{toneOf(corners)}
	var thin []color.RGBA
	for _, c := range lines {
		if !tones[0].Has(c) && screen.Contrast(c, tones[0].Colour) < 90 {
			thin = append(thin, c)
		}
	}
	if 20*len(thin) > len(lines) {
		line := toneOf(thin)
		line.Margin = min(line.Margin, 14) // a cell dyed by a drawn pipe has nearly this colour
		tones = append(tones, line)
	}
	return tones
}

// toneOf is the median of colours, with a margin that includes nine in ten.
func toneOf(colours []color.RGBA) screen.Tone {
	if len(colours) == 0 {
		return screen.Tone{Colour: color.RGBA{A: 255}, Margin: 14}
	}
	channel := func(of func(color.RGBA) uint8) uint8 {
		values := make([]uint8, len(colours))
		for i, c := range colours {
			values[i] = of(c)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	t := screen.Tone{Colour: color.RGBA{
		channel(func(c color.RGBA) uint8 { return c.R }), channel(func(c color.RGBA) uint8 { return c.G }), channel(func(c color.RGBA) uint8 { return c.B }), 255,
	}}
	offs := make([]int, len(colours))
	for i, c := range colours {
		offs[i] = screen.Contrast(c, t.Colour)
	}
	slices.Sort(offs)
	t.Margin = min(60, max(10, offs[len(offs)*9/10]+6))
	return t
}

func colourAt(frame *image.RGBA, x, y float64) (color.RGBA, bool) {
	p := image.Pt(int(math.Round(x)), int(math.Round(y)))
	if !p.In(frame.Bounds()) {
		return color.RGBA{}, false
	}
	return frame.RGBAAt(p.X, p.Y), true
}

// RingOf returns the radii between which the samples' marks have one colour all
// around, as far out as possible, in pitches; zeros if there are none.
func RingOf(samples []Sample, ground []screen.Tone) (inner, outer float64) {
	const step = 0.02
	palette := screen.Palette{Ground: ground}
	var good []bool // by radius
	for i := 0; float64(i)*step <= 0.44; i++ {
		all, even := 0, 0
		for _, s := range samples {
			for _, m := range s.Marks {
				all++
				if uniform(s.Frame, m, float64(i)*step*s.Layout.Pitch, palette) {
					even++
				}
			}
		}
		good = append(good, all > 0 && 10*even >= 9*all)
	}
	// The outermost run of radii that is wide enough to measure on and clear of
	// pipes, which are a third of a cell wide.
	for to := len(good) - 1; to >= 0; to-- {
		if !good[to] {
			continue
		}
		from := to
		for from > 0 && good[from-1] && float64(to-from)*step < 0.1 {
			from--
		}
		if float64(to-from)*step >= 0.04 && float64(from)*step >= 0.18 {
			if from > 0 && !good[from-1] {
				from++ // leaves out the inner rim
			}
			return float64(from) * step, float64(to-1) * step
		}
	}
	return 0, 0
}

// uniform reports whether a circle around a mark's middle has a single colour,
// other than the ground's.
func uniform(frame *image.RGBA, m screen.Mark, radius float64, palette screen.Palette) bool {
	around := circle(frame, m, radius)
	if len(around) < circleSamples {
		return false
	}
	t := toneOf(around)
	off := 0
	for _, c := range around {
		// A pipe that leads away, or a letter, may cover some of them.
		if screen.Contrast(c, t.Colour) > 24 {
			off++
		}
	}
	return 8*off <= circleSamples && !palette.Empty(t.Colour)
}

const circleSamples = 32

// circle returns the colours around a mark's middle, without those outside the
// frame.
func circle(frame *image.RGBA, m screen.Mark, radius float64) []color.RGBA {
	var around []color.RGBA
	for i := range circleSamples {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / circleSamples)
		if c, ok := colourAt(frame, m.X+radius*cos, m.Y+radius*sin); ok {
			around = append(around, c)
		}
	}
	return around
}

// MarkTones returns the colours of marks on a circle of the given radius, in
// pitches: similar ones become one, with as much margin as keeps the others apart.
func MarkTones(samples []Sample, radius float64) []screen.Tone {
	var groups [][]color.RGBA
	for _, s := range samples {
		for _, m := range s.Marks {
			c := toneOf(circle(s.Frame, m, radius*s.Layout.Pitch)).Colour
			i := slices.IndexFunc(groups, func(g []color.RGBA) bool { return screen.Contrast(g[0], c) <= 16 })
			if i < 0 {
				groups = append(groups, nil)
				i = len(groups) - 1
			}
			groups[i] = append(groups[i], c)
		}
	}
	tones := make([]screen.Tone, len(groups))
	for i, g := range groups {
		tones[i] = toneOf(g)
	}
	for i, t := range tones {
		nearest := 255
		for j, o := range tones {
			if i != j {
				nearest = min(nearest, screen.Contrast(t.Colour, o.Colour))
			}
		}
		tones[i].Margin = min(24, max(4, nearest/3))
	}
	slices.SortFunc(tones, func(a, b screen.Tone) int {
		return cmp.Or(cmp.Compare(a.Colour.R, b.Colour.R), cmp.Compare(a.Colour.G, b.Colour.G), cmp.Compare(a.Colour.B, b.Colour.B))
	})
	return tones
}

// Repeated is the number of marks in the least frequent colour.
func Repeated(marks []screen.Mark) int {
	counts := map[int]int{}
	var colours []color.RGBA
	for _, m := range marks {
		i := slices.IndexFunc(colours, func(c color.RGBA) bool { return screen.Contrast(c, m.Colour) <= 16 })
		if i < 0 {
			i = len(colours)
			colours = append(colours, m.Colour)
		}
		counts[i]++
	}
	fewest := len(marks)
	for _, n := range counts {
		fewest = min(fewest, n)
	}
	return fewest
}

// The bounds of a mark's radius in a profile, in pitches.
const leastRadius, mostRadius = 0.05, 0.5

// MarkRadius is the median radius of the marks' largest discs, in pitches.
func MarkRadius(samples []Sample) float64 {
	var radii []float64
	for _, s := range samples {
		for _, m := range s.Marks {
			radii = append(radii, m.Radius/s.Layout.Pitch)
		}
	}
	if len(radii) == 0 {
		return 0
	}
	slices.Sort(radii)
	return min(max(radii[len(radii)/2], leastRadius), mostRadius)
}

// Residuals returns the distances of marks from the middles of the cells that hold
// them.
func Residuals(l screen.Layout, marks []screen.Mark) []Residual {
	residuals := make([]Residual, len(marks))
	for i, m := range marks {
		residuals[i] = Residual{X: m.X, Y: m.Y, Off: math.Inf(1)}
		for _, at := range l.Centres {
			residuals[i].Off = min(residuals[i].Off, math.Hypot(m.X-float64(at.X), m.Y-float64(at.Y)))
		}
	}
	return residuals
}

// Off returns the distances of residuals in pixels, the smallest first.
func Off(residuals []Residual) []float64 {
	off := make([]float64, len(residuals))
	for i, r := range residuals {
		off[i] = r.Off
	}
	slices.Sort(off)
	return off
}

// Residual is the distance between the seen and the expected place of something on
// a picture.
type Residual struct {
	X, Y float64 // where it is seen, in pixels
	Off  float64 // distance in pixels from where the layout puts it
}

// LineResiduals returns the distances of the lines between neighbouring cells from
// the middle between the two. Cells without a visible line between them have none.
func LineResiduals(frame *image.RGBA, l screen.Layout) []Residual {
	const (
		near  = 0.06 // in pitches: how far the distance of neighbours may differ from one pitch
		reach = 0.08 // in pitches, to both sides of where the line should be
		faint = 10   // steps of 255 by which a line stands out at least
	)
	var all []Residual
	for i, a := range l.Centres {
		for _, b := range l.Centres[i+1:] {
			dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
			apart := math.Hypot(dx, dy)
			if math.Abs(apart-l.Pitch) > near*l.Pitch {
				continue
			}
			dx, dy = dx/apart, dy/apart
			mx, my := float64(a.X+b.X)/2, float64(a.Y+b.Y)/2
			n := int(reach * l.Pitch)
			from, okFrom := colourAt(frame, mx-float64(n)*dx, my-float64(n)*dy)
			to, okTo := colourAt(frame, mx+float64(n)*dx, my+float64(n)*dy)
			if !okFrom || !okTo {
				continue
			}
			out := make([]int, 2*n+1) // by how much each pixel on the way stands out
			for k := range out {
				if c, ok := colourAt(frame, mx+float64(k-n)*dx, my+float64(k-n)*dy); ok {
					out[k] = min(screen.Contrast(c, from), screen.Contrast(c, to))
				}
			}
			if off, ok := nearestPeak(out, faint); ok {
				all = append(all, Residual{X: mx + off*dx, Y: my + off*dy, Off: math.Abs(off)})
			}
		}
	}
	return all
}

// nearestPeak is the distance from the middle of values to the middle of the
// nearest run of values that are least or more. A run that reaches an end does not
// count.
func nearestPeak(values []int, least int) (float64, bool) {
	best, found := math.Inf(1), false
	for from := 0; from < len(values); from++ {
		if values[from] < least {
			continue
		}
		to := from
		for to < len(values) && values[to] >= least {
			to++
		}
		if off := float64(from+to-len(values)) / 2; from > 0 && to < len(values) && math.Abs(off) < math.Abs(best) {
			best, found = off, true
		}
		from = to
	}
	return best, found
}

// Room is the area that the boards of samples fill together: the smallest upright rectangle
// around them. Anything beyond the frame, such as half a line of a board at its rim, does not
// belong to it.
func Room(samples []Sample) Board {
	var all Board
	for i, s := range samples {
		w, h := float64(s.Layout.On.Size.X), float64(s.Layout.On.Size.Y)
		b := s.Layout.Board.Intersect(image.Rectangle{Max: s.Layout.On.Size})
		now := Board{Left: float64(b.Min.X) / w, Top: float64(b.Min.Y) / h, Right: float64(b.Max.X) / w, Bottom: float64(b.Max.Y) / h}
		if i == 0 {
			all = now
			continue
		}
		all.Left, all.Top = min(all.Left, now.Left), min(all.Top, now.Top)
		all.Right, all.Bottom = max(all.Right, now.Right), max(all.Bottom, now.Bottom)
	}
	return all
}
