// Package app is the simulated app of Algemy: it looks and behaves as the real
// game does, and offers levels in order.
//
// Its bar has home, previous, next, the level's number and a switch between day
// and night. A tap on an empty cell or on a light source opens the wheel of six
// colours, three of which an easy level has; a tap on one puts a source there, a
// tap on the wheel's middle removes it, and any other closes the wheel. When
// all rules hold, the crystals and the next button are full of colour, and
// "solved" stands below the board.
package app
