package recognise

import (
	"image"
	"testing"

	"tapwise/solvers/screen"
)

// TestPartOf tells parts of a board from other boards.
func TestPartOf(t *testing.T) {
	seen := func(rows, cols, top int, pitch float64, doubts ...string) *screen.Observation {
		board := image.Rect(30, top, 30+int(pitch)*cols, top+int(pitch)*rows)
		return &screen.Observation{Doubts: doubts, Layout: screen.Layout{Rows: rows, Cols: cols, Pitch: pitch, Board: board}}
	}
	whole := seen(6, 6, 700, 170)
	for name, test := range map[string]struct {
		part, whole *screen.Observation
		want        bool
	}{
		"five of six rows":                {seen(5, 6, 870, 170, "another rim"), whole, true},
		"five of six rows, sure":          {seen(5, 6, 870, 170), whole, false},
		"of a board that is doubtful":     {seen(5, 6, 870, 170, "another rim"), seen(6, 6, 700, 170, "another rim"), false},
		"the same":                        {seen(6, 6, 700, 170, "another rim"), whole, false},
		"rows below it":                   {seen(5, 6, 1040, 170, "another rim"), whole, false},
		"smaller cells in the same place": {seen(5, 6, 870, 150, "another rim"), whole, false},
	} {
		if got := partOf(test.part, test.whole); got != test.want {
			t.Errorf("%s: a part: %v, expected %v", name, got, test.want)
		}
	}
}

// TestGoesOn tells parts of a board, where something covers the rest, from whole boards
// with something beside them.
func TestGoesOn(t *testing.T) {
	seen := func(rows, cols, top int, confidence float64, doubts ...string) *screen.Observation {
		board := image.Rect(30, top, 30+100*cols, top+100*rows)
		return &screen.Observation{Doubts: doubts, Confidence: confidence, Layout: screen.Layout{Rows: rows, Cols: cols, Pitch: 100, Board: board}}
	}
	part := seen(3, 5, 700, 0.9)
	for name, test := range map[string]struct {
		whole *screen.Observation
		want  bool
	}{
		"four rows above":           {seen(7, 5, 300, 0.94), true},
		"one row above":             {seen(4, 5, 600, 0.94), false},
		"one above and one below":   {seen(5, 5, 600, 0.94), false},
		"not sure":                  {seen(7, 5, 300, 0.8), false},
		"doubtful":                  {seen(7, 5, 300, 0.94, "another rim"), false},
		"above, with a gap between": {seen(3, 5, 200, 0.94), false},
		"half a cell aside":         {seen(7, 5, 350, 0.94), true},
	} {
		if got := goesOn(part, test.whole); got != test.want {
			t.Errorf("%s: goes on: %v, expected %v", name, got, test.want)
		}
	}
}

// TestWithoutParts leaves out a part of a board, but not where two ways of looking show it.
func TestWithoutParts(t *testing.T) {
	seen := func(rows int, confidence float64) *screen.Observation {
		board := image.Rect(30, 1000-100*rows, 530, 1000)
		return &screen.Observation{Confidence: confidence, Layout: screen.Layout{Rows: rows, Cols: 5, Pitch: 100, Board: board}}
	}
	whole, part, again := seen(7, 0.94), seen(3, 0.9), seen(3, 1)
	if left := withoutParts(whole, []*screen.Observation{part}); len(left) != 0 {
		t.Errorf("%d boards left beside the whole, expected none", len(left))
	}
	if left := withoutParts(whole, []*screen.Observation{part, again}); len(left) != 2 {
		t.Errorf("%d boards left that were seen twice, expected 2", len(left))
	}
}
