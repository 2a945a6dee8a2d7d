// Package cells finds boards by what their cells have in common, without OpenCV.
//
// An app draws every empty cell of a board alike: one flat area, be there lines, gaps,
// a change of shade or a border around it. The areas of a frame whose neighbouring
// pixels hardly differ are its connected components. Where cells are, their bounding
// boxes are squares of one size at the places of a lattice. An end in the middle of a
// cell only punches a hole into the cell's area and leaves its bounding box. A pipe cuts
// the area: cells under pipes are missing, and the others tell the lattice. Ends of one
// size tell it, too; where nothing separates the cells, the panel or the frame around
// them tells where the board ends. A row or column whose cells merge with the page is
// told by the ends in it, and by cells that look like the others.
//
// On each lattice the cells are sorted by their looks: which are empty, and which show
// the same mark, in colour or in shape, be it a disc, a picture, a number or a letter.
// None of them is understood. [Boards] returns the boards all of whose cells are clear.
//
// A person may know more than is seen: the board's rectangle, its rows and columns. Then
// the lattice is known but for a few pixels, which the areas or the marks tell, and the
// cells are only sorted.
//
// The pictures must be as a screen shows them. On photographs and blurred frames, areas
// run into each other, and nothing is found.
package cells
