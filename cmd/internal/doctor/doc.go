// Package doctor checks what playing needs, from the configuration to the
// phone's screen and touch, and tells the fix for what fails. It touches nothing
// on the phone: whether touches are allowed is tried with a key that does nothing. It
// changes one setting for a moment, to see whether the screen can be kept on.
package doctor
