// Package looks invents apps of the Flow kind, for tests: web pages that draw and
// play Flow levels, each in a look of its own, chosen by a seed. They make "any
// look of a board" a number: how many of 500 random looks are read.
//
// The looks do not mirror the reader. The following list of what may vary, and how far,
// comes from the screenshots and style sheets of published apps, web games and clones,
// not from what vision can see:
//
//   - pages: light, dark, coloured, gradients, a picture behind; a title above,
//     numbers and buttons above and below, as close as a tenth of a pitch;
//   - boards: anywhere on the page, 42 to 98 % of its width, square or not;
//   - cells: one fill, two in turn as on a chess board, gradients, cards with gaps,
//     rounded corners, borders and shadows;
//   - lines between cells: none, thin, thick, bright, dark;
//   - frames: none, thin, thick, rounded, apart from the cells;
//   - ends: discs, squares, rings, diamonds, hexagons, stars, 0.15 to 0.48 of the
//     pitch, flat, shaded as balls, outlined, glowing, with a shadow; numbers and
//     letters alone, or on coloured shapes;
//   - palettes: saturated, material, pastel, jewels, retro, dark, colour-blind safe;
//   - levels partly played, with pipes drawn;
//   - wins: a panel, an arrow below the board, the next level at once, nothing.
//
// The table of sizes also has pictures as ends, with three colours and parts.
//
// Looks that a person could not play are left out: two colours of
// ends, or ends and their ground, are always as far apart as [leastContrast] says.
//
// A browser draws the pages, so their edges, fonts and gradients do not come from this
// project.
package looks
