package solvers_test

import (
	"context"
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/all"
)

// A game is found by its name; everything else is the same for all of them.
func Example() {
	game, err := all.ByName("flow")
	if err != nil {
		fmt.Println(err)
		return
	}
	puzzle, err := game.Parse("AB\n..\nAB")
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := puzzle.Solve(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(solution)
	fmt.Println("check:", solution.Check())
	if paths, ok := solution.(solvers.Pather); ok {
		fmt.Println("paths:", paths.Paths())
	}
	// Output:
	// AB
	// AB
	// AB
	// check: <nil>
	// paths: [[0 2 4] [1 3 5]]
}
