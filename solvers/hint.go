package solvers

import (
	"image/color"
	"slices"

	"tapwise/solvers/board"
)

// Parter is a Solution whose steps can be made in any order.
type Parter interface {
	Solution
	// Part is the solution with some of its steps only, by their indices.
	Part(steps []int) Solution
}

// NextStep is the index of the step of a solution to tell next: one that a rule forces, with the
// rule, where one of the puzzle's does, else the first that is missing. Drawn is how far the level
// is played, nil for nothing; told are steps that were told already. It is the number of steps
// when none is missing.
func NextStep(p Puzzle, s Solution, drawn Solution, told []int) (step int, why *Advice) {
	steps := s.Steps(drawn)
	missing := func(i int) bool { return !steps[i].Drawn && !slices.Contains(told, i) }
	if parts, ok := s.(Parter); ok && len(told) > 0 {
		drawn = parts.Part(told)
	}
	if adviser, ok := p.(Adviser); ok {
		if why := adviser.Advise(drawn); why != nil {
			for _, is := range []func(path, cells []board.Cell) bool{joins, within} {
				for i := range steps {
					if missing(i) && is(steps[i].Cells, why.Cells) {
						return i, why
					}
				}
			}
		}
	}
	for i := range steps {
		if missing(i) {
			return i, nil
		}
	}
	return len(steps), nil
}

// joins reports whether a path leads from one to the other of two cells, or through the only one.
func joins(path, cells []board.Cell) bool {
	for i, c := range path {
		at := slices.Index(cells, c)
		if at >= 0 && (len(cells) == 1 || i+1 < len(path) && path[i+1] == cells[1-at]) {
			return true
		}
	}
	return false
}

// within reports whether the cells of a step that is no path, such as a whole loop, hold some cells.
func within(step, cells []board.Cell) bool {
	return !slices.ContainsFunc(cells, func(c board.Cell) bool { return !slices.Contains(step, c) })
}

// hintColour marks what a hint is about.
var hintColour = color.NRGBA{255, 196, 0, 255}

// HintScene is the puzzle after the steps that were told, with the next one on it, marked. Where
// steps are moves, which have their order, it is the board before the move, which is marked.
func HintScene(s Solution, told []int, step int) Picture {
	if _, ok := s.(Mover); ok {
		return s.Scene(step)
	}
	base := s.Picture(0, 0)
	all := base
	all.Shapes = slices.Clone(base.Shapes)
	for _, i := range append(slices.Clone(told), step) {
		// The shapes that a step adds lie between others.
		with := s.Picture(i, i+1).Shapes
		below := 0
		for below < min(len(base.Shapes), len(with)) && base.Shapes[below].equal(with[below]) {
			below++
		}
		added := with[below : below+max(0, len(with)-len(base.Shapes))]
		if i == step {
			added = marked(added)
		}
		all.Shapes = slices.Insert(all.Shapes, below, added...)
	}
	return all
}

// marked are shapes on a rim in the colour of hints.
func marked(shapes []Shape) []Shape {
	const rim = 0.16 // pitches
	var rims []Shape
	for _, s := range shapes {
		switch s.Kind {
		case LineShape:
			s.Size += rim
		case DiscShape:
			s.Size += rim / 2
		case PolygonShape:
			s = Shape{Kind: LineShape, Points: append(slices.Clone(s.Points), s.Points[0]), Size: rim}
		default:
			continue
		}
		s.Colour = hintColour
		rims = append(rims, s)
	}
	return append(rims, shapes...)
}

func (s Shape) equal(t Shape) bool {
	return s.Kind == t.Kind && s.Size == t.Size && s.Text == t.Text && s.Colour == t.Colour && slices.Equal(s.Points, t.Points)
}
