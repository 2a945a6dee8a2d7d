package vision

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// A SavedError says what is wrong with a file in which a screen was saved wrongly, if that
// cannot be undone.
type SavedError struct {
	What string // in words
}

func (e *SavedError) Error() string { return "vision: " + e.What }

const (
	pngStart  = "\x89PNG"
	jpegStart = "\xff\xd8\xff"
	webpStart = "RIFF"

	maxText = 64 << 10 // bytes before a picture that are searched: what programs print before it
	lineEnd = 8        // line feeds, at least: each with a carriage return before it is no accident
)

// errNoPicture is the error for a file that is none of the pictures known here.
var errNoPicture = errors.New("vision: not a picture, expected PNG, JPEG, GIF or WebP")

// IsPicture reports whether a file is for Decode: a picture, the rest of a damaged one, or a
// picture in a format that Decode refuses by name.
func IsPicture(data []byte) bool {
	_, err := intact(data)
	return err != errNoPicture
}

// intact is the picture in a file, as it was when it was made: without the text that was
// printed before it, and without the carriage returns that were put before its line feeds,
// as adb's shell does on Android 6 and older, and a console of Windows once more.
func intact(data []byte) ([]byte, error) {
	at := pictureStart(data)
	if at < 0 {
		return nil, withoutStart(data)
	}
	data = data[at:]
	if bytes.HasPrefix(data, []byte(pngStart)) {
		first, second := pngLineEnds(data[len(pngStart):])
		switch n := bytes.IndexByte(second, '\n'); {
		case string(first) == "\r\n" && n == 0:
			return data, nil
		case n > 0 && len(first) == n+2:
			if undone, ok := withoutReturns(data, n); ok {
				return undone, nil
			}
		case string(first) == "\n":
			return nil, &SavedError{"png picture damaged on its way: every CR LF became LF"}
		case string(first) == "\r\n":
			return nil, &SavedError{"png picture damaged on its way: every LF became CR LF, except for those that were CR LF"}
		}
		return nil, &SavedError{fmt.Sprintf("png picture damaged on its way: its line ends were changed, the first from CR LF into %s", endNames(first))}
	}
	if n := addedReturns(data); n > 0 {
		data, _ = withoutReturns(data, n)
	}
	return data, nil
}

// pictureStart is where a picture begins that has only text before it, or -1.
func pictureStart(data []byte) int {
	for at := range data[:min(len(data), maxText)] {
		rest := data[at:]
		switch data[at] {
		case 0:
			return -1 // no text
		case pngStart[0]:
			if first, second := pngLineEnds(bytes.TrimPrefix(rest, []byte(pngStart))); len(first) == 0 || len(second) == 0 {
				continue
			}
		case jpegStart[0]:
			if !bytes.HasPrefix(rest, []byte(jpegStart)) {
				continue
			}
		case webpStart[0]: // with a length, which may have a line feed in it
			if !bytes.HasPrefix(rest, []byte(webpStart)) || !bytes.Contains(rest[4:min(len(rest), 24)], []byte("WEBP")) {
				continue
			}
		case 'G': // a text may tell of it
			if at > 0 || !bytes.HasPrefix(rest, []byte("GIF87a")) && !bytes.HasPrefix(rest, []byte("GIF89a")) {
				continue
			}
		default:
			continue
		}
		if utf8.Valid(data[:at]) {
			return at
		}
		return -1
	}
	return -1
}

// pngLineEnds are the two line ends in the signature of a PNG, of what follows its name: they
// are there to show what became of line ends. They are empty in anything else.
func pngLineEnds(data []byte) (first, second []byte) {
	const most = 16
	data = data[:min(len(data), most)]
	rest := bytes.TrimLeft(data, "\r\n")
	first = data[:len(data)-len(rest)]
	if len(rest) == 0 || rest[0] != 0x1a {
		return nil, nil
	}
	after := bytes.TrimLeft(rest[1:], "\r\n")
	return first, rest[1 : len(rest)-len(after)]
}

// endNames are the names of line ends.
func endNames(ends []byte) string {
	text := bytes.ReplaceAll(bytes.ReplaceAll(ends, []byte("\r"), []byte("CR ")), []byte("\n"), []byte("LF "))
	return string(bytes.TrimSpace(text))
}

