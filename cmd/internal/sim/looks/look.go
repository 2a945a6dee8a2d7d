package looks

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/games/flow"
)

// Look is an app's look and what it shows. Lengths of the board's parts are in
// pitches, the distance of neighbouring cells' centres; those of the page in parts
// of its width. Colours are CSS colours.
type Look struct {
	Seed    uint64      `json:"seed"`
	Screen  image.Point `json:"-"` // the screen's size in pixels
	Density float64     `json:"-"` // pixels in a CSS pixel

	Page   Page     `json:"page"`
	Board  Board    `json:"board"`
	Cells  Cells    `json:"cells"`
	Lines  Lines    `json:"lines"`
	Frame  Frame    `json:"frame"`
	Ends   Ends     `json:"ends"`
	Pipes  Pipes    `json:"pipes"`
	Win    string   `json:"win"`    // one of wins
	Levels []string `json:"levels"` // rows joined by slashes
}

// Page is what lies around the board.
type Page struct {
	Background string   `json:"background"` // a CSS background
	Text       string   `json:"text"`
	Font       string   `json:"font"`
	Title      string   `json:"title"`   // empty: none
	Numbers    []string `json:"numbers"` // above the board
	Above      []Button `json:"above"`
	Below      []Button `json:"below"`
	Distance   float64  `json:"distance"` // of the board from what is above and below it, in pitches
	Picture    bool     `json:"picture"`  // blurred spots of colour behind everything
}

// Button is a button beside the board.
type Button struct {
	Label  string  `json:"label"`
	Fill   string  `json:"fill"`
	Text   string  `json:"text"`
	Radius float64 `json:"radius"` // of its corners, in parts of its height
}

// Board is where the board lies.
type Board struct {
	Rows  int     `json:"rows"`
	Cols  int     `json:"cols"`
	Width float64 `json:"width"` // of the page's width
	Align string  `json:"align"` // center, left
	Top   bool    `json:"top"`   // right below what is above it; else in the middle
}

// Cells is how a cell looks.
type Cells struct {
	Fill      string  `json:"fill"`
	Other     string  `json:"other"`     // of every other cell; equal to Fill where all are alike
	Lit       string  `json:"lit"`       // where a gradient over each cell ends; empty: none
	Gap       float64 `json:"gap"`       // between two cells
	Radius    float64 `json:"radius"`    // of the corners
	Border    float64 `json:"border"`    // width
	BorderOf  string  `json:"border_of"` // its colour
	Shadow    bool    `json:"shadow"`
	WholeFill string  `json:"whole_fill"` // below the cells, seen in the gaps
}

// Lines are the lines between cells.
type Lines struct {
	Width  float64 `json:"width"` // 0: none
	Colour string  `json:"colour"`
}

// Frame is the frame around the board.
type Frame struct {
	Width  float64 `json:"width"` // 0: none
	Colour string  `json:"colour"`
	Radius float64 `json:"radius"`
	Gap    float64 `json:"gap"` // between the cells and the frame
}

// Ends is how ends look.
type Ends struct {
	Shape   string   `json:"shape"`  // one of shapes, or picture, or none: labels alone
	Radius  float64  `json:"radius"` // half the width
	Style   string   `json:"style"`  // one of styles
	Label   string   `json:"label"`  // one of labels
	Font    string   `json:"font"`
	Bold    bool     `json:"bold"`
	Colours []string `json:"colours"` // of the letters A, B, …
	Ink     []string `json:"ink"`     // of the label on each of the colours
}

// Pipes is how pipes look.
type Pipes struct {
	Width float64 `json:"width"`
	Drawn int     `json:"drawn"` // how many of the first level's pipes are begun with
	Tint  float64 `json:"tint"`  // how strongly a pipe's cells are tinted, 0 to 1
}

// The values that the fields of a look take.
var (
	shapes = []string{"disc", "disc", "disc", "disc", "square", "rounded", "ring", "diamond", "hexagon", "star"}
	styles = []string{"flat", "flat", "flat", "ball", "outlined", "glow", "shadow"}
	labels = []string{"", "", "", "", "letter", "number"}
	wins   = []string{"panel", "panel", "arrow", "next", "nothing"}
	fonts  = []string{"sans-serif", "serif", "monospace", "'DejaVu Sans'", "'DejaVu Serif'", "'Liberation Sans'"}
)

