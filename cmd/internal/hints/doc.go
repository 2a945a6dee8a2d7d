// Package hints tells what a person can do about an error of any part of the program.
package hints
