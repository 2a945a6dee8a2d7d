package solvers

// About is what a game tells of itself to the commands, the page and the tests,
// which know no game by name. Its zero value is a game without levels of its own,
// whose boards have one size and one look.
type About struct {
	// Pack is the levels that come along, in the game's notation with blank lines
	// between them; lines "# …" are comments. They are what the simulated app offers
	// when nothing else is asked for, and the examples on the page.
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
	// Fixed are the letters of the notation that show on the screen. All other letters
	// are names, which are given anew when a board is read.
	Fixed string
	// Page is the game's drawing on the page, a JavaScript module as told at the head of
	// cmd/internal/web/static/boards.js. Without one the page draws the notation's
	// characters, and the solution's scenes.
	Page string
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