// screens are the screens of phones: pixels, and pixels in a CSS pixel.
var screens = []struct {
	size    image.Point
	density float64
}{
	{image.Pt(720, 1600), 2}, {image.Pt(1080, 1920), 3}, {image.Pt(1080, 2340), 3}, {image.Pt(1080, 2400), 2.625}, {image.Pt(1440, 3120), 3.5},
}

// choice draws from a random source.
type choice struct{ *rand.Rand }

func pick[T any](c choice, list []T) T { return list[c.IntN(len(list))] }

// between is a number from least to most.
func (c choice) between(least, most float64) float64 { return least + (most-least)*c.Float64() }

// often reports true that part of the time.
func (c choice) often(part float64) bool { return c.Float64() < part }

// New makes the look of a seed, with that many levels, the same one each time.
func New(ctx context.Context, seed uint64, levels int) (Look, error) {
	c := choice{rand.New(rand.NewPCG(seed, 0x1001))}
	on := pick(c, screens)
	l := Look{Seed: seed, Screen: on.size, Density: on.density, Win: pick(c, wins)}
	l.Board = Board{Width: c.between(0.42, 0.98), Align: "center", Top: c.often(0.5)}
	if c.often(0.15) {
		l.Board.Align = "left"
	}
	l.Board.Rows = 4 + c.IntN(7)
	l.Board.Cols = l.Board.Rows
	if c.often(0.25) {
		l.Board.Cols = max(4, l.Board.Rows-1-c.IntN(3))
	}
	// A finger needs room: 26 CSS pixels are some four millimetres.
	const leastPitch = 26
	l.Board.Width = min(0.98, max(l.Board.Width, leastPitch*float64(l.Board.Cols)*l.Density/float64(l.Screen.X)))
	for range levels {
		p, err := flow.Game{}.Generate(ctx, solvers.GenerateOptions{Rows: l.Board.Rows, Cols: l.Board.Cols, Unique: true}, c.Rand)
		if err != nil {
			return Look{}, fmt.Errorf("looks: seed %d: %w", seed, err)
		}
		l.Levels = append(l.Levels, strings.ReplaceAll(strings.TrimSpace(p.String()), "\n", "/"))
	}
	l.paint(c)
	l.furnish(c)
	return l, nil
}

// colours is how many colours the look's levels take.
func (l Look) colours() int {
	most := 0
	for _, level := range l.Levels {
		for _, r := range level {
			if r >= 'A' && r <= 'Z' {
				most = max(most, int(r-'A')+1)
			}
		}
	}
	return most
}

// paint chooses the board's colours and shapes.
func (l *Look) paint(c choice) {
	ground, dark := l.ground(c)
	l.lines(c, ground, dark)
	l.frame(c, ground)
	l.ends(c, ground)
	l.Pipes = Pipes{Width: c.between(0.2, 0.5)}
	if c.often(0.2) {
		l.Pipes.Drawn = 1 + c.IntN(2)
	}
	if c.often(0.3) {
		l.Pipes.Tint = c.between(0.1, 0.35)
	}
}

// ground chooses the page's and the cells' fills. It returns the cells' fill, and
// whether it is dark.
func (l *Look) ground(c choice) (rgb, bool) {
	dark := c.often(0.55)
	base := pick(c, lightGrounds)
	if dark {
		base = pick(c, darkGrounds)
	}
	page := base
	switch c.IntN(4) {
	case 0: // the page is another shade
		page = base.mix(pick(c, []rgb{black, white}), c.between(0.05, 0.5))
	case 1: // a dark board on a light page, or the other way round
		page = pick(c, lightGrounds)
		if !dark {
			page = pick(c, darkGrounds)
		}
	}
	l.Page.Background = page.String()
	l.Page.Text = page.ink().String()
	switch {
	case c.often(0.15):
		l.Page.Background = fmt.Sprintf("linear-gradient(%ddeg, %v, %v)", c.IntN(360), page, page.mix(pick(c, palettes[0]), c.between(0.1, 0.5)))
	case c.often(0.1):
		l.Page.Picture = true
	}
	l.Cells = Cells{Fill: base.String(), Other: base.String(), WholeFill: base.String()}
	other := base.mix(base.ink(), c.between(0.04, 0.12))
	switch c.IntN(6) {
	case 0:
		l.Cells.Other = other.String()
	case 1:
		l.Cells.Lit = other.String()
	}
	if c.often(0.35) { // cards
		l.Cells.Gap = c.between(0.02, 0.15)
		l.Cells.Radius = c.between(0, 0.3)
		l.Cells.WholeFill = page.String()
		if base.distance(page) < visible {
			l.Cells.WholeFill = base.mix(base.ink(), c.between(0.12, 0.4)).String()
		}
		l.Cells.Shadow = c.often(0.3)
	}
	if c.often(0.15) {
		l.Cells.Border, l.Cells.BorderOf = c.between(0.01, 0.05), base.mix(base.ink(), c.between(0.12, 0.7)).String()
	}
	return base, dark
}

