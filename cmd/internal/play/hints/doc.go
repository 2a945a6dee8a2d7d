// Package hints says what a person can do about an error from any part of the program.
package hints
