package main

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"slices"

	"golang.org/x/image/draw"

	"tapwise/cmd/internal/drawing"
	"tapwise/cmd/internal/player"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// film keeps small pictures of a run: of each level the board as it was found,
// the plan drawn over it, and the solved board, before a panel covered it.
type film struct {
	game solvers.Game // of the run; with the eyes it tells a board from what covers it
	eyes player.Eyes

	levels []scene
	frames []*image.RGBA // of the animated picture
	delays []int         // of each frame, in hundredths of a second

	// since are the frames since the last stroke of the level, the newest last.
	since   []*image.RGBA
	planned image.Image // the level's board with the plan over it
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
	sinceFrames = 6   // most frames kept since a level's last stroke
)

// watch is told of the moments of each level.
func (f *film) watch(e player.Event) {
	switch {
	case e.Stage == "read":
		if len(f.levels) < stripLevels {
			f.levels = append(f.levels, scene{found: shrink(e.Frame, stripWidth)})
		}
		f.since, f.planned = nil, nil
		f.add(e.Frame, 50)
		if picture, err := drawOverlay(e.Frame, e.Seen, e.Puzzle, e.Plan, nil); err == nil {
			f.planned = picture
			f.add(picture, 90)
		}
	case e.Stroke >= 0: // a gesture begins: what was seen before it is not the end
		f.since = nil
	case e.Stage == "verify":
		f.verified(e)
	case e.State == player.StateVerify && e.Frame != nil:
		f.since = append(f.since, e.Frame)
		if len(f.since) > sinceFrames {
			f.since = slices.Delete(f.since, 1, 2) // the first may be the only one of the board
		}
	}
}

// verified takes in a look after playing: of a won level the last frame of the
// board before the panel, else what there was to see.
func (f *film) verified(e player.Event) {
	n := len(f.levels)
	if n == 0 {
		return
	}
	var last image.Image = e.Frame
	if e.Place == screen.Won {
		last = f.planned // better than a panel
		if frame := f.solved(e); frame != nil {
			last = frame
		}
		if last == nil {
			return
		}
		f.add(last, 60)
	}
	f.levels[n-1].left = shrink(last, stripWidth)
}

// solved is the newest frame since the last stroke on which the whole solution
// stands; where there is none, the newest on which nothing covers the board;
// nil where there is none either. What an app does to celebrate may hide a part
// of the solution, or dim the board.
func (f *film) solved(e player.Event) *image.RGBA {
	var open *image.RGBA
	for _, frame := range slices.Backward(f.since) {
		seen, err := f.eyes.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: e.Seen.On.Rotation}, f.game.Spec())
		if err != nil {
			continue
		}
		_, panel := seen.Panel()
		if kind := f.game.Locate(seen).Kind; kind != screen.Level && (kind != screen.Won || panel) {
			continue
		}
		if open == nil {
			open = frame
		}
		if e.Solution == nil {
			return frame
		}
		if rest, err := e.Solution.Remaining(seen); err == nil && !slices.ContainsFunc(rest, shows) {
			return frame
		}
	}
	return open
}

// shows reports whether a gesture's result can be seen: a short one may look the
// same before and after.
func shows(g screen.Gesture) bool { return len(g.Points) > 2 }

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
		movie.Image = append(movie.Image, drawing.Paletted(frame))
		movie.Delay = append(movie.Delay, f.delays[i])
	}
	var data bytes.Buffer
	if err := gif.EncodeAll(&data, &movie); err != nil {
		return err
	}
	return writeWhole(name, data.Bytes())
}

// shrink scales a picture to a width.
func shrink(picture image.Image, width int) *image.RGBA {
	size := picture.Bounds().Size()
	small := image.NewRGBA(image.Rect(0, 0, width, size.Y*width/size.X))
	draw.CatmullRom.Scale(small, small.Rect, picture, picture.Bounds(), draw.Src, nil)
	return small
}
