package zip

import (
	_ "embed" // the levels

	"tapwise/solvers"
)

//go:embed pack.txt
var pack string

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{Pack: pack, Styles: []string{"light", "dark"}, Boards: solvers.Square(4, 8, ""), Sides: solvers.AnySides}
}
