// Package simapp is what the simulated apps of the games share: boxes, colours,
// panels over a level, and [App], an app of levels without its board. An app adds
// a [Stage], which knows the game, and draws it: how it looks is its own.
//
// Lengths are in pixels of the screen as it was last drawn where not said
// otherwise; a unit is the width of an upright phone's screen.
package simapp
