package algemy

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
		Styles:   []string{"day", "night"},
		Boards:   append(solvers.Square(3, 7, "square"), solvers.Square(3, 7, "hexagon")...),
		Variants: []string{"square", "hexagon"},
		Sides:    solvers.EqualSides,
		Fixed:    "ROYGBVWX",
		Pack:     pack,
		Page:     page,
	}
}
