package flow

import (
	"image/color"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// leastSure is the least confidence in the lattice, 0 to 1, with which a board
// is read.
const leastSure = 0.5

// picture is a board as it looks, before it is known which ends form pairs.
type picture struct {
	seen    *screen.Observation
	grid    *Puzzle // the cells and their neighbours, nothing else
	size    board.Size
	look    []look       // by cell
	colour  []color.RGBA // by cell: the colour of the end or the pipe on it
	rim     []uint8      // by cell: the brightness beside what is drawn on it, 0 to 255
	links   [][6]bool    // by cell and direction: a pipe leads over the side
	walls   map[board.Edge]bool
	outside []bool // by cell: a place of the lattice without a cell
}

// Read makes a puzzle of a board on the screen.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	p, _, err := readAll(seen, false)
	return solvers.AsPuzzle(p, err)
}

// readAll reads the board and the pipes drawn on it. A board that is being played
// is known to be the game's own and not a drawing of one.
func readAll(seen *screen.Observation, played bool) (*Puzzle, *Solution, error) {
	if err := grid.CheckUncovered(Game{}.Locate(seen)); err != nil {
		return nil, nil, err
	}
	if err := checkObservation(seen); err != nil {
		return nil, nil, err
	}
	v, err := newPicture(seen)
	if err != nil {
		return nil, nil, err
	}
	p, err := v.puzzle()
	if err != nil {
		return nil, nil, err
	}
	s, err := v.drawn(p, played || len(seen.Signs) > 0)
	if err != nil {
		return nil, nil, err
	}
	return p, s, nil
}

// fill reads the pipes drawn on the screen of a puzzle, as a solution that has
// only the part already drawn.
func fill(seen *screen.Observation, p *Puzzle) (*Solution, error) {
	shown, s, err := readAll(seen, true)
	if err != nil {
		return nil, err
	}
	if shown.size != p.size {
		return nil, solvers.Refuse("the board on the screen has %d columns and %d rows, expected %d and %d", shown.size.Cols, shown.size.Rows, p.size.Cols, p.size.Rows)
	}
	drawn := newSolution(p, nil)
	for c := range board.Cell(p.size.Cells()) {
		if shown.kind[c] != p.kind[c] || (shown.pipe[c] < 0) != (p.pipe[c] < 0) {
			return nil, solvers.RefuseAt(c, "%s looks different from the puzzle's", p.size.Name(c))
		}
		if i := s.pipe[c]; i >= 0 {
			drawn.pipe[c] = p.pipe[shown.ends[i][0]]
			if p.pipe[shown.ends[i][0]] != p.pipe[shown.ends[i][1]] {
				return nil, solvers.RefuseAt(c, "%s: the ends of a colour differ from the puzzle's", p.size.Name(c))
			}
		}
	}
	return drawn, nil
}

// checkObservation refuses an observation that has not what spec asked for.
func checkObservation(seen *screen.Observation) error {
	if len(seen.Signs) > 0 {
		if err := grid.CheckSure(Game{}.Spec(), seen, "the board's cells", leastSure); err != nil {
			return err
		}
		return checkSigns(seen)
	}
	if err := grid.CheckSure(Game{}.Spec(), seen, "the board's lines", leastSure); err != nil {
		return err
	}
	// The app fills the screen. A smaller board is in a picture of it, in a shop say.
	l := seen.Layout
	if shorter := min(seen.On.Size.X, seen.On.Size.Y); 2*max(l.Board.Dx(), l.Board.Dy()) < shorter {
		return solvers.Refuse("the board at %v is too small to be played on, expected half of the screen's %d pixels", l.Board, shorter)
	}
	return nil
}

