// Package player plays levels: it looks at the phone, reads the board, solves
// it, checks the solution with code that the solver does not share, turns it
// into finger movements, plays them and looks again whether the level is won.
//
// A [Player] joins three things that know nothing of each other: a [Device]
// (the phone), the [Eyes] (which turn a frame into an observation) and a game.
// [Player.Level] plays the level on the screen; [Player.Clear] one after the
// other.
//
// # The loop
//
//	settle   capture until the board stands still, or a hard deadline fails
//	read     observation → puzzle; an unsure reading is refused
//	solve    no solution means a misread: look again once, then refuse
//	check    every rule, independently of the solver
//	plan     gestures; they carry the screen that they were planned on
//	play     the device refuses a plan that no longer matches the screen
//	verify   the level is won when the screen says so; if the board differs
//	         from the plan, what is missing is played again, once
//
// What fails is a [*Failure]: the stage, what was expected, what was seen, and
// a folder of evidence when one was asked for. Nothing is played before a
// board was read, solved and checked.
package player
