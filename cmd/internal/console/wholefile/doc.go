// Package wholefile writes files so that a failure leaves no half-written file
// behind. Its errors are about the input ([cause.InputError]) and name the file
// that was to be written.
package wholefile
