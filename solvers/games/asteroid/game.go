package asteroid

import (
	_ "embed" // the levels and the drawing on the page

	"tapwise/solvers"
)

//go:embed pack.txt
var pack string

//go:embed page.js
var page string

// Game is Asteroid.
type Game struct{}

var (
	_ solvers.Game      = Game{}
	_ solvers.Adviser   = (*Puzzle)(nil)
	_ solvers.Parter    = (*Solution)(nil)
	_ solvers.Grader    = Game{}
	_ solvers.Annotator = (*Puzzle)(nil)
	_ solvers.Mover     = (*Solution)(nil)
)

// Name is "asteroid".
func (Game) Name() string { return "asteroid" }

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{
		Rules:  "Slide tiles into the hole until the spacecraft is in the middle of the bottom row, then slide it out. Nothing on a tile may meet anything on another while it slides.",
		Styles: []string{"space", "flat"},
		Boards: boards(),
		Fixed:  "aAS",
		Pack:   pack,
		Page:   page,
	}
}

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// boards are boards of each grade; they have one size.
func boards() []solvers.GenerateOptions {
	var all []solvers.GenerateOptions
	for _, grade := range (Game{}).Grades() {
		all = append(all, solvers.GenerateOptions{Variant: grade})
	}
	return all
}
