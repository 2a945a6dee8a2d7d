package player_test

import (
	"image"
	"testing"

	"tapwise/solvers/games/asteroid"
)

// TestSlidesObservations looks at the simulated app of a game of slides, as
// TestGemsObservations does.
func TestSlidesObservations(t *testing.T) {
	sceneObservations(t, asteroid.Game{}, []playedScene{
		{"space", "space", image.Pt(720, 1280), level, ""},
		{"flat", "flat", image.Pt(540, 1170), level, "0,1 left\n1,1 up\n2,1 up\n2,0 right\n2,1 exit"},
	})
}

// level is the Asteroid board of the tests, which takes five moves.
const level = "+--+--+--+\n|  |A |aa|\n|  |  |  |\n+--+--+--+\n|AA| a| a|\n|  |  |a |\n+--+--+--+\n|SS| a|  |\n|  |  | a|\n+--+--+--+"
