// Package alcazar plays Alcazar: find the way through all rooms of a palace.
//
// # Rules
//
// Rooms stand in rows and columns, with walls or passages between them and
// openings in the rim. Not every place has a room: palaces have yards, and may have
// the shape of a heart. The rim is wherever there is a room on one side only, around
// a yard too. Draw one path that comes in by one opening, visits
// every room exactly once and leaves by another. The names of the rules are
// the ones that Check reports:
//
//   - walls: the path goes through passages and openings only.
//   - cover: it visits every room.
//   - through: it leaves every room that it comes into.
//   - once: it visits no room twice and never crosses itself: in no room does
//     it use more than two sides.
//   - openings: it uses exactly two openings.
//   - one: it is one path; there is no loop beside it.
//
// # Notation
//
// A board of r rows and c columns of rooms is written in one of three forms. A
// puzzle and its solutions keep the form that the puzzle was read in; As
// changes it. Every character counts, but blanks that are missing at the end of a
// line are filled in.
//
// A place without a room is '#' in each form. A grid may also have 'x' there,
// which is kept, since AlcaSAT's notation has a block of walls for it; and a box drawing a
// blank, since forums leave the place empty. Between two such places, and between one and
// the outside, is a wall or a blank, which is kept but means nothing.
//
//	x xxx x      ╔╩╗ ╔╩╗      +   +   +   +
//	x0x#x0x      ║▒║#║▒║      |   | # |   |
//	x xxx x      ║ ╚═╝ ║      +   +---+   +
//	x0 0 0x      ║▒ ▒ ▒║      |           |
//	xxxxxxx      ╚═════╝      +---+---+---+
//
// Grid, as AlcaSAT writes it: 2r+1 lines of 2c+1 characters. Rooms are '0'.
// Between two rooms, and between a room and the outside, stands 'x' for a wall
// or a blank for a passage or opening. Between four rooms stands 'x'; a blank
// there is kept, but means nothing. A solution has '-' and '|' where the path
// goes through. In a puzzle these are read as passages, and kept.
//
//	xxxxx x      xxxxx|x
//	x0 0 0x      x0-0-0x
//	x xxx x  →   x|xxx x
//	x0 0 0x      x0-0-0x
//	x x x x      x x x|x
//	x0 0 0x      x0-0-0x
//	x xxxxx      x|xxxxx
//
// Box drawing, as puzzle forums write it: lines as long as a grid's. Rooms are
// '▒', walls '═' and '║', passages blanks, and openings '╩' in the upper rim,
// '╦' in the lower, '╣' in the left, '╠' in the right. The character between
// four rooms (a blank or a piece of double line) is kept, but means nothing. A
// solution draws the path through the rooms and the passages, or through the
// rooms only; openings stay as they are. Where a path breaks through a wall
// there is '╪' or '╫'.
//
//	╔════╩╗      ╔════╩╗      ╔════╩╗
//	║▒ ▒ ▒║      ║┌───┘║      ║┌ ─ ┘║
//	║ ═══ ║      ║│═══ ║      ║ ═══ ║
//	║▒ ▒ ▒║  →   ║└───┐║  or  ║└ ─ ┐║
//	║     ║      ║    │║      ║     ║
//	║▒ ▒ ▒║      ║┌───┘║      ║┌ ─ ┘║
//	╚╦════╝      ╚╦════╝      ╚╦════╝
//
// Plain drawing: 2r+1 lines of 4c+1 characters, rooms four characters and two
// lines apart. '+' stands between four rooms, '---' and '|' are walls, blanks
// are rooms, passages and openings. A solution draws the path with '*'.
//
//	+---+---+   +      +---+---+ * +
//	|           |      | ********* |
//	+   +---+   +      + * +---+   +
//	|           |  →   | ********* |
//	+   +   +   +      +   +   + * +
//	|           |      | ********* |
//	+   +---+---+      + * +---+---+
//
// # Model
//
// The solution is a path through all rooms from one node outside to another
// (csp.Paths): loops, dead ends and parts from which the path could not come back
// are excluded inside the search. When the rooms are coloured like a chessboard,
// light and dark ones take turns on the path. With equal numbers of both it leads
// from a light room to a dark one, so that all openings at light rooms lead to one of
// the outer nodes and those at dark rooms to the other. With one room more of a
// colour (on a full board that of the corners) it begins and ends in rooms of that
// colour, and openings elsewhere are useless. With a greater difference there is no
// path.
//
// Before the search, a few arguments may prove in words that there
// is no solution: too few openings, a room with one door, rooms or openings of
// the wrong colours, rooms behind a single room, forced turns that make a loop. After
// the search has proved it, the colours are tried once more on parts of the board:
// rooms of one colour may need more doors than those of the other offer.
//
// # Making boards
//
// A generated board begins with a random path: a simple one, changed by many
// random backbite moves. For a board with yards the path then loses rooms at both
// its ends. The rim is closed except for the two openings that the path uses and a
// few others, an eighth to a third of it in all. Walls are built between rooms where
// other solutions lead, until there are none; unneeded walls are removed again.
//
// # The simulated app
//
// Rooms are squares with dotted borders; walls are lines of one colour that is
// used for nothing else, and an opening is a gap in the rim between two posts,
// with a step before it. A place without a room is a yard of another colour, with a
// pillar at each corner and dotted lines between them. A stroke begins just outside
// an opening or in a room at one, and leaves where it comes to the rim's line at
// another. The path may be drawn in parts, each from the tip of the last; moving back
// along it shortens it. The style is words: light (parchment; the usual one) or dark (a night), and thick
// or thin walls, which go with light and dark unless said otherwise.
package alcazar
