package alcazar

import (
	_ "embed" // the levels and the drawing on the page

	"tapwise/solvers"
)

//go:embed pack.txt
var pack string

//go:embed page.js
var page string

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{
		Styles:   []string{"light", "dark", "light thin", "dark thick"},
		Boards:   solvers.Square(3, 12, ""),
		Variants: []string{"holes"},
		Sides:    solvers.AnySides,
		Fixed:    "x",
		Pack:     pack,
		Page:     page,
	}
}

// Editable is the puzzle as the page draws it: a grid of characters.
func (p *Puzzle) Editable() solvers.Puzzle { return p.As(Grid) }
