package asteroid

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
		Styles: []string{"space", "flat"},
		Boards: boards(),
		Fixed:  "aAS",
		Pack:   pack,
		Page:   page,
	}
}

// boards are boards of each grade; they have one size.
func boards() []solvers.GenerateOptions {
	var all []solvers.GenerateOptions
	for _, grade := range (Game{}).Grades() {
		all = append(all, solvers.GenerateOptions{Variant: grade})
	}
	return all
}