// lines chooses the lines between the cells: what separates them must be seen,
// unless it is ends and a frame only, as in few apps.
func (l *Look) lines(c choice, ground rgb, dark bool) {
	separated := l.Cells.Gap > 0 || l.Cells.Border > 0 || l.Cells.Other != l.Cells.Fill || l.Cells.Lit != ""
	if separated && c.often(0.7) || c.often(0.04) {
		return
	}
	strength := c.between(0.12, 0.9)
	l.Lines = Lines{Width: c.between(0.008, 0.06), Colour: ground.mix(ground.ink(), strength).String()}
	if dark && c.often(0.3) {
		l.Lines.Colour = ground.mix(pick(c, palettes[0]), c.between(0.3, 0.8)).String()
	}
}

func (l *Look) frame(c choice, ground rgb) {
	if c.often(0.45) {
		return
	}
	l.Frame = Frame{Width: c.between(0.01, 0.15), Colour: ground.mix(ground.ink(), c.between(0.2, 1)).String()}
	if c.often(0.3) {
		l.Frame.Colour = pick(c, palettes[1]).String()
	}
	if c.often(0.4) {
		l.Frame.Radius = c.between(0.05, 0.4)
	}
	if c.often(0.3) {
		l.Frame.Gap = c.between(0.02, 0.3)
	}
}

func (l *Look) ends(c choice, ground rgb) {
	l.Ends = Ends{Shape: pick(c, shapes), Radius: c.between(0.18, 0.46), Style: pick(c, styles), Label: pick(c, labels), Font: pick(c, fonts), Bold: c.often(0.5)}
	if c.often(0.08) { // numbers or letters on nothing
		l.Ends.Shape, l.Ends.Label = "none", pick(c, []string{"letter", "number"})
		l.Ends.Radius, l.Ends.Style = c.between(0.25, 0.45), "flat"
	}
	if l.Ends.Label != "" {
		l.Ends.Radius = max(l.Ends.Radius, 0.25)
	}
	colours := palette(c, ground, l.colours())
	if l.Ends.Shape == "none" && c.often(0.6) {
		for i := range colours { // all of one ink
			colours[i] = ground.ink()
		}
	}
	for _, p := range colours {
		l.Ends.Colours = append(l.Ends.Colours, p.String())
		l.Ends.Ink = append(l.Ends.Ink, p.ink().String())
	}
}

// furnish puts words and buttons around the board.
func (l *Look) furnish(c choice) {
	l.Page.Font = pick(c, fonts)
	l.Page.Distance = c.between(0.1, 1.2)
	if c.often(0.8) {
		l.Page.Title = pick(c, []string{"Connect", "Level 1", "Dots & Lines", "Number Link", "Join the colours", "FLOW"})
	}
	for _, text := range []string{"Moves: 0", "0 %", "00:02", "5x5 Classic", "Score 0", "Best –"} {
		if c.often(0.3) {
			l.Page.Numbers = append(l.Page.Numbers, text)
		}
	}
	row := func(names []string, part float64) []Button {
		var row []Button
		radius := pick(c, []float64{0, 0.15, 0.5})
		for _, name := range names {
			if !c.often(part) {
				continue
			}
			fill := pick(c, palettes[1])
			if c.often(0.4) {
				fill = rgb{0xee, 0xee, 0xee}
			}
			row = append(row, Button{name, fill.String(), fill.ink().String(), radius})
		}
		return row
	}
	l.Page.Above = row([]string{"‹", "Menu", "?"}, 0.25)
	l.Page.Below = row([]string{"Undo", "Restart", "Hint", "Next", "Levels"}, 0.5)
}
