// Package player plays levels: it looks at the phone, reads the board, solves
// it, checks the solution with code that shares nothing with the solver, turns it
// into finger movements, plays them and looks whether the level is won.
//
// A [Player] joins three things that know nothing of each other: a [Device]
// (the phone), the [Eyes] (which turn a frame into an observation) and a game.
// [Player.Level] plays the level on the screen, [Player.Next] goes on to the
// next, [Player.Clear] does both repeatedly.
//
// # The loop
//
// The loop is a table of states, outcomes and next states (machine.go),
// drawn as a diagram in docs/loop.md:
//
//	connect  ask the phone which app is in front
//	settle   capture until the board stands still
//	read     make a puzzle of the observation; an unsure reading is refused
//	solve    no solution means a misread, several require a second look; independent
//	         code checks every rule
//	plan     make gestures; they carry the screen that they were planned on
//	hold     wait while the caller asks for it
//	play     move the finger; the device refuses a plan that no longer matches
//	         the screen, or an app that is not in front
//	verify   look until the screen says that the level is won
//	redo     play again what is missing on the board
//	next     go from a won level to the next one
//	recover  climb one rung of a ladder with an end: wait, look again, BACK,
//	         reopen the app, reconnect
//
// Each state but hold has a deadline. Trouble that recovery does not overcome
// ends in a [*Failure]: the state, what was expected, what was seen, and, if the
// caller asked for it, the folder of evidence, which [Player.Replay] runs
// again. Nothing is played before a board was read, solved and checked.
// Recovery taps only levels in a list that the game recognised, and at most once
// the button of a panel that came with a level's last stroke and that BACK
// does not close.
//
// A [Keeper] is a Device that recovery can act on. Without one, recovery waits
// and looks again.
//
// # The memory
//
// One place keeps what was seen (memory.go): the frames of the level under
// way and what was on them, and what a run learns about its app, such as how
// it shows that a level is complete. Each state looks with glance, know, see or
// standing (look.go). These ask the memory whether the screen stands still
// and whether it shows anything new.
package player
