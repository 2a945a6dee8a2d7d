// Package queens plays Queens: one queen for each row, column and region.
//
// # Rules
//
// The n×n cells are cut into n regions, which are connected on the game's own boards; people
// make boards with regions in several parts. The names of the rules are the ones that Check
// reports:
//
//   - row, column, region: each holds exactly one queen.
//   - touch: no two queens are in touching cells, corners too.
//
// # Notation
//
// Lines of n letters, the region of each cell; n is 4 to 26. Any letters, digits and symbols
// will do, in any order; in lines with blanks between the cells, also words, such as 12.
// A solution has 'Q' for a queen and '.' for a cell without one; 'x' is a cell that a player
// has marked as having none.
//
//	AABB      .Q..
//	ACBB      ...Q
//	CCDB  →   Q...
//	CCDD      ..Q.
//
// # Model
//
// A Boolean variable for each cell; exactly one of those of a row, a column and a region
// is true, and at most one of two in touching cells.
//
// # Generator
//
// Queens are drawn first, one in each row and column and none touching. Regions grow from
// them, a random cell at a time. While there is another solution, a cell of one of its
// queens goes to a neighbouring region.
//
// # Reading
//
// Cells are panes of any colours, which are matched within one picture: grey is a region
// like others. A single cell that is 0.8 of its neighbours' colour is under a pointer.
// If lines between regions are thicker than others, they have to agree with the colours.
// A small mark in a cell's middle is an x, a large one a queen.
package queens
