package adb

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

const testPixels = 64 << 20

// rawFrame builds the output of screencap: a header of 12 or 16 bytes, and pixels.
func rawFrame(size image.Point, format pixelFormat, header int, pixels []byte) []byte {
	data := binary.LittleEndian.AppendUint32(nil, uint32(size.X))
	data = binary.LittleEndian.AppendUint32(data, uint32(size.Y))
	data = binary.LittleEndian.AppendUint32(data, uint32(format))
	if header == 16 {
		data = binary.LittleEndian.AppendUint32(data, 1)
	}
	return append(data, pixels...)
}

// picture is opaque noise with every byte value in it.
func picture(size image.Point) *image.RGBA {
	source := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rectangle{Max: size})
	for i := range img.Pix {
		img.Pix[i] = byte(source.Uint32())
	}
	makeOpaque(img.Pix)
	return img
}

func packed(data []byte) []byte {
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	_, _ = w.Write(data) // a bytes.Buffer takes everything
	_ = w.Close()
	return buffer.Bytes()
}

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var buffer bytes.Buffer
	if err := png.Encode(&buffer, img); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func crlf(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) }

func wantFault(t *testing.T, err error, want FrameKind) *FrameError {
	t.Helper()
	var fault *FrameError
	if !errors.As(err, &fault) || fault.Kind != want {
		t.Fatalf("error %v, want a FrameError %q", err, want)
	}
	if strings.Contains(fault.Error(), "\n") {
		t.Errorf("error over several lines: %q", fault)
	}
	return fault
}

func TestDecodeEveryFormat(t *testing.T) {
	// Four pixels: red, green, blue, and a grey that no format has to round.
	want := []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}
	le32 := func(values ...uint32) (data []byte) {
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, v)
		}
		return data
	}
	le16 := func(values ...uint16) (data []byte) {
		for _, v := range values {
			data = binary.LittleEndian.AppendUint16(data, v)
		}
		return data
	}
	const one = 0x3c00 // 1.0 as a half
	for name, test := range map[string]struct {
		format pixelFormat
		pixels []byte
	}{
		"RGBA_8888":    {1, []byte{255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 0, 255, 255, 255, 255}},
		"RGBX_8888":    {2, []byte{255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 255, 255, 255, 0}},
		"RGB_888":      {3, []byte{255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}},
		"RGB_565":      {4, le16(0xf800, 0x07e0, 0x001f, 0xffff)},
		"BGRA_8888":    {5, []byte{0, 0, 255, 255, 0, 255, 0, 0, 255, 0, 0, 1, 255, 255, 255, 255}},
		"RGBA_FP16":    {22, le16(one, 0, 0, one, 0, one, 0, one, 0, 0x8000, one, 0, 0x7c00, 0x4000, one, one)},
		"RGBA_1010102": {43, le32(0x3ff|3<<30, 0x3ff<<10, 0x3ff<<20, 0xffffffff)},
	} {
		for _, header := range []int{12, 16} {
			data := rawFrame(image.Pt(2, 2), test.format, header, test.pixels)
			img, warning, err := decodeRaw(bytes.NewReader(data), testPixels)
			if err != nil || warning != "" {
				t.Errorf("%s with a header of %d: %v, warning %q", name, header, err, warning)
				continue
			}
			for i, c := range want {
				if got := img.RGBAAt(i%2, i/2); got != c {
					t.Errorf("%s with a header of %d: pixel %d is %v, want %v", name, header, i, got, c)
				}
			}
		}
	}
}

func TestHalfAndTenBitValues(t *testing.T) {
	for half, want := range map[uint16]byte{
		0x0000: 0, 0x8000: 0, 0xbc00: 0, 0x3800: 128, 0x3c00: 255, 0x7bff: 255, 0x7e00: 255, 0x03ff: 0, 0x3400: 64,
	} {
		if got := halfToByte(half); got != want {
			t.Errorf("halfToByte(%#04x) = %d, want %d", half, got, want)
		}
	}
	for ten, want := range map[uint32]byte{0: 0, 1: 0, 2: 0, 3: 1, 512: 128, 1023: 255, 1024: 0} {
		if got := tenBits(ten); got != want {
			t.Errorf("tenBits(%d) = %d, want %d", ten, got, want)
		}
	}
}

