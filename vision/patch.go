package vision

import (
	"image"
	"image/color"
	"slices"

	"tapwise/solvers/screen"
)

// A Patch is a connected component of pixels of about one colour, large enough
// for a button.
type Patch struct {
	bounds image.Rectangle // with the component's edge, in pixels of its frame
	filled float64         // the share of the bounds that the component takes
	colour color.RGBA      // of its first pixel from the top
}

// What a patch is.
const (
	patchPixels  = 360 // about how many pixels of the frame's shorter side are sampled
	patchColours = 48  // of 255: how much a colour in a patch differs from the first one at most
	patchStep    = 3   // of 255: how much neighbouring pixels differ at most; lines and blurred edges differ more
	patchWidth   = 5   // a patch is at least 1/5 as wide as the frame's shorter side
	patchHeight  = 25  // and 1/25 as high
)

// Patches finds the patches of a frame, by their first pixels from the top.
func Patches(frame *image.RGBA) []Patch {
	size := frame.Rect.Size()
	shorter := min(size.X, size.Y)
	step := max(1, shorter/patchPixels)
	grid := patchGrid{frame: frame, step: step, w: size.X / step, h: size.Y / step}
	grid.around = [4]int{-1, 1, -grid.w, grid.w}
	known := grid.edges()
	var found []Patch
	var stack []int
	for first := range known {
		if known[first] {
			continue
		}
		var bounds image.Rectangle
		var pixels int
		bounds, pixels, stack = grid.fill(first, known, stack)
		if patchWidth*step*bounds.Dx() >= shorter && patchHeight*step*bounds.Dy() >= shorter {
			found = append(found, Patch{
				bounds: image.Rectangle{Min: bounds.Min.Mul(step), Max: bounds.Max.Mul(step)},
				filled: float64(pixels) / float64(areaOf(bounds)),
				colour: grid.at(first),
			})
		}
	}
	return found
}

// patchGrid is a frame of which only every step-th pixel of every step-th row
// is looked at. A pixel of it is the index row*w+column.
type patchGrid struct {
	frame  *image.RGBA
	step   int
	w, h   int
	around [4]int // from a pixel to its neighbours
}

func (g *patchGrid) at(i int) color.RGBA {
	o := g.frame.PixOffset(g.frame.Rect.Min.X+i%g.w*g.step, g.frame.Rect.Min.Y+i/g.w*g.step)
	return color.RGBA{g.frame.Pix[o], g.frame.Pix[o+1], g.frame.Pix[o+2], 255}
}

// edges marks the pixels that belong to no patch: the frame's rim, and those
// that differ from a neighbour.
func (g *patchGrid) edges() []bool {
	marked := make([]bool, g.w*g.h)
	for i := range marked {
		x, y := i%g.w, i/g.w
		if marked[i] = x == 0 || y == 0 || x == g.w-1 || y == g.h-1; marked[i] {
			continue
		}
		here := g.at(i)
		marked[i] = slices.ContainsFunc(g.around[:], func(d int) bool { return screen.Contrast(here, g.at(i+d)) > patchStep })
	}
	return marked
}

// fill marks the component of a pixel as known. It returns the component's
// bounds with its edge, in pixels of the grid, the number of its pixels, and
// the stack for the next call.
func (g *patchGrid) fill(first int, known []bool, stack []int) (bounds image.Rectangle, pixels int, _ []int) {
	colour := g.at(first)
	known[first] = true
	stack = append(stack[:0], first)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		bounds = bounds.Union(image.Rect(i%g.w-1, i/g.w-1, i%g.w+2, i/g.w+2))
		pixels++
		for _, d := range g.around {
			if next := i + d; !known[next] && screen.Contrast(g.at(next), colour) <= patchColours {
				known[next] = true
				stack = append(stack, next)
			}
		}
	}
	return bounds, pixels, stack
}
