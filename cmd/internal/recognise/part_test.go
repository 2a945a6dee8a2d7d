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
