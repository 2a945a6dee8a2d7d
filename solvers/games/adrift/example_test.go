package adrift_test

import (
	"context"
	"fmt"

	"tapwise/solvers/games/adrift"
)

// Two chains on the three visible faces of a cube: top, left, right.
func Example() {
	puzzle, err := adrift.Game{}.Parse(`R X X
. . .
B . .
X X .
X X .
B . .
X . X
X . X
X . R`)
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
	// R X X
	// R R R
	// B B B
	// X X B
	// X X B
	// B B B
	// X R X
	// X R X
	// X R R
	// checked: <nil>
}
