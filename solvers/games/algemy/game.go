package algemy

import (
	_ "embed" // the levels and the drawing on the page

	"tapwise/solvers"
)

//go:embed pack.txt
var pack string

//go:embed page.js
var page string

// Game is Algemy.
type Game struct{}

var (
	_ solvers.Game      = Game{}
	_ solvers.Adviser   = (*Puzzle)(nil)
	_ solvers.Parter    = (*Solution)(nil)
	_ solvers.Filler    = (*Puzzle)(nil)
	_ solvers.Grader    = Game{}
	_ solvers.Annotator = (*Puzzle)(nil)
	_ solvers.Solution  = (*Solution)(nil)
)

// Name is "algemy".
func (Game) Name() string { return "algemy" }

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{
		Rules:       "Put light sources on empty cells. Light runs along straight lines until a crystal or the rim. No two sources see each other, every empty cell is lit, and every crystal sees just the colours that mix to its own.",
		Styles:      []string{"day", "night"},
		Boards:      append(solvers.Square(3, 7, "square"), solvers.Square(3, 7, "hexagon")...),
		Variants:    []string{"square", "hexagon"},
		Sides:       solvers.EqualSides,
		Fixed:       "ROYGBVWX",
		Pack:        pack,
		Page:        page,
		OneSolution: true,
	}
}

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }
