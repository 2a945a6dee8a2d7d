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
// # Reading a screen
//
// What games say of an observation alike stands here: [CheckSure] (on squares [CheckGrid])
// wants what the game's Spec asked for, [CheckUncovered] no panel over the board;
// [ReadCells] finds out what each cell is, [PairByColour] which ends belong together,
// [ReadRegions], [ReadWalls], [ReadStops] and [ReadPath] what boards of panes show.
// [LocateBoard] and [LocateGrid] are the usual Locate.
//
// # Abilities
//
// Every game has what the three interfaces ask for. What only some games can do
// is told by the field OneSolution of [screen.Spec] and by small interfaces,
// which a caller finds with a type assertion. `tapwise games -v` prints this
// table, too; `go test ./solvers/all` compares it with the games, and writes it with
// -update:
//
//	ability        flow  algemy  alcazar  adrift  asteroid  queens  zip  meaning
//	OneSolution    yes   yes     yes      yes     -         yes     yes  its levels have exactly one solution
//	Splitter       yes   -       -        -       -         -       -    its notation may hold several puzzles in a block of lines
//	Voucher        yes   -       -        -       -         -       -    tells when a board with several solutions was seen clearly enough
//	Distinguisher  -     -       -        yes     -         -       -    tells its boards from another game's that look alike
//	Filler         yes   yes     yes      yes     -         yes     yes  tells how far a level is played
//	Grader         -     yes     -        -       yes       -       -    makes puzzles by grades of difficulty of its own
//	simulated app  yes   yes     yes      yes     yes       yes     yes  brings an app for the simulated phone
//	Rater          -     -       -        -       yes       yes     -    measures a puzzle's difficulty in its own way
//	Explainer      yes   -       -        -       -         yes     -    gives a reason for no solution without a search
//	Irregular      -     -       -        -       -         yes     -    solves boards that break the usual form but no rule
//	Adviser        yes   -       yes      -       -         -       -    tells a step that must be made, and why
//	Coverer        yes   -       -        -       -         -       -    can leave out the rule that every cell is covered
//	Editable       yes   -       yes      -       -         yes     -    has several notations, one of which the page edits
//	Counter        yes   -       yes      -       -         -       -    counts solutions without listing them
//	Annotator      yes   yes     -        yes     yes       -       -    names what is in each cell
//	Pather         yes   -       yes      yes     -         -       yes  its solutions consist of paths
//	Mover          -     -       -        -       yes       -       -    its solutions are lists of moves
//	Retractor      yes   -       -        yes     -         -       -    can take back what a gesture drew
package solvers
