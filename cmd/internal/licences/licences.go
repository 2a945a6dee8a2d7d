// Package licences has the licences of everything that is in the program, as those ask of
// whoever passes it on. A test makes the text of what is linked: `make licences`.
package licences

import _ "embed"

// Text is the program's own licence, and those of what it contains.
//
//go:embed licences.txt
var Text string
