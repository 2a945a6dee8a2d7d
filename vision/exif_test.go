package vision

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	"tapwise/solvers/screen"
)

// corners are the colours of a picture's quarters as it is to be seen: left and right above,
// left and right below.
var corners = [4]color.RGBA{{200, 30, 30, 255}, {30, 160, 30, 255}, {30, 30, 200, 255}, {190, 190, 40, 255}}

// firsts are, for each orientation from 1 on, the sides of the picture as it is seen at which
// its first row and its first column lie, as the EXIF standard tells them.
var firsts = [8][2]string{{"top", "left"}, {"top", "right"}, {"bottom", "right"}, {"bottom", "left"}, {"left", "top"}, {"right", "top"}, {"right", "bottom"}, {"left", "bottom"}}

// stored is a picture of 40x24 pixels whose quarters are coloured as corners, as it lies in
// its file in an orientation.
func stored(orientation int) *image.RGBA {
	opposite := map[string]string{"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
	row, col := firsts[orientation-1][0], firsts[orientation-1][1]
	size := image.Pt(40, 24)
	if row == "left" || row == "right" {
		size = image.Pt(24, 40)
	}
	m := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			sides := []string{row, col}
			if y >= size.Y/2 {
				sides[0] = opposite[row]
			}
			if x >= size.X/2 {
				sides[1] = opposite[col]
			}
			quarter := 0
			if slices.Contains(sides, "right") {
				quarter++
			}
			if slices.Contains(sides, "bottom") {
				quarter += 2
			}
			m.SetRGBA(x, y, corners[quarter])
		}
	}
	return m
}

// exifOf is EXIF data that tells an orientation, after another entry.
func exifOf(order binary.AppendByteOrder, orientation uint16) []byte {
	data := []byte("II*\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		data = []byte("MM\x00*")
	}
	data = order.AppendUint32(data, 8)
	data = order.AppendUint16(data, 2)
	for _, entry := range [][3]uint16{{0x0100, 3, 40}, {orientationTag, 3, orientation}} {
		data = order.AppendUint16(order.AppendUint16(data, entry[0]), entry[1])
		data = order.AppendUint32(data, 1)
		data = order.AppendUint16(order.AppendUint16(data, entry[2]), 0)
	}
	return order.AppendUint32(data, 0)
}

