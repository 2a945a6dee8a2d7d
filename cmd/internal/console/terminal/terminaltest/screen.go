// Package terminaltest has terminals for tests.
package terminaltest

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tapwise/cmd/internal/console/terminal"
)

// Screen is a terminal: it shows what one would after all that was printed to it.
type Screen struct {
	mu      sync.Mutex
	printed string
	Seen    func(line string) // told of the last line whenever it changes; may be nil
}

// Write prints text.
func (s *Screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.printed += string(text)
	if s.Seen != nil {
		s.Seen(LastLine(s.shown()))
	}
	return len(text), nil
}

// Printed is all that was printed.
func (s *Screen) Printed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.printed
}

// Text is what the terminal shows.
func (s *Screen) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown()
}

// upAndErase is what takes lines off a terminal: the cursor goes up by some, and what
// is below it is erased.
var upAndErase = regexp.MustCompile("\x1b\\[(\\d+)A\x1b\\[J")

// shown does what the terminal does with a line that is erased, and with lines that are.
func (s *Screen) shown() string {
	parts := strings.Split(s.printed, terminal.EraseLine)
	for i, part := range parts[:len(parts)-1] {
		parts[i] = part[:strings.LastIndexByte(part, '\n')+1]
	}
	printed := strings.Join(parts, "")
	shown, from := "", 0
	for _, at := range upAndErase.FindAllStringSubmatchIndex(printed, -1) {
		shown += printed[from:at[0]]
		from = at[1]
		lines := strings.SplitAfter(shown, "\n")
		up, _ := strconv.Atoi(printed[at[2]:at[3]]) // they are digits
		shown = strings.Join(lines[:max(0, len(lines)-1-up)], "")
	}
	return shown + printed[from:]
}

// LastLine is the last line of a text.
func LastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }
