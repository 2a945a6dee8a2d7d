package queens

import (
	_ "embed" // the levels
	"image/color"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

//go:embed pack.txt
var pack string

// Game is Queens.
type Game struct{}

var (
	_ solvers.Adviser   = (*Puzzle)(nil)
	_ solvers.Editable  = (*Puzzle)(nil)
	_ solvers.Explainer = (*Puzzle)(nil)
	_ solvers.Filler    = (*Puzzle)(nil)
	_ solvers.Irregular = (*Puzzle)(nil)
)

// The bounds of rows and columns: in the notation, whose letters from A to Z are as many, and
// of what is read.
const (
	MinSide  = 4
	MaxSide  = 26
	mostRead = 16
	mostMade = 11 // of the generator's usual boards, and of those drawn on the page
)

// gold is the colour of queens in pictures, and of the app's first buttons.
var gold = color.NRGBA{212, 152, 9, 255}

// Looks are the app's: a light and a dark page around the same board.
func Looks() []simapp.GridLook { return []simapp.GridLook{simapp.Light(gold), simapp.Dark(gold)} }

// Name is "queens".
func (Game) Name() string { return "queens" }

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{Rules: "Put one queen in each row, each column and each region. No two queens touch, not even at a corner.",
		Pack: pack, Styles: []string{"light", "dark"}, Boards: solvers.Square(5, mostMade, ""), Sides: solvers.EqualSides, OneSolution: true, Grid: simapp.RegionPage(mostMade)}
}

// Spec is flat cells between lines of any width.
func (Game) Spec() screen.Spec {
	return screen.Spec{Topologies: []screen.Topology{screen.Square}, MinSide: MinSide, MaxSide: mostRead,
		Either: true, Panes: true, Equal: true, Boxes: true, Measures: grid.PaneMeasures()}
}

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Likeness is how much of a text looks like the notation.
func (Game) Likeness(text string) float64 { return board.RegionLikeness(notation, text) }

// Locate tells a level from its completion panel.
func (Game) Locate(seen *screen.Observation) screen.Place {
	return grid.Locate(seen, simapp.Seen(Looks())...)
}

// Read makes a puzzle of a board on the screen.
func (g Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	if err := grid.Check(g.Spec(), seen); err != nil {
		return nil, err
	}
	regions, tints, err := grid.ReadRegions(seen)
	if err != nil {
		return nil, err
	}
	return newPuzzle(regions, tints), nil
}

// Vouch says that a board with several solutions was seen clearly where lines and colours agree.
func (Game) Vouch(seen *screen.Observation) error { return grid.VouchRegions(seen) }

// Familiarity is how much of what was seen looks like a board of the game.
func (g Game) Familiarity(seen *screen.Observation) float64 {
	return grid.RegionFamiliarity(g.Spec(), seen)
}

// shown is what a puzzle's cells hold on the screen.
func (p *Puzzle) shown(seen *screen.Observation) ([]byte, error) {
	if err := grid.CheckSame(Game{}, p, seen); err != nil {
		return nil, err
	}
	var cells []byte
	for _, readings := range seen.Readings {
		cells = append(cells, p.Cycle[grid.MarkOn(readings)])
	}
	return cells, nil
}