// withExif is a picture with EXIF data in it.
func withExif(picture []byte, exif []byte) []byte {
	switch {
	case bytes.HasPrefix(picture, []byte(jpegStart)):
		body := append([]byte("Exif\x00\x00"), exif...)
		segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
		return slices.Concat(picture[:2], segment, body, picture[2:])
	case bytes.HasPrefix(picture, []byte(pngStart)):
		chunk := append([]byte("eXIf"), exif...)
		sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
		const header = 8 + 25 // bytes: the signature and the first chunk
		return slices.Concat(picture[:header], binary.BigEndian.AppendUint32(nil, uint32(len(exif))), chunk, sum, picture[header:])
	}
	chunk := binary.LittleEndian.AppendUint32([]byte("EXIF"), uint32(len(exif)))
	chunk = append(chunk, exif...)
	if len(exif)%2 == 1 {
		chunk = append(chunk, 0)
	}
	out := append(bytes.Clone(picture), chunk...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

func encodedAs(t testing.TB, format string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	if format == "png" {
		err = png.Encode(&b, m)
	} else {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 95})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOrientations reads a picture in every orientation as it is to be seen.
func TestOrientations(t *testing.T) {
	for orientation := 1; orientation <= 8; orientation++ {
		for name, exif := range map[string][]byte{
			"little endian": exifOf(binary.LittleEndian, uint16(orientation)), "big endian": exifOf(binary.BigEndian, uint16(orientation)),
		} {
			for _, format := range []string{"png", "jpeg"} {
				data := withExif(encodedAs(t, format, stored(orientation)), exif)
				if size, err := Size(data); err != nil || size != image.Pt(40, 24) {
					t.Errorf("orientation %d, %s of %s: size %v, %v, expected 40x24", orientation, name, format, size, err)
				}
				m, err := Decode(t.Context(), data)
				if err != nil || m.Rect.Size() != image.Pt(40, 24) {
					t.Errorf("orientation %d, %s of %s: %v", orientation, name, format, err)
					continue
				}
				for i, want := range corners {
					at := image.Pt(9+20*(i%2), 5+12*(i/2))
					if got := m.RGBAAt(at.X, at.Y); screen.Contrast(got, want) > 12 {
						t.Errorf("orientation %d, %s of %s: colour %v at %v, expected %v", orientation, name, format, got, at, want)
					}
				}
			}
			for _, before := range []string{"", "Exif\x00\x00"} {
				data := withExif(webpOfSize(image.Pt(30, 20), image.Pt(30, 20)), append([]byte(before), exif...))
				want := image.Pt(30, 20)
				if orientation > 4 {
					want = image.Pt(20, 30)
				}
				if m, err := Decode(t.Context(), data); err != nil || m.Rect.Size() != want {
					t.Errorf("orientation %d, %s of webp: %v, expected %v", orientation, name, err, want)
				}
			}
		}
	}
	// A PNG may tell it at its end.
	data := encodedAs(t, "png", stored(6))
	exif := withExif(data, exifOf(binary.BigEndian, 6))
	chunk := exif[33 : len(exif)-len(data)+33]
	last := slices.Concat(data[:len(data)-12], chunk, data[len(data)-12:])
	if m, err := Decode(t.Context(), last); err != nil || m.Rect.Size() != image.Pt(40, 24) {
		t.Errorf("at the end: %v", err)
	}
}

// TestOrientationOfNonsense takes EXIF data that make no sense for those of an upright
// picture.
func TestOrientationOfNonsense(t *testing.T) {
	good := exifOf(binary.LittleEndian, 6)
	set := func(at int, values ...byte) []byte {
		data := bytes.Clone(good)
		copy(data[at:], values)
		return data
	}
	endless := slices.Concat(good[:10], bytes.Repeat(good[10:22], 5000)) // more entries than are there
	binary.LittleEndian.PutUint16(endless[8:], 0xffff)
	for name, exif := range map[string][]byte{
		"nothing": nil, "a beginning": good[:7], "no directory": good[:8], "half an entry": good[:30],
		"another order": set(0, 'I', 'M'), "another number": set(2, 43), "a directory beyond the end": set(4, 0xff, 0xff, 0xff, 0xff),
		"a directory at the end": set(4, byte(len(good))), "no entries": set(8, 0, 0), "as text": set(24, 2),
		"0": set(30, 0), "9": set(30, 9), "a large value": set(30, 6, 1), "many entries": endless,
	} {
		for format, data := range map[string][]byte{"png": encodedAs(t, "png", stored(1)), "jpeg": encodedAs(t, "jpeg", stored(1)), "webp": webpOfSize(image.Pt(40, 24), image.Pt(40, 24))} {
			if len(exif) > 60000 && format == "jpeg" {
				continue
			}
			if m, err := Decode(t.Context(), withExif(data, exif)); err != nil || m.Rect.Size() != image.Pt(40, 24) {
				t.Errorf("%s, %s: %v, expected an upright picture", name, format, err)
			}
		}
	}
	if got := exifOrientation(set(24, 4)); got != 6 {
		t.Errorf("as a long number: %d, expected 6", got)
	}
}

func FuzzOrientation(f *testing.F) {
	f.Add(exifOf(binary.LittleEndian, 6))
	f.Add(exifOf(binary.BigEndian, 8))
	f.Add(withExif(encodedAs(f, "jpeg", stored(5)), exifOf(binary.BigEndian, 5)))
	f.Add(withExif(encodedAs(f, "png", stored(5)), exifOf(binary.BigEndian, 5)))
	f.Add(withExif(webpOfSize(image.Pt(30, 20), image.Pt(30, 20)), exifOf(binary.LittleEndian, 7)))
	f.Fuzz(func(t *testing.T, data []byte) {
		found := []int{exifOrientation(data)}
		for _, format := range []string{"jpeg", "png", "webp", "gif"} {
			found = append(found, orientation(data, format))
		}
		if slices.Min(found) < 1 || slices.Max(found) > 8 {
			t.Errorf("orientations %v, expected 1 to 8", found)
		}
	})
}
