// Package vision turns a picture of a screen into what a game can read.
//
//	frame, err := vision.Decode(ctx, data) // a PNG, JPEG, GIF or WebP
//	seen, err := vision.Observe(frame, screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}, game.Spec())
//
// The eyes know no game. A game's [screen.Spec] says how the cells of its board may
// be arranged, what separates them (thin lines or walls, brighter or darker than the
// background), whether discs lie in some of them, and where in each cell a colour is
// to be measured. [Observe] finds the board and measures its cells, the lines around
// them and the outlined boxes on the screen. It reports all that as a
// [screen.Observation], plain data that a game reads without this package.
//
// Nothing depends on a resolution or on a palette. Lengths are measured in pitches
// (the pitch is the distance between the centres of two neighbouring cells), or in
// parts of the frame's shorter side.
//
// A frame is read in four steps. Pixels: masks.go, holes.go and measure.go find what
// stands out, what lies between lines, and which colours there are; loops over very many
// pixels are in pixels.c, smoothing of noise is in smooth.c. Finders: each has a
// file and returns hypotheses about the board, changing nothing: lattice.go and lines.go
// for squares between lines, walls.go for walled boards, discs.go and hexcolumns.go for
// boards found by the discs in their cells, hexrows.go, cube.go, slanted.go for boards on
// photographs, marks.go for boards without lines, panes.go for
// flat squares between lines of any width, rims.go for boards with a row or column
// more or less than another. Evidence: hypothesis.go keeps with each hypothesis what speaks
// against it, and how sure it is. Choice: hypothesis.go runs the finders that are needed and
// chooses one hypothesis, or reports all as candidates if the spec asks for them. boxes.go
// finds panels.
//
// Each file begins with one block of
// limits, every limit with its unit and its meaning. Brightness levels are 0 to 255;
// "1/n of" is a length, an area or a number divided by the limit; a support is a
// [screen.Line]'s. Only a build for `make margins` changes limits: it
// moves them one by one and records which pictures have set them
// (docs/margins.md).
//
// [Overlay] draws what was seen, and what a game made of it, over the picture.
//
// This is the only package that uses OpenCV, by way of gocv. No type of gocv appears
// in what it exports, every Mat is closed before a function returns, and nothing but
// memory is kept between calls: all functions are safe for concurrent use.
package vision