func TestDecodeKeepsEveryPixel(t *testing.T) {
	want := picture(image.Pt(63, 97))
	raw := rawFrame(image.Pt(63, 97), 1, 16, want.Pix)
	for name, decode := range map[string]func() (*image.RGBA, string, error){
		"raw": func() (*image.RGBA, string, error) { return decodeRaw(bytes.NewReader(raw), testPixels) },
		"byte by byte": func() (*image.RGBA, string, error) {
			return decodeRaw(iotest.OneByteReader(bytes.NewReader(raw)), testPixels)
		},
		"gzip": func() (*image.RGBA, string, error) { return decodeGzip(bytes.NewReader(packed(raw)), testPixels) },
		"png":  func() (*image.RGBA, string, error) { return decodePNG(encoded(t, want), testPixels) },
	} {
		img, warning, err := decode()
		if err != nil || warning != "" {
			t.Errorf("%s: %v, warning %q", name, err, warning)
		} else if img.Rect != want.Rect || img.Stride != want.Stride || !bytes.Equal(img.Pix, want.Pix) {
			t.Errorf("%s: the picture differs", name)
		}
	}
}

func TestDecodePNGKinds(t *testing.T) {
	rect := image.Rect(0, 0, 3, 2)
	gray, paletted, translucent := image.NewGray(rect), image.NewPaletted(rect, color.Palette{color.White, color.RGBA{200, 0, 0, 255}}), image.NewNRGBA(rect)
	gray.SetGray(1, 1, color.Gray{77})
	paletted.SetColorIndex(1, 1, 1)
	translucent.SetNRGBA(1, 1, color.NRGBA{10, 200, 30, 128})
	for name, test := range map[string]struct {
		img  image.Image
		want color.RGBA
	}{
		"gray":        {gray, color.RGBA{77, 77, 77, 255}},
		"palette":     {paletted, color.RGBA{200, 0, 0, 255}},
		"translucent": {translucent, color.RGBA{10, 200, 30, 255}},
	} {
		img, _, err := decodePNG(encoded(t, test.img), testPixels)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := img.RGBAAt(1, 1); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestTextBeforeFrameIsAWarning(t *testing.T) {
	img := picture(image.Pt(56, 40)) // 56 is the letter 8: the header looks like text
	raw := rawFrame(img.Rect.Size(), 1, 16, img.Pix)
	const text = "[Warning] Multiple displays were found, but no display id was specified!\n"
	for name, decode := range map[string]func() (*image.RGBA, string, error){
		"raw": func() (*image.RGBA, string, error) {
			return decodeRaw(strings.NewReader(text+string(raw)), testPixels)
		},
		"gzip outside": func() (*image.RGBA, string, error) {
			return decodeGzip(strings.NewReader(text+string(packed(raw))), testPixels)
		},
		"gzip inside": func() (*image.RGBA, string, error) {
			return decodeGzip(bytes.NewReader(packed([]byte(text+string(raw)))), testPixels)
		},
		"png": func() (*image.RGBA, string, error) {
			return decodePNG([]byte(text+string(encoded(t, img))), testPixels)
		},
	} {
		got, warning, err := decode()
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case !bytes.Equal(got.Pix, img.Pix):
			t.Errorf("%s: the picture differs", name)
		case warning != strings.TrimSpace(text):
			t.Errorf("%s: warning %q, want %q", name, warning, strings.TrimSpace(text))
		}
	}
}

func TestRawFaults(t *testing.T) {
	size := image.Pt(64, 48)
	img := picture(size)
	raw := rawFrame(size, 1, 16, img.Pix)
	old := rawFrame(size, 1, 12, img.Pix)
	black := image.NewRGBA(image.Rectangle{Max: size})
	for i := range black.Pix {
		black.Pix[i] = 3
	}
	for name, test := range map[string]struct {
		data  []byte
		fault FrameKind
		text  string // expected in the message
	}{
		"nothing":           {nil, FrameEmpty, "nothing arrived"},
		"text":              {[]byte("/system/bin/sh: screencap: not found\n"), FrameNoHeader, "screencap: not found"},
		"long text":         {[]byte(strings.Repeat("WARNING: linker: libdvm.so has text relocations\n", 200)), FrameNoHeader, "linker"},
		"junk":              {bytes.Repeat([]byte{0xde, 0xad, 0xbe, 0xef}, 99), FrameNoHeader, "de ad be ef"},
		"part of a header":  {raw[:7], FrameTruncated, "7 bytes where 12"},
		"header only":       {raw[:12], FrameTruncated, "0 bytes where 12288"},
		"half":              {raw[:len(raw)/2], FrameTruncated, "64x48"},
		"a byte less":       {old[:len(old)-1], FrameTruncated, "12287 bytes"},
		"a byte more":       {append(bytes.Clone(old), 0), FrameExcess, "12289 bytes"},
		"between headers":   {append(bytes.Clone(old), 1, 2), FrameExcess, "12290"},
		"a pixel more":      {append(bytes.Clone(old), 1, 2, 3, 255), FrameExcess, "12292"},
		"17 bytes":          {append(bytes.Clone(raw), 1), FrameExcess, "12293"},
		"text behind":       {append(bytes.Clone(raw), "Killed by signal and more\n"...), FrameExcess, "longer"},
		"CRLF":              {crlf(raw), FrameCRLF, "CR LF"},
		"CRLF, old header":  {crlf(old), FrameCRLF, "CR LF"},
		"CRLF in header":    {crlf(rawFrame(image.Pt(10, 2560), 1, 16, picture(image.Pt(10, 2560)).Pix)), FrameCRLF, "10x2560"},
		"format":            {rawFrame(size, 77, 16, img.Pix), FrameFormat, "format 77"},
		"zero wide":         {rawFrame(image.Pt(0, 48), 1, 16, nil), FrameNoHeader, "00 00"},
		"zero by zero":      {rawFrame(image.Pt(0, 0), 1, 16, nil), FrameNoHeader, "00 00"},
		"lying header":      {rawFrame(image.Pt(20000, 20000), 1, 16, img.Pix), FrameTooLarge, "20000x20000"},
		"lying about a bit": {rawFrame(image.Pt(8000, 8000), 22, 16, img.Pix), FrameTruncated, "8000x8000"},
		"black":             {rawFrame(size, 1, 16, black.Pix), FrameBlack, "secure window"},
		"NUL before":        {append([]byte("x\x00\n"), raw...), FrameNoHeader, ""},
	} {
		t.Run(name, func(t *testing.T) {
			img, _, err := decodeRaw(bytes.NewReader(test.data), testPixels)
			if img != nil {
				t.Errorf("a picture with error %v", err)
			}
			fault := wantFault(t, err, test.fault)
			if !strings.Contains(fault.Error(), test.text) {
				t.Errorf("message %q, want %q in it", fault, test.text)
			}
		})
	}
}

func TestMangledByFourLooksLikeALongHeader(t *testing.T) {
	// A short header with exactly four LFs in the pixels: CRLF makes the frame as
	// long as one with a long header.
	size := image.Pt(8, 8)
	pixels := bytes.Repeat([]byte{200, 100, 50, 255}, 64)
	for _, at := range []int{40, 80, 120, 160} {
		pixels[at] = '\n'
	}
	data := crlf(rawFrame(size, 1, 12, pixels))
	if len(data) != 16+4*64 {
		t.Fatalf("%d bytes", len(data))
	}
	_, _, err := decodeRaw(bytes.NewReader(data), testPixels)
	wantFault(t, err, FrameCRLF)
}

func TestBrokenStreamIsNamed(t *testing.T) {
	raw := rawFrame(image.Pt(64, 48), 1, 16, picture(image.Pt(64, 48)).Pix)
	broken := errors.New("connection reset by peer")
	stream := func(data []byte) io.Reader {
		return io.MultiReader(bytes.NewReader(data), iotest.ErrReader(broken))
	}
	_, _, err := decodeRaw(stream(raw[:5000]), testPixels)
	wantFault(t, err, FrameTruncated)
	if !errors.Is(err, broken) {
		t.Errorf("%v does not say %v", err, broken)
	}
	_, _, err = decodeGzip(stream(packed(raw)[:5000]), testPixels)
	wantFault(t, err, FrameTruncated)
	if !errors.Is(err, broken) {
		t.Errorf("%v does not say %v", err, broken)
	}
	_, _, err = decodeRaw(stream(nil), testPixels)
	wantFault(t, err, FrameEmpty)
}

func TestGzipFaults(t *testing.T) {
	size := image.Pt(64, 48)
	raw := rawFrame(size, 1, 16, picture(size).Pix)
	whole := packed(raw)
	flip := func(at int) []byte {
		data := bytes.Clone(whole)
		data[at] ^= 0x55
		return data
	}
	for name, test := range map[string]struct {
		data  []byte
		fault FrameKind
	}{
		"nothing":           {nil, FrameEmpty},
		"empty inside":      {packed(nil), FrameEmpty},
		"no gzip":           {[]byte("/system/bin/sh: gzip: not found\n"), FrameNoHeader},
		"half":              {whole[:len(whole)/2], FrameTruncated},
		"checksum cut":      {whole[:len(whole)-3], FrameTruncated},
		"checksum":          {flip(len(whole) - 6), FrameBadGzip},
		"bytes behind":      {append(bytes.Clone(whole), "more"...), FrameExcess},
		"CRLF":              {crlf(whole), FrameCRLF},
		"truncated inside":  {packed(raw[:900]), FrameTruncated},
		"lying header":      {packed(rawFrame(image.Pt(60000, 60000), 1, 16, nil)), FrameTooLarge},
		"bomb":              {packed(append(bytes.Clone(raw), make([]byte, 1<<20)...)), FrameExcess},
		"CRLF inside":       {packed(crlf(raw)), FrameCRLF},
		"text inside":       {packed([]byte("screencap: capture failed")), FrameNoHeader},
		"damaged in middle": {append(bytes.Clone(whole[:100]), bytes.Repeat([]byte{0xff}, 4000)...), FrameBadGzip},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := decodeGzip(bytes.NewReader(test.data), testPixels)
			wantFault(t, err, test.fault)
		})
	}
}

