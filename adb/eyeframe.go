package adb

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"
	"strings"
)

// eyeHeader is what precedes each frame of screenrecord --output-format=frames: five
// little-endian numbers, the first of which counts the bytes after it.
type eyeHeader struct {
	length uint32 // of the pixels
	size   image.Point
	stride int // bytes of a row
	format pixelFormat
}

const (
	eyeHeaderSize = 20
	eyeCounted    = 16      // bytes of it that its first number counts
	maxStride     = 1 << 19 // bytes: the longest row of the widest pixels
)

// parseEyeHeader reads a header, and believes what it says of the pixels as long as that can
// be: some phones are said to send four bytes a pixel where three are usual.
func parseEyeHeader(data []byte, maxPixels int) (eyeHeader, error) {
	var field [5]uint32
	for i := range field {
		field[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	h := eyeHeader{size: image.Pt(int(field[1]), int(field[2])), stride: int(field[3]), format: pixelFormat(field[4])}
	odd := func(what string) error {
		return &FrameError{Kind: FrameNoHeader, Err: fmt.Errorf("%d bytes, %d by %d, rows of %d bytes, format %d: %s",
			field[0], field[1], field[2], field[3], field[4], what)}
	}
	switch {
	case field[1] == 0 || field[2] == 0 || field[1] > maxSide || field[2] > maxSide:
		return h, odd("that is no size")
	case h.format.size() == 0:
		return h, odd("the format is not known")
	case field[3] > maxStride || h.stride < h.size.X*h.format.size():
		return h, odd("that is no length of a row")
	case uint64(field[0]) != eyeCounted+uint64(h.stride)*uint64(h.size.Y):
		return h, odd(fmt.Sprintf("expected %d bytes", eyeCounted+uint64(h.stride)*uint64(h.size.Y)))
	case h.size.X*h.size.Y > maxPixels:
		return h, &FrameError{Kind: FrameTooLarge, Size: h.size, Err: fmt.Errorf("at most %d pixels", maxPixels)}
	}
	h.length = field[0] - eyeCounted
	return h, nil
}

// decode makes a picture of a frame's pixels. It does not keep them.
func (h eyeHeader) decode(pixels []byte) *image.RGBA {
	row := h.size.X * h.format.size()
	if h.stride == row && h.format == formatRGB888 { // the usual one
		img := image.NewRGBA(image.Rectangle{Max: h.size})
		for out := img.Pix; len(out) >= 4 && len(pixels) >= 3; out, pixels = out[4:], pixels[3:] {
			out[0], out[1], out[2], out[3] = pixels[0], pixels[1], pixels[2], 0xff
		}
		return img
	}
	tight := make([]byte, 0, row*h.size.Y)
	for y := range h.size.Y {
		tight = append(tight, pixels[y*h.stride:][:row]...)
	}
	return toRGBA(tight, h.size, h.format)
}

// eyeMark precedes the process id that the stream begins with.
const eyeMark = "__EYE"

// readEyePID reads the line with the process id. A shell may say something before it.
func readEyePID(r *bufio.Reader) (int, error) {
	said := ""
	for len(said) < maxHeaderText {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = nil
		}
		said += string(line)
		if _, after, found := strings.Cut(string(line), eyeMark); found && err == nil {
			if pid, err := strconv.ParseInt(strings.TrimSpace(after), 10, 31); err == nil && pid > 0 {
				return int(pid), nil
			}
		}
		if err != nil {
			return 0, withoutPID(said, err)
		}
	}
	return 0, withoutPID(said, nil)
}

func withoutPID(said string, err error) error {
	kind := FrameNoHeader
	if said == "" {
		kind = FrameEmpty
	}
	return &FrameError{Kind: kind, Text: shorten(strings.TrimSpace(printable([]byte(said)))), Err: brokenStream(err)}
}

// readEyeHeader reads a header. The first one may have text before it, which is what
// screenrecord says on stderr; text alone says why there is none.
func readEyeHeader(r *bufio.Reader, first bool, maxPixels int) (h eyeHeader, err error) {
	data, err := r.Peek(eyeHeaderSize)
	if len(data) < eyeHeaderSize {
		if first && isText(data) {
			return h, &FrameError{Kind: FrameEmpty, Text: shorten(strings.TrimSpace(string(data))), Err: brokenStream(err)}
		}
		return h, fmt.Errorf("%w: the stream ended: %w", ErrClosed, err)
	}
	h, bad := parseEyeHeader(data, maxPixels)
	if bad == nil {
		_, _ = r.Discard(eyeHeaderSize) // these bytes were peeked at
	}
	if bad == nil || !first {
		return h, bad
	}
	// Text has no NUL, and the first header has one in each of its numbers.
	for at := 1; at <= maxHeaderText && data[at-1] != 0; at++ {
		if data, err = r.Peek(at + eyeHeaderSize); err != nil {
			if isText(data) {
				return h, &FrameError{Kind: FrameEmpty, Text: shorten(strings.TrimSpace(string(data))), Err: brokenStream(err)}
			}
			return h, bad
		}
		if found, err := parseEyeHeader(data[at:], maxPixels); err == nil && isText(data[:at]) {
			_, _ = r.Discard(at + eyeHeaderSize)
			return found, nil
		}
	}
	return h, bad
}

// readEyePixels reads what follows a header, into a buffer that may be used again.
func readEyePixels(r io.Reader, h eyeHeader, buffer []byte) ([]byte, error) {
	if cap(buffer) >= int(h.length) {
		buffer = buffer[:h.length]
		n, err := io.ReadFull(r, buffer)
		if err != nil {
			err = fmt.Errorf("%w: %d of a frame's %d bytes: %w", ErrClosed, n, h.length, err)
		}
		return buffer[:n], err
	}
	buffer, err := readUpTo(r, int(h.length))
	if err != nil {
		err = fmt.Errorf("%w: %d of a frame's %d bytes: %w", ErrClosed, len(buffer), h.length, err)
	}
	return buffer, err
}
