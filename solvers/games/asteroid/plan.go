package asteroid

import (
	"image"
	"math"

	"tapwise/solvers/screen"
)

// Plan is a short swipe for each move, half a tile long, from the middle of the tile
// towards its new place. A layout that is not 3×3 has no plan.
func (s *Solution) Plan(l screen.Layout) []screen.Gesture {
	if l.Rows != size.Rows || l.Cols != size.Cols {
		return nil
	}
	gestures := make([]screen.Gesture, len(s.moves))
	reach := int(math.Round(l.Pitch / 2))
	for i, m := range s.moves {
		row, col := m.Dir.Step()
		from := l.Centres[m.From]
		to := from.Add(image.Pt(col*reach, row*reach))
		gestures[i] = screen.Gesture{On: l.On, Points: []image.Point{from, to}, Note: m.words()}
	}
	return gestures
}
