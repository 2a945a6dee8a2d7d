package asteroid_test

import (
	"context"
	"fmt"

	"tapwise/solvers/games/asteroid"
)

// Six moves free the spacecraft.
func Example() {
	puzzle, err := asteroid.Game{}.Parse(`+--+--+--+
|AA|  |a |
|  |a | a|
+--+--+--+
|SS|  |  |
|  |A | a|
+--+--+--+
|a |  | a|
|a |  |  |
+--+--+--+`)
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
	// 1,1 down
	// 1,0 right
	// 2,0 up
	// 2,1 left
	// 1,1 down
	// 2,1 exit
	// checked: <nil>
}
