// Package cells finds boards by what their cells have in common, without OpenCV.
//
// An app draws every empty cell of a board alike: one flat area, be there lines,
// gaps, a change of shade or a border around it. So the areas of a frame whose
// neighbouring pixels hardly differ (its connected components) have, where cells are,
// bounding boxes of one size, square, at the places of a lattice. [Find] returns the
// lattices that such boxes lie on. Ends in the middle of a cell only punch a hole into
// its area and leave its bounding box; a pipe cuts it, so that cells under pipes are
// missing and their lattice is told by the others.
//
// [Sort] then tells which cells look alike: which are empty, and which show the same
// mark, in colour or in shape, be it a disc, a picture, a number or a letter. It
// understands none of them.
//
// Both need pictures as a screen shows them. On photographs and blurred frames, areas
// run into each other, and nothing is found.
package cells
