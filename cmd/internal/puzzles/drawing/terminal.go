package drawing

import (
	"context"
	"fmt"
	"image/color"
	"io"
	"strings"
	"time"

	"tapwise/solvers"
)

const (
	animationStep = 60 * time.Millisecond // most time between two pictures
	animationTime = 5 * time.Second       // about the time of all of them
)

// Animate shows a solution growing in a terminal and then erases it. W passes escape codes on
// to the terminal. When the context ends, the picture stays as it is, which is no error.
func Animate(ctx context.Context, w io.Writer, s solvers.Solution) error {
	pictures, tints := s.Animation(), s.Tints()
	step := min(animationStep, animationTime/time.Duration(max(1, len(pictures))))
	height := 0
	for _, picture := range pictures {
		if err := printText(w, picture, height, tints); err != nil {
			return err
		}
		height = strings.Count(picture, "\n") + 1
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(step):
		}
	}
	_, err := fmt.Fprintf(w, "\x1b[%dA\x1b[J", height)
	return err
}

// printText prints a text picture over the last one, which was above lines high.
// A character with a tint is printed on a ground of that colour, so that it shows
// on any terminal; without tints each kind of character has a colour of its own.
func printText(w io.Writer, picture string, above int, tints map[rune]color.NRGBA) error {
	var s strings.Builder
	if above > 0 {
		fmt.Fprintf(&s, "\x1b[%dA", above)
	}
	for _, r := range picture {
		tint, tinted := tints[r]
		switch {
		case r == '\n':
			s.WriteString("\x1b[0m\x1b[K\n")
		case tinted:
			fmt.Fprintf(&s, "\x1b[1;38;5;%d;48;5;%dm%c", terminalColour(solvers.OnColour(tint)), terminalColour(tint), r)
		case tints != nil:
			fmt.Fprintf(&s, "\x1b[0m%c", r)
		case strings.ContainsRune(" .-+|#", r):
			fmt.Fprintf(&s, "\x1b[0m%c", r)
		default:
			// One of the terminal's 216 colours, but none of the dark ones.
			fmt.Fprintf(&s, "\x1b[1;38;5;%dm%c", 52+uint32(r)*37%180, r)
		}
	}
	s.WriteString("\x1b[0m\x1b[K\n")
	_, err := io.WriteString(w, s.String())
	return err
}

// terminalColour is the number of the nearest colour in a terminal's cube of 6 by
// 6 by 6 colours. The cube follows sixteen colours that each terminal chooses
// for itself.
func terminalColour(c color.NRGBA) int {
	level := func(v uint8) int {
		levels := [6]int{0, 95, 135, 175, 215, 255}
		best := 0
		for i, l := range levels {
			if far := l - int(v); far*far < (levels[best]-int(v))*(levels[best]-int(v)) {
				best = i
			}
		}
		return best
	}
	return 16 + 36*level(c.R) + 6*level(c.G) + level(c.B)
}
