package solving

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/puzzles/drawing"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
)

// The kinds of files that a solution is drawn into, by the endings of their names.
const (
	pngFile = ".png"
	svgFile = ".svg"
	gifFile = ".gif"
)

func pictureKind(name string) string { return strings.ToLower(filepath.Ext(name)) }

// CheckPicture refuses the name of a file that is of no kind that can be drawn.
func CheckPicture(name string) error {
	switch pictureKind(name) {
	case pngFile, svgFile, gifFile:
		return nil
	}
	return cause.Inputf("solve: --picture %s: expected a name that ends in .png, .svg or .gif", name)
}

// PictureName is the file for the picture of the i-th of several puzzles:
// NAME-1.png, NAME-2.png and so on. The picture of a single puzzle is NAME.png.
func PictureName(name string, i, of int) string {
	if of == 1 {
		return name
	}
	ending := filepath.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ending), i+1, ending)
}

// CheckPictures refuses pictures that would be written over the files that the
// puzzles are read from.
func CheckPictures(name string, puzzles []puzzlefile.Puzzle) error {
	for i := range puzzles {
		picture := PictureName(name, i, len(puzzles))
		there, err := os.Stat(picture)
		if err != nil {
			continue // there is nothing to write over
		}
		for _, in := range puzzles {
			if info, err := os.Stat(in.File); err == nil && os.SameFile(there, info) {
				return cause.Inputf("solve: --picture %s is one of the files to solve, expected another", picture)
			}
		}
	}
	return nil
}

// explainedStays is how long each step is shown, in hundredths of a second.
const explainedStays = 150

// explained writes an animation of the steps in the order in which they are told, each marked.
func (r *Result) explained(w io.Writer) error {
	var told []int
	for i, s := range r.First.Steps(nil) {
		if !slices.ContainsFunc(r.Steps, func(h Hint) bool { return h.Step == i }) || s.Drawn {
			told = append(told, i) // on the level already
		}
	}
	return drawing.Movie(w, len(r.Steps)+1, explainedStays, func(i int) solvers.Picture {
		if i == len(r.Steps) {
			return r.First.Scene(r.Steps[0].Of)
		}
		scene := solvers.HintScene(nil, r.First.Picture(0, 0), r.First, told, r.Steps[i].Step, nil)
		told = append(told, r.Steps[i].Step)
		return scene
	})
}

// Draw writes the picture of the solution, or of its next step if a hint was asked for, and
// sets r.Picture. If several solutions were looked for and found, it draws two of them where
// they differ. The kind of file is that of the name's ending: .gif shows how a single solution
// grows. Without a solution it writes nothing.
func (r *Result) Draw(name string) error {
	s := r.First
	if s == nil || r.Status != Solved {
		return nil
	}
	steps := len(s.Steps(nil))
	from, to := 0, steps
	if r.Hint != nil {
		from, to = r.Hint.Step, min(r.Hint.Step+1, steps)
	}
	still := func() solvers.Picture {
		if r.Second != nil {
			return drawing.Differences(s, r.Second)
		}
		return s.Picture(from, to)
	}
	var data bytes.Buffer
	var err error
	switch kind := pictureKind(name); {
	case kind == svgFile:
		err = drawing.SVG(&data, still())
	case kind == gifFile && r.Steps != nil:
		err = r.explained(&data)
	case kind == gifFile && r.Hint == nil && r.Second == nil:
		err = drawing.GIF(&data, s, steps)
	case kind == gifFile:
		err = drawing.Still(&data, still())
	default:
		err = png.Encode(&data, drawing.Raster(still()))
	}
	if err == nil {
		err = wholefile.Write(name, data.Bytes())
	}
	if err == nil {
		r.Picture = name
	}
	return err
}
