package grid

import (
	"image/color"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Placing is a game on squares whose solutions put one kind of thing on some cells, by
// taps that lead a cell through a cycle.
type Placing struct {
	Size  board.Size
	Thing string // its name: "queen"
	// Cycle is what a cell holds, from nothing on, tap after tap, one character each; the last
	// is the thing, the others are the player's notes.
	Cycle string
	Tint  color.NRGBA // of the thing, in pictures
	Blank func() *Picture
	// Shown is what the cells hold on a screen; it fails with a *ReadError if the screen shows
	// another board. It is nil if a screen does not show the things themselves.
	Shown func(*screen.Observation) ([]byte, error)
}

// notation is that of solutions.
func (p Placing) notation() board.Notation {
	return board.CharacterNotation(1, max(p.Size.Rows, p.Size.Cols), p.Cycle)
}

// Next is what a cell holds after a tap.
func (p Placing) Next(holds byte) byte {
	return p.Cycle[(strings.IndexByte(p.Cycle, holds)+1)%len(p.Cycle)]
}

// thing is the character of the thing.
func (p Placing) thing() byte { return p.Cycle[len(p.Cycle)-1] }

// Empty is the board with nothing on it.
func (p Placing) Empty() Placed {
	return Placed{p, slices.Repeat([]byte{p.Cycle[0]}, p.Size.Cells())}
}

// At is the board with things on some cells.
func (p Placing) At(cells []board.Cell) Placed {
	s := p.Empty()
	for _, c := range cells {
		s.Cells[c] = p.thing()
	}
	return s
}

// Parse reads a board in the notation of solutions.
func (p Placing) Parse(text string) (Placed, error) {
	entries, err := p.notation().ParseAs(p.Size, strings.TrimRight(text, "\n"))
	return Placed{p, []byte(strings.Join(entries, ""))}, err
}

// Fill is what the cells hold on a screen, in the notation of solutions; empty when it is
// nothing.
func (p Placing) Fill(seen *screen.Observation) (string, error) {
	if p.Shown == nil {
		return "", nil
	}
	cells, err := p.Shown(seen)
	if on := (Placed{p, cells}).String(); err == nil && on != p.Empty().String() {
		return on, nil
	}
	return "", err
}

// Placed is a board with things on it. A solution embeds it, and adds what checks it.
type Placed struct {
	Placing
	Cells []byte // by cell, what it holds
}

// placed lets Steps see the board of another solution.
func (s Placed) placed() Placed { return s }

// String is the board in the notation of solutions.
func (s Placed) String() string {
	return s.notation().Format(s.Size, strings.Split(string(s.Cells), ""))
}

// Things are the cells with the thing, row by row.
func (s Placed) Things() (cells []board.Cell) {
	for c, holds := range s.Cells {
		if holds == s.thing() {
			cells = append(cells, board.Cell(c))
		}
	}
	return cells
}

// Plan is the taps for each thing, on an empty board.
func (s Placed) Plan(l screen.Layout) []screen.Gesture { return s.from(s.Empty(), l) }

// from is the taps that lead from a board to this one's things: things elsewhere are taken
// away first. A player's note that is in nobody's way stays.
func (s Placed) from(on Placed, l screen.Layout) []screen.Gesture {
	if len(l.Centres) != len(s.Cells) {
		return nil
	}
	var clear, put []screen.Gesture
	for i, want := range s.Cells {
		c := board.Cell(i)
		switch {
		case want == s.thing():
			for holds := on.Cells[i]; holds != want; holds = s.Next(holds) {
				put = append(put, Touch(l, s.note(c), c)...)
			}
		case on.Cells[i] == s.thing():
			clear = append(clear, Touch(l, "no "+s.note(c), c)...)
		}
	}
	return append(clear, put...)
}

func (s Placed) note(c board.Cell) string { return s.Thing + " at " + s.Size.Name(c) }

// Remaining is the taps that are missing. At most as many are made as for the whole board;
// the rest waits for the next look.
func (s Placed) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	cells, err := s.Shown(seen)
	if err != nil {
		return nil, err
	}
	missing := s.from(Placed{s.Placing, cells}, seen.Layout)
	return missing[:min(len(missing), len(s.Plan(seen.Layout)))], nil
}

// Steps are the things, row by row.
func (s Placed) Steps(drawn solvers.Solution) []solvers.Step {
	on := s.Empty()
	if d, ok := drawn.(interface{ placed() Placed }); ok && d.placed().Size == s.Size {
		on = d.placed()
	}
	var steps []solvers.Step
	for _, c := range s.Things() {
		steps = append(steps, solvers.Step{Text: s.note(c), Cells: []board.Cell{c}, Drawn: on.Cells[c] == s.thing()})
	}
	return steps
}

// Picture is the board with some of the things.
func (s Placed) Picture(from, to int) solvers.Picture {
	d := s.Blank()
	for i, c := range s.Things() {
		if i >= from && i < to {
			d.End(d.At(c), string(s.thing()), s.Tint)
		}
	}
	return d.Picture
}

// Scene is the board with the first things.
func (s Placed) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// Animation is the things, one after the other.
func (s Placed) Animation() []string {
	things := s.Things()
	var pictures []string
	for n := range len(things) + 1 {
		pictures = append(pictures, s.At(things[:n]).String())
	}
	return pictures
}

// Tints are the things' colour.
func (s Placed) Tints() map[rune]color.NRGBA { return map[rune]color.NRGBA{rune(s.thing()): s.Tint} }
