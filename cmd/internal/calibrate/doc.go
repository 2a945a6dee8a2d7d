// Package calibrate makes a profile of a game's app on a phone: it takes pictures
// of the app, or the phone's screen, recognises the game, fits a profile to them,
// measures what only a phone can show, refines an existing profile, and
// proves that every picture is read with the result. A [Session] asks for what it cannot
// find out and reports its progress through its caller's functions;
// package fit does the fitting and the measuring.
package calibrate
