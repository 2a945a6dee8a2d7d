package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Regions are a board cut into parts, numbered from 0 in the order in which they first
// appear.
type Regions struct {
	Size
	Of     []int    // by cell: its region
	Labels []string // by region: what it is written as; nil: letters from A on
	gap    string   // between two labels of a row
}

// mostLabel is the most bytes of what a region is written as.
const mostLabel = 16

// RegionNotation writes a region as any letter, digit or symbol, one a cell; or as any word
// of those, with a blank between two cells.
func RegionNotation(least, most int) Notation {
	return Notation{Least: least, Most: most, Square: true, Entries: "a letter, a digit or a symbol", Is: isLabel}
}

// Lines and blocks that boxes are drawn with are no labels.
const firstBox, lastBox = '\u2500', '\u259f'

func isLabel(e string) bool {
	if e == "" || len(e) > mostLabel || !utf8.ValidString(e) || strings.ContainsRune(e, utf8.RuneError) {
		return false
	}
	for _, r := range e {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.So, unicode.Sk) || r >= firstBox && r <= lastBox {
			return false
		}
	}
	return true
}

// spaced is the notation with blanks between cells where a text's first row has any.
func (n Notation) spaced(text string) Notation {
	if first, _, _ := strings.Cut(text, "\n"); strings.Contains(first, " ") {
		n.Separator = " "
	}
	return n
}

// RegionLikeness is how much a text looks like regions in a notation of theirs, 0 to 1.
func RegionLikeness(n Notation, text string) float64 { return n.spaced(text).Likeness(text) }

// ParseRegions reads regions in a notation of theirs. They may be in parts, and be more or
// fewer than rows: Check tells.
func ParseRegions(n Notation, text string) (Regions, error) {
	n = n.spaced(text)
	size, entries, err := n.Parse(text)
	if err != nil {
		return Regions{}, err
	}
	r := Regions{Size: size, gap: n.Separator}
	number := map[string]int{}
	for _, e := range entries {
		k, known := number[e]
		if !known {
			k = len(number)
			number[e] = k
			r.Labels = append(r.Labels, e)
		}
		r.Of = append(r.Of, k)
	}
	return r, nil
}

// RegionLabel is the letter of a region.
func RegionLabel(region int) string { return string(rune('A' + region)) }

// Label is what a region is written as.
func (r Regions) Label(region int) string {
	if region < len(r.Labels) {
		return r.Labels[region]
	}
	return RegionLabel(region)
}

// Lettered are the same regions, written with letters from A on.
func (r Regions) Lettered() Regions { return Regions{Size: r.Size, Of: r.Of} }

// String is the regions, a line of labels for each row.
func (r Regions) String() string {
	var entries []string
	for _, k := range r.Of {
		entries = append(entries, r.Label(k))
	}
	return Notation{Separator: r.gap}.Format(r.Size, entries)
}

// Regions is their number.
func (r Regions) Regions() int { return slices.Max(r.Of) + 1 }

// Check wants as many regions as rows, each connected.
func (r Regions) Check() error {
	if r.Regions() != r.Rows {
		return fmt.Errorf("%s, expected %d: one for each row", Count(r.Regions(), "region"), r.Rows)
	}
	for k := range r.Rows {
		if first := Cell(slices.Index(r.Of, k)); len(r.Joined(first, None)) != r.Count(k) {
			return fmt.Errorf("region %s is in parts, expected its cells to be connected", r.Label(k))
		}
	}
	return nil
}

// Count is the number of a region's cells.
func (r Regions) Count(region int) int {
	n := 0
	for _, k := range r.Of {
		if k == region {
			n++
		}
	}
	return n
}

// Joined are the cells of a cell's region that it is connected with otherwise than
// through one, itself among them.
func (r Regions) Joined(first, without Cell) []Cell {
	list := []Cell{first}
	for i := 0; i < len(list); i++ {
		for _, n := range r.Neighbours(list[i]) {
			if r.Of[n] == r.Of[first] && n != without && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}

// Borders are the borders of neighbouring cells of different regions.
func (r Regions) Borders() []Edge {
	return slices.DeleteFunc(r.Edges(), func(e Edge) bool { return r.Of[e.A] == r.Of[e.B] })
}

// GrowRegions makes a region of each of some cells and all that they reach, a random cell
// at a time.
func GrowRegions(size Size, seeds []Cell, random *rand.Rand) Regions {
	r := Regions{Size: size, Of: slices.Repeat([]int{-1}, size.Cells())}
	for k, c := range seeds {
		r.Of[c] = k
	}
	for rim := slices.Clone(seeds); len(rim) > 0; {
		i := random.IntN(len(rim))
		free := slices.DeleteFunc(r.Neighbours(rim[i]), func(n Cell) bool { return r.Of[n] >= 0 })
		if len(free) == 0 {
			rim = slices.Delete(rim, i, i+1)
			continue
		}
		next := free[random.IntN(len(free))]
		r.Of[next] = r.Of[rim[i]]
		rim = append(rim, next)
	}
	r.number()
	return r
}

// number numbers the regions in the order in which they first appear.
func (r Regions) number() {
	var order []int
	for c, k := range r.Of {
		if !slices.Contains(order, k) {
			order = append(order, k)
		}
		r.Of[c] = slices.Index(order, k)
	}
}

// Give gives a cell to the region of one of its neighbours, if its own stays connected
// without it; home is a cell that its own must keep. The neighbours are tried in a random
// order. It reports whether the cell has another region now.
func (r Regions) Give(c, home Cell, random *rand.Rand) bool {
	near := r.Neighbours(c)
	random.Shuffle(len(near), func(i, k int) { near[i], near[k] = near[k], near[i] })
	for _, n := range near {
		if c != home && r.Of[n] != r.Of[c] && len(r.Joined(home, c)) == r.Count(r.Of[c])-1 {
			r.Of[c] = r.Of[n]
			r.number()
			return true
		}
	}
	return false
}

// RowsAndColumns are, by cell, the numbers of their rows and those of their columns.
func (s Size) RowsAndColumns() [][]int {
	lines := make([][]int, 2)
	for c := range Cell(s.Cells()) {
		lines[0], lines[1] = append(lines[0], s.Row(c)), append(lines[1], s.Col(c))
	}
	return lines
}

// Corners reports whether two cells touch at a corner only.
func (s Size) Corners(a, b Cell) bool {
	down, across := s.Row(a)-s.Row(b), s.Col(a)-s.Col(b)
	return down*down == 1 && across*across == 1
}

// Scatter draws a cell of each row and column of a square board, no two of them touching, not
// even at corners. The board has at least four rows: smaller boards have no such cells, except
// a board of one row.
func (s Size) Scatter(random *rand.Rand) []Cell {
	for {
		cells := make([]Cell, s.Rows)
		apart, last := true, -s.Cols
		for row, col := range random.Perm(s.Cols) {
			apart = apart && (col-last > 1 || last-col > 1)
			cells[row], last = s.At(row, col), col
		}
		if apart {
			return cells
		}
	}
}
