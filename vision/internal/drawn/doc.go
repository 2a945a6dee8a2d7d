// Package drawn finds what was drawn on a board since it was first seen, without OpenCV.
//
// A board of any look is found by its empty cells. A full board has none left to show its
// lattice, but an earlier frame showed where the board lies and how its empty
// cells look. [Since] compares a later frame with that
// one: a pipe is a new band of one colour over the border of two cells, with an edge on both
// sides. Pipes must explain everything else that has changed. If they do not, because a
// panel covers the board or another level came, an error says where.
//
// The board may have moved up or down meanwhile, as on a page where a button
// appears below it: its ends show by how much.
package drawn
