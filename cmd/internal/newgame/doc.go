// Package newgame writes the folder of a new game: a skeleton that builds, and whose
// tests fail with what is to be written. The skeleton is a board of squares whose cells
// are touched, with its notation, its reading by colour, its pictures and its simulated
// app; the rules are left out. docs/new-game.md fills one in.
//
//	module, err := newgame.Module(".")
//	files, err := newgame.Write(module, name, title)
package newgame
