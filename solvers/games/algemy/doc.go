// Package algemy plays Algemy: put light sources on a board so that every
// crystal shines in its colour.
//
// # Rules
//
// Some cells hold crystals. Light sources are put on empty cells. Light runs
// along rows and columns, on a hexagon along its three axes, until a crystal
// or the edge of the board. The names are the ones that Check reports:
//
//   - place: a light source stands on an empty cell.
//   - colours: light sources are red, yellow or blue on an easy level; on a
//     hard one orange, green and violet too.
//   - apart: no two light sources see each other: there is at most one on each
//     sight-line, a longest row of cells without a crystal.
//   - lit: every empty cell holds a light source or sees one.
//   - mixing: every crystal's colour is right for the colours it sees.
//
// The colours that a crystal sees. It may also see colours that are not named:
//
//	    easy                    hard
//	R   only R                  only R
//	O   R and Y, no B           R and Y, no G B V; or O, no G B V
//	Y   only Y                  only Y
//	G   Y and B, no R           Y and B, no R O V; or G, no R O V
//	B   only B                  only B
//	V   R and B, no Y           R and B, no O Y G; or V, no O Y G
//	W   nothing                 nothing
//	X   R and Y and B           R and Y and B; or one of R and G, O and B,
//	                            Y and V, O and G, G and V, V and O
//
// # Notation
//
// Each line is a row of cells separated by one blank: '-' is empty, a letter a
// crystal (X is brown, W white). A board is a square of 3 to 7 cells a side, or a
// hexagon of 3 to 7 cells a side: its rows have n, n+1, … 2n-1, … n cells. A
// first line "easy" or "hard" sets the colours; without it they are easy.
//
//	hard
//	- O - X        R - O -
//	R G - -        - - - G
//	Y - - -   →    - Y - -
//	W - - G        - - - -
//
// A solution, on the right, shows the light sources on the same board, '-'
// elsewhere, and has no first line.
//
// # Model
//
// There is a literal for a source of each colour on each empty cell, and one
// for each sight-line and colour: there is such a source on that sight-line.
// The rules apart and lit are then clauses over the sources and the sight-lines. A
// crystal sees the sources on the sight-lines that begin next to it. A row of the
// mixing table forbids some colours and demands all colours of one of several
// sets. It becomes clauses without further literals: for each largest set of
// colours that contains none of those sets, some other colour is seen.
//
// When there is no solution, each crystal and each cell to be lit is given a
// literal that switches its clauses on. A minimal set of those that cannot all be
// on is the reason, if it is short enough to show.
//
// # Generator
//
// A level is drawn as its solution: a few crystals, light sources where no
// other shines, in random order and colours, until all is lit; then each
// crystal gets the colour that suits what it sees. While there is another
// solution, a crystal is added where the two differ and the light is repaired
// around it; in the end crystals that uniqueness does not need are removed.
//
// # Reading a screen
//
// [Game.Read] knows a crystal by the outlines of its two cubes and its colour by
// the faces of the small cube that carry it, so that neither a palette nor a
// theme has to be known; light sources and beams on the board do not matter.
// A crystal that is filled with colour must see the sources that it needs.
//
// Whether a level is easy or hard is not drawn on the screen. It follows from
// a level having one solution: a solution with the three easy colours is one
// with all six as well, so a board that can be solved with three is easy, or
// hard with the very same solution; any other is hard. Levels that are made
// here never are both.
//
// # Simulated app
//
// [Game.Simulate] makes an app for the simulated phone, with the proportions
// of the real game: a bar with home, previous, next, the level's number and a
// switch between day and night; crystals as a small cube inside a big one; light
// sources as discs with beams along their sight-lines; the wheel of colours. The
// faces of the small cube carry the crystal's colour (a white crystal has no small
// cube), and the whole crystal fills with it when it is right. There are two styles,
// and the switch changes between them:
//
//	day    white, thin black lines (the usual one)
//	night  dark, thick light lines, larger small cubes inside smaller big ones
//
// A solved level shows "solved" below the board and a coloured next button.
package algemy
