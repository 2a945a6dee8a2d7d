// Package hand touches a phone with one finger, in the best of the ways that the phone takes:
// events streamed through one open connection, or commands of `input`. It is told by the
// screen whether its touches land, remembers what was found out, and leaves no finger on the
// screen: what a failure, a lost phone or a killed program left there is lifted before anything
// else is touched.
//
// A [Hand] knows its phone as a [Phone], which package adb's Device is; package pointer writes
// the bytes of each way.
package hand
