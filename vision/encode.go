package vision

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"
)

// JPEG encodes a frame, each side of it divided by shrink, at a quality from 1 to 100.
// It fails on an empty frame and on one that is smaller than shrink.
func JPEG(frame *image.RGBA, shrink, quality int) ([]byte, error) {
	size := frame.Rect.Size()
	if shrink < 1 || size.X < shrink || size.Y < shrink {
		return nil, fmt.Errorf("vision: a frame of %dx%d pixels shrunk %d times, expected at least one pixel", size.X, size.Y, shrink)
	}
	m, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, toRGBA(frame).Pix)
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	defer m.Close()
	small := gocv.NewMat()
	defer small.Close()
	if shrink > 1 {
		gocv.Resize(m, &small, size.Div(shrink), 0, 0, gocv.InterpolationArea)
		gocv.CvtColor(small, &small, gocv.ColorRGBAToBGR)
	} else {
		gocv.CvtColor(m, &small, gocv.ColorRGBAToBGR)
	}
	packed, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, small, []int{gocv.IMWriteJpegQuality, quality})
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	defer packed.Close()
	return append([]byte(nil), packed.GetBytes()...), nil
}
