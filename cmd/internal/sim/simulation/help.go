package simulation

import (
	"fmt"
	"strings"

	"tapwise/adb/simphone"
)

// ModelHelp lists the kinds of phones, a line each with its meaning.
func ModelHelp() string {
	var b strings.Builder
	for _, m := range Models() {
		fmt.Fprintf(&b, "\n\t%-8s %s", m.Name, m.Help)
	}
	return b.String()
}

// FaultHelp lists the faults, a line each with its meaning.
func FaultHelp() string {
	var b strings.Builder
	for _, name := range simphone.FaultNames() {
		fmt.Fprintf(&b, "\n\t%-18s %s", name, simphone.FaultHelp(name))
	}
	return b.String()
}
