package vision

import (
	"image/color"
	"math"

	"tapwise/solvers/screen"
)

// measureLimits bound the work of a measure.
var measureLimits = struct{ samples float64 }{
	samples: 150, // pixels: a reading takes about this many where there are more; more would not change the median
}

// measure takes every measure in every cell: the readings cell by cell, in the
// order of the measures.
func (v *view) measure(l screen.Layout, measures []screen.Measure) [][]screen.Reading {
	var stencils []stencil
	readings := make([][]screen.Reading, len(l.Centres))
	for i, centre := range l.Centres {
		// Each face of a cube is slanted in its own way.
		if row := i / l.Cols; i == 0 || l.Topology == screen.Cube && i%(l.Cols*l.Cols) == 0 {
			stencils = stencils[:0]
			for _, m := range measures {
				if col, down := l.Axes(row); l.Topology == screen.Cube {
					stencils = append(stencils, newSlantedStencil(m, col, down))
				} else {
					stencils = append(stencils, newStencil(m, l.Pitch))
				}
			}
		}
		readings[i] = make([]screen.Reading, len(measures))
		for k, s := range stencils {
			readings[i][k] = v.read(s, centre.X, centre.Y)
		}
	}
	return readings
}

// stencil is the set of pixels of a measure, relative to a cell's centre: pieces of
// rows, in which one pixel in every step is sampled.
type stencil struct {
	step   int
	pieces []piece
	pixels int // in all pieces
}

// piece is a part of the row y, from one pixel to another, both included. It is the C
// code's tapwise_piece.
type piece struct{ y, from, to int32 }

// newStencil is the stencil of a measure in cells of a pitch.
func newStencil(m screen.Measure, pitch float64) stencil {
	radius, inner := m.Radius*pitch, m.Inner*pitch
	area := math.Pi * (radius*radius - inner*inner)
	return stencilOf(m.X*pitch, m.Y*pitch, radius, area, func(dx, dy float64) bool {
		d := math.Hypot(dx, dy)
		return d <= radius && d >= inner
	})
}

// newSlantedStencil is the stencil of a measure on a face whose steps to the next
// column and the next row are col and down.
func newSlantedStencil(m screen.Measure, col, down [2]float64) stencil {
	cell := col[0]*down[1] - col[1]*down[0]
	reach := m.Radius * (math.Abs(col[0]) + math.Abs(down[0]) + math.Abs(col[1]) + math.Abs(down[1]))
	area := math.Pi * (m.Radius*m.Radius - m.Inner*m.Inner) * math.Abs(cell)
	return stencilOf(m.X*col[0]+m.Y*down[0], m.X*col[1]+m.Y*down[1], reach, area, func(dx, dy float64) bool {
		d := math.Hypot((dx*down[1]-dy*down[0])/cell, (col[0]*dy-col[1]*dx)/cell)
		return d <= m.Radius && d >= m.Inner
	})
}

// stencilOf is the stencil of a shape around x,y whose area is about the given number
// of pixels. The shape goes no further than reach in rows and columns; within says
// whether an offset from x,y is in it.
func stencilOf(x, y, reach, area float64, within func(dx, dy float64) bool) stencil {
	s := stencil{step: max(1, round(math.Sqrt(area/measureLimits.samples)))}
	for dy := round(y - reach); float64(dy) <= y+reach; dy += s.step {
		before := false
		for dx := round(x - reach); float64(dx) <= x+reach; dx += s.step {
			in := within(float64(dx)-x, float64(dy)-y)
			switch {
			case in && before:
				s.pieces[len(s.pieces)-1].to = int32(dx)
			case in:
				s.pieces = append(s.pieces, piece{int32(dy), int32(dx), int32(dx)})
			}
			if in {
				s.pixels++
			}
			before = in
		}
	}
	if len(s.pieces) == 0 {
		at := int32(round(x))
		s.pieces, s.pixels = []piece{{int32(round(y)), at, at}}, 1
	}
	return s
}

