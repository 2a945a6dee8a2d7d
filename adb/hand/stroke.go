package hand

import (
	"image"
	"math"
)

// A Stroke is one finger from down to up through Points; a single point is a tap. Points are
// pixels of the frame it was planned on, Size and Rotation are that frame's. A zero Size stands
// for the current screen.
type Stroke struct {
	Points   []image.Point
	Size     image.Point
	Rotation int // quarter turns 0–3, -1 unknown
}

// corners leaves out the points that lie on the way between their neighbours.
func corners(points []image.Point) []image.Point {
	points = distinct(points)
	if len(points) < 3 {
		return points
	}
	kept := points[:1:1]
	from := 0
	for to := 2; to < len(points); to++ {
		if !straight(points[from : to+1]) {
			kept = append(kept, points[to-1])
			from = to - 1
		}
	}
	return append(kept, points[len(points)-1])
}

// distinct leaves out points equal to the one before.
func distinct(points []image.Point) []image.Point {
	var kept []image.Point
	for i, p := range points {
		if i == 0 || p != points[i-1] {
			kept = append(kept, p)
		}
	}
	return kept
}

// straight reports whether all points lie on the way from the first to the last, in
// that order. Cell centres are rounded, so a point one pixel off the line counts.
func straight(points []image.Point) bool {
	const tolerance = 1.5
	first, last := points[0], points[len(points)-1]
	way := last.Sub(first)
	length := math.Hypot(float64(way.X), float64(way.Y))
	if length == 0 {
		return false
	}
	before := 0
	for _, p := range points[1:] {
		step := p.Sub(first)
		along := step.X*way.X + step.Y*way.Y
		if along <= before {
			return false
		}
		before = along
		if off := math.Abs(float64(step.X*way.Y - step.Y*way.X)); off > tolerance*length {
			return false
		}
	}
	return true
}

func distance(a, b image.Point) float64 {
	return math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))
}
