// Package calibrated joins the eyes, the games and package calibration: it looks at
// screens with a profile ([Eyes]) and makes profiles from pictures ([Fit]).
package calibrated
