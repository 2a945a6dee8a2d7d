// Package app is a simulated app of Adrift, which offers levels in order.
//
// A finger draws chains: from an end it starts a chain anew, from the tip of one
// it continues it, on the body of one it cuts the chain back to the finger. When every
// end is joined and every cell covered, a panel counts the moves and leads on;
// when a chain touches itself, the app shows where.
package app
