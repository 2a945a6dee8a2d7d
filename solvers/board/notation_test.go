package board

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestNumbers reads boards of numbers and walls and writes them again, and wants errors
// that name the place.
func TestNumbers(t *testing.T) {
	n := NumberNotation(2, 4)
	for _, text := range []string{"1 .\n. 2", "1 . .\n3 . 2\nwalls 1,1|1,2 1,1|2,1 2,2|2,3"} {
		size, stops, walls, err := n.ParseStops(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := n.FormatStops(size, stops, walls); got != text {
			t.Errorf("%q written as %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"":                         "empty, expected 2 to 4 rows",
		"1 2":                      "the board has 1 rows, expected 2 to 4",
		"1 .\n. 2 .":               "line 2: the row has 3 cells, expected 2 as in the first",
		"1 . . . .":                "line 1: the row has 5 cells, expected 2 to 4",
		"1 .\n. 02":                `line 2: cell 2 is "02", expected a number or '.'`,
		"1 .\n. 17":                `line 2: cell 2 is "17"`,
		"1 .\n. 3":                 "no number 2 among 2 numbers",
		"1 .\n. .":                 "1 number, expected at least 2",
		"1 .\n. 2\nwalls 1,1|2,2":  `wall "1,1|2,2", expected two neighbouring cells of the 2x2 board`,
		"1 .\n. 2\nwalls 1|1,2,1":  "expected the walls once and in order",
		"1 .\n. 2\nwalls 1,1|2,1 ": `wall ""`,
	} {
		if _, _, _, err := n.ParseStops(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected an error with %q", text, err, want)
		}
	}
}

// TestNotationLikeness wants the notation's own text to be likest.
func TestNotationLikeness(t *testing.T) {
	n := RegionNotation(2, 5)
	last := 1.1
	for _, text := range []string{"AAB\nACB\nCCB", "AAB\nACB\nCC", "A.B\nACB\nCC", "AB", "A.", "..\n.."} {
		now := n.Likeness(text)
		if now < 0 || now >= last {
			t.Errorf("%q: likeness %v, expected less than %v of the one before", text, now, last)
		}
		last = now
	}
}

// TestRegions grows regions and gives cells away: they stay connected, and as many.
func TestRegions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	given := 0
	for range 50 {
		size := Size{Rows: 6, Cols: 6}
		var seeds []Cell
		for _, c := range random.Perm(size.Cells())[:size.Rows] {
			seeds = append(seeds, Cell(c))
		}
		r := GrowRegions(size, seeds, random)
		for range 20 {
			c := Cell(random.IntN(size.Cells()))
			was := r.Of[c]
			home := seeds[slices.IndexFunc(seeds, func(s Cell) bool { return r.Of[s] == was })]
			if r.Give(c, home, random) {
				given++
			}
			if err := r.Check(); err != nil {
				t.Fatalf("%v\n%s", err, r)
			}
		}
		again, err := ParseRegions(RegionNotation(4, 8), r.String())
		if err != nil || again.String() != r.String() {
			t.Fatalf("%v\n%s\nread again\n%s", err, r, again)
		}
		for _, e := range r.Edges() {
			if slices.Contains(r.Borders(), e) == (r.Of[e.A] == r.Of[e.B]) {
				t.Fatalf("edge %v is wrongly a border, or none\n%s", e, r)
			}
		}
	}
	if given < 100 {
		t.Errorf("only %d of 1000 cells were given to another region", given)
	}
}
