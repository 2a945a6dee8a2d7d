// Package app is a simulated app of Zip, which offers levels in order.
//
// The path begins on the 1. A finger that comes down on it goes on from there, and cuts
// off what follows; it enters free neighbours, no walls and numbers in order only.
package app
