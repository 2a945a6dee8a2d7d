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
	"runtime/debug"

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

// Decode reads a picture encoded as PNG, JPEG, GIF (its first frame) or WebP, and turns it
// upright as its EXIF data says. Text before the picture is skipped, and carriage returns
// inserted before its line feeds are removed. It fails on anything else, on a damaged or
// truncated picture (a *SavedError says how it was damaged if that is visible), on one whose
// header announces less than 16 or more than MaxSide pixels on a side, and on one that is
// larger than its header says.
//
// When the context ends, Decode returns its cause at once. The decoder, which
// knows no context, then gets no more of the picture and ends soon after.
func Decode(ctx context.Context, data []byte) (*image.RGBA, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	return f.decode(ctx, 1)
}

// DecodeReduced is Decode for looking at a picture: one larger than any screen is reduced by a
// whole factor, which takes less time and memory and shows a board as well. It also returns the
// picture's own size, whose pixels Observe and Overlay use for everything.
func DecodeReduced(ctx context.Context, data []byte) (*image.RGBA, image.Point, error) {
	f, err := open(data)
	if err != nil {
		return nil, image.Point{}, err
	}
	size := f.size()
	factor := reduction(size)
	picture, err := f.decode(ctx, factor)
	if err == nil && factor == 1 {
		size = picture.Rect.Size() // of a GIF's first frame, which may be smaller
	}
	return picture, size, err
}

// Size is the size of the picture that Decode would make of a file. Only what comes
// before the pixels is read.
func Size(data []byte) (image.Point, error) {
	f, err := open(data)
	return f.size(), err
}

// pictureFile is a picture whose header was read.
type pictureFile struct {
	data        []byte
	format      string
	stored      image.Point // width and height as it lies in its file
	orientation int
}

// open reads the header of the picture in a file.
func open(file []byte) (pictureFile, error) {
	if len(file) == 0 {
		return pictureFile{}, errors.New("vision: empty file, expected a picture")
	}
	if len(file) > MaxBytes {
		return pictureFile{}, fmt.Errorf("vision: picture of %d bytes, expected at most %d", len(file), MaxBytes)
	}
	data, err := intact(file)
	if err != nil {
		return pictureFile{}, err
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case errors.Is(err, image.ErrFormat):
		return pictureFile{}, errNoPicture
	case isTruncation(err):
		return pictureFile{}, fmt.Errorf("vision: picture is truncated after %d bytes, within its header", len(data))
	case err != nil:
		return pictureFile{}, fmt.Errorf("vision: the picture's header: %w", err)
	}
	stored := image.Pt(config.Width, config.Height)
	return pictureFile{data, format, stored, orientation(data, format)}, checkSize(stored)
}

// size is the picture's size when it is upright.
func (f pictureFile) size() image.Point { return uprightSize(f.stored, f.orientation) }

// decode decodes the picture, reduced by a factor, and turns it upright.
func (f pictureFile) decode(ctx context.Context, factor int) (*image.RGBA, error) {
	picture, err := f.decodeBody(ctx, factor)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case isTruncation(err):
		return nil, fmt.Errorf("vision: %s picture of %dx%d is truncated after %d bytes", f.format, f.stored.X, f.stored.Y, len(f.data))
	case err != nil:
		return nil, fmt.Errorf("vision: %s picture of %dx%d: %w", f.format, f.stored.X, f.stored.Y, err)
	}
	return turned(picture, f.orientation), nil
}

func isTruncation(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// decodeBody decodes a picture whose header was read. It returns as soon as the
// context ends.
func (f pictureFile) decodeBody(ctx context.Context, factor int) (*image.RGBA, error) {
	if err := checkBody(f.data, f.format, f.stored); err != nil {
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
		out.picture, out.err = decodeAll(&interruptible{ctx, bytes.NewReader(f.data)}, f.stored, factor)
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

// decodeAll decodes what a reader gives, reduced by a factor, and makes sure that the
// picture is not larger than its header said, which not every decoder does.
func decodeAll(r io.Reader, size image.Point, factor int) (*image.RGBA, error) {
	picture, _, err := image.Decode(r)
	if err != nil {
		return nil, err
	}
	if got := picture.Bounds().Size(); got.X > size.X || got.Y > size.Y {
		return nil, fmt.Errorf("it is %dx%d pixels large", got.X, got.Y)
	} else if err := checkSize(got); err != nil { // a GIF's first frame may be smaller
		return nil, err
	}
	if factor == 1 {
		return toRGBA(picture), nil
	}
	if got := picture.Bounds().Size(); got != size {
		return nil, fmt.Errorf("it is %dx%d pixels large", got.X, got.Y)
	}
	small := shrunk(picture, factor)
	// The collector would wait until as much again is used, which is several times what
	// looking at a picture takes.
	picture = nil
	debug.FreeOSMemory()
	return small, nil
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
	appOne                    = 0xe1 // what programs add, EXIF data among it
)

// jpegScans counts the scans of a JPEG: the markers "start of scan".
func jpegScans(data []byte) int {
	scans := 0
	jpegSegments(data, func(marker byte, _ []byte) bool {
		if marker == startOfScan {
			scans++
		}
		return true
	})
	return scans
}

// jpegSegments calls a function with the segments of a JPEG, found where the decoder
// finds them, until the end or until it returns false.
func jpegSegments(data []byte, segment func(marker byte, body []byte) bool) {
	for at := 2; at+1 < len(data); { // after "start of image"
		next := bytes.IndexByte(data[at:], markerBegin)
		if next < 0 {
			return
		}
		at += next
		for at < len(data) && data[at] == markerBegin {
			at++
		}
		if at == len(data) {
			return
		}
		marker := data[at]
		at++
		if marker == 0 || restart <= marker && marker <= lastRestart {
			continue // pixels, or between them
		}
		length := 2 // with itself
		if at+1 < len(data) {
			length = max(length, int(binary.BigEndian.Uint16(data[at:])))
		}
		end := min(len(data), at+length)
		if marker == endOfImage || !segment(marker, data[min(at+2, end):end]) {
			return
		}
		at = end
	}
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
