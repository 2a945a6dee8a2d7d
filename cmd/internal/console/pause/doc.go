// Package pause waits for a time that can be cut short.
package pause
