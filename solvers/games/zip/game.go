package zip

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

// Game is Zip.
type Game struct{}

var (
	_ solvers.Filler = (*Puzzle)(nil)
	_ solvers.Pather = (*Solution)(nil)
)

// The bounds of rows and columns: in the notation, and of what is read.
const (
	MinSide   = 2
	MaxSide   = 16
	leastRead = 3
)

// Accent is the colour of paths, and of the app's first buttons.
var Accent = color.NRGBA{228, 88, 36, 255}

// Looks are the app's.
func Looks() []simapp.GridLook { return []simapp.GridLook{simapp.Light(Accent), simapp.Dark(Accent)} }

// Name is "zip".
func (Game) Name() string { return "zip" }

// About tells of the app's levels and looks, and of the generator's boards.
func (Game) About() solvers.About {
	return solvers.About{Rules: "Draw one path through all cells that begins at 1, passes the numbers in their order and ends at the last. It crosses no wall.",
		Pack: pack, Styles: []string{"light", "dark"}, Boards: solvers.Square(4, 8, ""), Sides: solvers.AnySides, OneSolution: true,
		Grid: &solvers.GridPage{Separator: notation.Separator, Entries: []string{"."}, Numbers: true, Walls: true}}
}

// Spec is numbers in flat cells between lines of any width, and what leads from a cell's
// middle to the next.
func (Game) Spec() screen.Spec {
	return screen.Spec{Topologies: []screen.Topology{screen.Square}, MinSide: leastRead, MaxSide: MaxSide,
		Either: true, Panes: true, Boxes: true, Numbers: true, Measures: grid.LinkMeasures()}
}

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Likeness is how much of a text looks like the notation.
func (Game) Likeness(text string) float64 {
	rows, _ := board.CutWalls(text)
	return notation.Likeness(rows)
}

// Locate tells a level from its completion panel.
func (Game) Locate(seen *screen.Observation) screen.Place {
	return grid.Locate(seen, simapp.Seen(Looks())...)
}

// Familiarity is how much of what was seen looks like a board of the game.
func (g Game) Familiarity(seen *screen.Observation) float64 {
	return grid.NumberFamiliarity(g.Spec(), seen)
}

// Read makes a puzzle of a board on the screen.
func (g Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	if err := grid.Check(g.Spec(), seen); err != nil {
		return nil, err
	}
	walls, err := grid.ReadWalls(seen)
	if err != nil {
		return nil, err
	}
	stops, err := grid.ReadStops(seen)
	if err != nil {
		return nil, err
	}
	p, err := newPuzzle(grid.SizeOf(seen), stops, walls)
	if err != nil {
		return nil, solvers.Refuse("misread: %v", err)
	}
	if _, err := grid.ReadPath(seen, p.Stops[0]); err != nil {
		return nil, err
	}
	return p, nil
}

// shown is the path on the screen, from the cell of the 1 on.
func (p *Puzzle) shown(seen *screen.Observation) ([]board.Cell, error) {
	if err := grid.CheckThrough(Game{}.Spec(), p.Through, seen); err != nil {
		return nil, err
	}
	return grid.ReadPath(seen, p.Stops[0])
}
