package drawing

import (
	"image"

	"golang.org/x/image/draw"
)

// Shrink scales a picture to a width in pixels and keeps its proportions.
func Shrink(picture image.Image, width int) *image.RGBA {
	size := picture.Bounds().Size()
	small := image.NewRGBA(image.Rect(0, 0, width, size.Y*width/size.X))
	draw.CatmullRom.Scale(small, small.Rect, picture, picture.Bounds(), draw.Src, nil)
	return small
}
