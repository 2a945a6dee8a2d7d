package screen

import (
	"fmt"
	"image"
	"image/color"
	"slices"
)

// Spec is a game's request to the eyes. It speaks only of lines, colours and shapes,
// so that the eyes need not know any game.
type Spec struct {
	Topologies []Topology // arrangements of cells that the board may have, the likeliest first
	MinSide    int        // fewest rows or columns; of HexRows, fewest cells of a side
	MaxSide    int        // most rows or columns, likewise
	Dark       bool       // the board's background is dark, its lines brighter; otherwise the reverse
	Either     bool       // the background may be dark or light: Dark does not matter
	Walled     bool       // sides of squares are walls, dotted lines or open in the rim, not all lines alike
	// Panes: the cells are flat squares of any colours, and the lines between them may be of
	// any width and colour: their widths and colours carry their meaning.
	Panes bool
	// Pencil: a board of panes is as pencil puzzles are drawn: cells may be filled with the
	// colour of the lines, which are not seen then, and thin lines may be dashed.
	Pencil   bool
	Equal    bool      // boards have as many columns as rows
	Open     bool      // the lattice's lines may reach a little over the board's rim
	Measures []Measure // taken in each cell
	Boxes    bool      // report outlined boxes: panels and their buttons
	Hint     *Hint     // knowledge of the board from a calibration; nil without one
	Slanted  bool      // the board may not be upright, on a photograph of a screen
	Discs    bool      // some cells hold a disc about two thirds of a cell wide
	// Numbers: the number 0 to 99 in each cell is read, where there is one: one or two
	// figures in the cell's middle, on a ground of one colour.
	Numbers bool
	// Signs: the board is one of squares of any look, whose cells are distinguished by which of
	// them look alike. Topologies, lines and discs do not matter then.
	Signs bool
	// Candidates: all boards that may be on the frame are reported, not only the
	// likeliest, and what each way of looking found out. This takes longer.
	Candidates bool
}

// Measure is a place in each cell where the colour is measured: a disc, or a
// ring when Inner is not zero. Offsets from the cell's centre and radii are in
// pitches. On a cube the offsets lead along a cell's column and row, and discs lie on
// its face, so that they are seen as ellipses.
type Measure struct {
	Name   string // one word
	X, Y   float64
	Inner  float64
	Radius float64
}

// Reading is the colour found at a measure's place.
type Reading struct {
	Colour color.RGBA // the median of each channel
	Spread float64    // mean absolute difference from the median over the three channels, 0 to 255
	// Shown is the colour on the screen where a profile translated it into
	// Colour, for pictures; else it is not opaque. The text of an observation
	// leaves it out.
	Shown color.RGBA
}

// OnScreen is the colour on the screen.
func (r Reading) OnScreen() color.RGBA {
	if r.Shown.A > 0 {
		return r.Shown
	}
	return r.Colour
}

// Line is the lattice's line on one side of a cell, as it was seen.
type Line struct {
	// Support is the share of the side, sampled away from its middle, on which
	// there is a line, 0 to 1. On a walled board it is how much the side stands
	// out, as a share of what walls do: about 1 is a wall, a little a dotted line.
	Support float64
	Width   float64    // median width of the line there, in pixels; 0 without a line
	Colour  color.RGBA // median colour of the line there
	// Ends is how much the fainter of the side's two ends stands out, measured
	// as Support is. Only on walled boards. On open ones, of a side in the rim:
	// the share of a tenth of a pitch that the lines at both its ends reach over.
	Ends float64
}

// Observation is everything that the eyes saw on one frame.
type Observation struct {
	On Frame
	// Layout is the lattice found; Rows is 0 when none was.
	Layout Layout
	// Confidence in the lattice, 0 to 1.
	Confidence float64
	// Translated: colours and lines were translated from another theme's look into the game's
	// own. They say less about how clearly they were seen.
	Translated bool
	// Readings holds, for each cell of the layout, one reading for each
	// measure of the Spec, in its order.
	Readings [][]Reading
	// Horizontal are the lines above and below the cells, row by row: the one
	// at r*Cols+c lies above cell r,c; there are Rows+1 rows of them. Boards
	// of HexRows have neither these nor vertical lines: all sides of their cells
	// were seen. A cube has Cols+1 rows of them for each face.
	Horizontal []Line
	// Vertical are the lines left and right of the cells, row by row: the one
	// at r*(Cols+1)+c lies left of cell r,c; there are Cols+1 in a row.
	Vertical []Line
	// Sides are the lines on the six sides of each cell of a Hex board, cell by
	// cell, clockwise from the top. The boards of other topologies have none.
	Sides []Line
	// Signs are what the cells show, cell by cell, where the Spec asked for signs;
	// else there are none. Nothing is known of the lines of such a board.
	Signs []Sign
	// Numbers are what was read in the cells, cell by cell, where the Spec asked for
	// numbers; else there are none.
	Numbers []Number
	// Boxes are the outlined boxes found, from the largest to the smallest.
	Boxes []Box
	// Doubts say in words what was odd: they explain a refusal.
	Doubts []string
	// Candidates are what each way of looking for the board found, the likeliest first,
	// where the Spec asked for them. The text of an observation leaves them out.
	Candidates []Candidate
}

// hexSides is the number of lines around a cell of a Hex board.
const hexSides = 6

