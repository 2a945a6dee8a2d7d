// Package simapp is what the simulated apps of the games share: boxes, colours,
// panels over a level, and for apps of levels on whose boards a finger draws
// all but the board ([App]). How a game looks is the game's own.
//
// Lengths are pixels of the screen as it was last drawn where not said
// otherwise; a unit is the width of an upright phone's screen.
package simapp
