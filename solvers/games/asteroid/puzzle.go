package asteroid

import (
	"fmt"
	"strings"

	"tapwise/solvers/board"
)

// size is the size of the board.
var size = board.Size{Rows: 3, Cols: 3}

const (
	cells = 9
	door  = board.Cell(7) // above the exit
)

// piece is the load of a tile, in its orientation, or the hole.
type piece uint8

const (
	hole piece = iota
	spacecraft
	oneSmall
	oppositeSmall = oneSmall + 4
	edgeSmall     = oppositeSmall + 2
	bigCorner     = edgeSmall + 4
	bigEdge       = bigCorner + 4
	pieces        = bigEdge + 4
)

// corners is the notation of each piece: its corners top left, top right, bottom
// left, bottom right. Each orientation of a kind is a quarter turn clockwise from the
// one before.
var corners = [pieces]string{
	"    ",
	"SS  ",
	"a   ", " a  ", "   a", "  a ",
	"a  a", " aa ",
	"aa  ", " a a", "  aa", "a a ",
	"A   ", " A  ", "   A", "  A ",
	"AA  ", " A A", "  AA", "A A ",
}

func (p piece) String() string { return corners[p] }

// Puzzle is a start: the tiles on their places. It does not change.
type Puzzle struct {
	at [cells]piece // by cell
}

const (
	rim    = "+--+--+--+"
	height = 3*3 + 1 // lines of the notation
)

// Parse reads a puzzle in the notation of the package comment. The error names the
// line or the cell and what was expected there.
func Parse(text string) (*Puzzle, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) != height {
		return nil, fmt.Errorf("asteroid: the board has %d lines, expected %d", len(lines), height)
	}
	for i, line := range lines {
		if i%3 == 0 {
			if line != rim {
				return nil, fmt.Errorf("asteroid: line %d: %q, expected %q", i+1, line, rim)
			}
			continue
		}
		if len(line) != len(rim) || line[0] != '|' || line[3] != '|' || line[6] != '|' || line[9] != '|' {
			return nil, fmt.Errorf("asteroid: line %d: %q, expected three tiles of two characters between bars, as in %q", i+1, line, "|a | A|  |")
		}
	}
	var at [cells]piece
	for c := range board.Cell(cells) {
		row, col := 3*size.Row(c)+1, 3*size.Col(c)+1
		top, bottom := lines[row][col:col+2], lines[row+1][col:col+2]
		for at[c] < pieces && corners[at[c]] != top+bottom {
			at[c]++
		}
		if at[c] == pieces {
			return nil, fmt.Errorf("asteroid: %s: %q over %q is no tile of the game", size.Name(c), top, bottom)
		}
	}
	return newPuzzle(at)
}

// newPuzzle makes a puzzle of the pieces on the board. The error says why they are
// none.
func newPuzzle(at [cells]piece) (*Puzzle, error) {
	if err := exactlyOne(at, hole, "hole"); err != nil {
		return nil, err
	}
	if err := exactlyOne(at, spacecraft, "spacecraft"); err != nil {
		return nil, err
	}
	if a, b := touching(at); a != board.None {
		return nil, fmt.Errorf("asteroid: the tiles at %s and %s overlap", size.Name(a), size.Name(b))
	}
	return &Puzzle{at: at}, nil
}

func exactlyOne(at [cells]piece, p piece, name string) error {
	first := board.None
	for c, q := range at {
		if q != p {
			continue
		}
		if first != board.None {
			return fmt.Errorf("asteroid: %s: a second %s, the first is at %s", size.Name(board.Cell(c)), name, size.Name(first))
		}
		first = board.Cell(c)
	}
	if first == board.None {
		return fmt.Errorf("asteroid: the board has no %s, expected one", name)
	}
	return nil
}

// String is the puzzle in its notation.
func (p *Puzzle) String() string { return draw(p.at) }

// draw writes a board.
func draw(at [cells]piece) string {
	var b strings.Builder
	for row := range size.Rows {
		b.WriteString(rim + "\n")
		for half := 0; half < 4; half += 2 {
			for col := range size.Cols {
				b.WriteString("|" + corners[at[size.At(row, col)]][half:half+2])
			}
			b.WriteString("|\n")
		}
	}
	b.WriteString(rim)
	return b.String()
}
