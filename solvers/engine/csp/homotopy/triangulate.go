package homotopy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Point is a cell by its column and row from 0, or a place on the wall, one beside a cell
// of the rim or a corner of the board.
type Point struct{ X, Y int }

// Board is a board of Rows times Cols cells and the pairs of cells that paths join. A path
// steps from a cell to one of the four beside it; no cell is on two paths.
type Board struct {
	Rows, Cols int
	Pairs      [][2]Point
}

// edge is an edge of the triangulation.
type edge struct {
	ends  [2]int // points
	room  int    // the most paths that cross it
	hull  bool   // along the wall
	sides []int  // triangles
}

// triangle has the edge opposite to each corner at the corner's place.
type triangle struct {
	corners, edges [3]int
}

// triangulation has the ends of paths as its first points, those of a pair after each
// other, and then the places on the wall, clockwise.
type triangulation struct {
	board     Board
	points    []Point
	ends      int // how many points are ends
	edges     []edge
	triangles []triangle
}

// mate is the other end of an end's path.
func mate(end int) int { return end ^ 1 }

// check refuses boards whose pairs are not as they should be.
func (b Board) check() error {
	seen := map[Point]bool{}
	for k, pair := range b.Pairs {
		for _, p := range pair {
			if p.X < 0 || p.X >= b.Cols || p.Y < 0 || p.Y >= b.Rows {
				return fmt.Errorf("homotopy: pair %d has the cell %d, %d, the board %d columns and %d rows", k, p.X, p.Y, b.Cols, b.Rows)
			}
			if seen[p] {
				return fmt.Errorf("homotopy: pair %d ends on the cell %d, %d as another, expected ends on cells of their own", k, p.X, p.Y)
			}
			seen[p] = true
		}
	}
	return nil
}

// triangulate draws edges with as little room as can be, shortest first.
func (b Board) triangulate() (*triangulation, error) {
	t := &triangulation{board: b}
	for _, pair := range b.Pairs {
		t.points = append(t.points, pair[0], pair[1])
	}
	t.ends = len(t.points)
	t.points = append(t.points, b.wall()...)
	for i := t.ends; i < len(t.points); i++ {
		next := i + 1
		if next == len(t.points) {
			next = t.ends
		}
		t.edges = append(t.edges, edge{ends: [2]int{min(i, next), max(i, next)}, hull: true})
	}
	for _, e := range t.candidates() {
		if t.free(e) {
			t.edges = append(t.edges, e)
		}
	}
	return t, t.findTriangles()
}

// wall is the places on the wall straight beside each end, and the corners, clockwise.
func (b Board) wall() []Point {
	columns, rows := map[int]bool{-1: true, b.Cols: true}, map[int]bool{-1: true, b.Rows: true}
	for _, pair := range b.Pairs {
		for _, p := range pair {
			columns[p.X], rows[p.Y] = true, true
		}
	}
	xs, ys := slices.Sorted(maps.Keys(columns)), slices.Sorted(maps.Keys(rows))
	var wall []Point
	for _, x := range xs {
		wall = append(wall, Point{x, -1})
	}
	for _, y := range ys[1:] {
		wall = append(wall, Point{b.Cols, y})
	}
	for _, x := range slices.Backward(xs[:len(xs)-1]) {
		wall = append(wall, Point{x, b.Rows})
	}
	for _, y := range slices.Backward(ys[1 : len(ys)-1]) {
		wall = append(wall, Point{-1, y})
	}
	return wall
}

// room is how many cells join two points.
func room(a, b Point) int { return max(abs(a.X-b.X), abs(a.Y-b.Y)) - 1 }

func abs(n int) int { return max(n, -n) }

// candidates are all edges that may be drawn within the wall, by room and length.
func (t *triangulation) candidates() []edge {
	var list []edge
	for u, a := range t.points {
		for v := u + 1; v < len(t.points); v++ {
			if b := t.points[v]; u < t.ends || !t.alongWall(a, b) {
				list = append(list, edge{ends: [2]int{u, v}, room: room(a, b)})
			}
		}
	}
	square := func(e edge) int {
		a, b := t.points[e.ends[0]], t.points[e.ends[1]]
		return (a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y)
	}
	slices.SortStableFunc(list, func(e, f edge) int {
		return cmp.Or(cmp.Compare(e.room, f.room), cmp.Compare(square(e), square(f)))
	})
	return list
}

// alongWall reports whether two places on the wall are on one side of it.
func (t *triangulation) alongWall(a, b Point) bool {
	return a.X == b.X && (a.X == -1 || a.X == t.board.Cols) || a.Y == b.Y && (a.Y == -1 || a.Y == t.board.Rows)
}

// free reports whether an edge goes through no point and crosses none that is drawn.
func (t *triangulation) free(e edge) bool {
	a, b := t.points[e.ends[0]], t.points[e.ends[1]]
	for _, p := range t.points {
		if inside(a, b, p) {
			return false
		}
	}
	return !slices.ContainsFunc(t.edges, func(f edge) bool {
		return crosses(a, b, t.points[f.ends[0]], t.points[f.ends[1]])
	})
}

