// Package asteroid plays Asteroid (Asteroid Escape): tiles that slide, and a
// spacecraft that must get out between them.
//
// # Rules
//
// A board of 3×3 places holds eight tiles and one hole. One tile carries the
// spacecraft, the others carry asteroids, which stick out of their tiles.
// Slide tiles until the spacecraft is in the middle of the bottom row, then
// slide it out of the exit below. The names are the ones that Check reports:
//
//   - tile: what slides is a tile, not the hole.
//   - hole: a tile slides one place, into the hole.
//   - clear: nothing on the sliding tile meets anything on another tile, at
//     any moment of the slide. The board's rim stops nothing that sticks out.
//   - exit: the last move, and no other, takes the spacecraft out from the
//     middle of the bottom row.
//
// # Geometry
//
// A tile is 3×3 units with its centre at 0,0; y points down, x to the right.
// The spacecraft never turns. Asteroids do not turn during the game, but each
// kind occurs in all four orientations, of which this is one:
//
//	spacecraft                    (1,0) (-1,-2) (-1,-1) (-1,1) (-1,2)     1
//	one small                     (-1,-1)                                 3
//	two small, opposite corners   (-1,-1) (1,1)                           1
//	two small, one edge           (-1,-1) (-1,1)                          1
//	big corner                    (-1,-1) (-2,-1) (-1,-2) (-2,-2)         1
//	big edge                      (-1,-1) (-1,0) (-1,1)
//	                              (-2,-1) (-2,0) (-2,1)                   1
//
// The last column is the number of pieces of the kind in the game's box, the
// standard pieces. A slide moves a tile three units; whether it meets another is
// tested after each of them. No rule of play mentions the standard pieces, so a
// puzzle may have any tiles; generated ones have the standard pieces. But no two tiles
// of a puzzle may overlap at the start: nobody can lay them like that, and no slide leads
// there.
//
// # Notation
//
// A tile is drawn by its four corners, two characters over two: 'a' a small
// asteroid, 'A' a big one ("AA" along an edge is the big edge), "SS" on top
// the spacecraft, a blank nothing; the tile of four blanks is the hole.
//
//	+--+--+--+
//	|  |A |aa|
//	|  |  |  |
//	+--+--+--+
//	|AA| a| a|      0,1 left
//	|  |  |a |      1,1 up
//	+--+--+--+  →   2,1 up
//	|SS| a|  |      2,0 right
//	|  |  | a|      2,1 exit
//	+--+--+--+
//
// A solution is one move a line, in order: "ROW,COL DIRECTION" names the tile
// that moves, rows and columns counted from 0, and up, right, down or left.
// The last move is "2,1 exit", and it counts.
//
// # Model
//
// A tile's units are a bit mask: two tiles meet if one shifted mask and the other
// have a bit in common. So each puzzle computes once, for each
// place of the hole, direction and piece, which pieces on which places would be in
// the way. A position is the hole and one 64-bit word: a byte for each tile in
// reading order, with one bit for its piece. A slide is then allowed if a mask of
// obstacles has no bit in common with that word. A slide along a row leaves the word
// unchanged, one along a column rotates three bytes.
//
// Breadth-first search over positions finds a solution with the fewest moves.
// Slides can be undone, so searching from all the positions in which the
// spacecraft may leave gives the distance of every position to the exit: other
// solutions are listed with it ([Puzzle.Solutions]), levels are chosen with it
// ([Game.Generate]), and the hardest start of all is found with it (`make hardest`).
//
// # Reading a screen
//
// [Game.Read] looks at 21 places on each tile. Those half-way to the corners are
// covered only by big asteroids of the tile itself, the corners by its small ones or
// by asteroids that stick out of other tiles. Every place must then look as it
// should with the pieces found, and these must be the standard ones: a slide under
// way or a message over the board is refused.
//
// # Simulated app
//
// [Game.Simulate] makes an app for the simulated phone: a board in a wall that
// is open below the middle of the bottom row, tiles in a lattice of lines, and
// on them the spacecraft and the asteroids, which stick out over their tiles
// by as much as the geometry says. A big asteroid lies about a third of a unit
// closer to its own tile's centre than halfway, which shows whose it is. There
// are two styles:
//
//	space  dark: stars, rough brown rocks, a blue spacecraft (the usual one)
//	flat   light: plain round grey rocks, a red spacecraft
//
// When the spacecraft has left, a panel shows the number of moves, with the
// buttons "next level" and "again".
package asteroid
