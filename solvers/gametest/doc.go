// Package gametest is the conformance suite that every game passes.
//
//	func TestGame(t *testing.T) { gametest.Run(t, flow.Game{}, "testdata/conformance.txt") }
//
// The file holds cases, each beginning with a line "= KIND" and ending at the
// next one: "= solved" with a puzzle, a line "--" and a solution; "= unsolvable"
// with a puzzle; "= wrong RULE" with a puzzle, "--" and a solution that breaks
// that rule; "= refused" with what is no puzzle. There must be at least one
// solved and one wrong case.
package gametest
