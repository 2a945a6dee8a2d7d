// Package terminal prints what may come from elsewhere: control characters are
// written out, so that no terminal obeys them, and output that nobody reads any
// more ends the run.
package terminal
