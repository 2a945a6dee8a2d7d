// Package board has what the games' boards share: cells, their order, the borders
// between them.
//
// A [Cell] is the index row*Cols+col of a place on a board; it is never a
// pixel. [Size] turns rows and columns into cells and back.
package board
