package vision

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"  // the formats that Decode knows
	_ "image/jpeg" // register themselves
	_ "image/png"
	"io"
	"os"

	_ "golang.org/x/image/webp"
)

// The bounds of a picture that Decode accepts. The header is read first, so
// that a small file cannot ask for a large amount of memory.
const (
	MaxSide   = 16384    // pixels, of the width and of the height
	MaxPixels = 48 << 20 // width times height
	MaxBytes  = 96 << 20 // of the encoded picture
	minSide   = 16
)

// Decode reads a picture encoded as PNG, JPEG, GIF (its first frame) or WebP.
// It fails on anything else, on a damaged or truncated picture and on one
// whose header promises less than 16 or more than MaxSide pixels on a side.
func Decode(data []byte) (*image.RGBA, error) {
	if len(data) == 0 {
		return nil, errors.New("vision: empty file, expected a picture")
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("vision: picture of %d bytes, expected at most %d", len(data), MaxBytes)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if errors.Is(err, image.ErrFormat) {
		return nil, errors.New("vision: not a picture, expected PNG, JPEG, GIF or WebP")
	}
	if isTruncation(err) {
		return nil, fmt.Errorf("vision: picture is truncated after %d bytes, within its header", len(data))
	}
	if err != nil {
		return nil, fmt.Errorf("vision: the picture's header: %w", err)
	}
	if err := checkSize(image.Pt(config.Width, config.Height)); err != nil {
		return nil, err
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if isTruncation(err) {
		return nil, fmt.Errorf("vision: %s picture of %dx%d is truncated after %d bytes", format, config.Width, config.Height, len(data))
	}
	if err != nil {
		return nil, fmt.Errorf("vision: %s picture of %dx%d: %w", format, config.Width, config.Height, err)
	}
	return toRGBA(picture), nil
}

func isTruncation(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// DecodeFile is Decode of a file. Its errors name the file.
func DecodeFile(name string) (*image.RGBA, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	picture, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return picture, nil
}

func checkSize(size image.Point) error {
	switch {
	case size.X < minSide || size.Y < minSide:
		return fmt.Errorf("vision: picture of %dx%d pixels, expected at least %d each way", size.X, size.Y, minSide)
	case size.X > MaxSide || size.Y > MaxSide:
		return fmt.Errorf("vision: picture of %dx%d pixels, expected at most %d each way", size.X, size.Y, MaxSide)
	case size.X*size.Y > MaxPixels:
		return fmt.Errorf("vision: picture of %dx%d pixels, expected at most %d in all", size.X, size.Y, MaxPixels)
	}
	return nil
}

// toRGBA is the picture with its origin at 0,0 and no gap between rows. A
// picture that is so already is not copied. Screens are opaque, so that the
// two ways to write transparency are the same.
func toRGBA(m image.Image) *image.RGBA {
	bounds := m.Bounds()
	size := bounds.Size()
	switch m := m.(type) {
	case *image.RGBA:
		if bounds.Min == (image.Point{}) && m.Stride == 4*size.X {
			return m
		}
	case *image.NRGBA:
		if bounds.Min == (image.Point{}) && m.Stride == 4*size.X && m.Opaque() {
			return &image.RGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect}
		}
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(out, out.Rect, m, bounds.Min, draw.Src)
	return out
}
