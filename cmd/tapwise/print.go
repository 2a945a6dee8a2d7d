package main

import "encoding/json"

// printJSON prints one result as a line of JSON.
func (a *app) printJSON(value any) error {
	encoder := json.NewEncoder(a.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// terminal reports whether stderr is a terminal, so that progress may be drawn.
func (a *app) terminal() bool { return isTerminal(a.err) }
