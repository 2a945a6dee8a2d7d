package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tapwise/cmd/internal/console/terminal"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/play/trouble"
)

// streams are what the program reads from and prints to.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// printer prints results as the flags that every command takes say.
type printer struct {
	streams
	verbose bool
	json    bool
	quiet   bool // print only what failed
}

// printJSON prints one result as a line of JSON.
func (p *printer) printJSON(value any) error {
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// printBeside prints what helps with an error that was printed: with -v the reasons of
// the other games than the one by which a refusal is told, what it means in a sentence, and
// the hint.
func (p *printer) printBeside(err error) {
	var refusal *recognise.Refusal
	if p.verbose && errors.As(err, &refusal) {
		for _, line := range refusal.Others() {
			fmt.Fprintf(p.err, "  %s\n", line)
		}
	}
	printTrouble(p.err, "", err)
}

// printTrouble prints what an error means, after a prefix: a sentence and the hint.
func printTrouble(to io.Writer, prefix string, err error) {
	t := trouble.Of(err)
	if t.Say != "" {
		fmt.Fprintf(to, "%s%s\n", prefix, t.Say)
	}
	if t.Hint != "" {
		fmt.Fprintf(to, "%shint: %s\n", prefix, t.Hint)
	}
}

// terminal reports whether stderr is a terminal, so that progress may be drawn.
func (p *printer) terminal() bool { return isTerminal(p.err) }

// raw returns a stream for pictures and for what the program itself tells a terminal.
func raw(w io.Writer) io.Writer { return terminal.Raw(w) }

// underlying returns what a stream prints to in the end.
func underlying(w io.Writer) io.Writer { return terminal.Underlying(w) }

// isTerminal reports whether what is printed goes to a terminal.
func isTerminal(w io.Writer) bool { return terminal.Is(w) }

// oneLine returns text for one line, or for one cell of a table.
func oneLine(text string) string { return terminal.OneLine(text) }

// table begins a table on standard output; its Flush ends it.
func (p *printer) table() terminal.Table { return terminal.NewTable(p.out) }
