// Package gametest is the conformance suite that every game passes.
//
//	func TestGame(t *testing.T) { gametest.Run(t, flow.Game{}, "testdata/cases/*.txt") }
//
// The files hold cases. A case begins with a line "= KIND WANT"
// and ends at the first blank line; lines "--" separate its parts, and a part in
// quotes is as in Go. What stands between cases is for people. The kinds:
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
//
// There must be at least one solved and one wrong case.
package gametest
