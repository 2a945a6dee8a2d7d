package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"tapwise/cmd/internal/recognise"
)

// printJSON prints one result as a line of JSON.
func (a *app) printJSON(value any) error {
	encoder := json.NewEncoder(a.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// printOthers prints what the games less likely than the one that an error is
// told by have to say, with -v.
func (a *app) printOthers(err error) {
	var refusal *recognise.Refusal
	if !a.verbose || !errors.As(err, &refusal) {
		return
	}
	for _, line := range refusal.Others() {
		fmt.Fprintf(a.err, "  %s\n", line)
	}
}

// terminal reports whether stderr is a terminal, so that progress may be drawn.
func (a *app) terminal() bool { return isTerminal(a.err) }
