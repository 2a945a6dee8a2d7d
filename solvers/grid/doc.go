// Package grid has what games share: reading, whole kinds of puzzles on squares, pictures.
//
// [CheckSure] (on squares [Check]) requires what a game's Spec asked for, [CheckUncovered] that no
// panel covers the board; [ReadCells] finds out what each cell is, [PairByColour] which ends
// belong together, [ReadRegions], [ReadWalls], [ReadStops] and [ReadPath] what boards of panes
// show. [LocateBoard] and [Locate] are the usual Locate.
//
// A [Game] is a whole game of things on squares as a value, which says only what is its own; the tests
// of this package have two. Below it, [Placing] is a game of things on cells, [Through] one of a path through all of them,
// [OneEach] the rule that each row, column and region has one.
package grid
