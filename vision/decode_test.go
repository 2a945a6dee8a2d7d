package vision

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"tapwise/solvers/screen"
)

// encoded is a small picture in each format.
func encoded(t testing.TB) map[string][]byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 40, 30))
	for y := range 30 {
		for x := range 40 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(6 * x), uint8(8 * y), 100, 255})
		}
	}
	var a, b, c bytes.Buffer
	for _, err := range []error{png.Encode(&a, m), jpeg.Encode(&b, m, nil), gif.Encode(&c, m, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string][]byte{"png": a.Bytes(), "jpeg": b.Bytes(), "gif": c.Bytes()}
}

// pngOfSize is a PNG that promises a size and has nothing else.
func pngOfSize(width, height uint32) []byte {
	data := []byte("\x89PNG\r\n\x1a\n")
	header := make([]byte, 17)
	copy(header, "IHDR")
	binary.BigEndian.PutUint32(header[4:], width)
	binary.BigEndian.PutUint32(header[8:], height)
	header[12], header[13] = 8, 6
	data = binary.BigEndian.AppendUint32(data, 13)
	data = append(data, header...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(header))
}

func TestDecode(t *testing.T) {
	for format, data := range encoded(t) {
		m, err := Decode(t.Context(), data)
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if size := m.Rect.Size(); size != image.Pt(40, 30) {
			t.Errorf("%s: size %v, expected 40x30", format, size)
		}
		if got, want := m.RGBAAt(20, 15), (color.RGBA{120, 120, 100, 255}); screen.Contrast(got, want) > 30 {
			t.Errorf("%s: colour %v in the middle, expected about %v", format, got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := encoded(t)
	damaged := bytes.Clone(good["png"])
	damaged[len(damaged)/2] ^= 0x55
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "empty file"},
		{"text", []byte("this is no picture"), "not a picture"},
		{"binary", bytes.Repeat([]byte{0, 1, 2, 250}, 100), "not a picture"},
		{"no pixels", pngOfSize(0, 0), "header"},
		{"huge", pngOfSize(20000, 20000), "20000x20000 pixels, expected at most 16384"},
		{"too many pixels", pngOfSize(16000, 16000), "expected at most 50331648 in all"},
		{"a single pixel", pngOfSize(1, 1), "at least 16"},
		{"header only", pngOfSize(100, 100), "truncated"},
		{"truncated png", good["png"][:len(good["png"])*2/3], "png picture of 40x30"},
		{"png cut short", good["png"][:len(good["png"])-6], "truncated"},
		{"truncated jpeg", good["jpeg"][:len(good["jpeg"])*2/3], "truncated"},
		{"truncated gif", good["gif"][:len(good["gif"])*2/3], "gif"},
		{"damaged png", damaged, "png"},
	} {
		m, err := Decode(t.Context(), test.data)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: picture %v, error %v, expected an error with %q", test.name, m != nil, err, test.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, data := range encoded(f) {
		f.Add(data)
	}
	f.Add(pngOfSize(20000, 20000))
	f.Add(webpOfSize(image.Pt(300, 200), image.Pt(300, 200)))
	f.Add(webpOfSize(image.Pt(100, 100), image.Pt(16384, 16384)))
	f.Add(progressiveJPEG(image.Pt(64, 64), 2*maxScans))
	f.Add(progressiveJPEG(image.Pt(64, 64), 5))
	// A pixel of a progressive JPEG of four colours takes the most memory: 16 bytes of
	// coefficients, 4 of samples, 4 as CMYK, 4 as RGBA. The decoders' tables come on
	// top. The size bounds the time: the decoder goes over each pixel at most maxScans
	// times, in some nanoseconds each.
	const (
		perPixel, perByte, always = 40, 40, 4 << 20
		timePerPixel, timeAlways  = maxScans * time.Microsecond, 10 * time.Second
	)
	f.Fuzz(func(t *testing.T, data []byte) {
		pixels := 0
		if size, err := Size(data); err == nil {
			if pixels = size.X * size.Y; pixels > 1<<20 {
				return // slow because it is large, and for no other reason
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var spent, by syscall.Rusage // processor time, however much the machine has to give
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &spent)
		m, err := Decode(t.Context(), data)
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &by)
		took := time.Duration(by.Utime.Nano() + by.Stime.Nano() - spent.Utime.Nano() - spent.Stime.Nano())
		runtime.ReadMemStats(&after)
		if (m == nil) == (err == nil) {
			t.Fatalf("picture %v and error %v", m != nil, err)
		}
		if m != nil && m.Rect.Dx()*m.Rect.Dy() > pixels {
			t.Errorf("%v, expected at most %d pixels", m.Rect, pixels)
		}
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(always+perPixel*pixels+perByte*len(data)); got > most {
			t.Errorf("%d bytes were taken for %d pixels in %d bytes, expected at most %d", got, pixels, len(data), most)
		}
		if most := timeAlways + time.Duration(pixels)*timePerPixel; took > most {
			t.Errorf("%v for %d pixels, expected at most %v", took, pixels, most)
		}
	})
}
