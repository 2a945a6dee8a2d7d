// Package all is the one list of games. A new game is its own folder below
// solvers and its line here; the package's tests find the folder that is not
// listed, and run the conformance suite on every game that is.
package all

import (
	"fmt"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/adrift"
	"tapwise/solvers/alcazar"
	"tapwise/solvers/algemy"
	"tapwise/solvers/asteroid"
	"tapwise/solvers/flow"
)

// listed is a game, with nil pointers of the types that its puzzles and
// solutions have: they tell what those can do.
type listed struct {
	game     solvers.Game
	puzzle   solvers.Puzzle
	solution solvers.Solution
}

// list is the list of games, in the order in which they are offered.
func list() []listed {
	return []listed{
		{flow.Game{}, (*flow.Puzzle)(nil), (*flow.Solution)(nil)},
		{algemy.Game{}, (*algemy.Puzzle)(nil), (*algemy.Solution)(nil)},
		{alcazar.Game{}, (*alcazar.Puzzle)(nil), (*alcazar.Solution)(nil)},
		{adrift.Game{}, (*adrift.Puzzle)(nil), (*adrift.Solution)(nil)},
		{asteroid.Game{}, (*asteroid.Puzzle)(nil), (*asteroid.Solution)(nil)},
	}
}

// Games lists the games, in the order in which they are offered.
func Games() []solvers.Game {
	var games []solvers.Game
	for _, l := range list() {
		games = append(games, l.game)
	}
	return games
}

// ByName finds a game by its name. The error of a name that is not known lists
// those that are.
func ByName(name string) (solvers.Game, error) {
	var names []string
	for _, g := range Games() {
		if g.Name() == name {
			return g, nil
		}
		names = append(names, g.Name())
	}
	return nil, fmt.Errorf("game %q is not known, expected one of: %s", name, strings.Join(names, ", "))
}
