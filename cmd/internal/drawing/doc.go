// Package drawing draws pictures that are plain data ([solvers.Picture]): PNG to
// print, SVG to print at any size, an animated GIF of a solution as it grows, and
// an animation of text in a terminal. It also scales frames down ([Shrink]) and
// reduces them to the colours of a GIF ([Paletted]).
package drawing
