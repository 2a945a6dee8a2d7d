// Package player plays levels: it looks at the phone, reads the board, solves
// it, checks the solution with code that the solver does not share, turns it
// into finger movements, plays them and looks again whether the level is won.
//
// A [Player] joins three things that know nothing of each other: a [Device]
// (the phone), the [Eyes] (which turn a frame into an observation) and a game.
// [Player.Level] plays the level on the screen, [Player.Next] goes on to the
// next one, [Player.Clear] does both over and over.
//
// # The loop
//
// It is a table of states, outcomes and where they lead (machine.go), shown as
// a diagram in docs/loop.md:
//
//	connect  ask the phone which app is in front
//	settle   capture until the board stands still
//	read     observation → puzzle; an unsure reading is refused
//	solve    no solution means a misread, several a second look; every rule is
//	         checked independently
//	plan     gestures; they carry the screen that they were planned on
//	play     the device refuses a plan that no longer matches the screen, or
//	         an app that is not in front
//	verify   the level is won when the screen says so
//	redo     what is missing on the board is played again
//	next     from a won level to the next one
//	recover  one rung of a capped ladder: wait, look again, BACK, reopen the
//	         app, reconnect
//
// Each state has a deadline. What is not got over is a [*Failure]: the state,
// what was expected, what was seen, and a folder of evidence when one was asked
// for, which [Replay] runs again. Nothing is played before a board was read,
// solved and checked, and nothing that is not known is ever tapped: recovery
// taps only levels in a list that the game recognised.
//
// A [Keeper] is a Device that can be looked after. Without one, recovery is
// waiting and looking again.
package player
