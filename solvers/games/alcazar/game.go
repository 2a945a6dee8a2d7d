package alcazar

import (
	_ "embed" // the levels and the drawing on the page

	"tapwise/solvers"
)

//go:embed pack.txt
var pack string

//go:embed page.js
var page string

// Game is Alcazar.
type Game struct{}

var (
	_ solvers.Game   = Game{}
	_ solvers.Filler = (*Puzzle)(nil)
	_ solvers.Puzzle = (*Puzzle)(nil)
	_ solvers.Pather = (*Solution)(nil)
)

// Name is "alcazar".
func (Game) Name() string { return "alcazar" }

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{
		Rules:       "Draw one path that comes in by one opening, visits every room exactly once and leaves by another. It goes through no wall.",
		Styles:      []string{"light", "dark", "light thin", "dark thick"},
		Boards:      solvers.Square(3, 12, ""),
		Variants:    []string{"holes"},
		Sides:       solvers.AnySides,
		Fixed:       "x",
		Pack:        pack,
		Page:        page,
		OneSolution: true,
	}
}

// Parse reads a puzzle in any of the forms of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Editable is the puzzle as the page draws it: a grid of characters.
func (p *Puzzle) Editable() solvers.Puzzle { return p.As(Grid) }
