package phones

import (
	"strings"
	"testing"

	"tapwise/cmd/internal/simulation"
	"tapwise/solvers/all"
)

// TestSimulateWithoutADB: where adb is missing, that is the error, and nothing is left open.
func TestSimulateWithoutADB(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	s, err := Simulate(t.Context(), 1, simulation.GameApp{Game: all.Games()[0]}, simulation.Usual())
	if s != nil || err == nil || !strings.Contains(err.Error(), "adb is not installed") {
		t.Errorf("got %v, %v, expected that adb is not installed", s, err)
	}
}