// addedReturns is the number of carriage returns that were put before every line feed of a
// picture that does not tell by its signature.
func addedReturns(data []byte) int {
	feeds, least := 0, len(data)
	for rest := data; least > 0; feeds++ {
		feed := bytes.IndexByte(rest, '\n')
		if feed < 0 {
			break
		}
		least = min(least, feed-len(bytes.TrimRight(rest[:feed], "\r")))
		rest = rest[feed+1:]
	}
	if feeds < lineEnd {
		return 0
	}
	return least
}

// withoutReturns takes as many carriage returns away from before each line feed, where there
// are that many.
func withoutReturns(data []byte, n int) ([]byte, bool) {
	returns := bytes.Repeat([]byte("\r"), n)
	out := make([]byte, 0, len(data))
	for {
		feed := bytes.IndexByte(data, '\n')
		if feed < 0 {
			return append(out, data...), true
		}
		if !bytes.HasSuffix(data[:feed], returns) {
			return nil, false
		}
		out = append(append(out, data[:feed-n]...), '\n')
		data = data[feed+1:]
	}
}

// withoutStart says what a file is in which no picture begins.
func withoutStart(data []byte) error {
	head := data[:min(len(data), maxText)]
	asText := func(how string) error {
		return &SavedError{"picture damaged on its way: it was saved as text" + how + ", and bytes that are no text were lost"}
	}
	for at := 0; ; at++ {
		next := bytes.Index(head[at:], []byte("PNG"))
		if next < 0 {
			break
		}
		at += next
		first, second := pngLineEnds(head[at+len("PNG"):])
		switch {
		case len(first) == 0 || len(second) == 0:
			continue
		case at > 0 && head[at-1] == pngStart[0]&0x7f:
			return &SavedError{"png picture damaged on its way: the highest bit of each byte was cleared"}
		}
		return asText("")
	}
	switch {
	case bytes.Contains(head, []byte("P\x00N\x00G\x00\r\x00")), bytes.HasPrefix(head, []byte("\xff\xfe")) && slices.ContainsFunc([]string{"J\x00F\x00I\x00F", "E\x00x\x00i\x00f"}, isIn(head)):
		return asText(" in UTF-16, as > in PowerShell does")
	case bytes.HasPrefix(head, []byte("\ufffd\ufffd\ufffd")): // the start of a JPEG
		return asText("")
	case len(head) > 10 && bytes.HasPrefix(head, []byte("BM")) && binary.LittleEndian.Uint32(head[6:]) == 0:
		return errors.New("vision: a BMP picture, expected PNG, JPEG, GIF or WebP")
	case len(head) > 12 && string(head[4:8]) == "ftyp":
		return fmt.Errorf("vision: a picture of the kind %q, expected PNG, JPEG, GIF or WebP", head[8:12])
	}
	if width, height, ok := rawFrame(head, len(data)); ok {
		return &SavedError{fmt.Sprintf("a raw frame of %dx%d pixels, as screencap writes without -p, expected PNG, JPEG, GIF or WebP", width, height)}
	}
	return errNoPicture
}

// isIn tells which texts stand near the beginning of a file.
func isIn(head []byte) func(string) bool {
	const near = 64 // bytes
	return func(text string) bool { return bytes.Contains(head[:min(len(head), near)], []byte(text)) }
}

// rawFrame reports whether a file of a length is what screencap writes: width, height and
// format, perhaps the colour space, and exactly as many pixels.
func rawFrame(head []byte, length int) (width, height int, ok bool) {
	const header = 12 // bytes
	if len(head) < header {
		return 0, 0, false
	}
	width, height = int(binary.LittleEndian.Uint32(head)), int(binary.LittleEndian.Uint32(head[4:]))
	if width < minSide || width > MaxSide || height < minSide || height > MaxSide {
		return 0, 0, false
	}
	for _, perPixel := range []int{2, 3, 4, 8} {
		for _, space := range []int{0, 4} {
			ok = ok || length == header+space+width*height*perPixel
		}
	}
	return width, height, ok
}
