package flow_test

import (
	"context"
	"fmt"

	"tapwise/solvers/games/flow"
)

// Five pipes that cover a board of 5 by 5.
func Example() {
	puzzle, err := flow.Game{}.Parse(`B..AD
.AC..
....E
.CB..
...DE`)
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
	// BAAAD
	// BACDD
	// BCCDE
	// BCBDE
	// BBBDE
	// checked: <nil>
}
