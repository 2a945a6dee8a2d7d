package main

import (
	"context"

	"tapwise/cmd/internal/puzzles/drawing"
	"tapwise/solvers"
)

// animate shows in the terminal how a solution comes about, and wipes it away for
// the solution to be printed in its place. When the output is no terminal, it
// does nothing.
func (a *app) animate(ctx context.Context, s solvers.Solution) error {
	if !isTerminal(a.out) {
		return nil
	}
	return drawing.Animate(ctx, raw(a.out), s)
}