// newPicture finds out what each cell and each side of a cell is.
func newPicture(seen *screen.Observation) (*picture, error) {
	size := grid.SizeOf(seen)
	grid := &Puzzle{size: size, kind: make([]kind, size.Cells())}
	if seen.Layout.Topology == screen.Hex {
		grid.topology = Hex
	}
	v := &picture{
		seen:    seen,
		grid:    grid,
		size:    size,
		look:    make([]look, size.Cells()),
		colour:  make([]color.RGBA, size.Cells()),
		rim:     make([]uint8, size.Cells()),
		links:   make([][6]bool, size.Cells()),
		walls:   map[board.Edge]bool{},
		outside: make([]bool, size.Cells()),
	}
	if len(seen.Signs) > 0 {
		v.readSigns()
		return v, nil
	}
	v.readCells()
	sides := v.readSquares
	if grid.topology == Hex {
		sides = v.readHexagons
	}
	if err := sides(); err != nil {
		return nil, err
	}
	if err := v.checkLooks(); err != nil {
		return nil, err
	}
	return v, nil
}

// checkLooks refuses a board with something unknown on a cell, or with an end
// where there is no cell. All other places without a cell become empty: something
// may glow there.
func (v *picture) checkLooks() error {
	for c := range board.Cell(v.size.Cells()) {
		switch r := v.seen.Readings[c]; {
		case v.look[c] == odd && !v.outside[c]:
			return solvers.RefuseAt(c, "%s is neither empty nor an end nor a pipe", v.size.Name(c))
		case !v.outside[c]:
		case v.look[c] == end && screen.Contrast(r[ring].Colour, r[rim].Colour) >= 2*leastMark:
			return solvers.RefuseAt(c, "%s: an end lies outside the board", v.size.Name(c))
		default:
			v.look[c], v.links[c] = empty, [6]bool{}
		}
	}
	return nil
}

// puzzle is the board that the picture shows, without the pipes on it.
func (v *picture) puzzle() (*Puzzle, error) {
	pairUp := v.pairUp
	if len(v.seen.Signs) > 0 {
		pairUp = v.pairSigns
	}
	pairs, err := pairUp()
	if err != nil {
		return nil, err
	}
	b := Board{Size: v.size, Topology: v.grid.topology, Ends: pairs}
	for c, outside := range v.outside {
		switch {
		case outside:
			b.Holes = append(b.Holes, board.Cell(c))
		case v.look[c] == crossing:
			b.Bridges = append(b.Bridges, board.Cell(c))
		}
	}
	for edge := range v.walls {
		if !v.outside[edge.A] && !v.outside[edge.B] {
			b.Walls = append(b.Walls, edge)
		}
	}
	slices.SortFunc(b.Walls, func(x, y board.Edge) int {
		if x.A != y.A {
			return int(x.A - y.A)
		}
		return int(x.B - y.B)
	})
	p, err := New(b)
	if err != nil {
		return nil, solvers.Refuse("%v", err)
	}
	for _, ends := range pairs {
		shown := v.seen.Readings[ends[0]][ring].OnScreen()
		if len(v.seen.Signs) > 0 {
			shown = v.seen.Signs[ends[0]].Colour
		}
		p.colours = append(p.colours, color.NRGBA{shown.R, shown.G, shown.B, 255})
	}
	return p, nil
}

// side is the line on a side of a cell, as it was seen.
func (v *picture) side(c board.Cell, d board.Dir) screen.Line {
	cols, row, col := v.size.Cols, v.size.Row(c), v.size.Col(c)
	switch {
	case v.grid.topology == Hex:
		return v.seen.Sides[6*int(c)+int(d)]
	case d == board.North:
		return v.seen.Horizontal[row*cols+col]
	case d == board.South:
		return v.seen.Horizontal[(row+1)*cols+col]
	case d == board.West:
		return v.seen.Vertical[row*(cols+1)+col]
	default:
		return v.seen.Vertical[row*(cols+1)+col+1]
	}
}

// refuseSide refuses a board for a side of a square cell, with a reason.
func (v *picture) refuseSide(c board.Cell, d board.Dir, reason string) error {
	return solvers.RefuseAt(c, "%s, %s side: %s", v.size.Name(c), [...]string{"upper", "right", "lower", "left"}[d], reason)
}
