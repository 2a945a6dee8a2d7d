package film

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"slices"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/puzzles/drawing"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Film watches a run. Of each level it keeps the board as it was found, the plan
// drawn over it, and the solved board before a panel covered it.
type Film struct {
	Game solvers.Game // that is played; with the eyes it tells a board from what covers it
	Eyes player.Eyes
	// Overlay draws a plan over the frame it is for, as [player.Player].Picture does.
	Overlay func(frame *image.RGBA, seen *screen.Observation, puzzle solvers.Puzzle, plan []screen.Gesture, failure error) (image.Image, error)

	// Pushed returns the newest frame that the phone pushed, or nil where it pushes none: the movie
	// shows how the first strokes are drawn then. It may be nil.
	Pushed func() *image.RGBA

	levels []scene
	frames []*image.RGBA // of the animated picture
	delays []int         // how long each of them stays, in hundredths of a second

	since   []*image.RGBA // the frames since the last stroke of the level, the newest last
	planned image.Image   // the level's board with the plan over it
	strokes int           // pictures of strokes so far
	drawn   *image.RGBA   // the last frame of them
}

// scene is the two pictures of a level on the strip: as it was found and as it
// was left. The second is nil while the level is played.
type scene struct{ found, left *image.RGBA }

// The strip, in pixels.
const (
	stripWidth = 180 // of a picture
	stripGap   = 8   // around a picture
)

const (
	stripPairs  = 5   // levels beside each other
	stripLevels = 100 // most levels on the strip
	movieWidth  = 270 // pixels
	movieFrames = 240 // most frames of the movie, so that a long run does not fill the memory
	sinceFrames = 6   // most frames kept since a level's last stroke
	drawnFrames = 120 // most pictures of the movie that show strokes
)

// How long the movie shows a picture, in hundredths of a second.
const (
	foundStays   = 50
	plannedStays = 90
	solvedStays  = 60
	drawnStays   = 12
)

// Watch takes in a moment of the run; it is a [player.Player]'s Watch.
func (f *Film) Watch(e player.Event) {
	switch {
	case e.Stage == "read":
		found := e.Picture()
		if len(f.levels) < stripLevels {
			f.levels = append(f.levels, scene{found: drawing.Shrink(found, stripWidth)})
		}
		f.since, f.planned = nil, nil
		f.add(found, foundStays)
		if picture, err := f.Overlay(found, e.Seen, e.Puzzle, e.Plan, nil); err == nil {
			f.planned = picture
			f.add(picture, plannedStays)
		}
	case e.Stroke >= 0: // a gesture begins: what was seen before it is not the end
		f.since = nil
		if f.Pushed == nil || f.strokes == drawnFrames || e.Stroke == 0 {
			return
		}
		if frame := f.Pushed(); frame != nil && frame != f.drawn {
			f.strokes++
			f.drawn = frame
			f.add(frame, drawnStays)
		}
	case e.Stage == "verify":
		f.verified(e)
	case e.State == player.StateVerify && e.Frame != nil:
		f.since = append(f.since, e.Frame)
		if len(f.since) > sinceFrames {
			f.since = slices.Delete(f.since, 1, 2) // the first may be the only one of the board
		}
	}
}

// verified takes in a look after playing. It keeps, for a won level, the last
// frame of the board before the panel, and otherwise what was to be seen.
func (f *Film) verified(e player.Event) {
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
		f.add(last, solvedStays)
	}
	f.levels[n-1].left = drawing.Shrink(last, stripWidth)
}

// solved is the newest frame since the last stroke that shows the whole solution.
// If there is none it is the newest on which nothing covers the board, and
// otherwise nil. An app's celebration may hide part of the solution, or dim the
// board.
func (f *Film) solved(e player.Event) *image.RGBA {
	var open *image.RGBA
	for _, frame := range slices.Backward(f.since) {
		seen, err := f.Eyes.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: e.Seen.On.Rotation}, f.Game.Spec())
		if err != nil {
			continue
		}
		_, panel := seen.Panel()
		if kind := f.Game.Locate(seen).Kind; kind != screen.Level && (kind != screen.Won || panel) {
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

// shows reports whether a gesture's result can be seen: after a short one the
// board may look the same as before.
func shows(g screen.Gesture) bool { return len(g.Points) > 2 }

func (f *Film) add(picture image.Image, delay int) {
	if len(f.frames) < movieFrames {
		f.frames = append(f.frames, drawing.Shrink(picture, movieWidth))
		f.delays = append(f.delays, delay)
	}
}

// Write makes name.png and name.gif, or nothing when no level was found.
func (f *Film) Write(name string) error {
	if len(f.levels) == 0 {
		return nil
	}
	return errors.Join(wholefile.WritePNG(name+".png", f.strip()), f.movie(name+".gif"))
}

// strip lays the levels out in rows, each as found and as left.
func (f *Film) strip() *image.RGBA {
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
func (f *Film) movie(name string) error {
	var movie gif.GIF
	for i, frame := range f.frames {
		movie.Image = append(movie.Image, drawing.Paletted(frame))
		movie.Delay = append(movie.Delay, f.delays[i])
	}
	var data bytes.Buffer
	if err := gif.EncodeAll(&data, &movie); err != nil {
		return err
	}
	return wholefile.Write(name, data.Bytes())
}
