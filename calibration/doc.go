// Package calibration holds what must be known about a game's app on a phone to play
// it: where boards lie, what its colours mean, where its buttons are, where touches
// land, how long to wait ([Profile], [Timing]).
//
// A profile is measured on pictures ([Ground], [RingOf], [MarkTones], [Room],
// [FitTouch]). It changes what the eyes look for ([Profile.Spec]) and translates
// what they saw ([Profile.Translate]), so that a game can read a theme that it does
// not know. The package handles pictures and plain data only; its callers join it
// with the eyes.
//
// Profiles are YAML files ([Parse], [Profile.YAML], [Write]); [Choose] picks the
// one for a phone and a game.
package calibration
