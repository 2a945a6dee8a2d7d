// Package screen is a game's view of the phone, as plain data: the things that the
// eyes look for ([Spec]) and those that they saw ([Observation]), the place of each
// cell of the board in pixels ([Layout]) and the movements of a finger ([Gesture]). It
// also defines simulated apps ([App]) and the canvas that they draw on ([Canvas]).
//
// Pixels are counted from the top left corner of the frame as it was captured,
// in the orientation it was captured in. Everything measured in pixels carries
// the [Frame] it was measured on, so that a plan for one screen is never
// played on another.
package screen
