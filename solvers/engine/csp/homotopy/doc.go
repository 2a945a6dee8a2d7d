// Package homotopy lists the ways in which disjoint paths can run between the cells of a board
// that they join: on which sides of each other's ends they pass, whatever their cells.
//
//	classes, err := homotopy.Board{
//		Rows: 2, Cols: 3,
//		Pairs: [][2]homotopy.Point{{{X: 0, Y: 0}, {X: 2, Y: 0}}, {{X: 0, Y: 1}, {X: 2, Y: 1}}},
//	}.Classes(csp.Config{})
//	cuts, status := classes.Next(ctx)
//
// Two routings that can be moved into each other without a path passing over an end are of
// one class (they are isotopic). Few classes have room on a board, and listing them can be much
// quicker than a search for the cells that paths use. That four paths do not fit between two ends
// with three cells between them is one fact here; there it takes a search of its own.
//
// # Model
//
// The ends, and places on the wall around the board, are the points of a triangulation. A
// routing is pulled tight, so that no path crosses an edge of it twice without passing around a
// point. Then the numbers of crossings of all edges determine the class (normal coordinates
// of curves in a triangulated surface; Hatcher, On triangulations of surfaces). In a triangle
// with the corners A, B and C, and n(BC) crossings of the edge BC, x(A) paths go around A,
// from AB to AC, and y(A), 0 or 1, begin at A and cross BC:
//
//	n(BC) = x(B) + x(C) + y(A), x(A) = 0 where y(A) = 1, y(A) + y(B) + y(C) <= 1
//
// From each end one path begins, in one triangle or along an edge to its other end. The nth
// path across an edge, counted from either of its ends, belongs to one pair; a path around a
// corner is the same on both edges there. So a path that comes to another pair's end is a
// contradiction.
//
// # Sides
//
// That two paths do not cross anywhere is a fact about them as wholes, which a search learns from
// the names of crossings only case by case. So rays from its ends close each path to a
// curve, and the model states which other ends the curve encloses. This decides whether it crosses
// an edge an odd or an even number of times, as the names there say; and since two closed curves cross an even
// number of times, four such facts about two pairs add up to a number that is known to be even or
// odd (intersection numbers modulo 2). An edge at a path's own end begins within its curve or
// outside, by the direction in which the path leaves (see sides.go).
//
// # Room
//
// Cells that join two points by steps of a king, along the line between them, are crossed
// by at most one path each, since paths step to the sides of a cell and not over its corners.
// So an edge has room for one path less than the greater of its extents in columns and rows
// (Maley, Single-Layer Wire Routing; Cole and Siegel, River Routing Every Which Way, show that
// for all straight lines together this is also sufficient). The model states it for the edges and
// for the second diagonals of two triangles each. So some listed classes may have no room
// elsewhere, or have closed curves; but the class of each routing is listed.
//
// If an edge is crossed by as many paths as it has room for, each uses one of the cells along it, and so
// along every other shortest way of a king between the two points with no end in between
// ([Cut.Cells]).
package homotopy
