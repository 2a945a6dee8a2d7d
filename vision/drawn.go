package vision

import (
	"errors"
	"image"
	"slices"

	"tapwise/solvers/screen"
	"tapwise/vision/internal/drawn"
)

// Drawn looks at a board of signs again on a later frame of the same screen. Changes since the
// earlier frame show what is drawn on it, so that even a full board is seen. The observation
// has the marks seen before, the pipes seen now, and the board's place if it has moved; it
// looks for no boxes. The error says why this is not that board, or what covers it.
func Drawn(before *image.RGBA, seen *screen.Observation, now *image.RGBA) (*screen.Observation, error) {
	l := seen.Layout
	if len(seen.Signs) == 0 || len(seen.Signs) != len(l.Centres) {
		return nil, errors.New("vision: no board of signs was seen before")
	}
	b := drawn.Board{Rows: l.Rows, Cols: l.Cols, Pitch: l.Pitch, Centres: l.Centres}
	for _, s := range seen.Signs {
		b.Ends = append(b.Ends, s.Group > 0)
		b.Links = append(b.Links, s.Links)
	}
	cells, moved, err := drawn.Since(before, now, b)
	if err != nil {
		return nil, err
	}
	later := *seen
	later.Boxes, later.Doubts = nil, nil
	later.Layout.Board = l.Board.Add(moved)
	later.Layout.Centres = slices.Clone(l.Centres)
	for i := range later.Layout.Centres {
		later.Layout.Centres[i] = l.Centres[i].Add(moved)
	}
	later.Signs = slices.Clone(seen.Signs)
	for i, c := range cells {
		later.Signs[i].Links = c.Links
		if c.Colour.A > 0 {
			later.Signs[i].Colour = c.Colour
		} else if later.Signs[i].Group == 0 {
			later.Signs[i].Colour = c.Colour
		}
	}
	return &later, nil
}
