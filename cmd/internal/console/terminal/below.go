package terminal

import (
	"fmt"
	"io"
)

// Below is lines at the bottom of a terminal, below what is printed. The zero value has none. A
// failure to draw is no error.
type Below struct{ drawn int }

// Clear takes the lines off the screen, so that something can be printed.
func (b *Below) Clear(to io.Writer) {
	if b.drawn > 0 {
		fmt.Fprintf(Raw(to), "\x1b[%dA\x1b[J", b.drawn)
		b.drawn = 0
	}
}

// Draw draws one more line.
func (b *Below) Draw(to io.Writer, line string) {
	fmt.Fprintln(to, line)
	b.drawn++
}
