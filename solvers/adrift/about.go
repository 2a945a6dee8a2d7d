package adrift

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
		Styles: []string{"light", "dark", "dark thick", "light thin"},
		Boards: solvers.Square(2, 7, ""),
		Sides:  solvers.EqualSides,
		Fixed:  "X",
		Pack:   pack,
		Page:   page,
	}
}
