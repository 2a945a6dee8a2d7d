// Package solvers says what a game is.
//
// A [Game] reads puzzles from text (Parse) or from what was seen on a screen
// (Read), makes new ones (Generate) and knows the screens of its app (Locate).
// A [Puzzle] is solved (Solve, Enumerate) to a [Solution], which is checked
// against the rules by independent code (Check), turned into finger movements
// (Plan, Remaining) and drawn (Picture, Animation). The app of a
// game on the simulated phone is the package app in its folder.
//
//	game, err := all.ByName("flow")
//	puzzle, err := game.Parse("AB\n..\nAB")
//	solution, err := puzzle.Solve(ctx)
//	err = solution.Check()
//
// The package's example runs this. docs/new-game.md makes a game from nothing.
//
// Everything below solvers uses only the standard library and this module's solvers
// packages, without cgo: it builds and runs on any system, with or without a
// phone. Package all lists the games of the folder games; the doc.go of each explains how it
// is played, written and modelled. Package grid has what games on squares share, and all
// handling of observations that several games have in common; engine is what solves them.
//
// # Abilities
//
// Every game implements the three interfaces. Abilities that only some games have
// are the field OneSolution of [About] and small interfaces,
// which a caller finds with a type assertion. `tapwise games -v` also prints this
// table; `go test ./solvers/all` compares it with the games, and writes it with
// -update:
//
//	ability        flow  algemy  alcazar  adrift  asteroid  queens  zip  meaning
//	OneSolution    yes   yes     yes      yes     -         yes     yes  its levels have exactly one solution
//	Splitter       yes   -       -        -       -         -       -    its notation may hold several puzzles in a block of lines
//	Voucher        yes   -       -        -       -         yes     -    tells when a board with several solutions was seen clearly enough
//	Distinguisher  -     -       -        yes     -         -       -    tells its boards from another game's that look alike
//	Filler         yes   yes     yes      yes     -         yes     yes  tells how far a level is played
//	Grader         -     yes     -        -       yes       -       -    makes puzzles by grades of difficulty of its own
//	simulated app  yes   yes     yes      yes     yes       yes     yes  brings an app for the simulated phone
//	Explainer      yes   -       -        -       -         yes     -    gives a reason for no solution without a search
//	Irregular      -     -       -        -       -         yes     -    solves boards that break the usual form but no rule
//	Adviser        yes   yes     yes      yes     yes       yes     yes  tells a step that must be made, and why
//	Coverer        yes   -       -        -       -         -       -    can leave out the rule that every cell is covered
//	Tidier         yes   -       -        -       -         -       -    can leave out solutions with paths that can be shortened
//	Editable       yes   -       yes      -       -         yes     -    has several notations, one of which the page edits
//	Counter        yes   -       yes      -       -         -       -    counts solutions without listing them
//	Annotator      yes   yes     -        yes     yes       -       yes  names what is in each cell
//	Pather         yes   -       yes      yes     -         -       yes  its solutions consist of paths
//	Mover          -     -       -        -       yes       -       -    its solutions are lists of moves
//	Retractor      yes   -       -        yes     -         -       -    can take back what a gesture drew
package solvers
