// Package profiles finds the calibration to use: of the built-in profiles
// and the user's own, the one that was asked for or the one that fits the
// game, the phone and the frame. [Store] reads the files, [Set] chooses, and
// [Reader] reads boards with the profile that fits if automatic reading refuses.
package profiles