func TestPNGFaults(t *testing.T) {
	img := picture(image.Pt(64, 48))
	whole := encoded(t, img)
	flip := bytes.Clone(whole)
	flip[len(flip)/2] ^= 0x55
	// The start of a picture of 8000x8000 pixels, and no more.
	lying := encoded(t, image.NewGray(image.Rect(0, 0, 8000, 8000)))[:200]
	for name, test := range map[string]struct {
		data      []byte
		maxPixels int
		fault     FrameKind
	}{
		"nothing":     {nil, testPixels, FrameEmpty},
		"text":        {[]byte("Error opening file: (Permission denied)\n"), testPixels, FrameNoHeader},
		"half":        {whole[:len(whole)/2], testPixels, FrameTruncated},
		"no end":      {whole[:len(whole)-5], testPixels, FrameTruncated},
		"flipped":     {flip, testPixels, FrameBadPNG},
		"signature":   {whole[:8], testPixels, FrameTruncated},
		"CRLF":        {crlf(whole), testPixels, FrameCRLF},
		"behind":      {append(bytes.Clone(whole), "text"...), testPixels, FrameExcess},
		"lying":       {lying, testPixels, FrameTruncated},
		"too large":   {lying, 1 << 20, FrameTooLarge},
		"black":       {encoded(t, image.NewRGBA(image.Rect(0, 0, 9, 9))), testPixels, FrameBlack},
		"a raw frame": {rawFrame(image.Pt(64, 48), 1, 16, img.Pix), testPixels, FrameNoHeader},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := decodePNG(test.data, test.maxPixels)
			wantFault(t, err, test.fault)
		})
	}
}

