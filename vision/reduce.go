package vision

import (
	"fmt"
	"image"
	"image/draw"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// The sizes that are looked at pixel by pixel. Cameras make larger pictures than screens
// are; what is larger here than the screens of phones and tablets and than 4K is a
// photograph, or a screen that shows every pixel of an app several times.
const (
	largestScreen = 9 << 20 // pixels: no picture up to this is reduced; 4K has 8.3 million
	reducedTo     = 4 << 20 // pixels: a larger one is reduced to at most this,
	leastShorter  = 720     // pixels: unless its shorter side would be shorter than this, as of a scrolled page
)

// reduction is the whole factor by which a picture of a size is reduced to be looked at.
func reduction(size image.Point) int {
	factor := 1
	for size.X*size.Y > largestScreen && size.X*size.Y > reducedTo*factor*factor && min(size.X, size.Y) >= leastShorter*(factor+1) {
		factor++
	}
	return factor
}

// shrunk is a picture whose sides are divided by a factor: each pixel is the mean of a
// square. It takes little memory beside the picture.
func shrunk(picture image.Image, factor int) *image.RGBA {
	bounds := picture.Bounds()
	size := bounds.Size().Div(factor)
	out := image.NewRGBA(image.Rectangle{Max: size})
	strip := image.NewRGBA(image.Rect(0, 0, size.X*factor, factor))
	sums := make([]int, 4*size.X)
	for y := range size.Y {
		draw.Draw(strip, strip.Rect, picture, bounds.Min.Add(image.Pt(0, y*factor)), draw.Src)
		clear(sums)
		for row := range factor {
			pix := strip.Pix[row*strip.Stride:][:strip.Stride]
			for to := 0; to < len(sums); to += 4 {
				sum := sums[to : to+4 : to+4]
				for range factor {
					sum[0] += int(pix[0])
					sum[1] += int(pix[1])
					sum[2] += int(pix[2])
					sum[3] += int(pix[3])
					pix = pix[4:]
				}
			}
		}
		row, square := out.Pix[y*out.Stride:], factor*factor
		for i, sum := range sums {
			row[i] = uint8((sum + square/2) / square)
		}
	}
	return out
}

// reduced is a frame as it is looked at, and the factor by which it is smaller than what
// it is said to be. It may have been decoded so.
func reduced(frame image.Image, on screen.Frame) (image.Image, int, error) {
	if err := checkPicture(frame); err != nil {
		return nil, 0, err
	}
	size, factor := frame.Bounds().Size(), reduction(on.Size)
	switch {
	case on.Size.Div(factor) == size:
		return frame, factor, nil
	case on.Size == size:
		return shrunk(frame, factor), factor, nil
	}
	return nil, 0, fmt.Errorf("vision: frame of %dx%d pixels, described as %s", size.X, size.Y, on)
}

// enlarged is a copy of a frame with the size that it is said to have.
func enlarged(frame image.Image, on screen.Frame) (*image.RGBA, error) {
	if err := checkPicture(frame); err != nil {
		return nil, err
	}
	size := frame.Bounds().Size()
	if size != on.Size && size != on.Size.Div(reduction(on.Size)) {
		return nil, fmt.Errorf("vision: frame of %dx%d pixels, observed on %s", size.X, size.Y, on)
	}
	out := image.NewRGBA(image.Rectangle{Max: on.Size})
	if size == on.Size {
		draw.Draw(out, out.Rect, frame, frame.Bounds().Min, draw.Src)
		return out, nil
	}
	from, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, toRGBA(frame).Pix)
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	defer from.Close()
	to, err := gocv.NewMatFromBytes(on.Size.Y, on.Size.X, gocv.MatTypeCV8UC4, out.Pix)
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	defer to.Close()
	gocv.Resize(from, &to, on.Size, 0, 0, gocv.InterpolationNearestNeighbor)
	return out, nil
}
