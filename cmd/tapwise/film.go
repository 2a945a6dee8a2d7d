package main

import (
	"cmp"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"os"
	"slices"

	"golang.org/x/image/draw"

	"tapwise/cmd/internal/player"
	"tapwise/solvers/screen"
)

// film keeps small pictures of a run: of each level the board as it was found,
// the plan drawn over it, and how the screen looked when it was won.
type film struct {
	levels []scene
	frames []*image.RGBA // of the animated picture
	delays []int         // of each frame, in hundredths of a second
}

// scene is a level's two pictures on the strip.
type scene struct{ found, left *image.RGBA }

const (
	stripWidth  = 180 // of a picture on the strip, in pixels
	stripGap    = 8
	stripPairs  = 5 // levels beside each other
	movieWidth  = 270
	movieFrames = 240 // most frames, so that a long run does not fill the memory
	stripLevels = 100 // most levels on the strip
)

// watch is told of the moments of each level.
func (f *film) watch(e player.Event) {
	switch e.Stage {
	case "read":
		if len(f.levels) < stripLevels {
			f.levels = append(f.levels, scene{found: shrink(e.Frame, stripWidth)})
		}
		f.add(e.Frame, 50)
		if picture, err := drawOverlay(e.Frame, e.Seen, e.Puzzle, e.Plan); err == nil {
			f.add(picture, 90)
		}
	case "verify":
		won := e.Place == screen.Won
		if n := len(f.levels); n > 0 && (f.levels[n-1].left == nil || !won) {
			// The board with its pipes tells more than the panel over it.
			f.levels[n-1].left = shrink(e.Frame, stripWidth)
		}
		f.add(e.Frame, 40)
	}
}

func (f *film) add(picture image.Image, delay int) {
	if len(f.frames) < movieFrames {
		f.frames = append(f.frames, shrink(picture, movieWidth))
		f.delays = append(f.delays, delay)
	}
}

// write makes name.png and name.gif.
func (f *film) write(name string) error {
	if len(f.levels) == 0 {
		return nil
	}
	return errors.Join(writePNG(name+".png", f.strip()), f.movie(name+".gif"))
}

// strip lays the levels out in rows, each as found and as left.
func (f *film) strip() *image.RGBA {
	height := 0
	for _, s := range f.levels {
		height = max(height, s.found.Rect.Dy())
	}
	pairs := min(stripPairs, len(f.levels))
	rows := (len(f.levels) + pairs - 1) / pairs
	step := image.Pt(2*stripWidth+3*stripGap, height+2*stripGap)
	sheet := image.NewRGBA(image.Rect(0, 0, pairs*step.X, rows*step.Y))
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.RGBA{48, 52, 60, 255}), image.Point{}, draw.Src)
	for i, s := range f.levels {
		at := image.Pt(i%pairs*step.X+stripGap, i/pairs*step.Y+stripGap)
		for _, picture := range []*image.RGBA{s.found, s.left} {
			if picture != nil {
				draw.Draw(sheet, picture.Rect.Add(at), picture, image.Point{}, draw.Src)
			}
			at.X += stripWidth + stripGap
		}
	}
	return sheet
}

// movie writes the animated picture.
func (f *film) movie(name string) error {
	var movie gif.GIF
	for i, frame := range f.frames {
		movie.Image = append(movie.Image, paletted(frame))
		movie.Delay = append(movie.Delay, f.delays[i])
	}
	file, err := os.Create(name)
	if err != nil {
		return badInput(err)
	}
	return errors.Join(gif.EncodeAll(file, &movie), file.Close())
}

// shrink scales a picture to a width.
func shrink(picture image.Image, width int) *image.RGBA {
	size := picture.Bounds().Size()
	small := image.NewRGBA(image.Rect(0, 0, width, size.Y*width/size.X))
	draw.CatmullRom.Scale(small, small.Rect, picture, picture.Bounds(), draw.Src, nil)
	return small
}

// paletted gives a picture the 256 colours that occur most in it, which suits
// the flat colours of a game.
func paletted(picture *image.RGBA) *image.Paletted {
	key := func(p []uint8) uint32 { // five bits a channel
		return uint32(p[0]>>3)<<10 | uint32(p[1]>>3)<<5 | uint32(p[2]>>3)
	}
	counts := map[uint32]int{}
	for i := 0; i < len(picture.Pix); i += 4 {
		counts[key(picture.Pix[i:])]++
	}
	keys := make([]uint32, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b uint32) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	var colours color.Palette
	index := map[uint32]uint8{}
	for i, k := range keys {
		c := color.RGBA{uint8(k>>10) << 3, uint8(k>>5&31) << 3, uint8(k&31) << 3, 255}
		if i < 256 {
			colours = append(colours, c)
			index[k] = uint8(i)
		} else {
			index[k] = uint8(colours.Index(c))
		}
	}
	p := image.NewPaletted(picture.Rect, colours)
	for i, j := 0, 0; i < len(picture.Pix); i, j = i+4, j+1 {
		p.Pix[j] = index[key(picture.Pix[i:])]
	}
	return p
}
