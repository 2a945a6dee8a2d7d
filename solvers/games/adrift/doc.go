// Package adrift plays Adrift: chains of colours over three faces of a cube.
//
// # Rules
//
// The three faces of a cube that can be seen, top, left and right, have n×n
// cells each. Some cells hold stones. Each colour has two ends; join them with
// a chain. The names of the rules are the ones that Check reports:
//
//   - ends: each end has its own colour.
//   - cover: every cell that is not a stone belongs to a chain.
//   - touch: a cell touches exactly two cells of its colour, an end exactly
//     one: a chain never touches itself.
//   - chain: the cells of a colour are one chain, without loops beside it.
//
// Within a face a cell has its four neighbours. The faces touch along three
// edges, with rows and columns counted from 0: row n-1 column i of the top and
// row 0 column i of the left; row n-1-i column n-1 of the top and row 0 column
// i of the right; row i column n-1 of the left and row i column 0 of the right.
//
// # Notation
//
// Three blocks of n lines, for the top, the left and the right face, without
// blank lines between them; n is 2 to 7. Cells are separated by one blank: '.'
// empty, 'X' a stone, any other letter from A to Z or a to z and any digit an end, each on
// exactly two cells. A solution repeats the letter in each cell of the chain.
//
//	R X X      R X X
//	. . .      R R R
//	B . .      B B B
//	X X .      X X B
//	X X .  →   X X B
//	B . .      B B B
//	X . X      X R X
//	X . X      X R X
//	X . R      X R R
//
// # Model
//
// The cells without stones are the nodes of a graph, with an edge between
// cells that touch. Chosen edges form paths between the pairs of ends that
// cover all nodes (csp.Paths, with a colour for each path). Its option Chordless
// requires that no chain touches itself.
//
// # Generator
//
// Chains are drawn first: from random cells they grow at both tips, never
// touching themselves, and first into cells that would soon be out of reach.
// Beside cells without a chain, tails of chains are redrawn, as long as that does not
// increase the number of such cells, until there are few enough. Those become stones, and the
// tips of the chains ends. Most such puzzles have one solution. If there is another,
// the tail of a chain is redrawn from where the two differ.
//
// # The simulated app
//
// The cube is seen along its diagonal: its outline is a regular hexagon, and each
// cell a rhombus with sides of the same length. A stone is a grey block; an end is a
// disc that lies on its face and so is seen as an ellipse, and a chain a tube of the
// same colour. Strokes begin at an end, at the tip of a chain or on its
// body; going back shortens the chain, crossing another cuts that one, and
// stones and ends of other colours stop it. Where a chain touches itself there
// is a red mark, and the level is not won. The style is words: dark (a starry
// night; the usual one) or light (a bright day), and thick or thin lines, which
// go with light and dark unless said otherwise.
package adrift
