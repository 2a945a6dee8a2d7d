// Package vision turns a picture of a screen into what a game can read.
//
//	frame, err := vision.Decode(ctx, data) // a PNG, JPEG, GIF or WebP
//	seen, err := vision.Observe(frame, screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}, game.Spec())
//
// The eyes know no game. A game's [screen.Spec] says what its board is made of
// (a lattice of thin lines, dark or light) and where in each cell a colour is
// to be measured; [Observe] finds the lattice, measures the cells, the lines
// around them and the outlined boxes on the screen, and reports it all as a
// [screen.Observation]: plain data that a game reads without any of this.
//
// Nothing depends on a resolution or on a palette. Lengths are measured in
// pitches, the distance of two neighbouring cells' centres, or in parts of the
// frame's shorter side.
//
// [Overlay] draws what was seen, and what a game made of it, over the picture.
//
// This is the only package that uses OpenCV, by way of gocv. No type of gocv
// appears in what it exports, every Mat is closed before a function returns,
// and nothing but memory is kept between calls: all functions are safe for concurrent use.
package vision
