// Package flow plays Flow (Flow Free; Numberlink in the literature) with its
// variants Bridges, Hexes and Warps.
//
// # Rules
//
// Each colour has two ends. Join each pair with a pipe. Their names here are
// the ones that Check reports:
//
//   - ends: a pipe leads from one end of its colour to the other, and meets no
//     other end.
//   - steps: a pipe steps from cell to neighbouring cell, never through a wall
//     or a hole.
//   - once: no cell is used twice, by one pipe or by two. Only a bridge is
//     crossed twice, once in each direction.
//   - straight: a bridge is crossed straight, horizontally or vertically; no
//     pipe turns on it.
//   - cover: every cell belongs to a pipe and every bridge is crossed both
//     ways. (Numberlink proper does without this rule: WithoutCover.)
//
// Neighbours are the four cells that share an edge. On a warp board the first
// and the last cell of a row or column are neighbours too, unless a wall
// stands between them; that needs at least three cells in the row. On a hex
// board, made of columns of which the even ones (counted from 0) are set half
// a cell lower, row r column c has six: r±1 in its own column, and in both
// neighbouring columns r and r+1 for even c, r and r-1 for odd c.
//
// # Notation
//
// A grid, one character a cell: '.' empty, '#' no cell, '+' a bridge, any
// other character an end, each exactly twice. Lines before it, each optional:
//
//	W H
//	hex             or: warp
//	walls r,c|r,c … pairs of neighbouring cells with a wall between, from 0
//
// Boards with more pipes than characters write cells as numbers separated by
// blanks, '-' empty; the size is ROWS COLS there. A solution repeats the
// pipe's character in each cell; a bridge stays '+'.
//
// A level pack has one level a line, as the game's community writes it:
//
//	SIZE,KIND,NUMBER,FLOWS[,BRIDGES[,VOIDS[,WALLS]]];PATH;PATH;…
//
// SIZE is N or W:H, with a prefix W_ for warps and X_ for hexes; a suffix that
// begins with '+' or ':' and a letter is drawing style. Cells are row*W+col, joined by ':' in
// BRIDGES and VOIDS (where '_' begins a drawing style), as a|b in WALLS, by
// ',' in a PATH. Of a PATH only the first and last cell are clues; the whole
// is a reference answer. The solution of such a level is the level's line with
// the paths found.
package flow
