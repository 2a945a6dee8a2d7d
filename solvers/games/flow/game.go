package flow

import (
	_ "embed" // the levels and the drawing on the page
	"image"

	"tapwise/solvers"
)

//go:embed pack.txt
var pack string

//go:embed page.js
var page string

// Game is Flow.
type Game struct{}

var (
	_ solvers.Game      = Game{}
	_ solvers.Splitter  = Game{}
	_ solvers.Voucher   = Game{}
	_ solvers.Filler    = (*Puzzle)(nil)
	_ solvers.Explainer = (*Puzzle)(nil)
	_ solvers.Coverer   = (*Puzzle)(nil)
	_ solvers.Tidier    = (*Puzzle)(nil)
	_ solvers.Annotator = (*Puzzle)(nil)
	_ solvers.Pather    = (*Solution)(nil)
	_ solvers.Retractor = (*Solution)(nil)
)

// Name is "flow".
func (Game) Name() string { return "flow" }

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{
		Rules:       "Join the two ends of each colour with a pipe, from cell to neighbouring cell. Pipes do not cross, except over a bridge, and together they cover the board.",
		Styles:      []string{"blue", "yellow letters", "green", "red adfree", "orange checks", "blue adfree checks letters", "cyan", "purple"},
		Boards:      boards(),
		Variants:    []string{"bridges", "hex", "warp", "winding"},
		Sides:       solvers.AnySides,
		Pack:        pack,
		Page:        page,
		OneSolution: true, // except for a few levels of the real game's older versions
		ReadsSigns:  true,
	}
}

// Parse reads any of the notations.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// boards are the boards of the game's packs: all squares, and some of each variant.
func boards() []solvers.GenerateOptions {
	const (
		large = 120 // cells; boards up to that have as many colours as their pipes need
		most  = 16  // colours of a pack's boards
	)
	all := solvers.Square(5, 15, "")
	for _, variant := range []string{"", "bridges", "hex", "warp"} {
		for _, size := range []image.Point{{5, 5}, {5, 7}, {8, 6}, {9, 11}, {10, 10}} {
			if variant != "" || size.X != size.Y {
				all = append(all, solvers.GenerateOptions{Rows: size.Y, Cols: size.X, Unique: true, Variant: variant})
			}
		}
	}
	for i, b := range all {
		if b.Rows*b.Cols > large {
			all[i].Colours = most
		}
	}
	return all
}

// Editable is the puzzle as the page draws it: a grid or a board of numbers.
func (p *Puzzle) Editable() solvers.Puzzle { return p.Grid() }
