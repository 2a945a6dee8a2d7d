package alcazar

import (
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Game is Alcazar.
type Game struct{}

var (
	_ solvers.Game       = Game{}
	_ solvers.Recogniser = Game{}
	_ solvers.Generator  = Game{}
	_ solvers.Promiser   = Game{}
	_ solvers.Enumerator = (*Puzzle)(nil)
)

// Name is "alcazar".
func (Game) Name() string { return "alcazar" }

// Spec is empty: what a board looks like on a screen is not known.
func (Game) Spec() screen.Spec { return screen.Spec{} }

// Parse reads a puzzle in any of the forms of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) {
	p, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Recognises reports whether a text begins with the rim of one of the forms.
func (Game) Recognises(text string) bool {
	for _, rim := range []string{"xx", "x ", "+---", "+   +", "╔"} {
		if strings.HasPrefix(text, rim) {
			return true
		}
	}
	return false
}

// Read refuses: what a board looks like on a screen is not known.
func (Game) Read(*screen.Observation) (solvers.Puzzle, error) {
	return nil, &solvers.ReadError{Reason: "alcazar boards cannot be read from a screen yet"}
}

// PromisesOne is true: the game's levels have exactly one solution.
func (Game) PromisesOne() bool { return true }
