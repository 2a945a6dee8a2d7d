package vision

import (
	"image"
	"image/color"

	"tapwise/solvers/screen"
)

// What may be a button that has appeared. Lengths are shares of the frame's shorter side.
const (
	appearedStep   = 3    // pixels: every third one of every third row is looked at
	appearedColour = 24   // of 255: noise moves no channel by more
	appearedLeast  = 0.05 // the least width and height: a fingertip's
	appearedMost   = 0.1  // the greatest area, as a share of the frame's: more is no button
	appearedFilled = 0.4  // the least share of its bounds that has its commonest colour; the rest is its label
)

// Appeared finds what looks like a button on a frame, outside of a region, and was not there
// before: what has changed and is as large as a fingertip, and mostly of one colour. Before are
// earlier frames of the same size. Anything that was on one of them at the same place has not
// appeared, nor has anything moved by a vector, as when everything below a board moves with it.
// Changed text is too small or too thin.
func Appeared(now *image.RGBA, before []*image.RGBA, region image.Rectangle, moved image.Point) []image.Rectangle {
	size := now.Rect.Size()
	g := appearedGrid{now: now, w: size.X / appearedStep, h: size.Y / appearedStep}
	g.changed = make([]bool, g.w*g.h)
	for i := range g.changed {
		at := g.place(i)
		if !at.In(region) {
			g.changed[i] = isNew(now, before, at, moved)
		}
	}
	shorter := float64(min(size.X, size.Y))
	var found []image.Rectangle
	for i := range g.changed {
		if !g.changed[i] {
			continue
		}
		bounds, places := g.component(i)
		if float64(min(bounds.Dx(), bounds.Dy())) < appearedLeast*shorter || float64(areaOf(bounds)) > appearedMost*float64(size.X*size.Y) {
			continue
		}
		if g.filled(bounds, places) >= appearedFilled {
			found = append(found, bounds)
		}
	}
	return found
}

// isNew reports whether a pixel is on none of the frames before.
func isNew(now *image.RGBA, before []*image.RGBA, at, moved image.Point) bool {
	colour := now.RGBAAt(at.X, at.Y)
	for _, b := range before {
		if b.Rect != now.Rect {
			return false
		}
		for _, from := range []image.Point{at, at.Sub(moved)} {
			if from.In(b.Rect) && screen.Contrast(b.RGBAAt(from.X, from.Y), colour) <= appearedColour {
				return false
			}
		}
	}
	return true
}

// appearedGrid is a frame of which every appearedStep-th pixel is looked at. A pixel of
// it is the index row*w+column.
type appearedGrid struct {
	now     *image.RGBA
	w, h    int
	changed []bool
}

func (g *appearedGrid) place(i int) image.Point {
	return g.now.Rect.Min.Add(image.Pt(i%g.w*appearedStep, i/g.w*appearedStep))
}

// component takes the changed pixels that hang together with one, and returns their
// bounds in pixels of the frame. The gap of a letter does not part them.
func (g *appearedGrid) component(first int) (bounds image.Rectangle, places []int) {
	const reach = 2
	g.changed[first] = false
	places = []int{first}
	for k := 0; k < len(places); k++ {
		x, y := places[k]%g.w, places[k]/g.w
		at := g.place(places[k])
		bounds = bounds.Union(image.Rect(at.X, at.Y, at.X+appearedStep, at.Y+appearedStep))
		for v := max(0, y-reach); v <= min(g.h-1, y+reach); v++ {
			for u := max(0, x-reach); u <= min(g.w-1, x+reach); u++ {
				if next := v*g.w + u; g.changed[next] {
					g.changed[next] = false
					places = append(places, next)
				}
			}
		}
	}
	return bounds, places
}

// filled is the share of a component's bounds that has its commonest colour.
func (g *appearedGrid) filled(bounds image.Rectangle, places []int) float64 {
	counts := map[color.RGBA]int{}
	most := 0
	for _, i := range places {
		at := g.place(i)
		c := g.now.RGBAAt(at.X, at.Y)
		c.R, c.G, c.B = c.R&^15, c.G&^15, c.B&^15 // colours that a gradient or an edge parts
		counts[c]++
		most = max(most, counts[c])
	}
	return float64(most*appearedStep*appearedStep) / float64(areaOf(bounds))
}
