package vision

// #cgo CFLAGS: -O3
// #cgo noescape tapwise_levels_along
// #cgo nocallback tapwise_levels_along
// #cgo noescape tapwise_gather
// #cgo nocallback tapwise_gather
// #cgo noescape tapwise_add_levels
// #cgo nocallback tapwise_add_levels
// #cgo noescape tapwise_add_slanted
// #cgo nocallback tapwise_add_slanted
// #include "pixels.h"
import "C"

import (
	"fmt"
	"image"
	"slices"
	"sync"
	"unsafe"

	"gocv.io/x/gocv"
)

// OpenCV's morphology takes three to eight times as long as the loops of pixels.c where
// windows are as small as lines are thin. What it computes is the same.

// plane is a picture of one byte a pixel.
type plane struct {
	bytes      []byte
	wide, high int
}

// planeOf is the plane of a Mat, and shares its bytes.
func planeOf(m gocv.Mat) (plane, error) {
	bytes, err := m.DataPtrUint8()
	if err != nil {
		return plane{}, fmt.Errorf("vision: %w", err)
	}
	return plane{bytes, m.Cols(), m.Rows()}, nil
}

// newPlane makes a Mat a plane of a size, unless it is one.
func newPlane(m *gocv.Mat, wide, high int) (plane, error) {
	if m.Cols() != wide || m.Rows() != high || m.Type() != gocv.MatTypeCV8U {
		m.Close()
		*m = gocv.NewMatWithSize(high, wide, gocv.MatTypeCV8U)
	}
	return planeOf(*m)
}

// roomsKept is room for windows, since the same few pictures are needed over and over.
var roomsKept = sync.Pool{New: func() any { return new([]byte) }}

// withRoom does something with room of a number of bytes, whatever is in them.
func withRoom(bytes int, do func(room []byte)) {
	kept := roomsKept.Get().(*[]byte)
	*kept = slices.Grow((*kept)[:0], bytes)[:bytes]
	do(*kept)
	roomsKept.Put(kept)
}

// window writes the least or the greatest level in a window around each pixel of a
// picture into another; pixels beyond the picture do not count.
func window(from gocv.Mat, to *gocv.Mat, size image.Point, greatest bool) error {
	p, err := planeOf(from)
	if err != nil {
		return err
	}
	result, err := newPlane(to, p.wide, p.high)
	if err != nil {
		return err
	}
	withRoom(len(p.bytes)+roomFor(p, size), func(room []byte) {
		copied := room[:len(p.bytes)] // both may be one
		copy(copied, p.bytes)
		p.window(copied, result.bytes, size, greatest, room[len(p.bytes):])
	})
	return nil
}

// roomFor is the number of bytes that a window of a plane takes.
func roomFor(p plane, size image.Point) int {
	return len(p.bytes) + max(2*(p.wide+size.X), 2*size.Y*p.wide)
}

// window is window for bytes of planes of one size, with room.
func (p plane) window(from, to []byte, size image.Point, greatest bool, room []byte) {
	C.tapwise_window(bytesAt(from), bytesAt(to), C.int(p.wide), C.int(p.high), C.int(size.X), C.int(size.Y), truth(greatest), bytesAt(room))
}

// opened writes a picture's morphological opening with a rectangle: what is smaller than
// the rectangle vanishes. Both may be one.
func opened(from gocv.Mat, to *gocv.Mat, size image.Point) error {
	p, err := planeOf(from)
	if err != nil {
		return err
	}
	result, err := newPlane(to, p.wide, p.high)
	if err != nil {
		return err
	}
	withRoom(len(p.bytes)+roomFor(p, size), func(room []byte) {
		least, room := room[:len(p.bytes)], room[len(p.bytes):]
		p.window(p.bytes, least, size, false, room)
		p.window(least, result.bytes, size, true, room)
	})
	return nil
}

// standingOut writes a picture's morphological top-hat into another: what an opening
// takes away.
func standingOut(from gocv.Mat, to *gocv.Mat, size image.Point) error {
	if err := opened(from, to, size); err != nil {
		return err
	}
	p, err := planeOf(from)
	if err != nil {
		return err
	}
	rest, err := planeOf(*to)
	if err != nil {
		return err
	}
	C.tapwise_rest(bytesAt(p.bytes), bytesAt(rest.bytes), C.int(len(p.bytes)))
	return nil
}

// halvedLevels writes the levels of a frame at half its resolution, whose size is given.
func (v *view) halvedLevels(to *gocv.Mat, size image.Point) error {
	p, err := newPlane(to, size.X, size.Y)
	if err != nil {
		return err
	}
	C.tapwise_halve(bytesAt(v.pixels.Pix), C.int(v.pixels.Stride), C.int(size.X), C.int(size.Y), truth(v.dark), bytesAt(p.bytes))
	return nil
}

// halvedThin writes the levels of a frame at half its resolution, whose size is given, as
// shrinkThin leaves them.
func (v *view) halvedThin(to *gocv.Mat, size image.Point) error {
	p, err := newPlane(to, size.X, size.Y)
	if err != nil {
		return err
	}
	withRoom(2*size.X+1, func(room []byte) {
		C.tapwise_halve_thin(bytesAt(v.pixels.Pix), C.int(v.pixels.Stride), C.int(size.X), C.int(size.Y), truth(v.dark), bytesAt(p.bytes), bytesAt(room))
	})
	return nil
}

