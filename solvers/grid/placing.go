package grid

import (
	"bytes"
	"image/color"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Placing is a game on squares whose solutions put things on cells, by taps that lead a cell
// through a cycle.
type Placing struct {
	Size board.Size
	// Cycle is what a cell holds, from nothing on, tap after tap, one character each; the last
	// are the things, which have names, the others are the player's notes.
	Cycle string
	Names []string
	Given []byte      // by cell, what it holds from the beginning and for good; nil: nothing anywhere
	Tint  color.NRGBA // of the things, in pictures
	Blank func() *Picture
	Draw  func(d *Picture, s Placed, c board.Cell) // a thing in pictures; nil: a disc with its character
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

// name is that of a thing; empty for nothing and for notes.
func (p Placing) name(holds byte) string {
	if i := strings.IndexByte(p.Cycle, holds) - (len(p.Cycle) - len(p.Names)); i >= 0 {
		return p.Names[i]
	}
	return ""
}

// Picture is the board with nothing on it.
func (p Placing) Picture() solvers.Picture { return p.Blank().Picture }

// Spot is the middle of a cell on it.
func (p Placing) Spot(c board.Cell) [2]float64 { return (&Picture{Size: p.Size}).At(c) }

// Fixed reports whether a cell holds something for good.
func (p Placing) Fixed(c board.Cell) bool { return p.Given != nil && p.Given[c] != p.Cycle[0] }

// Empty is the board with nothing on it but what is given.
func (p Placing) Empty() Placed {
	if p.Given != nil {
		return Placed{p, bytes.Clone(p.Given)}
	}
	return Placed{p, bytes.Repeat([]byte(p.Cycle[:1]), p.Size.Cells())}
}

// At is the board with the last of the things on some cells.
func (p Placing) At(cells []board.Cell) Placed {
	s := p.Empty()
	for _, c := range cells {
		s.Cells[c] = p.Cycle[len(p.Cycle)-1]
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

// Things are the cells with things that are not given, row by row.
func (s Placed) Things() (cells []board.Cell) {
	for i, holds := range s.Cells {
		if c := board.Cell(i); s.name(holds) != "" && !s.Fixed(c) {
			cells = append(cells, c)
		}
	}
	return cells
}

// first is the board with the first of the things.
func (s Placed) first(n int) Placed {
	on := s.Empty()
	for _, c := range s.Things()[:n] {
		on.Cells[c] = s.Cells[c]
	}
	return on
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
		taps := func(note string) (taps []screen.Gesture) {
			for holds := on.Cells[i]; holds != want; holds = s.Next(holds) {
				taps = append(taps, Touch(l, note, c)...)
			}
			return taps
		}
		switch name := s.name(on.Cells[i]); {
		case s.Fixed(c):
		case s.name(want) != "":
			put = append(put, taps(s.note(c))...)
		case name != "":
			clear = append(clear, taps("no "+name+" at "+s.Size.Name(c))...)
		}
	}
	return append(clear, put...)
}

func (s Placed) note(c board.Cell) string { return s.name(s.Cells[c]) + " at " + s.Size.Name(c) }

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
		steps = append(steps, solvers.Step{Text: s.note(c), Cells: []board.Cell{c}, Drawn: on.Cells[c] == s.Cells[c]})
	}
	return steps
}

// Picture is the board with some of the things.
func (s Placed) Picture(from, to int) solvers.Picture {
	d := s.Blank()
	for i, c := range s.Things() {
		switch {
		case i < from || i >= to:
		case s.Draw != nil:
			s.Draw(d, s, c)
		default:
			d.End(d.At(c), string(s.Cells[c]), s.Tint)
		}
	}
	return d.Picture
}

// Sketch is the board with everything on it, the player's notes too.
func (s Placed) Sketch() solvers.Picture {
	d := &Picture{s.Picture(0, len(s.Cells)), s.Size}
	for i, holds := range s.Cells {
		if holds == s.Cycle[0] || s.name(holds) != "" {
			continue
		}
		at := d.At(board.Cell(i))
		const reach = 0.12 // pitches
		d.Note([2]float64{at[0] - reach, at[1] - reach}, [2]float64{at[0] + reach, at[1] + reach})
		d.Note([2]float64{at[0] - reach, at[1] + reach}, [2]float64{at[0] + reach, at[1] - reach})
	}
	return d.Picture
}

// Scene is the board with the first things.
func (s Placed) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// Animation is the things, one after the other.
func (s Placed) Animation() []string {
	var pictures []string
	for n := range len(s.Things()) + 1 {
		pictures = append(pictures, s.first(n).String())
	}
	return pictures
}

// Tints are the things' colour.
func (s Placed) Tints() map[rune]color.NRGBA {
	tints := map[rune]color.NRGBA{}
	for _, thing := range s.Cycle[len(s.Cycle)-len(s.Names):] {
		tints[thing] = s.Tint
	}
	return tints
}
