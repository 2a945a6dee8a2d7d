// Package solvers says what a game is.
//
// A [Game] reads puzzles from text (Parse) or from what was seen on a screen
// (Read), makes new ones (Generate) and knows the screens of its app (Locate).
// A [Puzzle] is solved (Solve, Enumerate) to a [Solution], which is checked
// against the rules by code of its own (Check), turned into finger movements
// (Plan, Remaining) and drawn (Picture, Animation). The app that plays a
// game on the simulated phone lies in its folder's package app.
//
//	game, err := all.ByName("flow")
//	puzzle, err := game.Parse("AB\n..\nAB")
//	solution, err := puzzle.Solve(ctx)
//	err = solution.Check()
//
// The package's example runs this. docs/new-game.md makes a game from nothing.
//
// Everything below solvers is the standard library and this module's solvers
// packages, without cgo: it builds and runs on any system, with or without a
// phone. The games are listed in package all; how each is played, written and
// modelled is told by the doc.go of its folder.
//
// # Abilities
//
// Every game has what the three interfaces ask for. What only some games can do
// is told by the field OneSolution of [screen.Spec] and by small interfaces,
// which a caller finds with a type assertion. `tapwise games -v` tells which game has
// which; `go test ./solvers/all` compares this table with the interfaces, and writes it
// with -update:
//
//	ability        meaning
//	OneSolution    its levels have exactly one solution
//	Splitter       its notation may hold several puzzles in a block of lines
//	Voucher        tells when a board with several solutions was seen clearly enough
//	Distinguisher  tells its boards from another game's that look alike
//	Filler         tells how far a level is played
//	Grader         makes puzzles by grades of difficulty of its own
//	simulated app  brings an app for the simulated phone
//	Rater          measures a puzzle's difficulty in its own way
//	Explainer      gives a reason for no solution without a search
//	Coverer        can leave out the rule that every cell is covered
//	Editable       has several notations, one of which the page edits
//	Annotator      names what is in each cell
//	Pather         its solutions consist of paths
//	Mover          its solutions are lists of moves
//	Retractor      can take back what a gesture drew
package solvers
