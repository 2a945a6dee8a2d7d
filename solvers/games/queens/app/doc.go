// Package app is a simulated app of Queens, which offers levels in order.
//
// A tap makes an x, the next a queen, the next clears the cell. The board looks the same
// on a light and on a dark page.
package app
