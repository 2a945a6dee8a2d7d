package adb

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// A Frame is one picture of the screen.
type Frame struct {
	Image    *image.RGBA   // every pixel opaque, origin at 0,0
	Size     image.Point   // pixels, as captured
	Rotation int           // quarter turns 0–3 from the natural way up, -1 unknown
	Screen   Screen        // as the window manager had it; zero unknown
	Time     time.Time     // when the capture was asked for
	Duration time.Duration // from asking to decoded
	Method   Method
	Warning  string // text the phone printed before the frame; usually empty
}

// A FrameKind says what is wrong with a frame.
type FrameKind string

// The kinds of faulty frames.
const (
	FrameEmpty     FrameKind = "empty"     // nothing arrived
	FrameNoHeader  FrameKind = "no header" // text or junk in place of a frame
	FrameTruncated FrameKind = "truncated" // ends too early
	FrameExcess    FrameKind = "too long"  // more bytes than its header says
	FrameCRLF      FrameKind = "line ends" // every LF became CR LF on the way
	FrameFormat    FrameKind = "format"    // a pixel format that is not known
	FrameTooLarge  FrameKind = "too large" // over Config.MaxPixels
	FrameBadPNG    FrameKind = "bad PNG"   // the PNG does not decode
	FrameBadGzip   FrameKind = "bad gzip"  // the gzip stream does not decode
	FrameBlack     FrameKind = "all black" // one very dark colour
	FrameBand      FrameKind = "a band"    // one very dark colour except for a band at one end
)

// A FrameError says why the phone's answer is not a frame.
type FrameError struct {
	Kind      FrameKind
	Text      string      // what came in place of or around the frame, shortened
	Got, Want int64       // bytes; zero where lengths are not the point
	Size      image.Point // what the header says; zero without one
	Err       error       // the cause underneath, may be nil
}

