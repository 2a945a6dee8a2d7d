package serve

import (
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestPageCalibration reads a screen of each game as the page does: as found,
// with corners that were dragged away, with a button more; and saves it.
func TestPageCalibration(t *testing.T) {
	gametest.Long(t)
	eyes := calibrator{run.Opener{Profiles: profiles.Store{Folder: t.TempDir()}, Timing: calibration.Timing{SolveDeadline: await.Hang}}}
	for _, game := range all.Games() {
		boards := game.About().Boards
		for i, o := range boards {
			if i > 0 && o.Variant == boards[i-1].Variant {
				continue // one of each variant
			}
			o.Rows, o.Cols = 0, 0 // of the usual size
			t.Run(game.Name()+" "+o.Variant, func(t *testing.T) { calibrateOnPage(t, eyes, game, o) })
		}
	}
}

// calibrateOnPage reads and saves a board of a game.
func calibrateOnPage(t *testing.T, eyes calibrator, game solvers.Game, o solvers.GenerateOptions) {
	size := image.Pt(1080, 2280)
	made, err := game.Generate(t.Context(), o, rand.New(rand.NewPCG(7, 7)))
	if err != nil {
		t.Fatal(err)
	}
	app, err := all.Simulate(game, []solvers.Puzzle{made}, simapp.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	frame := simphone.Render(app, size, time.Second)
	found, err := eyes.Read(t.Context(), frame, game, web.Draft{})
	if err != nil || found.Puzzle == nil || found.Reason != "" {
		t.Fatalf("as found: %q, %v", found.Reason, err)
	}
	// The page sends back what it got.
	again, err := eyes.Read(t.Context(), frame, game, found.Draft)
	if err != nil || again.Puzzle == nil || again.Puzzle.String() != found.Puzzle.String() {
		t.Fatalf("again: %q, %v", again.Reason, err)
	}
	dragged := found.Draft
	dragged.Board[2] -= found.Draft.Bounds().Dx() * 2 / 5
	dragged.Board[3] -= found.Draft.Bounds().Dy() * 2 / 5
	moved, err := eyes.Read(t.Context(), frame, game, dragged)
	if err != nil {
		t.Fatal(err)
	}
	if moved.Puzzle != nil && moved.Puzzle.String() == found.Puzzle.String() && moved.Reason == "" {
		t.Errorf("the corner is elsewhere, and the board the same:\n%s", moved.Puzzle)
	}
	if moved.Draft.Board != dragged.Board {
		t.Errorf("the corners at %v, expected %v", moved.Draft.Board, dragged.Board)
	}
	if moved.Reason != "" {
		if file, err := eyes.Save(t.Context(), frame, game, "", dragged); err == nil {
			t.Errorf("saved as %s what is refused: %s", file, moved.Reason)
		}
	}
	named := again.Draft
	named.Buttons = []web.Button{{Name: "extra", At: [2]int{540, 2000}}}
	if file, err := eyes.Save(t.Context(), frame, game, "", named); err == nil || !strings.Contains(err.Error(), "expected one of next") {
		t.Errorf("saved as %q a button that there is not: %v", file, err)
	}
	named = again.Draft
	named.Buttons = append(named.Buttons, web.Button{Name: "next", At: [2]int{540, 2000}})
	file, err := eyes.Save(t.Context(), frame, game, "", named)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := calibration.LoadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := calibrated.By(profile).Observe(frame, screen.Frame{Size: size, Rotation: -1}, game.Spec())
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := game.Read(seen)
	if err != nil || puzzle.String() != found.Puzzle.String() {
		t.Errorf("by the profile that was saved: %v, %v, expected\n%s", puzzle, err, found.Puzzle)
	}
	if _, ok := profile.Buttons["next"]; !ok {
		t.Errorf("no button next in %s", file)
	}
}
