package vision

import (
	"image/color"
	"math"

	"tapwise/solvers/screen"
)

// samplesPerReading is about how many pixels are looked at for one reading, where
// there are as many; more would not change a median.
const samplesPerReading = 150

// measure takes every measure in every cell.
func (v *view) measure(l screen.Layout, measures []screen.Measure) [][]screen.Reading {
	var stencils []stencil
	readings := make([][]screen.Reading, len(l.Centres))
	for i, centre := range l.Centres {
		// The faces of a cube lie aslant, each its own way.
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

// stencil are the pixels of a measure, relative to a cell's centre.
type stencil [][2]int

func newStencil(m screen.Measure, pitch float64) stencil {
	radius, inner := m.Radius*pitch, m.Inner*pitch
	area := math.Pi * (radius*radius - inner*inner)
	step := max(1, round(math.Sqrt(area/samplesPerReading)))
	x, y := m.X*pitch, m.Y*pitch
	var s stencil
	for dy := round(y - radius); float64(dy) <= y+radius; dy += step {
		for dx := round(x - radius); float64(dx) <= x+radius; dx += step {
			if d := math.Hypot(float64(dx)-x, float64(dy)-y); d <= radius && d >= inner {
				s = append(s, [2]int{dx, dy})
			}
		}
	}
	if len(s) == 0 {
		s = stencil{{round(x), round(y)}}
	}
	return s
}

// newSlantedStencil is a measure on a face of which the ways to the next column
// and row are given.
func newSlantedStencil(m screen.Measure, col, down [2]float64) stencil {
	area := col[0]*down[1] - col[1]*down[0]
	step := max(1, round(math.Sqrt(math.Pi*(m.Radius*m.Radius-m.Inner*m.Inner)*math.Abs(area)/samplesPerReading)))
	x, y := m.X*col[0]+m.Y*down[0], m.X*col[1]+m.Y*down[1]
	reach := m.Radius * (math.Abs(col[0]) + math.Abs(down[0]) + math.Abs(col[1]) + math.Abs(down[1]))
	var s stencil
	for dy := round(y - reach); float64(dy) <= y+reach; dy += step {
		for dx := round(x - reach); float64(dx) <= x+reach; dx += step {
			px, py := float64(dx)-x, float64(dy)-y
			u, w := (px*down[1]-py*down[0])/area, (col[0]*py-col[1]*px)/area
			if d := math.Hypot(u, w); d <= m.Radius && d >= m.Inner {
				s = append(s, [2]int{dx, dy})
			}
		}
	}
	if len(s) == 0 {
		s = stencil{{round(x), round(y)}}
	}
	return s
}

// read is the median colour under a stencil, and its spread. Pixels outside
// the frame do not count.
func (v *view) read(s stencil, x, y int) screen.Reading {
	var counts [3][256]uint16
	low, high := [3]uint8{255, 255, 255}, [3]uint8{}
	size := v.size()
	n := 0
	// Most pixels are as the one before: they are counted together.
	var last [3]uint8
	same := uint16(0)
	count := func() {
		for channel, value := range last {
			counts[channel][value] += same
			low[channel], high[channel] = min(low[channel], value), max(high[channel], value)
		}
		n += int(same)
		same = 0
	}
	for _, d := range s {
		px, py := x+d[0], y+d[1]
		if px < 0 || py < 0 || px >= size.X || py >= size.Y {
			continue
		}
		i := py*v.pixels.Stride + 4*px
		if p := [3]uint8(v.pixels.Pix[i : i+3]); p != last {
			if same > 0 {
				count()
			}
			last = p
		}
		same++
	}
	if same > 0 {
		count()
	}
	if n == 0 {
		return screen.Reading{Colour: color.RGBA{A: 255}, Spread: 255}
	}
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
	return screen.Reading{
		Colour: color.RGBA{middle[0], middle[1], middle[2], 255},
		Spread: math.Round(10*float64(spread)/float64(3*n)) / 10,
	}
}
