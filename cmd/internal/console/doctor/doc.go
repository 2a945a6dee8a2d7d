// Package doctor checks what playing needs, from the configuration to the
// phone's screen and touch, and gives a fix for whatever fails. It touches nothing
// on the phone: a key that does nothing shows whether touches are allowed. It
// changes one setting for a moment, to see whether the screen can be kept on.
package doctor
