package pointer

import "fmt"

// Monkey writes the lines that `monkey --port` takes. Each is answered by one line.
type Monkey struct{}

// Start is empty.
func (Monkey) Start() []byte { return nil }

// Encode is one line: touch down|move|up X Y.
func (Monkey) Encode(e Event) []byte {
	return fmt.Appendf(nil, "touch %v %d %d\n", e.Kind, e.At.X, e.At.Y)
}

// Release lifts the finger at a corner, so that it presses nothing.
func (Monkey) Release() []byte { return []byte("touch up 1 1\n") }

// Natural is false: monkey's touches are the screen's as apps see it.
func (Monkey) Natural() bool { return false }
