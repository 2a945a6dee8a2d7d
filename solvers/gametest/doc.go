// Package gametest tests every game. A game's own tests have the rest: what the
// game is compared with, and its tables of cases.
//
//	func TestGame(t *testing.T)  { gametest.Run(t, flow.Game{}, "testdata/cases/*.txt") }
//	func FuzzParse(f *testing.F) { gametest.FuzzParse(f, flow.Game{}, "testdata/cases/*.txt", nil) }
//	func TestRead(t *testing.T)  { gametest.Observations(t, flow.Game{}, "testdata/read/*.txt") }
//	func FuzzRead(f *testing.F)  { gametest.FuzzRead(f, flow.Game{}, "testdata/read/*.txt") }
//
// [Run] is the conformance suite of a game, [RunApp] that of its simulated app, [Grid] that of an app
// of squares, which also reads what the app draws of each level ([GridSeen]).
// [Sim] says how to touch the app: it plays scripts ([Sim.Scripts]), shows every
// screen in every size ([Sim.Screens]), wins levels ([Sim.Win]) and touches at
// random ([Sim.FuzzTouch]). A [Recorder] is the canvas for all of that.
//
// # Cases
//
// Files of cases are tables for people and tests alike. A case begins with a
// line "= KIND WANT" and ends at the first blank line; lines "--" separate its
// parts. A part may have any lines, even empty ones and those above, if each of its lines
// begins with "> ", or if it is quoted as in Go. The text between cases is for
// people. The kinds:
//
//	solved              a puzzle and one of the solutions that the solver may find
//	right               a puzzle and a solution, only to be checked
//	wrong RULE: PART    a puzzle and a solution that breaks that rule; a part of the message may be left out
//	unwritable PART     a puzzle and texts that are no solutions of it; a part of the messages
//	unsolvable REASON   a puzzle; the reason may be left out, or be "for no reason"
//	refused PART        a text that is no puzzle; a part of the message
//	style               words that choose looks of the simulated app
//	nostyle MESSAGE     words that do not, and how they are refused
//	animation NAME      a puzzle, a solution and the pictures of its animation, without blanks at the ends of lines
//	steps NAME          a puzzle, a solution, the part that is drawn (may be left out) and the steps; those already drawn begin with "drawn: "
//
// There must be at least one solved, one wrong and one refused case, and a wrong one for each rule
// that doc.go names.
package gametest