// addLevels adds levels to sum, pixel by pixel, at a number of places: of the pixels from an
// index of the frame's bytes on, step bytes apart, and each place is along bytes further.
func (v *view) addLevels(sum []int64, i, step, along, places int) {
	C.tapwise_add_levels(bytesAt(v.pixels.Pix[i:]), C.int(step), C.int(along), C.int(places), truth(v.dark), (*C.int64_t)(&sum[0]), C.int(len(sum)))
}

// addSlanted adds the levels across a side of a cell to sum, pixel by pixel, at a number of
// places. A pixel is one step further from the side than the one before. It reports
// whether all of that is on the frame; else some of it was added.
func (v *view) addSlanted(sum []int64, e edge, stepX, stepY float64, places int) bool {
	size := v.size()
	slant := C.struct_tapwise_slant{
		x: C.double(e.x), y: C.double(e.y), along_x: C.double(e.alongX), along_y: C.double(e.alongY),
		across_x: C.double(stepX), across_y: C.double(stepY), wide: C.int(size.X), high: C.int(size.Y),
		from: C.double(cubeLimits.alongFrom), length: C.double(cubeLimits.alongLength), gap: C.double(cubeLimits.alongGap),
		places: C.int(places),
	}
	return C.tapwise_add_slanted(&slant, bytesAt(v.pixels.Pix), C.int(v.pixels.Stride), truth(v.dark), (*C.int64_t)(&sum[0]), C.int(len(sum))) != 0
}

// levelsAlong are the levels of the pixels nearest to places along a direction, the middle
// of which is x,y. Each is the mean of a pixel and of so many beside it on either side. All
// must be on the frame, and there must be an odd number of levels.
func (v *view) levelsAlong(x, y, dx, dy float64, beside int, levels []int32) {
	C.tapwise_levels_along(bytesAt(v.pixels.Pix), C.int(v.pixels.Stride), truth(v.dark), C.double(x), C.double(y), C.double(dx), C.double(dy),
		C.int(beside), (*C.int32_t)(&levels[0]), C.int(len(levels)))
}

// gather are the pixels under a stencil at x,y that lie on the frame, without their fourth
// bytes. There must be room for all of the stencil's.
func (v *view) gather(s stencil, x, y int, room []uint32) []uint32 {
	size := v.size()
	n := C.tapwise_gather(bytesAt(v.pixels.Pix), C.int(v.pixels.Stride), C.int(size.X), C.int(size.Y),
		(*C.struct_tapwise_piece)(unsafe.Pointer(&s.pieces[0])), C.int(len(s.pieces)), C.int(s.step), C.int(x), C.int(y), (*C.uint32_t)(&room[0]))
	return room[:n]
}

// apartMost is how many sums of the differences of three channels there are.
const apartMost = C.tapwise_apart

// stepsSquared are the squares of the lengths of steps to the pixels that one is mixed with.
var stepsSquared = [...]float64{1, 2, 4}

// mix mixes each pixel of a frame with those that are at most two pixels away. The weights
// are, step by step, how much a pixel counts by how far its colour is apart.
func mix(frame *image.RGBA, weights []float32, to *image.RGBA) {
	size := frame.Rect.Size()
	withRoom(int(C.tapwise_smooth_room(C.int(size.X))), func(room []byte) {
		C.tapwise_smooth(bytesAt(frame.Pix), C.int(frame.Stride), C.int(size.X), C.int(size.Y), (*C.float)(&weights[0]), bytesAt(to.Pix), unsafe.Pointer(unsafe.SliceData(room)))
	})
}

// distanceUnit is the side of a pixel in the unit of distances.
const distanceUnit = 1 << 16

// distances are how far each pixel of a mask is from the next one that is 0, in parts of
// 1/distanceUnit of a pixel's side, and far more where there is none.
type distances struct {
	of       []int32
	stride   int     // from a pixel to the one below it
	first    int     // the index of the first pixel
	farthest []int32 // of each row
}

// withDistances does something with the distances of a mask's pixels, which are valid
// until it returns. They are those of OpenCV's distance transform, which gocv only calls in
// the way that also tells which pixel is the next.
func withDistances(mask gocv.Mat, do func(distances)) error {
	p, err := planeOf(mask)
	if err != nil {
		return err
	}
	const margin, bytes = 2, 4
	d := distances{stride: p.wide + 2*margin}
	d.first = margin*d.stride + margin
	n := d.stride * (p.high + 2*margin)
	withRoom((n+p.high)*bytes, func(room []byte) {
		all := unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(room))), n+p.high)
		d.of, d.farthest = all[:n], all[n:]
		C.tapwise_distances(bytesAt(p.bytes), C.int(p.wide), C.int(p.high), (*C.int32_t)(&d.of[0]), (*C.int32_t)(&d.farthest[0]))
		do(d)
	})
	return nil
}

// bytesAt is where bytes begin, for C.
func bytesAt(bytes []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(bytes)) }

// truth is a Boolean for C.
func truth(is bool) C.int {
	if is {
		return 1
	}
	return 0
}
