package recognise_test

import (
	"errors"
	"image"
	"strings"
	"testing"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/screen"
)

// TestSeveral reads a board that has several solutions, and expects to be told.
// A dimmed one is doubted, but not called misread.
func TestSeveral(t *testing.T) {
	level, err := flow.Parse("...AB\n.AB..\n.....\n.C.C.\n.....")
	if err != nil {
		t.Fatal(err)
	}
	app, err := flowapp.New([]solvers.Puzzle{level}, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	frame := simphone.Render(app, image.Pt(540, 1170), 0)
	sight, err := look(frame)
	if err != nil || !sight.Several || sight.Game.Name() != "flow" || sight.Puzzle.String() != level.String() || sight.Solution == nil {
		t.Errorf("got %+v, error %v, expected the board of Flow, a solution, and that there are several", sight, err)
	}
	for i := range frame.Pix {
		if i%4 < 3 {
			frame.Pix[i] /= 2
		}
	}
	on := screen.Frame{Size: frame.Rect.Size(), Rotation: -1}
	var refused *solvers.ReadError
	_, err = recognise.Look(t.Context(), calibrated.Eyes{}, frame, on, flow.Game{}, solvers.Levels{}, deadline)
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "more than one solution") || strings.Contains(err.Error(), "misread") {
		t.Errorf("dimmed: got %v, expected a doubt that does not speak of misreading", err)
	}
	sight, err = recognise.Look(t.Context(), calibrated.Eyes{}, frame, on, flow.Game{}, solvers.Levels{Several: true}, deadline)
	if err != nil || sight.Several || sight.Puzzle.String() != level.String() {
		t.Errorf("dimmed, of an app with such levels: got %+v, error %v, expected the board", sight, err)
	}
}
