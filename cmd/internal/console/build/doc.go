// Package build identifies the running build: its version, its commit
// and the modules it was built with, as the go command recorded them in the
// program's file.
package build
