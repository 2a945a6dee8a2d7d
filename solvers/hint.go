package solvers

import (
	"fmt"
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
		if why := adviser.Advise(drawn, s); why != nil {
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

// The colours that mark what a hint is about, and what is wrong.
var (
	hintColour  = color.NRGBA{255, 196, 0, 255}
	wrongColour = color.NRGBA{230, 30, 40, 255}
)

// HintScene is the puzzle as it is played, which is its Picture at first, after the steps that were
// told, with the next one on it, marked, and with rings around the cells that the reason is about, which
// may be nil. Where steps are moves, which have their order, it is the board before the move, which is
// marked.
func HintScene(p Puzzle, played Picture, s Solution, told []int, step int, why *Advice) Picture {
	if _, ok := s.(Mover); ok {
		return s.Scene(step)
	}
	base, all := s.Picture(0, 0), played
	all.Shapes = slices.Clone(played.Shapes)
	for _, i := range append(slices.Clone(told), step) {
		// The shapes that a step adds lie between others.
		with := s.Picture(i, i+1).Shapes
		below := 0
		for below < min(len(base.Shapes), len(with)) && base.Shapes[below].Equal(with[below]) {
			below++
		}
		added := with[below : below+max(0, len(with)-len(base.Shapes))]
		if i == step {
			added = marked(added, hintColour)
		}
		all.Shapes = slices.Insert(all.Shapes, below, added...)
	}
	if why != nil {
		look := append(slices.Clone(why.Cells), why.Look...)
		slices.Sort(look)
		for _, c := range slices.Compact(look) {
			all.Shapes = append(all.Shapes, ring(p.Spot(c), 0.44, hintColour))
		}
	}
	return all
}

// Wrong is a picture of a puzzle as it is played with marks on what neither the puzzle nor its
// solution has, and reports whether there is any. Of lines it is their straight parts.
func Wrong(played Picture, s Solution) (marks Picture, wrong bool) {
	right := map[string]bool{}
	for _, p := range []Picture{s.Picture(0, 0), s.Picture(0, len(s.Steps(nil)))} {
		for _, part := range straight(p.Shapes) {
			right[part.key()] = true
		}
	}
	marks = Picture{Width: played.Width, Height: played.Height}
	for _, s := range played.Shapes {
		for _, part := range straight([]Shape{s}) {
			if part.Colour != noteColour && !right[part.key()] {
				on := marked([]Shape{part}, wrongColour)
				marks.Shapes = append(marks.Shapes, on[:len(on)-1]...)
				wrong = true
			}
		}
		marks.Shapes = append(marks.Shapes, s)
	}
	return marks, wrong
}

// straight are shapes with lines cut into their straight parts, each from left to right or down.
func straight(shapes []Shape) (parts []Shape) {
	for _, s := range shapes {
		if s.Kind != LineShape || len(s.Points) < 2 {
			parts = append(parts, s)
			continue
		}
		points := s.Points
		for i, to := range points[1:] {
			s.Points = [][2]float64{points[i], to}
			slices.SortFunc(s.Points, func(a, b [2]float64) int { return slices.Compare(a[:], b[:]) })
			parts = append(parts, s)
		}
	}
	return parts
}

// key is equal for shapes that look the same.
func (s Shape) key() string {
	return fmt.Sprintf("%d %.2f %.2f %s %v", s.Kind, s.Points, s.Size, s.Text, s.Colour)
}

// marked are shapes on a rim of a colour.
func marked(shapes []Shape, colour color.NRGBA) []Shape {
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
			s = ring(s.Points[0], 0.75*s.Size, colour)
		}
		s.Colour = colour
		rims = append(rims, s)
	}
	return append(rims, shapes...)
}

// Equal reports whether two shapes are alike.
func (s Shape) Equal(t Shape) bool {
	return s.Kind == t.Kind && s.Size == t.Size && s.Text == t.Text && s.Colour == t.Colour && slices.Equal(s.Points, t.Points)
}
