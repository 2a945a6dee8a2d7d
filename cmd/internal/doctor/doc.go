// Package doctor checks what playing needs, from the configuration to the
// phone's screen and touch, and tells the fix for what fails. It touches nothing
// on the phone: whether touches are allowed is tried with a key that does nothing.
package doctor
