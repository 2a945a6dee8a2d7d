// Package glyphs reads the numbers 0 to 99 in the cells of a board, without OpenCV.
//
// A cell shows a number where one or two figures stand in its middle on a ground of one
// colour: the cell itself, or a disc or a square on it. [Read] tries the commonest colours
// as the ground. What differs from the ground is ink; its connected parts are glyphs.
// Their shapes are scaled to a small grid and judged in three ways that must agree: by
// neural networks trained with different seeds, by the nearest of the kept shapes, and by
// the number of holes. Both the networks and the kept shapes know shapes that are no
// figures. What is not clear is said to be unclear and never guessed.
//
// The networks and shapes stand in model.txt, which the program in the folder train
// computes from the fonts that Debian ships. docs/digits.md tells how often they err on
// fonts that they were not made from.
package glyphs

//go:generate go run ./train -o model.txt
