package vision

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"
)

// warning is what screencap prints on a phone with two displays, and more.
const warning = "WARNING: linker: Warning: \"libX.so\" unused DT entry\n[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found.\n"

// random is a picture whose file has all kinds of bytes.
func random() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 96, 96))
	bits := rand.New(rand.NewPCG(3, 4))
	for i := range m.Pix {
		m.Pix[i] = uint8(bits.Uint32()) | 1
	}
	for y := range 96 {
		for x := range 96 {
			c := m.RGBAAt(x, y)
			m.SetRGBA(x, y, color.RGBA{c.R, c.G, c.B, 255})
		}
	}
	return m
}

// TestDamage reads pictures after text and with changed line ends, or tells what became of
// them.
func TestDamage(t *testing.T) {
	lf, crlf := []byte("\n"), []byte("\r\n")
	as := func(old, new string) func([]byte) []byte {
		return func(data []byte) []byte { return bytes.ReplaceAll(data, []byte(old), []byte(new)) }
	}
	after := func(text string) func([]byte) []byte {
		return func(data []byte) []byte { return append([]byte(text), data...) }
	}
	text := func(valid func(byte) string) func([]byte) []byte {
		return func(data []byte) []byte {
			var out strings.Builder
			for _, b := range data {
				out.WriteString(valid(b))
			}
			return []byte(out.String())
		}
	}
	for _, test := range []struct {
		name   string
		damage func([]byte) []byte
		want   string // empty: it is read
		png    bool   // of no other kind
	}{
		{"text", after(warning), "", false},
		{"a mark and text", after("\ufeffgrüß\r\n"), "", false},
		{"much text", after(strings.Repeat(warning, 300)), "", false},
		{"CR LF", as("\n", "\r\n"), "", false},
		{"CR CR LF", as("\n", "\r\r\n"), "", false},
		{"CR CR CR LF", as("\n", "\r\r\r\n"), "", false},
		{"text and CR LF", func(data []byte) []byte { return as("\n", "\r\n")(after(warning)(data)) }, "", false},
		{"bytes after it", func(data []byte) []byte { return append(bytes.Clone(data), "\nConnection closed.\n"...) }, "", false},
		{"LF", as("\r\n", "\n"), "png picture damaged on its way: every CR LF became LF", true},
		{"without CR", as("\r", ""), "every CR LF became LF", true},
		{"text and LF", func(data []byte) []byte { return after(warning)(as("\r\n", "\n")(data)) }, "every CR LF became LF", true},
		{"CR LF twice", func(data []byte) []byte {
			return bytes.ReplaceAll(bytes.ReplaceAll(bytes.ReplaceAll(data, crlf, []byte("<>")), lf, crlf), []byte("<>"), crlf)
		}, "except for those that were CR LF", true},
		{"CR", as("\n", "\r"), "the first from CR LF into CR CR", true},
		{"UTF-8", text(func(b byte) string { return strings.ToValidUTF8(string([]byte{b}), "\ufffd") }), "saved as text", false},
		{"Latin-1", text(func(b byte) string { return string(rune(b)) }), "saved as text", true},
		{"UTF-16", func(data []byte) []byte {
			return append([]byte("\xff\xfe"), text(func(b byte) string { return string([]byte{b, 0}) })(as("\n", "\r\n")(data))...)
		}, "saved as text in UTF-16", false},
		{"seven bits", text(func(b byte) string { return string([]byte{b & 0x7f}) }), "the highest bit", true},
		{"a raw frame", func([]byte) []byte {
			return append([]byte{96, 0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, make([]byte, 96*48*4)...)
		}, "a raw frame of 96x48 pixels", false},
	} {
		for _, format := range []string{"png", "jpeg"} {
			data := withExif(encodedAs(t, format, random()), exifOf(binary.BigEndian, 1))
			whole, err := Decode(t.Context(), data)
			if err != nil {
				t.Fatal(err)
			}
			if test.png && format != "png" {
				continue
			}
			damaged := test.damage(data)
			m, err := Decode(t.Context(), damaged)
			var saved *SavedError
			switch {
			case test.want == "" && (err != nil || !bytes.Equal(m.Pix, whole.Pix)):
				t.Errorf("%s, %s: %v, expected the picture as it was", test.name, format, err)
			case test.want != "" && (!errors.As(err, &saved) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%s, %s: %v, expected that it is %q", test.name, format, err, test.want)
			}
			if !IsPicture(damaged) {
				t.Errorf("%s, %s: taken for no picture", test.name, format)
			}
		}
	}
	webp := webpOfSize(image.Pt(30, 20), image.Pt(30, 20))
	if m, err := Decode(t.Context(), append([]byte(warning), webp...)); err != nil || m.Rect.Dx() != 30 {
		t.Errorf("a WebP after text: %v", err)
	}
}

// TestNoPicture takes no text for a picture.
func TestNoPicture(t *testing.T) {
	for _, text := range []string{
		"", "A.A\n...\n", "BM..\nBM..\n", "RIFF\n.WEB\n", "GIF8\n....\n", "see GIF89a\n", "PNG\n\x1a\n"[:4], "frame 100x100 rotation 0\n", warning, "\xff\xfeA\x00\n\x00",
	} {
		if IsPicture([]byte(text)) {
			t.Errorf("%q is taken for a picture", text)
		}
	}
	for name, data := range map[string]string{
		"BMP": "BM\x36\x10\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00", `"heic"`: "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00",
	} {
		if _, err := Decode(t.Context(), []byte(data)); err == nil || !strings.Contains(err.Error(), name) || !IsPicture([]byte(data)) {
			t.Errorf("%s: %v, expected it to be named", name, err)
		}
	}
}
