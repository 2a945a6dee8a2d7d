// Package all is the one list of games and their simulated apps. A new game is a folder of
// solvers/games and a line here; the package's tests find a folder that is not listed, and run the
// conformance suite on every game that is.
package all

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/described"
	"tapwise/solvers/games/adrift"
	adriftapp "tapwise/solvers/games/adrift/app"
	"tapwise/solvers/games/alcazar"
	alcazarapp "tapwise/solvers/games/alcazar/app"
	"tapwise/solvers/games/algemy"
	algemyapp "tapwise/solvers/games/algemy/app"
	"tapwise/solvers/games/asteroid"
	asteroidapp "tapwise/solvers/games/asteroid/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/games/queens"
	queensapp "tapwise/solvers/games/queens/app"
	"tapwise/solvers/games/zip"
	zipapp "tapwise/solvers/games/zip/app"
	"tapwise/solvers/screen"
)

// listed is a game, with nil pointers of the types that its puzzles and solutions
// have, which tell what those can do, and the maker of its simulated app; nil when
// it has none.
type listed struct {
	game     solvers.Game
	puzzle   solvers.Puzzle
	solution solvers.Solution
	app      simapp.Maker
}

// list is the list of games, in the order in which they are offered.
func list() []listed {
	return []listed{
		{flow.Game{}, (*flow.Puzzle)(nil), (*flow.Solution)(nil), flowapp.New},
		{algemy.Game{}, (*algemy.Puzzle)(nil), (*algemy.Solution)(nil), algemyapp.New},
		{alcazar.Game{}, (*alcazar.Puzzle)(nil), (*alcazar.Solution)(nil), alcazarapp.New},
		{adrift.Game{}, (*adrift.Puzzle)(nil), (*adrift.Solution)(nil), adriftapp.New},
		{asteroid.Game{}, (*asteroid.Puzzle)(nil), (*asteroid.Solution)(nil), asteroidapp.New},
		{queens.Game{}, (*queens.Puzzle)(nil), (*queens.Solution)(nil), queensapp.New},
		{zip.Game{}, (*zip.Puzzle)(nil), (*zip.Solution)(nil), zipapp.New},
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

// Folder is the user's folder of descriptions, which are found by their names as those are that come
// along; empty for none. A program sets it once, when it starts.
var Folder string

// ByName finds a game by its name, or makes one from the file of a description, such as
// ./kurodoko.star, or from a description that comes along, such as tango, or lies in Folder. The
// error for an unknown name lists the known ones.
func ByName(name string) (solvers.Game, error) {
	var names []string
	for _, g := range Games() {
		if g.Name() == name {
			return g, nil
		}
		names = append(names, g.Name())
	}
	var game *described.Game
	var err error
	switch shipped, own := described.Shipped(), described.In(Folder); {
	case Described(name):
		game, err = described.Open(name)
	case slices.Contains(own, name):
		game, err = described.Open(filepath.Join(Folder, name+described.Extension))
	case slices.Contains(shipped, name):
		game, err = described.OpenShipped(name)
	default:
		err = fmt.Errorf("game %q is not known, expected one of: %s", name, strings.Join(slices.Concat(names, shipped, own), ", "))
	}
	if err != nil {
		return nil, err
	}
	return game, nil
}

// Carried finds a game by what another machine says of it: its name and, of a described one, its
// description. A name is no file of this machine.
func Carried(name string, description *described.Carried) (solvers.Game, error) {
	switch {
	case description != nil:
		g, err := description.Open(name)
		if err != nil {
			return nil, err
		}
		return g, nil
	case Described(name):
		return nil, fmt.Errorf("game %q without its description", name)
	}
	return ByName(name)
}

// Described reports whether a name is that of a file that describes a game.
func Described(name string) bool { return strings.HasSuffix(name, described.Extension) }

// App is the maker of a game's simulated app; nil when the game has none.
func App(game solvers.Game) simapp.Maker {
	if g, ok := game.(*described.Game); ok && len(g.Spec().Measures) > 0 {
		return g.App
	}
	for _, l := range list() {
		if l.game.Name() == game.Name() {
			return l.app
		}
	}
	return nil
}

// Simulate makes the simulated app of a game, which offers the levels in order,
// or fails as its maker does, or because the game has no app.
func Simulate(game solvers.Game, levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	maker := App(game)
	if maker == nil {
		return nil, fmt.Errorf("%s has no app for the simulated phone", game.Name())
	}
	return maker(levels, o)
}
