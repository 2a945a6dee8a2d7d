// Package licences has the licences of everything in the program, as they require of whoever
// distributes it. A test makes the text from what is linked: `make licences`.
package licences

import _ "embed"

// Text is the program's own licence, and those of what it contains.
//
//go:embed licences.txt
var Text string
