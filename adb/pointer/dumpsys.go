package pointer

import (
	"regexp"
	"strings"
)

// Listed reports whether what `dumpsys input` printed lists an input device of that
// name as one that its reader reads: before, its events are lost.
func Listed(text, name string) bool {
	// The reader's part comes after the hub's, which lists a device a little sooner.
	if _, reader, found := strings.Cut(text, "Input Reader State"); found {
		text = reader
	}
	for line := range strings.Lines(text) {
		_, listed, titled := strings.Cut(line, ": ")
		if titled && strings.Trim(strings.TrimSpace(listed), `'"`) == name {
			return true
		}
	}
	return false
}

// fingerDown are the lines by which `dumpsys input` shows a finger on the screen:
// what the reader read last, and what the dispatcher told the windows.
var fingerDown = regexp.MustCompile(`(?m)(Last (Raw|Cooked) Touch: pointerCount=[1-9]|TouchDown: true|^\s*\d+: down=true)`)

// FingerDown reports whether what `dumpsys input` printed shows a finger on the
// screen. Where it prints nothing of the kind, it reports false.
func FingerDown(text string) bool { return fingerDown.MatchString(text) }
