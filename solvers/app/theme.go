package app

import (
	"fmt"
	"image/color"
	"slices"
	"time"
)

// Theme is a look for a simulated app other than the game's own, with which
// reading is tried on apps that nobody has seen. Lengths are in pitches, the
// distance of neighbouring cells' centres, where not said otherwise.
type Theme struct {
	Background color.NRGBA   // behind everything
	Ground     color.NRGBA   // the cells
	Text       color.NRGBA   // words and signs
	Line       color.NRGBA   // the lattice's lines
	LineWidth  float64       // in 360ths of the screen's shorter side; 0 draws none
	Colours    []color.NRGBA // one for each group of clues that belong together, in their order
	Mark       string        // the shape of clues: one of markShapes
	MarkRadius float64       // half a clue's width
	MarkInside float64       // the share of a ring's colour that its inside has, 0 to 1
	PipeWidth  float64
	NextButton int           // the index of the button that leads on from a completed level, from 0
	Pulse      time.Duration // how long clues swell when their pipe is drawn; 0: not at all
}

// markShapes are the shapes of clues that a theme may have.
func markShapes() []string { return []string{"disc", "square", "diamond", "ring"} }

// Validate names the first value that makes no sense.
func (t Theme) Validate() error {
	for _, v := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"line-width", t.LineWidth, 0, 10},
		{"mark-radius", t.MarkRadius, 0.15, 0.48},
		{"mark-inside", t.MarkInside, 0, 1},
		{"pipe-width", t.PipeWidth, 0.1, 0.9},
	} {
		if !(v.value >= v.least && v.value <= v.most) {
			return fmt.Errorf("theme: %s is %v, expected %v to %v", v.name, v.value, v.least, v.most)
		}
	}
	if t.Pulse < 0 || t.Pulse > 10*time.Second {
		return fmt.Errorf("theme: pulse is %v, expected 0s to 10s", t.Pulse)
	}
	if t.NextButton < 0 || t.NextButton > 2 {
		return fmt.Errorf("theme: next-button is %d, expected 0 to 2", t.NextButton)
	}
	if !slices.Contains(markShapes(), t.Mark) {
		return fmt.Errorf("theme: mark is %q, expected one of %v", t.Mark, markShapes())
	}
	if len(t.Colours) < 2 {
		return fmt.Errorf("theme: colours has %d of them, expected at least 2", len(t.Colours))
	}
	return nil
}
