// Package drawing writes pictures of solutions, which are plain data
// ([solvers.Picture]), as files: a PNG for print, an SVG for print at any size,
// and an animated GIF of a solution as it grows. It also animates text in a
// terminal, scales frames down ([Shrink]) and reduces them to the colours of a GIF
// ([Paletted]).
package drawing
