// Package app is the simulated app of Flow: it looks and behaves as the real game
// does, and offers levels in order.
//
// It begins in the first level. BACK leads to the list of levels, 30 a page. A
// finger draws pipes: from an end it starts a pipe anew, from the tip of one it
// continues it, on the body of one it cuts the pipe back to the finger. Pipes that it
// crosses are cut, and come back when the finger goes back. When the board is
// complete a panel counts the moves and leads on.
package app
