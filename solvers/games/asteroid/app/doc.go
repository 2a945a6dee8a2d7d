// Package app is a simulated app of Asteroid, which offers levels in order.
//
// A short swipe on a tile, or a tap on one beside the hole, slides it there in a
// fifth of a second; a tile with another in its way goes as far as it can and
// comes back. From above the exit the spacecraft leaves downwards; then a panel
// counts the moves and leads on.
package app
