package vision

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"  // the formats that Decode knows
	_ "image/jpeg" // register themselves
	_ "image/png"
	"io"

	_ "golang.org/x/image/webp"
)

// The bounds of a picture that Decode accepts. The header is read first, so
// that a small file cannot ask for a large amount of memory.
const (
	MaxSide   = 16384    // pixels, of the width and of the height
	MaxPixels = 48 << 20 // width times height
	MaxBytes  = 96 << 20 // of the encoded picture
	minSide   = 16       // pixels, of the width and of the height

	maxScans        = 32   // of a JPEG: the times it goes over its pixels to refine them; encoders make about ten, and each takes time however few bytes it has
	deflateRatio    = 1032 // the most bytes that deflate packs into one
	pixelsPerByte   = 8    // of a PNG, at most
	interruptedRead = 256  // bytes that the decoder gets at once; of a JPEG they hold a few scans at most
)

// Decode reads a picture encoded as PNG, JPEG, GIF (its first frame) or WebP.
// It fails on anything else, on a damaged or truncated picture, on one whose
// header promises less than 16 or more than MaxSide pixels on a side, and on one
// that is larger than its header says.
//
// When the context ends, Decode returns its cause at once. The decoder, which
// knows no context, then gets no more of the picture and ends soon after.
func Decode(ctx context.Context, data []byte) (*image.RGBA, error) {
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
	size := image.Pt(config.Width, config.Height)
	if err := checkSize(size); err != nil {
		return nil, err
	}
	picture, err := decodeBody(ctx, data, format, size)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case isTruncation(err):
		return nil, fmt.Errorf("vision: %s picture of %dx%d is truncated after %d bytes", format, size.X, size.Y, len(data))
	case err != nil:
		return nil, fmt.Errorf("vision: %s picture of %dx%d: %w", format, size.X, size.Y, err)
	}
	return picture, nil
}

func isTruncation(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// decodeBody decodes a picture whose header was read. It returns as soon as the
// context ends.
func decodeBody(ctx context.Context, data []byte, format string, size image.Point) (*image.RGBA, error) {
	if err := checkBody(data, format, size); err != nil {
		return nil, err
	}
	type outcome struct {
		picture *image.RGBA
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		var out outcome
		defer func() {
			if fault := recover(); fault != nil { // in its own goroutine it would end the program
				out = outcome{nil, fmt.Errorf("the decoder failed: %v", fault)}
			}
			done <- out
		}()
		out.picture, out.err = decodeAll(&interruptible{ctx, bytes.NewReader(data)}, size)
	}()
	select {
	case out := <-done:
		return out.picture, out.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// checkBody refuses pictures that cannot be as large as their header says, or that
// take much longer to decode than their size explains. It does so before any memory
// is allocated.
func checkBody(data []byte, format string, size image.Point) error {
	switch format {
	case "png":
		if size.X*size.Y/pixelsPerByte > deflateRatio*len(data) {
			return io.ErrUnexpectedEOF
		}
	case "jpeg":
		if scans := jpegScans(data); scans > maxScans {
			return fmt.Errorf("%d scans, expected at most %d", scans, maxScans)
		}
	}
	return nil
}

// decodeAll decodes what a reader gives, and makes sure that the picture is not
// larger than its header said, which not every decoder does.
func decodeAll(r io.Reader, size image.Point) (*image.RGBA, error) {
	picture, _, err := image.Decode(r)
	if err != nil {
		return nil, err
	}
	if got := picture.Bounds().Size(); got.X > size.X || got.Y > size.Y {
		return nil, fmt.Errorf("it is %dx%d pixels large", got.X, got.Y)
	} else if err := checkSize(got); err != nil { // a GIF's first frame may be smaller
		return nil, err
	}
	return toRGBA(picture), nil
}

// interruptible reads until a context ends, a little at a time: decoders read ahead
// as far as they can.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, context.Cause(i.ctx)
	}
	return i.r.Read(p[:min(len(p), interruptedRead)])
}

// The markers of a JPEG that matter here.
const (
	markerBegin               = 0xff // before each marker, any number of times
	restart, lastRestart byte = 0xd0, 0xd7
	endOfImage                = 0xd9
	startOfScan               = 0xda
)

// jpegScans counts the scans of a JPEG: the markers "start of scan", found where
// the decoder finds them.
func jpegScans(data []byte) int {
	scans := 0
	for at := 2; at+1 < len(data); { // after "start of image"
		next := bytes.IndexByte(data[at:], markerBegin)
		if next < 0 {
			break
		}
		at += next
		for at < len(data) && data[at] == markerBegin {
			at++
		}
		if at == len(data) {
			break
		}
		marker := data[at]
		at++
		switch {
		case marker == 0, restart <= marker && marker <= lastRestart:
			continue // pixels, or between them
		case marker == endOfImage:
			return scans
		case marker == startOfScan:
			scans++
		}
		if at+1 >= len(data) {
			break
		}
		at += max(2, int(binary.BigEndian.Uint16(data[at:]))) // the segment's length
	}
	return scans
}

// checkSize refuses sizes of pictures that are too small or too large.
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

// toRGBA is the picture with its origin at 0,0 and no gap between rows. It is not
// copied when it has that form already. Screens are opaque, so that it does not
// matter whether colours are multiplied by their opacity.
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
