package alcazar_test

import (
	"context"
	"fmt"

	"tapwise/solvers/games/alcazar"
)

// A path through nine rooms, in and out by two of the openings.
func Example() {
	puzzle, err := alcazar.Game{}.Parse(`╔════╩╗
║▒ ▒ ▒║
║ ═══ ║
║▒ ▒ ▒║
║     ║
║▒ ▒ ▒║
╚╦════╝`)
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
	// ╔════╩╗
	// ║┌───┘║
	// ║│═══ ║
	// ║└───┐║
	// ║    │║
	// ║┌───┘║
	// ╚╦════╝
	// checked: <nil>
}
