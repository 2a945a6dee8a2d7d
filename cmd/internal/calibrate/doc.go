// Package calibrate makes a profile of a game's app on a phone: it takes pictures
// of the app, or the phone's screen, finds out the game, fits a profile to them,
// measures what only a phone can tell, refines the profile that is there, and
// proves that every picture is read by the result. A [Session] asks what it cannot
// find out, and tells how it comes along, through what its caller hands in;
// package calibrated does the fitting and the measuring.
package calibrate
