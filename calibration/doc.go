// Package calibration holds what must be known of a game's app on a phone to
// play it: so far how long to wait for what ([Timing]).
//
// The usual values stand in package configs, each with its reason.
package calibration
