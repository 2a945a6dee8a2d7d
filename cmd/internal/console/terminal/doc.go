// Package terminal prints untrusted text: control characters are
// made visible, so that no terminal obeys them, and output that nobody reads any
// more ends the run.
package terminal