func TestDarkFrameWithAnythingOnItIsNotBlack(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 50, 50))
	makeOpaque(img.Pix)
	img.SetRGBA(49, 49, color.RGBA{1, 0, 0, 255})
	if _, _, err := decodeRaw(bytes.NewReader(rawFrame(image.Pt(50, 50), 1, 16, img.Pix)), testPixels); err != nil {
		t.Error(err)
	}
	gray := bytes.Repeat([]byte{17, 17, 17, 255}, 2500)
	if _, _, err := decodeRaw(bytes.NewReader(rawFrame(image.Pt(50, 50), 1, 16, gray)), testPixels); err != nil {
		t.Error("one colour that is not very dark:", err)
	}
}

func TestLyingHeaderTakesLittleMemory(t *testing.T) {
	raw := rawFrame(image.Pt(8192, 8192), 22, 16, make([]byte, 100)) // announces 512 MB
	lying := encoded(t, image.NewGray(image.Rect(0, 0, 8000, 8000)))[:200]
	for name, test := range map[string]struct {
		decode func() error
		most   uint64
	}{
		"raw": {func() error { _, _, err := decodeRaw(bytes.NewReader(raw), testPixels); return err }, firstChunk + 4<<20},
		"png": {func() error { _, _, err := decodePNG(lying, testPixels); return err }, 4 << 20},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := test.decode()
		runtime.ReadMemStats(&after)
		wantFault(t, err, FrameTruncated)
		if got := after.TotalAlloc - before.TotalAlloc; got > test.most {
			t.Errorf("%s: %d bytes allocated for a frame of a few hundred, want at most %d", name, got, test.most)
		}
	}
}

