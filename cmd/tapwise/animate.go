package main

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
	animationStep = 60 * time.Millisecond // between two pictures, at most
	animationTime = 5 * time.Second       // for all of them, about
)

// animate shows in the terminal how a solution comes about. Where the output
// is no terminal it does nothing.
func (a *app) animate(ctx context.Context, s solvers.Solution) error {
	if !isTerminal(a.out) {
		return nil
	}
	pictures, tints := s.Animation(), s.Tints()
	step := min(animationStep, animationTime/time.Duration(max(1, len(pictures))))
	height := 0
	for _, picture := range pictures {
		if err := drawPicture(raw(a.out), picture, height, tints); err != nil {
			return err
		}
		height = strings.Count(picture, "\n") + 1
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(step):
		}
	}
	// The solution is printed in its place.
	_, err := fmt.Fprintf(raw(a.out), "\x1b[%dA\x1b[J", height)
	return err
}

// drawPicture prints a picture over the last one, which was so many lines
// high. What has a tint stands on a ground of that colour, so that it shows on
// any terminal; without tints each kind of character has a colour of its own.
func drawPicture(w io.Writer, picture string, above int, tints map[rune]color.NRGBA) error {
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
			// The 216 colours of the terminal's cube, less the dark ones.
			fmt.Fprintf(&s, "\x1b[1;38;5;%dm%c", 52+uint32(r)*37%180, r)
		}
	}
	s.WriteString("\x1b[0m\x1b[K\n")
	_, err := io.WriteString(w, s.String())
	return err
}

// terminalColour is the nearest colour of a terminal's cube of 6 by 6 by 6, which
// follows the sixteen that every terminal has its own idea of.
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