// read is the median colour under a stencil at x,y, and its spread, rounded to a
// tenth. Pixels outside the frame do not count.
func (v *view) read(s stencil, x, y int) screen.Reading {
	var room [512]uint32 // more than most stencils have
	pixels := room[:]
	if s.pixels > len(pixels) {
		pixels = make([]uint32, s.pixels)
	}
	pixels = v.gather(s, x, y, pixels)
	var t tally
	// Most pixels have the colour of the pixel before: such runs are counted together.
	from := 0
	for i, pixel := range pixels {
		if pixel != pixels[from] {
			t.add(pixels[from], i-from)
			from = i
		}
	}
	if from < len(pixels) {
		t.add(pixels[from], len(pixels)-from)
	}
	return t.reading()
}

// tally counts the pixels of each colour. Most measures see few colours.
type tally struct {
	n       int // pixels
	few     int // colours
	colours [16]uint32
	pixels  [16]int
	many    *histogram // of all pixels where there are more colours
}

// add counts pixels of a colour, whose channels are its bytes from the lowest on.
func (t *tally) add(colour uint32, pixels int) {
	t.n += pixels
	if t.many != nil {
		t.many.add(colour, pixels)
		return
	}
	for i := t.few - 1; i >= 0; i-- {
		if t.colours[i] == colour {
			t.pixels[i] += pixels
			return
		}
	}
	if t.few == len(t.colours) {
		t.many = newHistogram()
		for i, c := range t.colours {
			t.many.add(c, t.pixels[i])
		}
		t.many.add(colour, pixels)
		return
	}
	t.colours[t.few], t.pixels[t.few] = colour, pixels
	t.few++
}

// reading is the median of each channel, and the spread.
func (t *tally) reading() screen.Reading {
	switch {
	case t.n == 0:
		return screen.Reading{Colour: color.RGBA{A: 255}, Spread: 255}
	case t.many != nil:
		return readingOf(&t.many.counts, t.many.low, t.many.high, t.n)
	}
	var middle [3]uint8
	spread := 0
	for channel := range middle {
		// By one channel, the colours are sorted; sorting few takes less time than
		// going through all values that there may be.
		var values, counts [len(t.colours)]int
		for i := range t.few {
			value, at := int(uint8(t.colours[i]>>(8*channel))), i
			for ; at > 0 && values[at-1] > value; at-- {
				values[at], counts[at] = values[at-1], counts[at-1]
			}
			values[at], counts[at] = value, t.pixels[i]
		}
		seen, at := counts[0], 0
		for 2*seen < t.n {
			at++
			seen += counts[at]
		}
		middle[channel] = uint8(values[at])
		for i := range t.few {
			off := values[i] - values[at]
			spread += counts[i] * max(off, -off)
		}
	}
	return readingAt(middle, spread, t.n)
}

// histogram counts the values of each channel.
type histogram struct {
	counts    [3][256]uint16
	low, high [3]uint8
}

func newHistogram() *histogram { return &histogram{low: [3]uint8{255, 255, 255}} }

func (h *histogram) add(colour uint32, pixels int) {
	for channel := range h.counts {
		value := uint8(colour >> (8 * channel))
		h.counts[channel][value] += uint16(pixels)
		h.low[channel], h.high[channel] = min(h.low[channel], value), max(h.high[channel], value)
	}
}

// readingOf is the median of each channel of n pixels, and their spread. The
// values of a channel lie between low and high.
func readingOf(counts *[3][256]uint16, low, high [3]uint8, n int) screen.Reading {
	var middle [3]uint8
	spread := 0
	for channel := range counts {
		from, to := int(low[channel]), int(high[channel])
		seen := 0
		for value := from; value <= to; value++ {
			seen += int(counts[channel][value])
			if 2*seen >= n {
				middle[channel] = uint8(value)
				break
			}
		}
		for value := from; value <= to; value++ {
			off := value - int(middle[channel])
			spread += int(counts[channel][value]) * max(off, -off)
		}
	}
	return readingAt(middle, spread, n)
}

// readingAt is the reading of n pixels, of their median and of the sum of what the
// channels differ from it.
func readingAt(middle [3]uint8, spread, n int) screen.Reading {
	return screen.Reading{
		Colour: color.RGBA{middle[0], middle[1], middle[2], 255},
		Spread: math.Round(tenth*float64(spread)/float64(3*n)) / tenth,
	}
}
