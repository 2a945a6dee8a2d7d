package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Regions are a board cut into connected parts, numbered from 0 in the order in which
// they first appear.
type Regions struct {
	Size
	Of []int // by cell: its region
}

// RegionNotation writes a region as a letter from A on, one byte a cell.
func RegionNotation(least, most int) Notation {
	return Notation{Least: least, Most: most, Square: true, Entries: "a letter from A to Z",
		Is: func(e string) bool { return len(e) == 1 && e[0] >= 'A' && e[0] <= 'Z' }}
}

// ParseRegions reads regions in a notation of theirs, and checks them.
func ParseRegions(n Notation, text string) (Regions, error) {
	size, entries, err := n.Parse(text)
	if err != nil {
		return Regions{}, err
	}
	r := Regions{Size: size}
	for _, e := range entries {
		r.Of = append(r.Of, int(e[0]-'A'))
	}
	return r, r.Check()
}

// RegionLabel is the letter of a region.
func RegionLabel(region int) string { return string(rune('A' + region)) }

// String is the regions, a line of letters for each row.
func (r Regions) String() string {
	var entries []string
	for _, k := range r.Of {
		entries = append(entries, RegionLabel(k))
	}
	return Notation{}.Format(r.Size, entries)
}

// Check wants as many regions as rows, each connected, numbered as they appear.
func (r Regions) Check() error {
	regions := 0
	for c, k := range r.Of {
		if k > regions {
			return fmt.Errorf("%s is the first of region %s, expected %s", r.Name(Cell(c)), RegionLabel(k), RegionLabel(regions))
		}
		regions = max(regions, k+1)
	}
	if regions != r.Rows {
		return fmt.Errorf("%s, expected %d: one for each row", Count(regions, "region"), r.Rows)
	}
	for k := range regions {
		if first := Cell(slices.Index(r.Of, k)); len(r.Joined(first, None)) != r.Count(k) {
			return fmt.Errorf("region %s is in parts, expected its cells to be connected", RegionLabel(k))
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

// Scatter draws a cell of each row and column of a square board, no two of them touching,
// not even at corners. The board has at least four rows: smaller ones have no such cells,
// but for one row.
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
