// Package app is a simulated app of Alcazar, which offers levels in order.
//
// A finger draws the path: from its tip it continues it, at an opening it starts a new
// path, elsewhere on the path it cuts the path back. When the path has left the
// palace after a visit to every room, a panel counts the strokes and leads on.
package app
