// Package film keeps small pictures of a run and makes two files of them: a
// contact sheet (PNG) with two pictures of each level, as it was found and as it
// was left, and an animated picture (GIF) of the whole run.
//
//	f := film.Film{Game: p.Game, Eyes: p.Eyes, Overlay: p.Picture}
//	p.Watch, p.KeepSolved = f.Watch, true
//	…
//	err := f.Write("out/levels") // out/levels.png and out/levels.gif
package film