// turn is positive where a, b and c turn clockwise on the screen, and 0 on one line.
func turn(a, b, c Point) int { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }

// inside reports whether p lies on the line between a and b, but is neither.
func inside(a, b, p Point) bool {
	return p != a && p != b && turn(a, b, p) == 0 && (p.X-a.X)*(p.X-b.X) <= 0 && (p.Y-a.Y)*(p.Y-b.Y) <= 0
}

// crosses reports whether the lines between a and b and between c and d cross in one point
// that is no end of them.
func crosses(a, b, c, d Point) bool {
	return opposite(turn(a, b, c), turn(a, b, d)) && opposite(turn(c, d, a), turn(c, d, b))
}

func opposite(m, n int) bool { return m < 0 && n > 0 || m > 0 && n < 0 }

// findTriangles finds the triangles between the edges.
func (t *triangulation) findTriangles() error {
	between := map[[2]int]int{}
	beside := make([][]int, len(t.points))
	for i, e := range t.edges {
		between[e.ends] = i
		beside[e.ends[0]] = append(beside[e.ends[0]], e.ends[1])
		beside[e.ends[1]] = append(beside[e.ends[1]], e.ends[0])
	}
	for u, list := range beside {
		angle := func(v int) float64 {
			return math.Atan2(float64(t.points[v].Y-t.points[u].Y), float64(t.points[v].X-t.points[u].X))
		}
		slices.SortFunc(list, func(v, w int) int { return cmp.Compare(angle(v), angle(w)) })
		for i, v := range list {
			w := list[(i+1)%len(list)]
			far, closed := between[[2]int{min(v, w), max(v, w)}]
			if u > v || u > w || !closed || turn(t.points[u], t.points[v], t.points[w]) <= 0 {
				continue // found from its first corner; or the wall's outside
			}
			found := triangle{[3]int{u, v, w}, [3]int{far, between[[2]int{u, w}], between[[2]int{u, v}]}}
			for _, e := range found.edges {
				t.edges[e].sides = append(t.edges[e].sides, len(t.triangles))
			}
			t.triangles = append(t.triangles, found)
		}
	}
	for _, e := range t.edges {
		expected := 2
		if e.hull {
			expected = 1
		}
		if len(e.sides) != expected {
			return fmt.Errorf("homotopy: the edge from %v to %v is a side of %d triangles, expected %d", t.points[e.ends[0]], t.points[e.ends[1]], len(e.sides), expected)
		}
	}
	return nil
}

// clockwise is by end the edges at it, clockwise on the screen from a line that leads straight up, a
// little to the right.
func (t *triangulation) clockwise() [][]int {
	at := make([][]int, t.ends)
	for i, e := range t.edges {
		for _, v := range e.ends {
			if v < t.ends {
				at[v] = append(at[v], i)
			}
		}
	}
	for v, edges := range at {
		angle := func(edge int) float64 {
			ends := t.edges[edge].ends
			from, to := t.points[v], t.points[ends[0]+ends[1]-v]
			a := math.Atan2(float64(to.X-from.X), float64(from.Y-to.Y))
			if a <= 0 { // straight up is to the left of the line
				a += 2 * math.Pi
			}
			return a
		}
		slices.SortFunc(edges, func(a, b int) int { return cmp.Compare(angle(a), angle(b)) })
	}
	return at
}

// triangleOf is the triangle that has two edges.
func (t *triangulation) triangleOf(a, b int) int {
	sides := t.edges[a].sides
	if slices.Contains(t.edges[b].sides, sides[0]) {
		return sides[0]
	}
	return sides[1]
}

// alike tells by edge which is crossed as it is, since the wall is not crossed: paths that cross
// one of the other two sides of a triangle at the wall cross both. Both sides of an edge, the
// one of ends[0] first, have a number, twice the edge's or one more; that of the edge which
// stands for all that are alike is told, so that it is known which of its ends is meant.
func (t *triangulation) alike() [][2]int {
	like := make([]int, 2*len(t.edges))
	for i := range like {
		like[i] = i
	}
	first := func(i int) int {
		for like[i] != i {
			i = like[i]
		}
		return i
	}
	for _, tri := range t.triangles {
		for i, e := range tri.edges {
			if !t.edges[e].hull {
				continue
			}
			a, b := tri.edges[(i+1)%3], tri.edges[(i+2)%3]
			near := tri.corners[i]
			if s, u := first(t.side(a, near)), first(t.side(b, near)); s != u {
				like[s], like[first(t.side(a, near)^1)] = u, first(t.side(b, near)^1)
			}
		}
	}
	sides := make([][2]int, len(t.edges))
	for e := range sides {
		sides[e] = [2]int{first(2 * e), first(2*e + 1)}
	}
	return sides
}

// side is the number of the side of an edge at one of its ends.
func (t *triangulation) side(edge, end int) int {
	if t.edges[edge].ends[1] == end {
		return 2*edge + 1
	}
	return 2 * edge
}
