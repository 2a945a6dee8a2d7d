// Package calibration holds what must be known of a game's app on a phone to
// play it: where boards lie, what its colours mean, where its buttons are,
// where touches land, how long to wait ([Profile], [Timing]).
//
// A profile is measured on pictures ([Ground], [RingOf], [MarkTones], [Room],
// [FitTouch]) and changes what is looked for ([Profile.Spec]) and what was seen
// ([Profile.Translate]), so that a game reads a theme that it does not know.
// The package sees pictures and plain data only: whoever has eyes joins them.
//
// Profiles are files in YAML ([Parse], [Profile.YAML], [Write]), of which
// [Choose] takes the one for a phone and a game.
package calibration
