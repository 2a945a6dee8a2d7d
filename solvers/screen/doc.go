// Package screen is a game's view of the phone, as plain data: what the eyes
// should look for ([Spec]), what they saw ([Observation]), where each cell of
// the board lies in pixels ([Layout]) and what a finger does there
// ([Gesture]). It also says what a simulated app is ([App]) and what it draws
// on ([Canvas]).
//
// Pixels are counted from the top left corner of the frame as it was captured,
// in the orientation it was captured in. Everything measured in pixels carries
// the [Frame] it was measured on, so that a plan for one screen is never
// played on another.
package screen
