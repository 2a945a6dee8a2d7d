package glyphs

import (
	"image"
	"math"
	"slices"
)

// shapeSide is the rows and columns of a shape's grid. The glyph's height fills it; the width keeps
// its proportion, in the middle, as far as the grid goes.
const shapeSide = 16

// Shape is one glyph in the form in which it is judged.
type Shape struct {
	Grid  [shapeSide * shapeSide]float32 // ink, 0 to 1, row by row
	Width float32                        // per height
}

// shape scales a glyph to the grid.
func (k ink) shape(g glyph, labels []int32) Shape {
	own := func(x, y int) float64 {
		if x < 0 || y < 0 || x >= k.w || y >= k.h {
			return 0
		}
		i := y*k.w + x
		if l := labels[i]; l != 0 && !slices.Contains(g.labels, l) {
			return 0
		}
		return float64(k.pix[i]) / 255
	}
	left, top, right, bottom := edges(g.box, own)
	height := bottom - top
	step := height / shapeSide
	across := max(step, (right-left)/shapeSide)
	from := (left+right)/2 - across*shapeSide/2
	s := Shape{Width: float32(min(2, (right-left)/height))}
	for row := range shapeSide {
		y0 := top + float64(row)*step
		for col := range shapeSide {
			x0 := from + float64(col)*across
			// Rows and columns beyond the box belong to neighbours.
			x1, y1 := min(x0+across, right), y0+step
			s.Grid[row*shapeSide+col] = float32(mean(own, max(x0, left), y0, x1, y1) * max(0, x1-max(x0, left)) / across)
		}
	}
	return s
}

// edges are where a glyph begins and ends, to a part of a pixel: a row or column next to
// the box that is partly ink belongs to it in part.
func edges(box image.Rectangle, own func(x, y int) float64) (left, top, right, bottom float64) {
	most := func(x0, y0, x1, y1 int) float64 {
		m := 0.0
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				m = max(m, own(x, y))
			}
		}
		return m
	}
	reach := func(inner, outer float64) float64 { // beyond the box's edge, in pixels
		if inner < 0.9 {
			return inner - 1
		}
		return min(outer, 0.5)
	}
	b := box
	left = float64(b.Min.X) - reach(most(b.Min.X, b.Min.Y, b.Min.X+1, b.Max.Y), most(b.Min.X-1, b.Min.Y, b.Min.X, b.Max.Y))
	right = float64(b.Max.X) + reach(most(b.Max.X-1, b.Min.Y, b.Max.X, b.Max.Y), most(b.Max.X, b.Min.Y, b.Max.X+1, b.Max.Y))
	top = float64(b.Min.Y) - reach(most(b.Min.X, b.Min.Y, b.Max.X, b.Min.Y+1), most(b.Min.X, b.Min.Y-1, b.Max.X, b.Min.Y))
	bottom = float64(b.Max.Y) + reach(most(b.Min.X, b.Max.Y-1, b.Max.X, b.Max.Y), most(b.Min.X, b.Max.Y, b.Max.X, b.Max.Y+1))
	return left, top, right, bottom
}

// mean is the mean ink of a rectangle whose edges may lie within pixels.
func mean(own func(x, y int) float64, x0, y0, x1, y1 float64) float64 {
	if x1 <= x0 || y1 <= y0 {
		return 0
	}
	sum := 0.0
	for y := int(math.Floor(y0)); float64(y) < y1; y++ {
		high := min(y1, float64(y+1)) - max(y0, float64(y))
		for x := int(math.Floor(x0)); float64(x) < x1; x++ {
			wide := min(x1, float64(x+1)) - max(x0, float64(x))
			sum += own(x, y) * wide * high
		}
	}
	return sum / ((x1 - x0) * (y1 - y0))
}
