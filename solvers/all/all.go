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

// Games lists the games, in the order in which they are offered.
func Games() []solvers.Game {
	return []solvers.Game{
		flow.Game{},
		algemy.Game{},
		alcazar.Game{},
		adrift.Game{},
		asteroid.Game{},
	}
}

// ByName finds a game by its name, or says which there are.
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
