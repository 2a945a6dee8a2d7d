// Package app is a simulated app of Zip, which offers levels in order.
//
// The path begins on the 1. A finger that comes down on it continues from there, and cuts
// off what follows. It enters only free neighbours, crosses no walls and takes numbers in order.
package app
