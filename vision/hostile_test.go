package vision

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// webpOfSize is a lossless WebP of one colour. Its frame says one size and its
// picture has another; both are the same in an honest one. However large it is,
// it has some 50 bytes.
func webpOfSize(frame, picture image.Point) []byte {
	var bits uint64
	at := 0
	put := func(value uint64, n int) { bits |= value << at; at += n }
	// What comes before the first 64 bits: a signature, and the size less one.
	header := []byte{0x2f}
	header = binary.LittleEndian.AppendUint32(header, uint32(picture.X-1)|uint32(picture.Y-1)<<14)
	put(0, 1) // no transform
	put(0, 1) // no cache of colours
	put(0, 1) // one set of codes
	for range 5 {
		put(1, 1) // a simple code
		put(0, 1) // of one symbol, which takes no bits
		put(0, 1) // that has one bit
		put(0, 1) // and is 0
	}
	chunk := binary.LittleEndian.AppendUint64(header, bits)
	if len(chunk)%2 == 1 {
		chunk = append(chunk, 0)
	}
	body := []byte("WEBP")
	extended := make([]byte, 10)
	put24 := func(to []byte, v int) { to[0], to[1], to[2] = byte(v), byte(v>>8), byte(v>>16) }
	put24(extended[4:], frame.X-1)
	put24(extended[7:], frame.Y-1)
	for _, part := range []struct {
		name string
		data []byte
	}{{"VP8X", extended}, {"VP8L", chunk}} {
		body = append(body, part.name...)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(part.data)))
		body = append(body, part.data...)
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// progressiveJPEG is a grey JPEG of one tone that goes over its pixels again
// and again. A scan of a megapixel takes a few bytes.
func progressiveJPEG(size image.Point, scans int) []byte {
	data := []byte{0xff, 0xd8}
	segment := func(marker byte, body ...byte) {
		data = append(data, 0xff, marker)
		data = binary.BigEndian.AppendUint16(data, uint16(len(body)+2))
		data = append(data, body...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	segment(0xc2, 8, byte(size.Y>>8), byte(size.Y), byte(size.X>>8), byte(size.X), 1, 1, 0x11, 0)
	// One code of one bit each: 0 is "no difference" for the first coefficient,
	// and "nothing more in this block and the next 2^14 and up" for the others.
	one := append([]byte{1}, make([]byte, 15)...)
	segment(0xc4, append(append([]byte{0x00}, one...), 0)...)
	segment(0xc4, append(append([]byte{0x10}, one...), 0xe0)...)
	blocks := ((size.X + 7) / 8) * ((size.Y + 7) / 8)
	segment(0xda, 1, 1, 0, 0, 0, 0)
	data = append(data, make([]byte, (blocks+7)/8)...)
	for range scans - 1 {
		segment(0xda, 1, 1, 0, 1, 63, 0x10)
		// Each run has a bit and 14 more, which are 0: 2^14 blocks.
		runs := (blocks + 1<<14 - 1) >> 14
		data = append(data, make([]byte, (15*runs+7)/8)...)
	}
	return append(data, 0xff, 0xd9)
}

// TestHostile checks that small pictures that ask for much memory or time are refused
// before they get any of it.
func TestHostile(t *testing.T) {
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"a frame smaller than its picture", "webp", webpOfSize(image.Pt(100, 100), image.Pt(16384, 16384))},
		{"a picture too large", "16384x16384 pixels, expected at most", webpOfSize(image.Pt(16384, 16384), image.Pt(16384, 16384))},
		{"a JPEG of 1000 scans", "jpeg picture of 4000x4000: 1000 scans, expected at most 32", progressiveJPEG(image.Pt(4000, 4000), 1000)},
		{"a PNG with no room for its pixels", "truncated", pngOfSize(6000, 8000)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := Decode(t.Context(), test.data)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: picture %v, error %v, expected an error with %q", test.name, m != nil, err, test.want)
		}
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(2<<20); got > most {
			t.Errorf("%s: %d bytes were taken for a file of %d, expected at most %d", test.name, got, len(test.data), most)
		}
	}
	for name, data := range map[string][]byte{
		"an honest WebP":          webpOfSize(image.Pt(100, 100), image.Pt(100, 100)),
		"as many scans as may be": progressiveJPEG(image.Pt(100, 100), maxScans),
	} {
		if m, err := Decode(t.Context(), data); err != nil || m.Rect.Size() != image.Pt(100, 100) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestScans counts scans where the decoder begins them: not in a preview that
// lies in the header, and not after the end.
func TestScans(t *testing.T) {
	plain := encoded(t)["jpeg"]
	withPreview := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(plain)+2))...)
	withPreview = append(append(withPreview, plain...), plain[2:]...)
	filled := bytes.Replace(progressiveJPEG(image.Pt(40, 40), 3), []byte{0xff, 0xda}, []byte{0xff, 0xff, 0xff, 0xda}, -1)
	for name, test := range map[string]struct {
		data []byte
		want int
	}{
		"a plain one": {plain, 1}, "a progressive one": {progressiveJPEG(image.Pt(100, 100), 9), 9}, "with a preview": {withPreview, 1},
		"followed by another": {append(bytes.Clone(plain), plain...), 1}, "filled up": {filled, 3}, "cut short": {plain[:len(plain)-4], 1},
		"nothing": {nil, 0}, "a beginning": {[]byte{0xff, 0xd8, 0xff}, 0}, "a marker": {[]byte{0xff, 0xd8, 0xff, 0xda}, 1},
	} {
		if got := jpegScans(test.data); got != test.want {
			t.Errorf("%s: %d scans, expected %d", name, got, test.want)
		}
	}
}