// endless is a stream that begins with some bytes and goes on with others for ever.
type endless struct {
	begin, then []byte
	read        int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.begin)
	e.begin = e.begin[n:]
	if n == 0 {
		n = copy(p, e.then)
	}
	e.read += n
	return n, nil
}

// TestEndlessFrames reads no more of a stream than the frame has that its header promises.
func TestEndlessFrames(t *testing.T) {
	whole, pix := encoded(t, picture(image.Pt(300, 200))), 300*200*4
	png := func(r io.Reader) error {
		data, err := readPNG(r, testPixels)
		if err == nil {
			_, _, err = decodePNG(data, testPixels)
		}
		return err
	}
	raw := func(r io.Reader) error { _, _, err := decodeRaw(r, testPixels); return err }
	text := []byte("WARNING: linker: libX.so has text relocations\n")
	for name, test := range map[string]struct {
		begin, then []byte
		decode      func(io.Reader) error
		most        int
		fault       FrameKind
	}{
		"a PNG and zeros":        {whole, make([]byte, 4096), png, pix + pix/10 + 100_000, FrameExcess},
		"a PNG without an end":   {whole[:len(whole)-20], make([]byte, 4096), png, pix + pix/10 + 100_000, FrameTruncated},
		"text, a PNG and text":   {append(bytes.Clone(text), whole...), text, png, pix + pix/10 + 100_000, FrameExcess},
		"text for a PNG":         {text, text, png, 1 << 14, FrameNoHeader},
		"zeros for a PNG":        {nil, make([]byte, 4096), png, 1 << 14, FrameNoHeader},
		"PNGs one after another": {whole, whole, png, pix + pix/10 + 100_000, FrameExcess},
		"too large a PNG":        {encoded(t, image.NewGray(image.Rect(0, 0, 9000, 9000)))[:200], text, png, 1 << 14, FrameTooLarge},
		"a raw frame and zeros":  {rawFrame(image.Pt(300, 200), 1, 16, make([]byte, pix)), make([]byte, 4096), raw, pix + 1<<14, FrameExcess},
		"text for a raw frame":   {text, text, raw, 1 << 14, FrameNoHeader},
	} {
		e := &endless{begin: test.begin, then: test.then}
		wantFault(t, test.decode(e), test.fault)
		if e.read > test.most {
			t.Errorf("%s: %d bytes read, expected at most %d", name, e.read, test.most)
		}
	}
}

