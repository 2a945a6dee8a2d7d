// Package newgame writes the folder of a new game: a skeleton that builds, and whose
// failing tests say what is to be written. The skeleton is a game on squares whose cells
// are touched, with its notation, its reading by colour, its pictures and its simulated
// app, but without the rules. docs/new-game.md fills one in.
//
//	module, err := newgame.Module(".")
//	files, err := newgame.Write(module, name, title)
package newgame
