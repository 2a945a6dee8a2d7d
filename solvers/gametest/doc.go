// Package gametest is what every game is tested by. A game's tests hold what is
// its own: what it is to be compared with, and tables that are told in text.
//
//	func TestGame(t *testing.T)  { gametest.Run(t, flow.Game{}, "testdata/cases/*.txt") }
//	func FuzzParse(f *testing.F) { gametest.FuzzParse(f, flow.Game{}, "testdata/cases/*.txt", nil) }
//	func TestRead(t *testing.T)  { gametest.Observations(t, flow.Game{}, "testdata/read/*.txt") }
//	func FuzzRead(f *testing.F)  { gametest.FuzzRead(f, flow.Game{}, "testdata/read/*.txt") }
//
// [Run] is the conformance suite of a game, [RunApp] that of its simulated app.
// [Sim] tells how to touch the app: it plays scripts ([Sim.Scripts]), shows every screen on every size
// ([Sim.Screens]), wins levels ([Sim.Win]) and touches at random
// ([Sim.FuzzTouch]). A [Recorder] is the canvas for all of that.
//
// # Cases
//
// Files of cases are tables for people and tests alike. A case begins with a
// line "= KIND WANT" and ends at the first blank line; lines "--" separate its
// parts, and a part in quotes is as in Go. What stands between cases is for
// people. The kinds:
//
//	solved              a puzzle and a solution, which the solver must find one of
//	right               a puzzle and a solution, only to be checked
//	wrong RULE: PART    a puzzle and a solution that breaks that rule; a part of the message may be left out
//	unwritable PART     a puzzle and what are no solutions of it; a part of the messages
//	unsolvable REASON   a puzzle; the reason may be left out, or be "for no reason"
//	refused PART        what is no puzzle; a part of the message
//	style               words that choose looks of the simulated app
//	nostyle MESSAGE     words that do not, and how they are refused
//	animation NAME      a puzzle, a solution and the pictures of how it comes about, less blanks at the ends of lines
//	steps NAME          a puzzle, a solution, what of it is drawn (may be left out) and its steps, those with "drawn: " that are
//
// There must be at least one solved and one wrong case.
package gametest
