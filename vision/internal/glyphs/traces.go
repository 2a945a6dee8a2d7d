package glyphs

import (
	"image"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// traceLimits bound what counts as a line that something else drew over the board, such as
// the developer option "Pointer location", which shows where a finger went.
var traceLimits = struct {
	vivid, alike, tinted, same, plain int
	thinPart, strokePart, spurPart    int
	leastThin                         int
	through, middle                   float64
}{
	vivid:      90,   // levels: the channels of a trace's colour differ by at least this; figures are grey
	alike:      60,   // levels: pixels of one stroke differ by at most this
	tinted:     24,   // levels: a pixel beside a trace whose channels differ by this is blended with it
	same:       40,   // levels: what lies on both sides of a trace is one thing if it differs by at most this
	plain:      24,   // levels: a cell without a number is of one colour except for this,
	middle:     0.44, // share of the side: in this radius around its middle
	thinPart:   14,   // 1/n of the side: a point of a trace is at most this wide,
	strokePart: 24,   // 1/n of the side: a line that comes from another cell this,
	spurPart:   40,   // 1/n of the side: and one that begins on it this: strokes of figures are wider
	leastThin:  3,    // pixels: but all may be this wide
	through:    8,    // times: what lies alike on both sides of a trace counts as much as this many of others
}

// overlaid is a cell of a frame with the traces on it.
type overlaid struct {
	frame *image.RGBA
	cell  image.Rectangle
	w, h  int
	thick []int // of each pixel that may be a trace's: its stroke's width there; else 0
	trace []bool
}

// uncovered is a cell without the thin lines of a vivid colour that lead into it and the
// points on them, nil where there are none. What they cover is filled with what lies beside.
func uncovered(frame *image.RGBA, cell image.Rectangle) *image.RGBA {
	cell = cell.Intersect(frame.Rect)
	o := overlaid{frame: frame, cell: cell, w: cell.Dx(), h: cell.Dy()}
	if min(o.w, o.h) < patchLimits.fewest || !o.findStrokes() || !o.follow() {
		return nil
	}
	o.widen()
	return o.fill()
}

func (o *overlaid) at(i int) [3]uint8 {
	k := o.frame.PixOffset(o.cell.Min.X+i%o.w, o.cell.Min.Y+i/o.w)
	return [3]uint8(o.frame.Pix[k : k+3])
}

func spread(c [3]uint8) int { return int(max(c[0], c[1], c[2])) - int(min(c[0], c[1], c[2])) }

// ways are the four directions in which a stroke is crossed, and their opposites.
var ways = [4]image.Point{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// thin is the most pixels of a part of the side.
func (o *overlaid) thin(part int) int { return max(traceLimits.leastThin, min(o.w, o.h)/part) }

// findStrokes measures the vivid pixels of thin strokes, and reports whether there are any.
func (o *overlaid) findStrokes() bool {
	o.thick, o.trace = make([]int, o.w*o.h), make([]bool, o.w*o.h)
	most, any := o.thin(traceLimits.thinPart), false
	for i := range o.thick {
		c := o.at(i)
		if spread(c) < traceLimits.vivid {
			continue
		}
		width := most + 1
		for _, way := range ways {
			n := 1
			for _, sign := range []int{1, -1} {
				for k := 1; n <= width && o.alike(i, way.Mul(sign*k), c); k++ {
					n++
				}
			}
			width = min(width, n)
		}
		if width <= most {
			o.thick[i], any = width, true
		}
	}
	return any
}

// step is the index of a pixel some pixels away, -1 outside the cell.
func (o *overlaid) step(i int, by image.Point) int {
	x, y := i%o.w+by.X, i/o.w+by.Y
	if x < 0 || y < 0 || x >= o.w || y >= o.h {
		return -1
	}
	return y*o.w + x
}

func (o *overlaid) alike(i int, by image.Point, c [3]uint8) bool {
	k := o.step(i, by)
	return k >= 0 && apart(o.at(k), c) <= traceLimits.alike
}

// follow marks the strokes that lead into the cell, and the points and spurs on them. It
// reports whether there are any.
func (o *overlaid) follow() bool {
	known := make([]bool, len(o.thick))
	type stroke struct {
		pixels       []int
		bounds       image.Rectangle
		width        float64
		enters, used bool
	}
	var strokes []stroke
	for first := range known {
		if known[first] || o.thick[first] == 0 {
			continue
		}
		s := stroke{pixels: []int{first}}
		known[first] = true
		sum := 0
		for n := 0; n < len(s.pixels); n++ {
			i := s.pixels[n]
			x, y := i%o.w, i/o.w
			s.bounds = s.bounds.Union(image.Rect(x, y, x+1, y+1))
			s.enters = s.enters || x == 0 || y == 0 || x == o.w-1 || y == o.h-1
			sum += o.thick[i]
			o.beside(i, func(k int) {
				if !known[k] && o.thick[k] > 0 && apart(o.at(k), o.at(i)) <= traceLimits.alike {
					known[k] = true
					s.pixels = append(s.pixels, k)
				}
			})
		}
		s.width = float64(sum) / float64(len(s.pixels))
		strokes = append(strokes, s)
	}
	found := false
	for again := true; again; {
		again = false
		for i := range strokes {
			s := &strokes[i]
			small := max(s.bounds.Dx(), s.bounds.Dy()) <= o.thin(traceLimits.thinPart)
			leads := s.enters && s.width <= float64(o.thin(traceLimits.strokePart))
			spur := small || s.width <= float64(o.thin(traceLimits.spurPart))
			if s.used || !leads && !(spur && o.touches(s.pixels)) {
				continue
			}
			for _, k := range s.pixels {
				o.trace[k] = true
			}
			s.used, again, found = true, true, true
		}
	}
	return found
}

// beside calls do for the pixels around one.
func (o *overlaid) beside(i int, do func(k int)) {
	for _, way := range ways {
		for _, sign := range []int{1, -1} {
			if k := o.step(i, way.Mul(sign)); k >= 0 {
				do(k)
			}
		}
	}
}

// touches reports whether pixels lie beside a trace, or one pixel of its rim between.
func (o *overlaid) touches(pixels []int) bool {
	found := false
	for _, i := range pixels {
		o.beside(i, func(k int) {
			found = found || o.trace[k]
			o.beside(k, func(k int) { found = found || o.trace[k] })
		})
	}
	return found
}

// widen adds the pixels beside traces, and those beside them that are blended with their
// colour.
func (o *overlaid) widen() {
	for round := range 2 {
		var more []int
		for i, is := range o.trace {
			if is {
				o.beside(i, func(k int) {
					if round == 0 || spread(o.at(k)) >= traceLimits.tinted {
						more = append(more, k)
					}
				})
			}
		}
		for _, k := range more {
			o.trace[k] = true
		}
	}
}

// fill is a picture of the cell in which traces are filled with what lies beside.
func (o *overlaid) fill() *image.RGBA {
	out := image.NewRGBA(o.cell)
	for i, is := range o.trace {
		c := o.at(i)
		if is {
			c = o.beneath(i)
		}
		copy(out.Pix[4*i:4*i+4], []uint8{c[0], c[1], c[2], 255})
	}
	return out
}

// beneath is what probably lies beneath a trace: a mean of what lies beside it in each
// direction, which counts the more the closer it is, and most where both sides are alike.
func (o *overlaid) beneath(i int) [3]uint8 {
	var sum [3]float64
	var all float64
	for _, way := range ways {
		var ends, steps [2]int
		for e, sign := range []int{1, -1} {
			k := i
			for k >= 0 && o.trace[k] {
				steps[e]++
				k = o.step(i, way.Mul(sign*steps[e]))
			}
			ends[e] = k
		}
		both := ends[0] >= 0 && ends[1] >= 0 && apart(o.at(ends[0]), o.at(ends[1])) <= traceLimits.same
		for e, k := range ends {
			if k < 0 {
				continue
			}
			weight := math.Pow(float64(steps[e]), -2)
			if both {
				weight = traceLimits.through * math.Pow(float64(steps[0]+steps[1]), -2)
			}
			for channel, v := range o.at(k) {
				sum[channel] += weight * float64(v)
			}
			all += weight
		}
	}
	c := o.at(i)
	for channel := range c {
		if all > 0 {
			c[channel] = uint8(math.Round(sum[channel] / all))
		}
	}
	return c
}

// ReadUncovered reads an unclear cell without the traces over it, and returns the cell as it
// was read, nil if there are no traces. If it then shows no number, it has to be of one colour:
// nothing that was taken for a trace was a number.
func ReadUncovered(frame *image.RGBA, cell image.Rectangle) (screen.Number, *image.RGBA) {
	clean := uncovered(frame, cell)
	if clean == nil {
		return screen.Number{Seen: screen.UnclearNumber}, nil
	}
	n := look(clean, clean.Rect)
	if n.Seen == screen.NoNumber {
		p := newPatch(clean, clean.Rect, Looks[0].inset)
		ground := commonest(p.pix)
		p.around(traceLimits.middle, func(from, to int) {
			if slices.ContainsFunc(p.pix[from:to], func(c [3]uint8) bool { return apart(c, ground) > traceLimits.plain }) {
				n = screen.Number{Seen: screen.UnclearNumber}
			}
		})
	}
	return n, clean
}
