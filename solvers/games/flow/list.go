package flow

import (
	"cmp"
	"fmt"
	"slices"

	"tapwise/solvers/screen"
)

// locateList recognises the list of levels: squares of one size in rows. Those of
// completed levels are filled with their outline's colour. The buttons are the
// others, in reading order.
func locateList(seen *screen.Observation) (screen.Place, bool) {
	squares := likeSquares(seen.Boxes)
	if len(squares) < 2 {
		return screen.Place{}, false
	}
	place := screen.Place{Kind: screen.List}
	for _, b := range squares {
		if !filled(b) {
			place.Buttons = append(place.Buttons, screen.Button{Name: "level", At: middle(b.Bounds)})
		}
	}
	place.Reason = fmt.Sprintf("a list of %d levels, %d of them complete", len(squares), len(squares)-len(place.Buttons))
	return place, true
}

// likeSquares is the largest group of boxes that are squares of one size and do not
// overlap, row by row.
func likeSquares(boxes []screen.Box) []screen.Box {
	var best []screen.Box
	for _, like := range boxes {
		side := like.Bounds.Dx()
		slack := max(2, side/20)
		if side < 24 || !near(like.Bounds.Dy(), side, slack) {
			continue
		}
		var group []screen.Box
		for _, b := range boxes {
			if near(b.Bounds.Dx(), side, slack) && near(b.Bounds.Dy(), side, slack) &&
				!slices.ContainsFunc(group, func(o screen.Box) bool { return o.Bounds.Overlaps(b.Bounds.Inset(slack)) }) {
				group = append(group, b)
			}
		}
		if len(group) > len(best) {
			best = group
		}
	}
	// Rows are told apart by half a side: edges vary by a pixel.
	slices.SortStableFunc(best, func(a, b screen.Box) int { return cmp.Compare(a.Bounds.Min.Y, b.Bounds.Min.Y) })
	for i := 0; i < len(best); {
		n := i + 1
		for n < len(best) && best[n].Bounds.Min.Y-best[i].Bounds.Min.Y < best[i].Bounds.Dy()/2 {
			n++
		}
		slices.SortStableFunc(best[i:n], func(a, b screen.Box) int { return cmp.Compare(a.Bounds.Min.X, b.Bounds.Min.X) })
		i = n
	}
	return best
}

// filled reports whether a square has a background of its outline's colour,
// dimmed; an open one is black.
func filled(b screen.Box) bool {
	return max(b.Fill.R, b.Fill.G, b.Fill.B) >= 40
}
