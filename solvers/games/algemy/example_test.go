package algemy_test

import (
	"context"
	"fmt"

	"tapwise/solvers/games/algemy"
)

// Five light sources that light five crystals in their colours.
func Example() {
	puzzle, err := algemy.Game{}.Parse(`- - - R -
- - - - -
- G - B B
- - - - -
- - - Y -`)
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := puzzle.Solve(context.Background())
	if err != nil { // solvers.ErrNoSolution, or the context's error
		fmt.Println(err)
		return
	}
	fmt.Println(solution)
	fmt.Println("checked:", solution.Check())
	// Output:
	// R - - - -
	// - - - - B
	// - - B - -
	// - - - - B
	// - Y - - -
	// checked: <nil>
}
