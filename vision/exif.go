package vision

import (
	"bytes"
	"encoding/binary"
	"image"
)

// EXIF's numbers for how a picture lies in its file: upright, mirrored or turned.
const (
	upright        = 1
	firstSideways  = 5 // from here on width and height are exchanged
	lastOrient     = 8
	orientationTag = 0x0112
	exifEntry      = 12 // bytes of an entry: tag, type, count, value
)

// orientation is the way in which a picture lies in its file, by the EXIF data of JPEG, PNG
// and WebP: 1 to 8, and 1 where nothing is said or what is said makes no sense.
func orientation(data []byte, format string) int {
	var exif []byte
	switch format {
	case "jpeg":
		jpegSegments(data, func(marker byte, body []byte) bool {
			if marker == appOne && bytes.HasPrefix(body, []byte("Exif\x00")) {
				exif = body[min(len(body), 6):]
			}
			return exif == nil && marker != startOfScan
		})
	case "png":
		const signature, aroundChunk = 8, 12 // bytes
		for at := signature; at+aroundChunk <= len(data) && exif == nil; {
			length := int(binary.BigEndian.Uint32(data[at:]))
			if length > len(data)-at-aroundChunk {
				break
			}
			if string(data[at+4:at+8]) == "eXIf" {
				exif = data[at+8:][:length]
			}
			at += aroundChunk + length
		}
	case "webp":
		const header, beforeChunk = 12, 8 // bytes
		for at := header; at+beforeChunk <= len(data) && exif == nil; {
			length := int(binary.LittleEndian.Uint32(data[at+4:]))
			if length > len(data)-at-beforeChunk {
				break
			}
			if string(data[at:at+4]) == "EXIF" {
				exif = bytes.TrimPrefix(data[at+beforeChunk:][:length], []byte("Exif\x00\x00"))
			}
			at += beforeChunk + length + length%2
		}
	}
	return exifOrientation(exif)
}

// exifOrientation looks the orientation up in EXIF data. It reads the first directory, whose
// entries have a fixed length, and follows nothing from there.
func exifOrientation(exif []byte) int {
	const header = 8 // bytes: the order of bytes, 42, where the first directory begins
	if len(exif) < header {
		return upright
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(exif[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	start := uint64(order.Uint32(exif[4:]))
	if start+2 > uint64(len(exif)) {
		return upright
	}
	directory := exif[start:]
	entries := directory[2:]
	for range order.Uint16(directory) {
		if len(entries) < exifEntry {
			break
		}
		if order.Uint16(entries) == orientationTag {
			const short, long = 3, 4 // types; long is what some writers take
			value := uint32(0)
			switch order.Uint16(entries[2:]) {
			case short:
				value = uint32(order.Uint16(entries[8:]))
			case long:
				value = order.Uint32(entries[8:])
			}
			if upright <= value && value <= lastOrient {
				return int(value)
			}
			return upright
		}
		entries = entries[exifEntry:]
	}
	return upright
}

// uprightSize is the size of a picture once it is turned upright.
func uprightSize(stored image.Point, orientation int) image.Point {
	if orientation >= firstSideways {
		return image.Pt(stored.Y, stored.X)
	}
	return stored
}

// turned is a picture that lies in its file in a certain way, as it is to be seen.
func turned(m *image.RGBA, orientation int) *image.RGBA {
	if orientation == upright {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	// Where the first pixel goes, and how far it is from there to the next one in its row
	// and to the next row, in pixels.
	var first, along, down int
	switch orientation {
	case 2: // mirrored
		first, along, down = w-1, -1, w
	case 3: // upside down
		first, along, down = w*h-1, -1, -w
	case 4: // upside down and mirrored
		first, along, down = w*(h-1), 1, -w
	case 5: // mirrored, then turned to the left
		first, along, down = 0, h, 1
	case 6: // to be turned to the right
		first, along, down = h-1, h, -1
	case 7: // mirrored, then turned to the right
		first, along, down = w*h-1, -h, -1
	case 8: // to be turned to the left
		first, along, down = h*(w-1), -h, 1
	}
	out := image.NewRGBA(image.Rectangle{Max: uprightSize(m.Rect.Size(), orientation)})
	for y := range h {
		to := first + y*down
		for row := m.Pix[y*m.Stride:][:4*w]; len(row) > 0; row = row[4:] {
			copy(out.Pix[4*to:4*to+4], row)
			to += along
		}
	}
	return out
}