// Complete fails unless the layout is a board's, and there are as many centres, readings
// and lines as it has, and as many signs and numbers as cells, or none. The error says
// what is missing.
func (o *Observation) Complete() error {
	l := o.Layout
	if err := l.checkShape(); err != nil {
		return err
	}
	cells := l.Cells()
	horizontal, vertical := l.lines()
	around := 0
	if l.Topology == Hex {
		around = hexSides * cells
	}
	for _, part := range []struct {
		name       string
		have, want int
		optional   bool
	}{
		{"cells", len(o.Readings), cells, false},
		{"centres", len(l.Centres), cells, false},
		{"lines above and below", len(o.Horizontal), horizontal, false},
		{"lines left and right", len(o.Vertical), vertical, false},
		{"lines around", len(o.Sides), around, false},
		{"signs", len(o.Signs), cells, true},
		{"numbers", len(o.Numbers), cells, true},
	} {
		if part.have != part.want && !(part.optional && part.have == 0) {
			return fmt.Errorf("%d %s, expected %d for %d rows and %d columns", part.have, part.name, part.want, l.Rows, l.Cols)
		}
	}
	return nil
}

// Enlarge turns what was seen on a reduced frame into what is seen on the frame itself,
// whose sides are longer by a whole factor: all places and lengths in pixels.
func (o *Observation) Enlarge(on Frame, factor int) {
	area := func(r image.Rectangle) image.Rectangle {
		return image.Rectangle{Min: r.Min.Mul(factor), Max: r.Max.Mul(factor)}
	}
	places := func(points []image.Point) []image.Point {
		points = slices.Clone(points) // what was seen and its candidates share some
		for i, p := range points {
			points[i] = p.Mul(factor).Add(image.Pt(factor/2, factor/2))
		}
		return points
	}
	lines := func(lines []Line) []Line {
		lines = slices.Clone(lines)
		for i := range lines {
			lines[i].Width *= float64(factor)
		}
		return lines
	}
	l := &o.Layout
	o.On, l.On, l.Board, l.Pitch, l.Centres = on, on, area(l.Board), l.Pitch*float64(factor), places(l.Centres)
	o.Horizontal, o.Vertical, o.Sides = lines(o.Horizontal), lines(o.Vertical), lines(o.Sides)
	o.Boxes = slices.Clone(o.Boxes)
	for i, b := range o.Boxes {
		o.Boxes[i].Bounds, o.Boxes[i].Title = area(b.Bounds), area(b.Title)
	}
	for i, c := range o.Candidates {
		c.Seen.Enlarge(on, factor)
		c.Figures = slices.Clone(c.Figures)
		for k, f := range c.Figures {
			c.Figures[k].Points = places(f.Points)
		}
		o.Candidates[i] = c
	}
}

// Candidate is a board that may be on a frame, or a way to look for one that found
// none.
type Candidate struct {
	Finder  string       // the way it was looked for, in words
	Seen    *Observation // what was seen if this is the board; no rows without one
	Lacks   []string     // in words: why it is no board; none where it may be one
	Figures []Figure     // what was drawn to find it
}

// Figure is a line drawn through points, in pixels of the frame.
type Figure struct {
	Name   string // what it shows, in words
	Points []image.Point
}

// Sign is what a cell shows on a board whose cells are told by which look alike.
type Sign struct {
	Group  int        // cells whose marks look alike have one number, from 1; 0 is a cell without a mark
	Links  [4]bool    // a band of one colour leads to the next cell to the north, east, south, west
	Colour color.RGBA // the mean colour of what is drawn on the cell; not opaque where nothing is
}

// Number is the number in a cell, as far as it could be read.
type Number struct {
	Seen       NumberSeen
	Value      int     // 0 to 99 where one was read; of one that is unclear what it may be, 0 if that is not known
	Confidence float64 // 0 to 1; of a number that is unclear, how near it came
}

// NumberSeen is how much of a number a cell shows.
type NumberSeen int

// What a cell shows.
const (
	NoNumber      NumberSeen = iota // nothing, or a plain disc, square or ring
	UnclearNumber                   // something that is no number, or not clearly one
	ReadNumber                      // a number
)

// Box is an outlined rectangle.
type Box struct {
	Bounds image.Rectangle
	Title  image.Rectangle // the bar of one colour right above it; empty when there is none
	Bar    color.RGBA      // the colour of that bar; not opaque when there is none
	Line   color.RGBA      // the median colour of its outline
	Fill   color.RGBA      // the median colour inside
}

// PlaceKind is a kind of place in a game's app.
type PlaceKind int

// The kinds of place.
const (
	Elsewhere PlaceKind = iota // not a screen of this game, or one not known
	Level                      // a level is being played
	Won                        // the level is complete; the panel that says so shows
	Popup                      // something known covers the level; its button is "close"
	List                       // the levels to choose from; each button "level" leads to one that is not complete
)

func (k PlaceKind) String() string {
	return [...]string{"elsewhere", "level", "won", "popup", "list"}[k]
}

// Place is the place in a game's app that the phone shows, and the buttons there.
type Place struct {
	Kind    PlaceKind
	Buttons []Button
	Reason  string // in words: how it was recognised
}

// Button is a place to tap.
type Button struct {
	Name string // next, close, restart, …
	At   image.Point
}

// Button finds a button by name.
func (p Place) Button(name string) (Button, bool) {
	for _, b := range p.Buttons {
		if b.Name == name {
			return b, true
		}
	}
	return Button{}, false
}
