// Package profiles finds the calibration to use: of the profiles that come with
// tapwise and the user's own, the one that was asked for or the one that fits the
// game, the phone and the frame. [Store] reads the files, [Set] chooses, and
// [Reader] reads boards by the profile that fits where automatic reading refuses.
package profiles
