// Package app is what the simulated apps of the games share: boxes, colours,
// panels over a level, and [App], an app of levels without its board. An app adds
// a [Stage], which knows the game, and draws it in its own look.
//
// Unless stated otherwise, lengths are in pixels of the screen as it was last drawn; a unit
// is the width of an upright phone's screen.
package app
