// Package cells finds boards by what their cells have in common, without OpenCV.
//
// An app draws every empty cell of a board alike: one flat area, be there lines, gaps,
// a change of shade or a border around it. The areas of a frame whose neighbouring
// pixels hardly differ are its connected components. Where cells are, their bounding
// boxes are squares of one size at the places of a lattice. An end in the middle of a
// cell only punches a hole into the cell's area and leaves its bounding box. A pipe cuts
// the area: cells under pipes are missing, and the others tell the lattice.
//
// On each lattice the cells are sorted by their looks: which are empty, and which show
// the same mark, in colour or in shape, be it a disc, a picture, a number or a letter.
// None of them is understood. [Boards] returns the boards all of whose cells are clear.
//
// The pictures must be as a screen shows them. On photographs and blurred frames, areas
// run into each other, and nothing is found.
package cells
