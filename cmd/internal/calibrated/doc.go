// Package calibrated joins the eyes, the games and package calibration: it
// looks at screens by a profile ([Eyes]) and makes profiles of pictures ([Fit]).
package calibrated
