package alcazar

import (
	"image"
	"math"

	"tapwise/solvers/screen"
)

// Plan is one stroke: from just outside one opening through every room to just
// outside the other. It is nil for a solution that breaks the rules and for a
// layout of another size.
func (s *Solution) Plan(l screen.Layout) []screen.Gesture {
	if l.Rows != s.puzzle.size.Rows || l.Cols != s.puzzle.size.Cols || len(l.Centres) != s.puzzle.size.Cells() {
		return nil
	}
	from, to, rooms, ok := s.Path()
	if !ok {
		return nil
	}
	points := []image.Point{outside(l, from)}
	for _, c := range rooms {
		points = append(points, l.Centres[c])
	}
	points = append(points, outside(l, to))
	return []screen.Gesture{{On: l.On, Points: points, Note: "path"}}
}

// outside is the point half a pitch beyond the centre of an opening's room.
func outside(l screen.Layout, o Opening) image.Point {
	dr, dc := o.Side.Step()
	half := int(math.Ceil(l.Pitch / 2))
	return l.Centres[o.Room].Add(image.Pt(dc*half, dr*half))
}