func (e *FrameError) Error() string {
	var text string
	switch e.Kind {
	case FrameEmpty:
		text = "no frame: nothing arrived"
	case FrameNoHeader:
		text = "no frame: there is no header"
	case FrameTruncated:
		text = "frame cut short"
	case FrameExcess:
		text = "frame longer than its header says"
	case FrameCRLF:
		text = "frame damaged on the way: every LF became CR LF, as shell: does on Android 6 and older; capture over exec: or pull a file"
	case FrameFormat:
		text = "unknown pixel format"
	case FrameTooLarge:
		text = "frame too large"
	case FrameBadPNG:
		text = "the PNG does not decode"
	case FrameBadGzip:
		text = "the gzip stream does not decode"
	case FrameBand:
		text = "the frame is black except for a band: the app forbids screenshots (secure window), or the screen shows only a status bar"
	case FrameBlack:
		text = "the frame is all black: the screen is off, the app forbids screenshots (secure window), or it is another display"
	default:
		text = string(e.Kind)
	}
	if e.Size != (image.Point{}) {
		text += ", " + sizeText(e.Size)
	}
	if e.Got != 0 || e.Want != 0 {
		text += fmt.Sprintf(", %d bytes where %d were expected", e.Got, e.Want)
	}
	if e.Text != "" {
		text += fmt.Sprintf(": %q", e.Text)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause underneath. A frame that was cut short, or that did not come without
// a reason, is also an ErrClosed.
func (e *FrameError) Unwrap() []error {
	var causes []error
	if e.Kind == FrameTruncated || (e.Kind == FrameEmpty && e.Text == "") {
		causes = append(causes, ErrClosed)
	}
	if e.Err != nil {
		causes = append(causes, e.Err)
	}
	return causes
}

// pixelFormat is screencap's number for the layout of a pixel.
type pixelFormat uint32

const (
	formatRGBA8888    pixelFormat = 1
	formatRGBX8888    pixelFormat = 2
	formatRGB888      pixelFormat = 3
	formatRGB565      pixelFormat = 4
	formatBGRA8888    pixelFormat = 5
	formatRGBAFP16    pixelFormat = 22
	formatRGBA1010102 pixelFormat = 43
)

// size is the number of bytes in a pixel, 0 for an unknown format.
func (f pixelFormat) size() int {
	switch f {
	case formatRGBA8888, formatRGBX8888, formatBGRA8888, formatRGBA1010102:
		return 4
	case formatRGB888:
		return 3
	case formatRGB565:
		return 2
	case formatRGBAFP16:
		return 8
	}
	return 0
}

const (
	headerSize    = 12      // width, height, format
	maxHeaderText = 4096    // bytes of text before the header that are searched
	maxSide       = 1 << 16 // a larger number is no width or height
	firstChunk    = 32 << 20
)

type rawHeader struct {
	width, height uint32
	format        pixelFormat
}

func readHeader(data []byte) rawHeader {
	return rawHeader{
		width:  binary.LittleEndian.Uint32(data),
		height: binary.LittleEndian.Uint32(data[4:]),
		format: pixelFormat(binary.LittleEndian.Uint32(data[8:])),
	}
}

func (h rawHeader) plausible() bool {
	return h.width > 0 && h.width <= maxSide && h.height > 0 && h.height <= maxSide
}

func (h rawHeader) size() image.Point { return image.Pt(int(h.width), int(h.height)) }

// findHeader looks for a header with only text before it. Text has no NUL byte and
// a header does, so the first place that fits is the header.
func findHeader(data []byte, fits func(rawHeader) bool) (at int, header rawHeader, found bool) {
	for at = 0; at+headerSize <= len(data); at++ {
		header = readHeader(data[at:])
		if header.plausible() && fits(header) {
			return at, header, isText(data[:at])
		}
		if data[at] == 0 {
			break // no header starts further on: something other than text would precede it
		}
	}
	return 0, rawHeader{}, false
}

func isText(data []byte) bool {
	return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}

// decodeRaw reads screencap's raw output to its end: perhaps some text, a header
// of 12 or 16 bytes, and exactly the pixels the header announces.
func decodeRaw(r io.Reader, maxPixels int) (img *image.RGBA, warning string, err error) {
	br := bufio.NewReaderSize(r, 2*maxHeaderText)
	head, err := br.Peek(maxHeaderText + headerSize)
	at, header, found := findHeader(head, func(h rawHeader) bool { return h.format.size() > 0 })
	if !found {
		return nil, "", withoutHeader(head, err)
	}
	warning = shorten(strings.TrimSpace(string(head[:at])))
	size := header.size()
	if size.X*size.Y > maxPixels {
		return nil, warning, &FrameError{Kind: FrameTooLarge, Size: size, Text: warning,
			Err: fmt.Errorf("at most %d pixels", maxPixels)}
	}
	if _, err := br.Discard(at + headerSize); err != nil {
		return nil, warning, err // cannot happen: these bytes were peeked at
	}
	// Android 8 added a fourth word to the header, the colour space. Only the
	// length tells which form this is: read as far as the longer form reaches, and
	// one byte more.
	need := size.X * size.Y * header.format.size()
	data, err := readUpTo(br, need+5)
	fault := &FrameError{Size: size, Text: warning, Got: int64(len(data)), Want: int64(need), Err: brokenStream(err)}
	switch extra := len(data) - need; {
	case extra < 0:
		fault.Kind = FrameTruncated
		return nil, warning, fault
	case extra == 0:
	case extra == 4 && int32(binary.LittleEndian.Uint32(data)) >= 0:
		// Colour spaces are small numbers, but an opaque pixel read as one is
		// negative: then the header is short and the frame has four bytes too many.
		data = data[4:]
	default:
		fault.Kind = FrameExcess
		if mangled(data, 1) || mangled(head, 1) {
			fault.Kind = FrameCRLF
		}
		return nil, warning, fault
	}
	img, err = notBlack(toRGBA(data, size, header.format))
	return img, warning, err
}

func unknownFormat(h rawHeader) bool { return h.format.size() == 0 && h.format < 1<<10 }

// withoutHeader says what came instead of a frame.
func withoutHeader(head []byte, readErr error) *FrameError {
	if len(head) == 0 {
		return &FrameError{Kind: FrameEmpty, Err: brokenStream(readErr)}
	}
	if at, header, found := findHeader(head, unknownFormat); found {
		return &FrameError{Kind: FrameFormat, Size: header.size(), Text: shorten(string(head[:at])),
			Err: fmt.Errorf("format %d", header.format)}
	}
	undone := bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n"))
	if mangled(head, 1) {
		if _, header, found := findHeader(undone, func(h rawHeader) bool { return h.format.size() > 0 }); found {
			return &FrameError{Kind: FrameCRLF, Size: header.size()}
		}
	}
	if isText(head) {
		return &FrameError{Kind: FrameNoHeader, Text: shorten(strings.TrimSpace(string(head))), Err: brokenStream(readErr)}
	}
	if len(head) < headerSize {
		return &FrameError{Kind: FrameTruncated, Got: int64(len(head)), Want: headerSize, Err: brokenStream(readErr)}
	}
	return &FrameError{Kind: FrameNoHeader, Text: shorten(printable(head)), Err: brokenStream(readErr)}
}

// printable is the text at the start of data, or its first bytes as numbers.
func printable(data []byte) string {
	end := bytes.IndexFunc(data, func(r rune) bool { return r == utf8.RuneError || r == 0 })
	if text := strings.TrimSpace(string(data[:max(end, 0)])); len(text) > 3 {
		return text
	}
	return fmt.Sprintf("% x", data[:min(len(data), 16)])
}

// mangled reports whether data looks as if every LF became CR LF: it has at least
// that many LFs and none without a CR before it.
func mangled(data []byte, least int) bool {
	count := 0
	for at := 0; ; {
		next := bytes.IndexByte(data[at:], '\n')
		if next < 0 {
			return count >= least
		}
		at += next
		if at > 0 && data[at-1] != '\r' {
			return false
		}
		count++
		at++
	}
}

// readUpTo reads until n bytes or the end. Memory grows with the bytes that
// actually arrive, and is taken in one piece for the screens of today's phones.
func readUpTo(r io.Reader, n int) ([]byte, error) {
	buffer := make([]byte, min(n, firstChunk))
	got := 0
	for {
		m, err := io.ReadFull(r, buffer[got:])
		got += m
		if err != nil || got == n {
			return buffer[:got], err
		}
		grown := make([]byte, min(n, 2*len(buffer)))
		copy(grown, buffer)
		buffer = grown
	}
}

// brokenStream drops the errors of a stream that merely ended, which say no more
// than its length does.
func brokenStream(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// toRGBA makes an opaque picture of the pixels. It keeps data where the layout is
// the same.
func toRGBA(data []byte, size image.Point, format pixelFormat) *image.RGBA {
	rect := image.Rectangle{Max: size}
	if format.size() == 4 {
		img := &image.RGBA{Pix: data[: 4*size.X*size.Y : 4*size.X*size.Y], Stride: 4 * size.X, Rect: rect}
		switch format {
		case formatBGRA8888:
			for i := 0; i < len(img.Pix); i += 4 {
				p := img.Pix[i : i+4 : i+4]
				p[0], p[2], p[3] = p[2], p[0], 0xff
			}
		case formatRGBA1010102:
			for i := 0; i < len(img.Pix); i += 4 {
				p := img.Pix[i : i+4 : i+4]
				v := binary.LittleEndian.Uint32(p)
				p[0], p[1], p[2], p[3] = tenBits(v), tenBits(v>>10), tenBits(v>>20), 0xff
			}
		default:
			makeOpaque(img.Pix)
		}
		return img
	}
	img := image.NewRGBA(rect)
	for i, o := 0, 0; o < len(img.Pix); i, o = i+format.size(), o+4 {
		p := img.Pix[o : o+4 : o+4]
		p[3] = 0xff
		switch format {
		case formatRGB888:
			copy(p, data[i:i+3])
		case formatRGB565:
			v := binary.LittleEndian.Uint16(data[i:])
			r, g, b := v>>11, v>>5&0x3f, v&0x1f
			p[0], p[1], p[2] = byte(r<<3|r>>2), byte(g<<2|g>>4), byte(b<<3|b>>2)
		case formatRGBAFP16:
			for channel := range 3 {
				p[channel] = halfToByte(binary.LittleEndian.Uint16(data[i+2*channel:]))
			}
		}
	}
	return img
}

func tenBits(v uint32) byte { return byte(((v&0x3ff)*255 + 511) / 1023) }

// halfToByte converts a half-precision float in 0..1, clamped, to 0..255. Values
// beyond 1 are highlights of HDR screens.
func halfToByte(half uint16) byte {
	exponent, fraction := int(half>>10&0x1f), float64(half&0x3ff)
	switch {
	case half&0x8000 != 0, exponent == 0: // negative, or under 2^-14
		return 0
	case exponent >= 15: // one and above, infinity, not a number
		return 255
	}
	return byte(math.Round(255 * math.Ldexp(1+fraction/1024, exponent-15)))
}

// makeOpaque sets every alpha byte. Most frames are opaque: eight pixels at a time are
// read, and written only where one of them is not.
func makeOpaque(pix []byte) {
	const alphas = 0xff000000_ff000000
	for ; len(pix) >= 32; pix = pix[32:] {
		eight := pix[:32:32]
		all := binary.LittleEndian.Uint64(eight) & binary.LittleEndian.Uint64(eight[8:]) &
			binary.LittleEndian.Uint64(eight[16:]) & binary.LittleEndian.Uint64(eight[24:])
		if all&alphas != alphas {
			setAlphas(eight)
		}
	}
	setAlphas(pix)
}

func setAlphas(pix []byte) {
	for i := 3; i < len(pix); i += 4 {
		pix[i] = 0xff
	}
}

// dark is the most that a channel of a frame that counts as black has, 0 to 255.
const dark = 16

// notBlack refuses a frame of one very dark colour, and one with nothing on it but a
// status bar.
func notBlack(img *image.RGBA) (*image.RGBA, error) {
	if onlyBand(img) {
		return nil, &FrameError{Kind: FrameBand, Size: img.Rect.Size()}
	}
	first := img.Pix[:4]
	if max(first[0], first[1], first[2]) > dark {
		return img, nil
	}
	// All pixels are equal exactly when the picture equals itself shifted by one
	// pixel.
	if bytes.Equal(img.Pix[4:], img.Pix[:len(img.Pix)-4]) {
		return nil, &FrameError{Kind: FrameBlack, Size: img.Rect.Size()}
	}
	return img, nil
}

// The limits of onlyBand, in pixels, and as parts of the longer side for a band.
const (
	bandScreen = 256 // the least height of a frame that can have a status bar
	bandPart   = 16  // a status bar is at most this part of the height: 146 of 2340 pixels
)

// onlyBand reports whether a frame is of one very dark colour except for a band at its
// upper or its lower end: the status bar over a window that forbids screenshots.
func onlyBand(img *image.RGBA) bool {
	size := img.Rect.Size()
	if size.Y < bandScreen {
		return false
	}
	band := size.Y / bandPart * img.Stride
	uniform := func(pix []byte) bool {
		return max(pix[0], pix[1], pix[2]) <= dark && bytes.Equal(pix[4:], pix[:len(pix)-4])
	}
	// The middle is looked at first: on most frames it decides.
	if !uniform(img.Pix[len(img.Pix)/2/img.Stride*img.Stride:][:img.Stride]) {
		return false
	}
	rows := img.Pix[:size.Y*img.Stride]
	upper, lower := uniform(rows[:len(rows)-band]), uniform(rows[band:])
	return upper != lower // both: it is black all over
}

// decodeGzip reads a gzipped raw frame to its end.
func decodeGzip(r io.Reader, maxPixels int) (*image.RGBA, string, error) {
	br := bufio.NewReaderSize(r, 2*maxHeaderText)
	head, err := br.Peek(maxHeaderText)
	warning, at, found := cutText(head, "\x1f\x8b\x08")
	if !found {
		return nil, "", withoutHeader(head, err)
	}
	head = bytes.Clone(head[at:])
	damaged := func(err error) error {
		fault := &FrameError{Kind: FrameTruncated, Text: warning, Err: brokenStream(err)}
		switch {
		case mangled(head, 4):
			fault.Kind = FrameCRLF
		case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), strings.HasPrefix(err.Error(), "flate: "):
			fault.Kind = FrameBadGzip
		}
		return fault
	}
	if _, err := br.Discard(at); err != nil {
		return nil, warning, err
	}
	zr, err := gzip.NewReader(br)
	if err != nil {
		return nil, warning, damaged(err)
	}
	zr.Multistream(false)
	source := &noting{r: zr}
	img, inner, err := decodeRaw(source, maxPixels)
	if source.err != nil && source.err != io.EOF {
		return nil, warning, damaged(source.err) // whatever decodeRaw made of the rest
	}
	if warning == "" {
		warning = inner
	}
	if err != nil {
		return nil, warning, err
	}
	if _, err := br.Peek(1); err == nil {
		return nil, warning, &FrameError{Kind: FrameExcess, Size: img.Rect.Size(), Text: "bytes follow the gzip stream"}
	}
	return img, warning, nil
}

// noting keeps the first error of a reader.
type noting struct {
	r   io.Reader
	err error
}

func (n *noting) Read(p []byte) (int, error) {
	m, err := n.r.Read(p)
	if n.err == nil {
		n.err = err
	}
	return m, err
}

// cutText finds where a stream that starts with signature begins after some text.
func cutText(head []byte, signature string) (text string, at int, found bool) {
	at = bytes.Index(head, []byte(signature))
	if at < 0 || !isText(head[:at]) {
		return "", 0, false
	}
	return shorten(strings.TrimSpace(string(head[:at]))), at, true
}

const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	pngEnd       = "\x00\x00\x00\x00IEND\xaeB`\x82"
	pngMangled   = "\x89PNG\r\r\n\x1a\r\n"
)

// readPNG reads a PNG, and text before it, to its end, and no more than a PNG takes whose
// header says what this one's says, and a byte. Of what has no header it reads the beginning.
func readPNG(r io.Reader, maxPixels int) ([]byte, error) {
	const (
		header                      = 33 // bytes, with the signature
		widthAt, heightAt           = 16, 20
		depthAt, kindAt             = 24, 25
		chunkPart, chunks, sideMost = 50, 64 << 10, 1 << 16
	)
	br := bufio.NewReaderSize(r, 2*maxHeaderText)
	head, err := br.Peek(maxHeaderText + header)
	_, at, found := cutText(head, pngSignature)
	if !found || len(head) < at+header {
		return head, brokenStream(err)
	}
	width, height := int64(binary.BigEndian.Uint32(head[at+widthAt:])), int64(binary.BigEndian.Uint32(head[at+heightAt:]))
	if width > sideMost || height > sideMost || width*height > int64(maxPixels) {
		return head, nil // decodePNG says so
	}
	channels := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[head[at+kindAt]] // by the kind of colours
	pixels := height * (width*channels*int64(head[at+depthAt])/8 + 2)         // with a byte for each row's filter
	limit := int64(at) + pixels + pixels/chunkPart + chunks                   // deflate and chunks add some thousandths
	data, err := io.ReadAll(io.LimitReader(br, limit+1))
	return data, brokenStream(err)
}

// decodePNG reads a PNG with nothing around it but text before it.
func decodePNG(data []byte, maxPixels int) (*image.RGBA, string, error) {
	if _, _, found := cutText(data, pngMangled); found {
		return nil, "", &FrameError{Kind: FrameCRLF}
	}
	warning, at, found := cutText(data, pngSignature)
	if !found {
		return nil, "", withoutHeader(data[:min(len(data), maxHeaderText)], nil)
	}
	data = data[at:]
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, warning, pngError(err, data, image.Point{}, warning)
	}
	size := image.Pt(config.Width, config.Height)
	// The decoder takes the memory before it sees the pixels. Deflate packs at most
	// 1032 bytes into one, so a short file cannot hold a large picture.
	if size.X > maxPixels/size.Y {
		return nil, warning, &FrameError{Kind: FrameTooLarge, Size: size, Err: fmt.Errorf("at most %d pixels", maxPixels)}
	}
	if size.X*size.Y/8 > 1032*len(data) {
		return nil, warning, &FrameError{Kind: FrameTruncated, Size: size, Text: warning}
	}
	reader := bytes.NewReader(data)
	decoded, err := png.Decode(reader)
	if err != nil {
		return nil, warning, pngError(err, data, size, warning)
	}
	if reader.Len() > 0 {
		return nil, warning, &FrameError{Kind: FrameExcess, Size: size, Got: int64(len(data)), Want: int64(len(data) - reader.Len())}
	}
	img, err := notBlack(opaque(decoded))
	return img, warning, err
}

func pngError(err error, data []byte, size image.Point, warning string) error {
	fault := FrameBadPNG
	if !bytes.HasSuffix(data, []byte(pngEnd)) {
		fault = FrameTruncated
	}
	return &FrameError{Kind: fault, Size: size, Text: warning, Err: err}
}

// opaque makes an opaque picture of a decoded one, without a copy where it can.
func opaque(decoded image.Image) *image.RGBA {
	size := decoded.Bounds().Size()
	var img *image.RGBA
	switch from := decoded.(type) {
	case *image.RGBA:
		img = from
	case *image.NRGBA: // has the same bytes once alpha is gone
		img = &image.RGBA{Pix: from.Pix, Stride: from.Stride, Rect: from.Rect}
	default:
		img = image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(img, img.Rect, decoded, decoded.Bounds().Min, draw.Src)
	}
	makeOpaque(img.Pix)
	return img
}
