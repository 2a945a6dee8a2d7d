// Package drawn tells what was drawn on a board since it was first seen, without OpenCV.
//
// A board of any look is found by its empty cells. When it is full, there are none left,
// and nothing tells its lattice. But where it lies was seen on an earlier frame, and what
// its cells look like when they are empty, too. [Since] compares a later frame with that
// one: a pipe is a band of one colour over the border of two cells, with an edge on both
// sides of it, that was not there before. Everything else that has changed must be
// explained by pipes. Where it is not, for a panel lies over the board or another level
// came, there is an error, which says where.
//
// A board may have moved up or down meanwhile, as that of a page does when a button
// comes below it: its ends tell by how much.
package drawn
