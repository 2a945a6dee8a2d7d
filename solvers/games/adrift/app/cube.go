package app

import (
	"image"
	"image/color"
	"math"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/adrift"
)

// Sizes of stones, in pitches.
const (
	stoneGap   = 0.09 // from a cell's side to its stone
	stoneBevel = 0.11 // the slanting rim of a stone
)

// paintCube paints the empty cube with its stones, transparent around it. It is
// painted pixel by pixel, once for a layout: drawing its cells as shapes would
// take longer than drawing the rest of the screen.
func paintCube(l *layout, look look) *image.NRGBA {
	lineHalf := max(1, min(look.lineWidth*l.Pitch, 0.009*l.Unit)) / 2
	edgeHalf := max(1.5, min(2*look.lineWidth*l.Pitch, 0.016*l.Unit)) / 2
	area := cubeArea(l)
	m := image.NewNRGBA(area)
	n := float64(l.view.Side())
	high := adrift.HalfRoot3 * l.Pitch // the distance of two lines
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			out := l.outside(px, py)
			if out >= edgeHalf+0.5 {
				continue
			}
			face := l.faceAt(px, py)
			row, col := l.view.Faces[face].Place(px, py)
			toEdge := math.Abs(min(row, n-row, col, n-col)) * high
			r, c := min(max(math.Floor(row), 0), n-1), min(max(math.Floor(col), 0), n-1)
			toLine := min(row-r, r+1-row, col-c, c+1-col) * high
			pixel := simapp.Mix(look.Faces[face], black, 0.07*row/n) // a little darker towards the far side
			if l.view.Stone(l.view.At(face, int(r), int(c))) {
				pixel = stonePixel(pixel, look.Stones[face], row-r, col-c, high)
			}
			if toLine < lineHalf+0.5 {
				pixel = simapp.Mix(pixel, look.line, cover(lineHalf-toLine))
			}
			if toEdge < edgeHalf+0.5 || out > -0.5 {
				pixel = simapp.Mix(pixel, look.edge, max(cover(edgeHalf-toEdge), cover(out)))
				pixel.A = uint8(math.Round(255 * cover(edgeHalf-out)))
			}
			m.SetNRGBA(x, y, pixel)
		}
	}
	return m
}

// outside is how far outside the cube's outline a place is, less than 0 inside:
// the outline is a regular hexagon.
func (l *layout) outside(x, y float64) float64 {
	cx, cy := l.board.Centre()
	x, y = math.Abs(x-cx), math.Abs(y-cy)
	return max(x, x/2+y*adrift.HalfRoot3) - l.board.Width()/2
}

// faceAt is the face that a place is on, or would be if the cube were larger.
func (l *layout) faceAt(x, y float64) int {
	cx, cy := l.board.Centre()
	switch x, y := x-cx, y-cy; {
	case y*2*adrift.HalfRoot3 < -math.Abs(x):
		return top
	case x < 0:
		return left
	default:
		return right
	}
}

// cubeArea is the cube with its edges, in whole pixels of the screen.
func cubeArea(l *layout) image.Rectangle {
	b, margin := l.board, 0.2*l.Pitch+2
	around := image.Rect(int(b.X0-margin), int(b.Y0-margin), int(math.Ceil(b.X1+margin)), int(math.Ceil(b.Y1+margin)))
	return around.Intersect(image.Rectangle{Max: l.Size})
}

// cover is how much of a pixel is inside a shape, given how far inside the shape's
// rim the pixel's middle is.
func cover(inside float64) float64 { return min(max(inside+0.5, 0), 1) }

// stonePixel is a pixel of a cell with a stone: a block whose rim slants, lit
// from above. Row and col are from 0 to 1 within the cell.
func stonePixel(ground, stone color.NRGBA, row, col, high float64) color.NRGBA {
	first := min(row, col) // from the sides that are in the light
	last := min(1-row, 1-col)
	inside := min(first, last) - stoneGap
	slant := simapp.Mix(stone, white, 0.3)
	if last < first {
		slant = simapp.Mix(stone, black, 0.35)
	}
	stone = simapp.Mix(slant, stone, cover((inside-stoneBevel)*high))
	return simapp.Mix(ground, stone, cover(inside*high))
}
