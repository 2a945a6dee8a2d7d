package adrift

import (
	_ "embed" // the levels and the drawing on the page

	"tapwise/solvers"
)

//go:embed pack.txt
var pack string

//go:embed page.js
var page string

// Game is Adrift.
type Game struct{}

var (
	_ solvers.Game          = Game{}
	_ solvers.Adviser       = (*Puzzle)(nil)
	_ solvers.Parter        = (*Solution)(nil)
	_ solvers.Distinguisher = (*Puzzle)(nil)
	_ solvers.Filler        = (*Puzzle)(nil)
	_ solvers.Annotator     = (*Puzzle)(nil)
	_ solvers.Pather        = (*Solution)(nil)
	_ solvers.Retractor     = (*Solution)(nil)
)

// Name is "adrift".
func (Game) Name() string { return "adrift" }

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{
		Rules:       "Join the two ends of each colour with a chain over the three faces. Every cell that is no stone belongs to a chain, and no chain touches itself.",
		Styles:      []string{"light", "dark", "dark thick", "light thin"},
		Boards:      solvers.Square(2, 7, ""),
		Sides:       solvers.EqualSides,
		Fixed:       "X",
		Pack:        pack,
		Page:        page,
		OneSolution: true,
	}
}

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }
