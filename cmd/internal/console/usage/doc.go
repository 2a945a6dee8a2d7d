// Package usage refuses command lines with errors that say what was expected, and which
// known word an unknown one may be a misspelling of.
package usage
