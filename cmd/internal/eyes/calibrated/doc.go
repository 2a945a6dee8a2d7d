// Package calibrated looks at screens with a profile ([Eyes]): what a game asks for is translated
// to how the profile says it looks, and what is seen back to the game's own.
package calibrated
