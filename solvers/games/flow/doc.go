// Package flow plays Flow (Flow Free; Numberlink in the literature) with its
// variants Bridges, Hexes and Warps.
//
// # Rules
//
// Each colour has two ends. Join each pair with a pipe. The names of the rules are
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
// Contests ask for more (OnlyTidy; the rule's name is tidy): no pipe can be shortened, so between
// its ends no path over its own cells and unused ones has fewer steps. None runs beside itself then.
//
// Neighbours are the four cells that share an edge. On a warp board the first
// and the last cell of a row or column are neighbours too, unless a wall
// stands between them; that needs at least three cells in the row. A hex board is
// made of columns, and the even ones (counted from 0) are set half a cell lower.
// There a cell has six neighbours: for row r column c they are r±1 in its own
// column, and in both neighbouring columns r and r+1 for even c, r and r-1 for
// odd c.
//
// # Notation
//
// A grid, one character a cell: '.' empty, '#' no cell, '+' a bridge, any
// other character an end, each exactly twice. Optional lines before it:
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
// begins with '+' or ':' and a letter is drawing style. Cells are row*W+col,
// joined by ':' in BRIDGES and VOIDS (where '_' begins a drawing style), as a|b in
// WALLS, by ',' in a PATH. Only the first and the last cell of a PATH are clues;
// the whole is a reference answer. The solution of such a level is the level's
// line with the paths found.
//
// # Model
//
// The cells are the nodes of a graph, with an edge between cells that a pipe may
// step between; a bridge has two nodes, one for its row and one for its column.
// Chosen edges form paths that join each pair of ends and cover all nodes
// (csp.Paths).
//
// Nearly every level has a solution in which no pipe takes the long way around to
// the cell beside it: three sides of a square, or two of a triangle. Such a tidy
// solution is looked for first, diagonal by diagonal, since each bend of a tidy
// pipe needs the same bend in the next cell inwards. Large boards are tried from
// every corner. If none is found, short arguments may say why there is no
// solution at all ([Puzzle.Reason]). To prove that a solution is the only one, the package
// shows that no other pipes join the same ends, whether or not cells are left out
// (routings.go); if that is hard, separately for each way in which they can pass each other's
// ends (classes.go, package homotopy); or it counts along a frontier, which also counts
// large numbers of solutions ([Puzzle.Count], package frontier). To list other solutions,
// the model also gives each node a colour, and those in which no pipe runs beside itself come
// first; everything is searched only if no proof excludes others
// ([Puzzle.Search]).
//
// If pipes need not cover the board and there are at least 64 cells for each, they are
// first drawn one by one, each the cheapest way, repeatedly, at growing costs of the
// cells that several share (reroute.go).
//
// A board has at most [MaxSide] rows and columns; a larger one is refused before
// anything is built from it.
//
// # Generator
//
// A level is drawn as its solution: the board is tiled with dominoes at random,
// and the tiles are joined end to end, never so that a pipe would run beside
// itself. Pipes that are too short take pieces of their neighbours. While there is
// another solution, a pipe that differs in it is cut in two
// ([Game.Generate]).
//
// # Reading a screen
//
// [Game.Read] takes what was measured in each cell and on each side of it:
//
//   - cells: an end is a disc and a pipe a stroke through the middle, of one
//     colour and brighter than the background; a bridge has lines in its four
//     corners; an empty cell is background all over. Any other cell
//     is refused.
//   - sides: the lines between cells are thin and dim, walls and the outline of
//     irregular boards thick and bright. On a warp the lines reach a little over
//     the rim.
//   - ends: no palette is known. Two ends form a pair when each is the other's
//     nearest in colour and all others are far.
//   - pipes: they are followed from their ends, and must lead from cell to cell as
//     the game draws them.
//
// A board with several solutions is believed only when all of that was seen
// clearly ([Game.Vouch]). [Game.Locate] knows a completed level by its panel,
// black with a dark green title and buttons outlined in white, and also the half
// transparent one of the old app, and the list of levels.
//
// # Simulated app
//
// The app for the simulated phone looks and behaves as the real game does: a list
// of levels, the board with its glow, and the panel of a completed level. A stroke
// from an end begins a pipe anew, one from a pipe's tip continues it, one from
// its body cuts it there; pipes that a stroke crosses are cut. The style is words
// in any order: a pack's colour (green, red, orange, yellow, blue, cyan, purple;
// the seed chooses when none is named), adfree for a screen without the banner,
// checks for check marks on the ends of finished pipes, letters for the letters on
// the ends that colour-blind players see.
package flow
