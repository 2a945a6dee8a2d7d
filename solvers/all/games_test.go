package all_test

import (
	"path/filepath"
	"testing"

	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

// TestGames runs the conformance suites on every game that is listed and on its
// app.
func TestGames(t *testing.T) {
	for _, game := range all.Games() {
		t.Run(game.Name(), func(t *testing.T) {
			cases := filepath.Join("..", game.Name(), "testdata", "cases", "*.txt")
			gametest.Run(t, game, cases)
			if app := all.App(game); app != nil {
				gametest.RunApp(t, game, app, cases)
			}
		})
	}
}

// TestByName finds each game by its name, and no other.
func TestByName(t *testing.T) {
	for _, game := range all.Games() {
		found, err := all.ByName(game.Name())
		if err != nil || found.Name() != game.Name() {
			t.Errorf("game %q by its name: %v, %v", game.Name(), found, err)
		}
	}
	if g, err := all.ByName("chess"); err == nil {
		t.Errorf("game chess found as %v", g)
	}
}