func TestFramesBeyondTheFirstChunk(t *testing.T) {
	data := bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7}, 100)
	for _, n := range []int{0, 1, 699, 700, 701, 5000} {
		got, err := readUpTo(bytes.NewReader(data), n)
		if want := data[:min(n, len(data))]; !bytes.Equal(got, want) {
			t.Errorf("readUpTo %d: %d bytes, want %d (%v)", n, len(got), len(want), err)
		}
	}
	if testing.Short() {
		t.Skip("a frame of 40 MB")
	}
	size := image.Pt(3200, 3200)
	img := picture(size)
	got, _, err := decodeRaw(bytes.NewReader(rawFrame(size, 1, 16, img.Pix)), testPixels)
	if err != nil || !bytes.Equal(got.Pix, img.Pix) {
		t.Errorf("a frame larger than the first chunk: %v", err)
	}
}

func FuzzDecodeFrame(f *testing.F) {
	img := picture(image.Pt(6, 5))
	for _, format := range []pixelFormat{1, 2, 3, 4, 5, 22, 43} {
		pixels := bytes.Repeat([]byte{9, 8, 7, 6}, 60)[:6*5*format.size()]
		raw := rawFrame(image.Pt(6, 5), format, 16, pixels)
		f.Add(raw)
		f.Add(raw[4:])
		f.Add(crlf(raw))
		f.Add(packed(raw))
	}
	f.Add(encoded(f, img))
	f.Add(crlf(encoded(f, img)))
	f.Add([]byte("WARNING: linker\n" + string(rawFrame(image.Pt(6, 5), 1, 12, img.Pix))))
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 16
		for name, decode := range map[string]func() (*image.RGBA, string, error){
			"raw":  func() (*image.RGBA, string, error) { return decodeRaw(bytes.NewReader(data), most) },
			"gzip": func() (*image.RGBA, string, error) { return decodeGzip(bytes.NewReader(data), most) },
			"png":  func() (*image.RGBA, string, error) { return decodePNG(data, most) },
		} {
			img, _, err := decode()
			var fault *FrameError
			switch {
			case (img == nil) == (err == nil):
				t.Errorf("%s: picture %v and error %v", name, img != nil, err)
			case err != nil:
				if !errors.As(err, &fault) {
					t.Errorf("%s: %v is no FrameError", name, err)
				}
				_ = err.Error()
			default:
				if img.Rect.Dx()*img.Rect.Dy() > most || len(img.Pix) != 4*img.Rect.Dx()*img.Rect.Dy() || !img.Opaque() {
					t.Errorf("%s: picture %v of %d bytes", name, img.Rect, len(img.Pix))
				}
			}
		}
	})
}

// flat is a puzzle-like frame: mostly one colour, so it packs well.
func flat(size image.Point) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			c := color.RGBA{10, 12, 14, 255}
			if x%120 < 3 || y%120 < 3 {
				c = color.RGBA{90, 80, 40, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func BenchmarkDecodeRaw(b *testing.B) {
	size := image.Pt(1080, 2340)
	data := rawFrame(size, 1, 16, flat(size).Pix)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decodeRaw(bytes.NewReader(data), testPixels); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeGzip(b *testing.B) {
	size := image.Pt(1080, 2340)
	raw := rawFrame(size, 1, 16, flat(size).Pix)
	data := packed(raw)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decodeGzip(bytes.NewReader(data), testPixels); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodePNG(b *testing.B) {
	size := image.Pt(1080, 2340)
	data := encoded(b, flat(size))
	b.SetBytes(int64(4 * size.X * size.Y))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decodePNG(data, testPixels); err != nil {
			b.Fatal(err)
		}
	}
}
