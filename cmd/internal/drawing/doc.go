// Package drawing makes files of pictures that are plain data
// ([solvers.Picture]): PNG to print, SVG to print at any size, and an animated
// GIF of a solution as it grows. It also scales frames down ([Shrink]) and
// reduces them to the colours of a GIF ([Paletted]).
package drawing
