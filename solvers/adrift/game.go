package adrift

import (
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Game is Adrift.
type Game struct{}

var (
	_ solvers.Game       = Game{}
	_ solvers.Recogniser = Game{}
	_ solvers.Generator  = Game{}
	_ solvers.Promiser   = Game{}
	_ solvers.Enumerator = (*Puzzle)(nil)
)

// Name is "adrift".
func (Game) Name() string { return "adrift" }

// Spec asks for nothing: what a board looks like on a screen is not known.
func (Game) Spec() screen.Spec { return screen.Spec{} }

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) {
	p, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Recognises reports whether a text's rows are '.', 'X' and letters that stand
// apart, with at least one '.' or 'X'.
func (Game) Recognises(text string) bool {
	words := strings.Fields(text)
	for _, word := range words {
		if len(word) != 1 || word == "-" {
			return false
		}
	}
	return strings.Contains(text, " ") && (slices.Contains(words, ".") || slices.Contains(words, "X"))
}

// Read refuses: what a board looks like on a screen is not known.
func (Game) Read(*screen.Observation) (solvers.Puzzle, error) {
	return nil, &solvers.ReadError{Reason: "adrift boards cannot be read from a screen yet"}
}

// PromisesOne is true: a level has one solution.
func (Game) PromisesOne() bool { return true }
