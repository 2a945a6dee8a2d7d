// Package glyphs reads the numbers 0 to 99 in the cells of a board, without OpenCV.
//
// A cell shows a number if one or two figures are in its middle on a ground of one
// colour: the cell itself, or a disc or a square on it. [Read] tries the commonest colours
// as the ground. Pixels that differ from the ground are ink; connected parts of ink are glyphs.
// Their shapes are scaled to a small grid and judged by convolutional networks that were trained
// with different seeds, also with shapes that are no figures. An unclear number is reported as
// unclear, never guessed.
//
// The networks are in model.bin, which the program in the folder train computes from the fonts
// that Debian ships. docs/digits.md shows how often they err on fonts that they were not made
// from.
package glyphs

//go:generate go run ./train -o model.bin
