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
			cases := filepath.Join("..", "games", game.Name(), "testdata", "cases", "*.txt")
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

// TestNotationsTellGames wants the levels of each game to be no puzzles of the games
// before it: a puzzle without a game's name is one of the first that accepts it.
func TestNotationsTellGames(t *testing.T) {
	for i, game := range all.Games() {
		for _, level := range gametest.Levels(t, game) {
			for _, before := range all.Games()[:i] {
				if p, err := before.Parse(level.String()); err == nil {
					t.Errorf("a level of %s is a puzzle of %s, too:\n%s\n%s", game.Name(), before.Name(), level, p)
				}
			}
		}
	}
}
