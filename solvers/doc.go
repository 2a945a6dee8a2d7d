// Package solvers says what a game is.
//
// A [Game] reads puzzles from text (Parse) or from what was seen on a screen
// (Read); a [Puzzle] is solved (Solve) to a [Solution], which is checked
// against the rules by code of its own (Check) and turned into finger
// movements (Plan). What only some games can do stands in small interfaces of
// its own: [Enumerator], [Generator], [Navigator], [Resumer]. The app that plays
// a game on the simulated phone lies in its folder's package app.
//
// Everything below solvers is the standard library and this module's solvers
// packages, without cgo: it builds and runs on any system, phone or no phone.
// The games are listed in package all; how each is played, written and
// modelled stands in the doc.go of its folder.
package solvers
