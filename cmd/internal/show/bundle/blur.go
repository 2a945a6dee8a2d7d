package bundle

import (
	"image"
	"image/color"
	"image/draw"
)

// blocksAcross is how many blocks of one colour a blurred picture is wide: too few for a
// word or a face, enough to see what lies where.
const blocksAcross = 12

// unreadable is a picture whose parts outside a rectangle are blocks of their mean
// colour.
func unreadable(frame *image.RGBA, keep image.Rectangle) *image.RGBA {
	b := frame.Bounds()
	out := image.NewRGBA(b)
	side := max(1, b.Dx()/blocksAcross)
	for y := b.Min.Y; y < b.Max.Y; y += side {
		for x := b.Min.X; x < b.Max.X; x += side {
			block := image.Rect(x, y, x+side, y+side).Intersect(b)
			draw.Draw(out, block, image.NewUniform(meanColour(frame, block)), image.Point{}, draw.Src)
		}
	}
	keep = keep.Intersect(b)
	draw.Draw(out, keep, frame, keep.Min, draw.Src)
	return out
}

// meanColour is the mean colour in a rectangle, which must lie in the frame and not be
// empty.
func meanColour(frame *image.RGBA, in image.Rectangle) color.RGBA {
	var sum [3]int
	for y := in.Min.Y; y < in.Max.Y; y++ {
		row := frame.Pix[frame.PixOffset(in.Min.X, y):]
		for x := range in.Dx() {
			for channel := range sum {
				sum[channel] += int(row[4*x+channel])
			}
		}
	}
	n := in.Dx() * in.Dy()
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255}
}
