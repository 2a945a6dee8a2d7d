package flow

import (
	"image"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Plan is one stroke for each pipe, from its first end through every cell to the
// other. On a warp board a pipe that leaves over the rim is drawn in several
// strokes, each from the tip where the last one ended. A layout of another size
// gives no plan.
func (s *Solution) Plan(l screen.Layout) []screen.Gesture {
	if l.Rows != s.puzzle.size.Rows || l.Cols != s.puzzle.size.Cols {
		return nil
	}
	var gestures []screen.Gesture
	for i, path := range s.Paths() {
		gestures = append(gestures, s.puzzle.strokes(l, i, path)...)
	}
	return gestures
}

// strokes draw one pipe.
func (p *Puzzle) strokes(l screen.Layout, pipe int, path []board.Cell) []screen.Gesture {
	var gestures []screen.Gesture
	note := pipeNote + p.labels[pipe]
	var points []image.Point
	for k, c := range path {
		at := l.Centres[c]
		if k > 0 && p.topology == Warp {
			if out := p.overRim(path[k-1], c); out != (image.Point{}) {
				points = append(points, leave(l, l.Centres[path[k-1]], out))
				gestures = append(gestures, screen.Gesture{On: l.On, Points: points, Note: note})
				points = nil
			}
		}
		points = append(points, at)
	}
	if len(points) > 1 {
		gestures = append(gestures, screen.Gesture{On: l.On, Points: points, Note: note})
	}
	return gestures
}

// overRim is the direction of a step that leaves the board over its rim, zero
// for any other.
func (p *Puzzle) overRim(a, b board.Cell) image.Point {
	d := image.Pt(p.size.Col(b)-p.size.Col(a), p.size.Row(b)-p.size.Row(a))
	switch {
	case d.X > 1:
		return image.Pt(-1, 0)
	case d.X < -1:
		return image.Pt(1, 0)
	case d.Y > 1:
		return image.Pt(0, -1)
	case d.Y < -1:
		return image.Pt(0, 1)
	}
	return image.Point{}
}

// leave is the point to which a finger leaves the board: a little over half a cell
// from the centre of the last cell, but not at the screen's very edge, where Android
// takes a stroke for a gesture of its own.
func leave(l screen.Layout, from, out image.Point) image.Point {
	reach := 0.6 * l.Pitch
	at := from.Add(image.Pt(int(reach*float64(out.X)), int(reach*float64(out.Y))))
	size := l.On.Size
	edge := min(size.X, size.Y)/edgeShare + 1
	return image.Pt(min(max(at.X, edge), size.X-1-edge), min(max(at.Y, edge), size.Y-1-edge))
}

// A stroke stays away from the screen's edge by its shorter side divided by
// edgeShare.
const edgeShare = 100
