package asteroid

import (
	"errors"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

func TestGame(t *testing.T) {
	g := Game{}
	if g.Name() != "asteroid" {
		t.Errorf("name %q, expected asteroid", g.Name())
	}
	if s := g.Spec(); s.MinSide != 3 || s.MaxSide != 3 || len(s.Topologies) != 1 || s.Topologies[0] != screen.Square {
		t.Errorf("spec %+v, expected squares, 3 by 3", s)
	}
	var refused *solvers.ReadError
	if p, err := g.Read(&screen.Observation{}); p != nil || !errors.As(err, &refused) {
		t.Errorf("read %v, %v, expected a ReadError", p, err)
	}
	if p, err := g.Parse("+"); p != nil || err == nil {
		t.Errorf("parsed %v, %v, expected nil and an error", p, err)
	}
}
