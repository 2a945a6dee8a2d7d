package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/overlay"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/puzzles/solving"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// pictured is a level of the simulated app as a player sees it: as it is found,
// with its first pipe drawn, and solved.
type pictured struct {
	read   player.Event
	first  *image.RGBA
	solved *image.RGBA
}

func pictureLevel(t *testing.T) pictured {
	t.Helper()
	game := flow.Game{}
	level, err := game.Parse("EA..A\n....C\nDB.CB\n...E.\nD....")
	if err != nil {
		t.Fatal(err)
	}
	const now = time.Second
	size := image.Pt(480, 800)
	app, read := found(t, game, level, size, now)
	f := pictured{read: read}
	for i, g := range read.Plan {
		gametest.Play(app, now, g)
		if i == 0 {
			f.first = simphone.Render(app, size, now+100*time.Millisecond)
		}
	}
	f.solved = simphone.Render(app, size, now+100*time.Millisecond)
	return f
}

// found is a level in a game's simulated app, as it is read and planned.
func found(t *testing.T, game solvers.Game, level solvers.Puzzle, size image.Point, now time.Duration) (simphone.App, player.Event) {
	t.Helper()
	app, err := all.Simulate(game, []solvers.Puzzle{level, level}, simapp.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	frame := simphone.Render(app, size, now)
	on := screen.Frame{Size: size, Rotation: -1}
	seen, err := calibrated.Eyes{}.Observe(frame, on, game.Spec())
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := game.Read(seen)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := puzzle.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan := solution.Plan(seen.Layout)
	return app, player.Event{State: player.StatePlan, Stage: "read", Stroke: -1, Frame: frame, Seen: seen, Puzzle: puzzle, Solution: solution, Plan: plan}
}

// TestOverlayColours draws pipes in the colours of their ends, as wide as a third
// of a cell, with the white head of an arrow.
func TestOverlayColours(t *testing.T) {
	l := pictureLevel(t)
	picture, err := overlay.Draw(l.read.Frame, l.read.Seen, l.read.Puzzle, l.read.Plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := func(p image.Point) color.RGBA { return color.RGBAModel.Convert(picture.At(p.X, p.Y)).(color.RGBA) }
	pitch := l.read.Seen.Layout.Pitch
	for _, g := range l.read.Plan {
		a, b := g.Points[0], g.Points[1]
		// Beside the letter on the end the frame shows the pipe's colour.
		aside := image.Pt(int(0.3*pitch), 0)
		want := l.read.Frame.RGBAAt(a.Sub(aside).X, a.Y)
		middle := a.Add(b).Div(2)
		if len(g.Points) > 2 && screen.Distance(at(middle), want) > 12 {
			t.Errorf("%s: %v on its way, its end is %v", g.Note, at(middle), want)
		}
		across := image.Pt((b.Y-a.Y)*15/100, (b.X-a.X)*15/100) // just within a third of a cell
		if len(g.Points) > 2 && screen.Distance(at(middle.Add(across)), want) > 12 {
			t.Errorf("%s: %v at its rim, expected %v", g.Note, at(middle.Add(across)), want)
		}
		n := len(g.Points)
		if head := at(g.Points[n-1].Add(g.Points[n-2]).Div(2)); head != (color.RGBA{255, 255, 255, 255}) {
			t.Errorf("%s: %v where the arrow is", g.Note, head)
		}
	}
}

// TestOverlayStart rings the place where the first stroke begins.
func TestOverlayStart(t *testing.T) {
	white := color.RGBA{255, 255, 255, 255}
	ringed := 0
	for _, game := range all.Games() {
		level, err := game.Parse(puzzlefile.Split("pack", []byte(game.About().Pack), game)[0].Text)
		if err != nil {
			t.Fatal(err)
		}
		_, read := found(t, game, level, image.Pt(540, 1170), time.Second)
		picture, err := overlay.Draw(read.Frame, read.Seen, read.Puzzle, read.Plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(read.Plan[0].Points) == 1 {
			continue // taps have rings of their own
		}
		ringed++
		ring := 0
		for angle := range 12 {
			sin, cos := math.Sincos(float64(angle) * math.Pi / 6)
			radius := 0.42 * read.Seen.Layout.Pitch
			at := read.Plan[0].Points[0].Add(image.Pt(int(math.Round(radius*sin)), int(math.Round(radius*cos))))
			if color.RGBAModel.Convert(picture.At(at.X, at.Y)) == white {
				ring++
			}
		}
		if ring < 10 {
			t.Errorf("%s: %d of 12 points around the start of the first stroke are white", game.Name(), ring)
		}
	}
	if ringed < 4 {
		t.Errorf("%d games have strokes, expected more", ringed)
	}
}

// TestOverlayFaults marks the cell that a refusal is about, else the board.
func TestOverlayFaults(t *testing.T) {
	l := pictureLevel(t)
	layout := l.read.Seen.Layout
	const cell = 7
	faultColour := color.RGBA{255, 0, 0, 255}
	for _, c := range []struct {
		name    string
		failure error
		at      image.Point
		marked  bool
	}{
		{"a cell", solvers.RefuseAt(cell, "odd"), layout.Centres[cell], true},
		{"wrapped", &player.Failure{Kind: player.ErrUnreadable, Err: solvers.RefuseAt(cell, "odd")}, layout.Centres[cell], true},
		{"the board", solvers.Refuse("odd"), layout.Board.Min.Add(layout.Board.Max).Div(2), true},
		{"a board without a solution", &player.Failure{Kind: player.ErrUnreadable, Err: solvers.ErrNoSolution}, layout.Board.Min.Add(layout.Board.Max).Div(2), true},
		{"a cell that is none", solvers.RefuseAt(1000, "odd"), layout.Board.Min.Add(layout.Board.Max).Div(2), true},
		{"no refusal", player.ErrPhone, layout.Centres[cell], false},
	} {
		picture, err := overlay.Draw(l.read.Frame, l.read.Seen, nil, nil, c.failure)
		if err != nil {
			t.Fatal(err)
		}
		got := color.RGBAModel.Convert(picture.At(c.at.X, c.at.Y)).(color.RGBA)
		if marked := got == faultColour; marked != c.marked {
			t.Errorf("%s: marked %v with %v, expected %v", c.name, marked, got, c.marked)
		}
	}
}

// TestHintOfScreen tells the first pipe that is missing on a screen, and draws it
// in the colour that it has there.
func TestHintOfScreen(t *testing.T) {
	gametest.Long(t)
	l := pictureLevel(t)
	for i, frame := range []*image.RGBA{l.read.Frame, l.first, l.solved} {
		file, drawn := filepath.Join(t.TempDir(), "screen.png"), filepath.Join(t.TempDir(), "hint.png")
		if err := wholefile.WritePNG(file, frame); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := execute(t.Context(), []string{"solve", "--hint", "--json", "--game", "flow", "--picture", drawn, file}, streams{strings.NewReader(""), &out, &errs}); code != exitDone {
			t.Fatalf("exit code %d: %s", code, &errs)
		}
		var got solving.Result
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		want := solving.Hint{Step: i, Of: len(l.read.Plan)}
		if i == 2 {
			want.Step = want.Of
		}
		if got.Hint == nil || got.Hint.Step != want.Step || got.Hint.Of != want.Of || got.Solution != "" || (len(got.Hint.Cells) == 0) != (i == 2) {
			t.Errorf("frame %d: %s, expected step %d of %d", i, &out, want.Step, want.Of)
			continue
		}
		picture, err := decodeFile(t, drawn)
		if err != nil {
			t.Fatal(err)
		}
		colour := l.read.Puzzle.Paint(l.read.Plan[min(i, 1):])[0]
		n := 0
		for p := range slices.Chunk(picture.Pix, 4) {
			if screen.Distance(color.RGBA{p[0], p[1], p[2], 255}, color.RGBA{colour.R, colour.G, colour.B, 255}) < 4 {
				n++
			}
		}
		// Two ends are about a third of a cell each; a pipe is as much again and more.
		if more := n > 120*120*9/10; more != (i < 2) {
			t.Errorf("frame %d: %d pixels of the pipe's colour %v", i, n, colour)
		}
	}
}

// decodeFile reads a picture.
func decodeFile(t *testing.T, name string) (*image.RGBA, error) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return vision.Decode(t.Context(), data)
}
