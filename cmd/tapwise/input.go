package main

import (
	"context"

	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
)

// readInput reads a whole file; "-" is standard input.
func (a *app) readInput(ctx context.Context, name string) ([]byte, error) {
	return puzzlefile.Reader{Stdin: a.in}.File(ctx, name)
}

// inputs reads the puzzles of files, of the files in folders, and of "-".
func (a *app) inputs(ctx context.Context, names []string, game solvers.Game) ([]puzzlefile.Puzzle, error) {
	return puzzlefile.Reader{Stdin: a.in}.Puzzles(ctx, names, game)
}
