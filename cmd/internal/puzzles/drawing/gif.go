package drawing

import (
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"

	"tapwise/solvers"
)

const (
	movieFrames = 120 // the most frames; a longer solution makes several steps in one

	// Times are in hundredths of a second.
	movieTime = 900 // of all frames, about
	shortest  = 8   // of one frame
	longest   = 80
	lastStays = 300 // of the last frame
)

// GIF writes an animation of a solution that grows in the given number of steps,
// from the puzzle alone to the whole solution.
func GIF(w io.Writer, s solvers.Solution, steps int) error {
	frames := min(steps+1, movieFrames)
	return Movie(w, frames, min(max(movieTime/frames, shortest), longest), func(i int) solvers.Picture {
		if frames == 1 {
			return s.Scene(steps)
		}
		return s.Scene(i * steps / (frames - 1))
	})
}

// Movie writes an animation of scenes, each of which stays for a delay in hundredths of a second.
func Movie(w io.Writer, frames, delay int, sceneOf func(i int) solvers.Picture) error {
	var movie gif.GIF
	var last *image.RGBA
	for i := range frames {
		scene := sceneOf(i)
		picture := raster(scene, scale(scene, moviePitch, movieSide))
		frame := picture
		if last != nil {
			frame = picture.SubImage(changed(last, picture)).(*image.RGBA)
		}
		movie.Image = append(movie.Image, Paletted(frame))
		movie.Delay = append(movie.Delay, delay)
		movie.Disposal = append(movie.Disposal, gif.DisposalNone)
		last = picture
	}
	movie.Delay[len(movie.Delay)-1] = lastStays
	if last != nil {
		movie.Config = image.Config{Width: last.Rect.Dx(), Height: last.Rect.Dy()}
	}
	return gif.EncodeAll(w, &movie)
}

// Still writes one picture as a GIF.
func Still(w io.Writer, p solvers.Picture) error {
	return gif.EncodeAll(w, &gif.GIF{Image: []*image.Paletted{Paletted(raster(p, scale(p, printPitch, movieSide)))}, Delay: []int{0}})
}

// changed is the bounds of the pixels in which two pictures of one size differ,
// one pixel if they do not.
func changed(a, b *image.RGBA) image.Rectangle {
	area := image.Rectangle{}
	for y := a.Rect.Min.Y; y < a.Rect.Max.Y; y++ {
		from := a.PixOffset(a.Rect.Min.X, y)
		rowA, rowB := a.Pix[from:from+4*a.Rect.Dx()], b.Pix[from:from+4*a.Rect.Dx()]
		if slices.Equal(rowA, rowB) {
			continue
		}
		first, end := 0, a.Rect.Dx()
		for slices.Equal(rowA[4*first:4*first+4], rowB[4*first:4*first+4]) {
			first++
		}
		for slices.Equal(rowA[4*end-4:4*end], rowB[4*end-4:4*end]) {
			end--
		}
		area = area.Union(image.Rect(a.Rect.Min.X+first, y, a.Rect.Min.X+end, y+1))
	}
	if area.Empty() {
		return image.Rectangle{Min: a.Rect.Min, Max: a.Rect.Min.Add(image.Pt(1, 1))}
	}
	return area
}

// Paletted reduces a picture to the 256 colours that occur most often in it,
// which suits the flat colours of a game.
func Paletted(picture *image.RGBA) *image.Paletted {
	key := func(p []uint8) uint32 { // five bits a channel
		return uint32(p[0]>>3)<<10 | uint32(p[1]>>3)<<5 | uint32(p[2]>>3)
	}
	bounds := picture.Rect
	row := func(y int) []uint8 {
		from := picture.PixOffset(bounds.Min.X, y)
		return picture.Pix[from : from+4*bounds.Dx()]
	}
	counts := map[uint32]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for pix := row(y); len(pix) > 0; pix = pix[4:] {
			counts[key(pix)]++
		}
	}
	keys := make([]uint32, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b uint32) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	var colours color.Palette
	index := map[uint32]uint8{}
	for i, k := range keys {
		c := color.RGBA{widen(k >> 10), widen(k >> 5 & 31), widen(k & 31), 255}
		if i < 256 {
			colours = append(colours, c)
			index[k] = uint8(i)
		} else {
			index[k] = uint8(colours.Index(c))
		}
	}
	p := image.NewPaletted(bounds, colours)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		out := p.Pix[p.PixOffset(bounds.Min.X, y):]
		for x, pix := 0, row(y); len(pix) > 0; x, pix = x+1, pix[4:] {
			out[x] = index[key(pix)]
		}
	}
	return p
}

// widen scales five bits to eight; the greatest value stays the greatest, so that
// white stays white.
func widen(v uint32) uint8 { return uint8(v<<3 | v>>2) }
