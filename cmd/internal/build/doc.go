// Package build tells which build of the program runs: its version, the commit it was
// built from, and the modules it was built with, from what the go command put into the
// program's file.
package build
