package board

import "testing"

func TestSize(t *testing.T) {
	s := Size{Rows: 3, Cols: 4}
	if s.Cells() != 12 || s.String() != "4x3" {
		t.Errorf("got %d cells, %q", s.Cells(), s)
	}
	for r := range s.Rows {
		for c := range s.Cols {
			cell := s.At(r, c)
			if s.Row(cell) != r || s.Col(cell) != c {
				t.Errorf("cell %d is at %d,%d, expected %d,%d", cell, s.Row(cell), s.Col(cell), r, c)
			}
		}
	}
	for _, out := range [][2]int{{-1, 0}, {0, -1}, {3, 0}, {0, 4}} {
		if got := s.At(out[0], out[1]); got != None {
			t.Errorf("%v is cell %d, expected none", out, got)
		}
	}
	for cell := range Cell(s.Cells()) {
		if inside := cell == 5 || cell == 6; s.OnRim(cell) == inside {
			t.Errorf("cell %d: on the rim %v, expected %v", cell, inside, !inside)
		}
	}
	if got := s.Name(5); got != "row 2 column 2" {
		t.Errorf("cell 5 is called %q", got)
	}
}

func TestDir(t *testing.T) {
	for d := range Dir(4) {
		r, c := d.Step()
		or, oc := d.Opposite().Step()
		if r+or != 0 || c+oc != 0 || r*r+c*c != 1 {
			t.Errorf("direction %d steps %d,%d, its opposite %d,%d", d, r, c, or, oc)
		}
	}
	s := Size{Rows: 3, Cols: 4}
	if got := s.Beside(5, West); got != 4 {
		t.Errorf("west of cell 5 is %d", got)
	}
	if got := s.Beside(3, East); got != None {
		t.Errorf("east of cell 3, the last of its row, is %d, expected none", got)
	}
	if EdgeOf(7, 3) != EdgeOf(3, 7) || EdgeOf(7, 3) != (Edge{3, 7}) {
		t.Errorf("the edge of 7 and 3 is %v", EdgeOf(7, 3))
	}
}
