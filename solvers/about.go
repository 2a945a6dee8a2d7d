package solvers

import "image/color"

// About is a game's description of itself for the commands, the page and the tests, which know
// no game by name. Its zero value is a game without levels of its own, whose boards have one
// size and one look.
type About struct {
	// Rules are the game's rules for a person who plays it, in a few sentences.
	Rules string
	// Pack is the game's own levels, in its notation with blank lines between them; lines "# …"
	// are comments. The simulated app offers them by default, and the page has them as
	// examples.
	Pack string
	// Styles are looks of the simulated app, every word of them at least once. The
	// first two differ the most.
	Styles []string
	// Boards are the kinds and sizes of boards that the game has, as its generator
	// makes them: one of each, the usual ones first.
	Boards []GenerateOptions
	// Variants are words for GenerateOptions.Variant, beside the grades.
	Variants []string
	// Sides says which of a board's sides may be chosen.
	Sides Sides
	// OneSolution says that levels have exactly one solution: a board that was read and has none
	// was misread, and one that has several may have been.
	OneSolution bool
	// ReadsSigns says that the game reads boards by cells that look alike as well: they are looked
	// for where no board is read by its lines.
	ReadsSigns bool
	// Fixed are the letters of the notation that show on the screen. All other letters are
	// names, which change when a board is read.
	Fixed string
	// Page edits the game's notation on the page: a JavaScript module as told at the head of
	// cmd/internal/page/web/static/boards.js.
	Page string
	// Grid describes the notation instead, for a game on squares. Without either the page
	// edits the notation's characters.
	Grid *GridPage
}

// GridPage tells the page how to edit a game's boards of squares: their notation, which has a line
// for each row.
type GridPage struct {
	Separator string   // between two cells of a row
	Entries   []string // what may be put in a cell, the first in those of an empty board
	// Regions says that entries are letters from A on, in the order in which they first appear:
	// cells with the same letter have one ground, and walls around them.
	Regions bool
	// Numbers says that a cell holds the first entry or a number from 1 on, each of them
	// once.
	Numbers bool
	// Walls says that the last line may tell walls, as board.Size.FormatWalls does.
	Walls bool
	// Grounds and Marks are the colours and signs of entries, for the tools that put them; a mark is a
	// picture of one pitch to each side.
	Grounds map[string]color.NRGBA
	Marks   map[string]Picture
}

// Sides says which of a board's sides may be chosen.
type Sides int

// The choices of a board's size.
const (
	OneSize    Sides = iota // all boards have one size
	EqualSides              // as many rows as columns, in the game's own count
	AnySides                // rows and columns
)

// Square is a square board of each size from the least to the most, with one
// solution.
func Square(least, most int, variant string) []GenerateOptions {
	var boards []GenerateOptions
	for side := least; side <= most; side++ {
		boards = append(boards, GenerateOptions{Rows: side, Cols: side, Unique: true, Variant: variant})
	}
	return boards
}
