// Package cause marks an error with what it is about: the input, the phone, or
// the time that a search may take. A mark changes neither the text of an error
// nor what it wraps. The command decides exit codes and hints by the marks.
package cause
