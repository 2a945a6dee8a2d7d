// Package cells finds boards by what their cells have in common, without OpenCV.
//
// An app draws every empty cell of a board alike: one flat area, with lines, gaps,
// a change of shade or a border around it. An area is a connected component of pixels
// that hardly differ from their neighbours. The bounding boxes of cells are squares of one
// size on a lattice. An end in the middle of a
// cell only punches a hole into the cell's area and leaves its bounding box. A pipe cuts
// the area: cells under pipes are missing, and the others show the lattice. Ends of one
// size show it, too; if nothing separates the cells, the panel or the frame around
// them shows where the board ends. A row or column whose cells merge with the page is
// found by the ends in it, and by cells that look like the others.
//
// On each lattice the cells are sorted by their looks: which are empty, and which show
// the same mark, in colour or in shape, whether a disc, a picture, a number or a letter.
// Marks are only compared, not understood. [Boards] returns the boards whose cells are all
// clear.
//
// A person may know more than can be seen: the board's rectangle, its rows and columns. Then
// the lattice is known to a few pixels, the areas or the marks show the rest, and the
// cells are only sorted.
//
// The pictures must be as a screen shows them. On photographs and blurred frames, areas
// merge, and nothing is found.
package cells