// liar is a format whose header says less than its picture has.
const liar = "tapwise liar"

// TestLargerThanItsHeader checks that pictures larger than their headers say are refused.
func TestLargerThanItsHeader(t *testing.T) {
	image.RegisterFormat(liar, liar,
		func(io.Reader) (image.Image, error) { return image.NewGray(image.Rect(0, 0, 100, 101)), nil },
		func(io.Reader) (image.Config, error) {
			return image.Config{ColorModel: color.GrayModel, Width: 100, Height: 100}, nil
		})
	if _, err := decodeAll(strings.NewReader(liar), image.Pt(100, 100), 1); err == nil || !strings.Contains(err.Error(), "it is 100x101 pixels large") {
		t.Errorf("%v, expected that it is larger", err)
	}
}

// TestDecodeEnds checks that decoding ends with its context: Decode returns, and the
// decoder ends as well.
func TestDecodeEnds(t *testing.T) {
	stop := errors.New("stopped")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	large := webpOfSize(image.Pt(2000, 4000), image.Pt(2000, 4000))
	if _, err := Decode(ended, large); !errors.Is(err, stop) {
		t.Errorf("%v, expected %v", err, stop)
	}
	for name, data := range map[string][]byte{"webp": large, "jpeg": progressiveJPEG(image.Pt(6000, 8000), maxScans)} {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
		if _, err := Decode(ctx, data); !errors.Is(err, stop) {
			t.Errorf("%s: %v, expected %v", name, err, stop)
		}
	}
	for began := time.Now(); decoding() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 20*time.Minute {
			t.Fatalf("%d pictures are still being decoded", decoding())
		}
	}
}

// decoding is the number of goroutines that decode a picture.
func decoding() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "vision.decodeBody.func")
}

// TestInterruptible checks that a decoder gets nothing more once the context has ended.
func TestInterruptible(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := &interruptible{ctx, bytes.NewReader(make([]byte, 1<<20))}
	if n, err := r.Read(make([]byte, 1<<16)); n != 256 || err != nil {
		t.Errorf("%d bytes, %v, expected a few", n, err)
	}
	cancel()
	if n, err := r.Read(make([]byte, 1<<16)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v after the end", n, err)
	}
}
