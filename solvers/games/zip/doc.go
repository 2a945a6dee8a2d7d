// Package zip plays Zip: one path through every cell that passes the numbers in order.
//
// # Rules
//
// Some cells have the numbers 1 to k, and walls stand between some neighbouring cells. The
// names of the rules are the ones that Check reports:
//
//   - cover: the path visits every cell once.
//   - step: it goes from each cell to a neighbouring one.
//   - wall: no wall stands between the two.
//   - numbers: it starts at 1, passes the numbers in order and ends at k.
//
// # Notation
//
// A line for each row, entries separated by one blank: '.' or a number; 2 to 16 rows and
// columns. If there are walls, a last line has pairs of cells, rows and columns from 1, in
// the order of the cells. A solution has the order of the cells, 1 to their number; one
// that is only begun has '.' on the others.
//
//	1 . .             1 2 3
//	. 2 .             6 5 4
//	. . 3          →  7 8 9
//	walls 1,1|2,1
//
// # Model
//
// Paths join each number with the next and cover all cells (csp.Paths, with a colour for
// each path). A number between the first and the last is two nodes, the end of one path
// and the beginning of the next, that have the same neighbours.
//
// # Generator
//
// A path through all cells is drawn and changed at its ends many times; numbers stand on
// both ends and on random cells between. As long as there is another solution, a wall goes
// where that one leaves the path.
//
// # Reading
//
// Cells are panes between lines; a line wider than an eighth of a cell is a wall. A cell
// may show a number, with or without a disc. Anything else that covers a cell's middle has to be
// the path, a band that leads on to a neighbour; it is followed from the cell of the 1.
package zip
