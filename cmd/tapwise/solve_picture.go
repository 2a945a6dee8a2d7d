package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tapwise/cmd/internal/drawing"
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// The files that pictures of solutions can be, by the endings of their names.
const (
	pngFile = ".png"
	svgFile = ".svg"
	gifFile = ".gif"
)

// hintJSON is the next stroke or move of a solution, as solve prints it.
type hintJSON struct {
	Step  int          `json:"step"` // from 0; Of when nothing is missing
	Of    int          `json:"of"`
	Text  string       `json:"text,omitempty"`
	Cells []board.Cell `json:"cells,omitempty"`
}

// pictureKind is the kind of file that a picture's name asks for.
func pictureKind(name string) string { return strings.ToLower(filepath.Ext(name)) }

// checkDrawing refuses flags that do not go together.
func (o solveOptions) checkDrawing() error {
	if o.hint && (o.count || o.all || o.animate || o.quiet) {
		return badInputf("solve: --hint gives one step of one solution, expected no --count, --all, --animate or --quiet with it")
	}
	if kind := pictureKind(o.picture); o.picture != "" && !slices.Contains([]string{pngFile, svgFile, gifFile}, kind) {
		return badInputf("solve: --picture %s: expected a name that ends in .png, .svg or .gif", o.picture)
	}
	return nil
}

// checkPictures refuses pictures that would be written over what is read.
func (o solveOptions) checkPictures(inputs []input) error {
	if o.picture == "" {
		return nil
	}
	for i := range inputs {
		name := o.pictureName(i, len(inputs))
		there, err := os.Stat(name)
		if err != nil {
			continue // there is nothing to write over
		}
		for _, in := range inputs {
			if info, err := os.Stat(in.file); err == nil && os.SameFile(there, info) {
				return badInputf("solve: --picture %s is one of the files to solve, expected another", name)
			}
		}
	}
	return nil
}

// pictureName is the file for the picture of the i-th of several puzzles:
// NAME-1.png, NAME-2.png and so on.
func (o solveOptions) pictureName(i, of int) string {
	if of == 1 {
		return o.picture
	}
	ending := filepath.Ext(o.picture)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(o.picture, ending), i+1, ending)
}

// prepareDrawing tells the next step of a puzzle's solution where a hint is
// wanted. Fill is the part of the solution that is drawn already; it fails where
// that is no solution of the puzzle.
func (r *solved) prepareDrawing(puzzle solvers.Puzzle, fill string, o solveOptions) error {
	if !o.hint {
		return nil
	}
	var drawn solvers.Solution
	if fill != "" {
		var err error
		if drawn, err = puzzle.ParseSolution(fill); err != nil {
			return err
		}
	}
	steps := r.first.Steps(drawn)
	next := slices.IndexFunc(steps, func(s solvers.Step) bool { return !s.Drawn })
	r.Hint = &hintJSON{Step: len(steps), Of: len(steps), Text: "nothing is missing"}
	if next >= 0 {
		r.Hint = &hintJSON{Step: next, Of: len(steps), Text: steps[next].Text, Cells: steps[next].Cells}
	}
	r.Solution, r.Paths, r.Moves = "", nil, nil // that would tell more than was asked for
	return nil
}

// draw writes the picture of a solution, or of its next step where a hint is
// wanted. A solution that was not found has none.
func (r *solved) draw(name string) error {
	s := r.first
	if s == nil || r.Status != "solved" {
		return nil
	}
	steps := len(s.Steps(nil))
	from, to := 0, steps
	if r.Hint != nil {
		from, to = r.Hint.Step, min(r.Hint.Step+1, steps)
	}
	var data bytes.Buffer
	var err error
	switch kind := pictureKind(name); {
	case kind == svgFile:
		err = drawing.SVG(&data, s.Picture(from, to))
	case kind == gifFile && r.Hint == nil:
		err = drawing.GIF(&data, s, steps)
	case kind == gifFile:
		err = drawing.Still(&data, s.Picture(from, to))
	default:
		err = png.Encode(&data, drawing.Raster(s.Picture(from, to)))
	}
	if err == nil {
		err = writeWhole(name, data.Bytes())
	}
	if err == nil {
		r.Picture = name
	}
	return err
}
