package solvers_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/games/adrift"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/screen"
)

// vouching is Flow that vouches for what it is told to.
type vouching struct {
	flow.Game
	unclear error
}

func (v vouching) Vouch(*screen.Observation) error { return v.unclear }

// silent is a game without its optional abilities: it vouches for nothing.
type silent struct{ solvers.Game }

// TestJudgeRead weighs boards with no, one and several solutions. Only one that
// has none was misread.
func TestJudgeRead(t *testing.T) {
	const (
		none    = "AB\nBA"
		one     = "AA"
		several = "A..\n.A.\n..."
		crossed = "A....\n.B...\n.....\n...B.\n....A" // cannot be filled, but drawn
	)
	sure := vouching{}
	unsure := vouching{unclear: solvers.Refuse("too dark")}
	loose := solvers.Levels{Uncovered: true}
	for _, test := range []struct {
		name    string
		game    solvers.Game
		levels  solvers.Levels
		board   string
		several bool
		is      error
		want    string // of the error's text
		signs   bool   // the board has another look than the game's own
	}{
		{"one", unsure, solvers.Levels{}, one, false, nil, "", false},
		{"none", sure, solvers.Levels{}, none, false, solvers.ErrNoSolution, "misread: no solution", false},
		{"several, clear", sure, solvers.Levels{}, several, true, nil, "", false},
		{"several, not clear", unsure, solvers.Levels{}, several, false, solvers.ErrSeveral, "too dark", false},
		{"several, nobody vouches", silent{flow.Game{}}, solvers.Levels{}, several, false, solvers.ErrSeveral, "nothing else tells", false},
		{"several, not clear, as the app has them", unsure, solvers.Levels{Several: true}, several, false, nil, "", false},
		{"none, where several may be", sure, solvers.Levels{Several: true}, none, false, solvers.ErrNoSolution, "misread", false},
		{"not to be filled", unsure, loose, crossed, false, nil, "", false},
		{"cannot be filled", sure, solvers.Levels{}, crossed, false, solvers.ErrNoSolution, "misread", false},
		{"none, not to be filled", sure, loose, none, false, solvers.ErrNoSolution, "misread", false},
		{"several, another look", sure, solvers.Levels{}, several, true, nil, "", true},
		{"cannot be filled, another look", sure, solvers.Levels{}, crossed, true, nil, "", true},
		{"cannot be filled, another look, not clear", unsure, solvers.Levels{}, crossed, false, solvers.ErrNoSolution, "misread", true},
		{"cannot be filled, another look, nobody vouches", silent{flow.Game{}}, solvers.Levels{}, crossed, false, solvers.ErrNoSolution, "misread", true},
		{"none, another look", sure, solvers.Levels{}, none, false, solvers.ErrNoSolution, "misread", true},
	} {
		puzzle, err := flow.Parse(test.board)
		if err != nil {
			t.Fatal(err)
		}
		p, err := test.levels.Of(test.game, puzzle)
		if err != nil {
			t.Fatal(err)
		}
		seen := &screen.Observation{}
		if test.signs {
			seen.Signs = make([]screen.Sign, 1)
		}
		j, err := solvers.JudgeRead(context.Background(), test.game, test.levels, p, seen)
		if j.Uncovered != (test.signs && test.several && test.board != several) {
			t.Errorf("%s: uncovered %v", test.name, j.Uncovered)
		}
		if j.Several != test.several || !errors.Is(err, test.is) || (err == nil) != (test.is == nil) {
			t.Errorf("%s: several %v, error %v; expected %v, %v", test.name, j.Several, err, test.several, test.is)
		}
		if err != nil && (!strings.Contains(err.Error(), test.want) || errors.Is(err, solvers.ErrSeveral) == strings.Contains(err.Error(), "misread")) {
			t.Errorf("%s: %q, expected %q in it, and misread only without a solution", test.name, err, test.want)
		}
		if err == nil && j.Solution.Check() != nil {
			t.Errorf("%s: %v", test.name, j.Solution.Check())
		}
	}
}

// TestNoCover refuses levels without a rule that the game does not have.
func TestNoCover(t *testing.T) {
	p, err := adrift.Game{}.Parse("R .\nB X\n. X\nR .\nB .\n. .")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (solvers.Levels{Uncovered: true}).Of(adrift.Game{}, p); !errors.Is(err, solvers.ErrNoCover) || !strings.Contains(err.Error(), "adrift") {
		t.Errorf("got %v, expected ErrNoCover of adrift", err)
	}
}
