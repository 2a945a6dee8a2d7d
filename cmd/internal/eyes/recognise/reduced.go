package recognise

import (
	"encoding/binary"
	"fmt"
	"image"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Reduced is See for a picture of a screen whose sides are shorter by a whole factor, which it
// returns as well. What was seen is in pixels of the picture: a game reads its board from that,
// since lines of a pixel or two are not enlarged in proportion (see [Sight.Enlarge]).
// It fails when there is no such factor.
func Reduced(eyes Eyes, picture *image.RGBA, on screen.Frame, game solvers.Game) (s Sight, factor int, err error) {
	size := picture.Rect.Size()
	if size.X > 0 {
		factor = on.Size.X / size.X
	}
	if factor < 1 || size.Mul(factor) != on.Size {
		return s, 0, fmt.Errorf("a picture of %v pixels, expected a whole part of %v", size, on.Size)
	}
	s, err = See(eyes, picture, screen.Frame{Size: size, Rotation: on.Rotation}, game)
	return s, factor, err
}

// Enlarge turns what was seen on a picture whose sides are shorter by a factor into what is seen on
// the whole frame. The board stays as it was read.
func (s *Sight) Enlarge(on screen.Frame, factor int) {
	s.Seen.Enlarge(on, factor)
	s.Place = s.Game.Locate(s.Seen)
}

// Enlarged is a picture whose sides are longer by a factor: each of its pixels becomes a square.
func Enlarged(picture *image.RGBA, factor int) *image.RGBA {
	size := picture.Rect.Size().Mul(factor)
	large := image.NewRGBA(image.Rectangle{Max: size})
	for y := 0; y < size.Y; y += factor {
		row, at := large.Pix[large.PixOffset(0, y):large.PixOffset(0, y+1)], picture.PixOffset(0, y/factor)
		for i := 0; i < len(row); at += 4 {
			pixel := binary.NativeEndian.Uint32(picture.Pix[at:])
			for range factor {
				binary.NativeEndian.PutUint32(row[i:], pixel)
				i += 4
			}
		}
		for i := 1; i < factor; i++ {
			copy(large.Pix[large.PixOffset(0, y+i):], row)
		}
	}
	return large
}

// Shrunk is the picture that Enlarged made larger.
func Shrunk(picture *image.RGBA, factor int) *image.RGBA {
	size := picture.Rect.Size().Div(factor)
	small := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			copy(small.Pix[small.PixOffset(x, y):small.PixOffset(x, y)+4], picture.Pix[picture.PixOffset(x*factor, y*factor):])
		}
	}
	return small
}
