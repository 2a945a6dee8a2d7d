// Package drawing writes pictures of solutions, which are plain data
// ([solvers.Picture]), as files: a PNG for print, an SVG for print at any size,
// and an animated GIF of a solution as it grows.
package drawing
