package solvers

import (
	"fmt"
	"strings"

	"tapwise/solvers/screen"
)

// Kept is the text of an observation as it is kept for a game's tests, with what the
// game makes of it: package gametest compares the two (Observations).
func Kept(game Game, seen *screen.Observation) string {
	return KeptHead + seen.String() + Made(game, seen)
}

// KeptHead is the line that kept observations begin with.
const KeptHead = "-- observation --\n"

// Made is what a game makes of an observation, as text: the board and the moves
// played on it, or the reason for refusing it, and the place with its buttons.
func Made(game Game, seen *screen.Observation) string {
	var b strings.Builder
	p, err := game.Read(seen)
	if err != nil {
		fmt.Fprintf(&b, "-- refused --\n%v\n", err)
	} else {
		fmt.Fprintf(&b, "-- board --\n%v\n", p)
		if filler, ok := p.(Filler); ok {
			fill, err := filler.Fill(seen)
			if err != nil {
				fmt.Fprintf(&b, "-- no fill --\n%v\n", err)
			} else if fill != "" {
				fmt.Fprintf(&b, "-- fill --\n%s\n", fill)
			}
		}
	}
	place := game.Locate(seen)
	fmt.Fprintf(&b, "-- place --\n%s\n", place.Kind)
	for _, button := range place.Buttons {
		fmt.Fprintf(&b, "%s %d,%d\n", button.Name, button.At.X, button.At.Y)
	}
	return b.String()
}
