package fit_test

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// shown is a level of a game on its simulated app, what is seen of it, and the board read there.
func shown(t *testing.T, game solvers.Game) (solvers.Puzzle, *image.RGBA, *screen.Observation) {
	t.Helper()
	level := gametest.Levels(t, game)[1]
	app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	frame := simphone.Render(app, image.Pt(480, 960), time.Second)
	seen, err := calibrated.Eyes{}.Observe(frame, screen.Frame{Size: frame.Rect.Max, Rotation: -1}, game.Spec())
	if err != nil {
		t.Fatal(err)
	}
	read, err := game.Read(seen)
	if err != nil {
		t.Fatal(err)
	}
	return read, frame, seen
}

// part is a rectangle of a frame as a frame of its own.
func part(frame *image.RGBA, area image.Rectangle) *image.RGBA {
	cut := image.NewRGBA(image.Rectangle{Max: area.Size()})
	draw.Draw(cut, cut.Rect, frame, area.Min, draw.Src)
	return cut
}

func outlined(frame *image.RGBA, area image.Rectangle, width int, line, fill color.RGBA) {
	draw.Draw(frame, area, image.NewUniform(line), image.Point{}, draw.Src)
	draw.Draw(frame, area.Inset(width), image.NewUniform(fill), image.Point{}, draw.Src)
}

// TestRowBeside draws a row of boxes below each game's board, as wide as its cells: what is
// stated of the board overrules them, and a game with as many rows as columns needs no word.
// No other board is read.
func TestRowBeside(t *testing.T) {
	for _, game := range all.Games() {
		level, frame, seen := shown(t, game)
		l := seen.Layout
		if l.Topology != screen.Square || l.Rows == 0 {
			continue
		}
		t.Run(game.Name(), func(t *testing.T) {
			line, fill := frame.RGBAAt(l.Board.Min.X+1, l.Board.Min.Y+1), frame.RGBAAt(4, 4)
			below := l.Board.Max.Y - 1
			if game.Spec().Walled {
				below += int(l.Pitch / 4) // its lowest walls are the board's
			}
			for i := range l.Cols {
				x := l.Board.Min.X + int(float64(i)*l.Pitch)
				outlined(frame, image.Rect(x, below, x+int(l.Pitch)+2, below+int(l.Pitch)+2), 2, line, fill)
			}
			for _, picture := range []fit.Picture{
				{Rows: l.Rows, Cols: l.Cols},
				{Board: l.Board, Rows: l.Rows, Cols: l.Cols},
			} {
				picture.Name, picture.Frame, picture.Rotation = "drawn", frame, -1
				profile, fitted, err := fit.Profile(t.Context(), game, []fit.Picture{picture})
				if err != nil && picture.Board.Empty() && !game.Spec().Panes {
					continue // nothing tells where it lies
				}
				if err != nil || fitted[0].Puzzle.String() != level.String() {
					t.Errorf("stated %v, %d rows, %d columns: %v, expected the board", picture.Board, picture.Rows, picture.Cols, err)
					continue
				}
				if _, err := calibration.Parse("profile", profile.YAML()); err != nil {
					t.Error(err)
				}
			}
			s, err := recognise.Look(t.Context(), calibrated.Eyes{}, frame, screen.Frame{Size: frame.Rect.Max, Rotation: -1}, game, solvers.Levels{}, time.Minute)
			if game.Spec().Equal && err != nil || err == nil && s.Puzzle.String() != level.String() {
				t.Errorf("without a word: %v, %v", s.Puzzle, err)
			}
		})
	}
}

// TestAtRim fits profiles to pictures that end at the rims of boards, or a little within
// their outlines: each that is made is one that is read.
func TestAtRim(t *testing.T) {
	for _, game := range all.Games() {
		_, frame, seen := shown(t, game)
		board := seen.Layout.Board
		if board.Empty() {
			continue
		}
		made := 0
		for _, cut := range []int{-2, 0, 1, 2} {
			for rim := range 5 { // left, top, right, bottom, all
				area := frame.Rect
				for side, at := range []*int{&area.Min.X, &area.Min.Y, &area.Max.X, &area.Max.Y} {
					if rim == side || rim == 4 {
						*at = []int{board.Min.X + cut, board.Min.Y + cut, board.Max.X - cut, board.Max.Y - cut}[side]
					}
				}
				frame := part(frame, area)
				profile, _, err := fit.Profile(t.Context(), game, []fit.Picture{{Name: "cut", Frame: frame, Rotation: -1}})
				if err != nil {
					continue
				}
				made++
				if _, err := calibration.Parse("profile", profile.YAML()); err != nil {
					t.Errorf("%s, %v of %v: %v", game.Name(), area, frame.Rect, err)
				}
			}
		}
		if made == 0 {
			t.Logf("%s: no profile was made of a board at a rim", game.Name())
		}
	}
}

// TestDoubtfulCells states all of a board whose cells leave doubts: it is refused all the
// same, and nothing else is asked for.
func TestDoubtfulCells(t *testing.T) {
	for _, game := range all.Games() {
		_, frame, seen := shown(t, game)
		l := seen.Layout
		if l.Topology != screen.Square || l.Rows == 0 || game.About().ReadsSigns {
			continue
		}
		c := l.Centres[l.Cols+1]
		half := int(l.Pitch * 0.45)
		for i := -half; i < half; i += 4 {
			draw.Draw(frame, image.Rect(c.X+i, c.Y-half, c.X+i+2, c.Y+half), image.NewUniform(color.RGBA{uint8(90 + i), 60, uint8(200 - i), 255}), image.Point{}, draw.Src)
		}
		_, fitted, err := fit.Profile(t.Context(), game, []fit.Picture{{Name: "drawn", Frame: frame, Rotation: -1, Board: l.Board, Rows: l.Rows, Cols: l.Cols}})
		var cells *fit.CellsError
		if err == nil || !errors.As(err, &cells) {
			t.Errorf("%s: %v, %v, expected an error about cells", game.Name(), fitted, err)
		}
	}
}

// TestSeveralAtRim refuses boards of several solutions that lie at the rims of pictures, with
// what can be said of the app's levels; once that is said, a profile is made by which they are read.
func TestSeveralAtRim(t *testing.T) {
	game, err := all.ByName("queens")
	if err != nil {
		t.Fatal(err)
	}
	level, err := game.Parse("AABB\nAABB\nCCDD\nCCDD")
	if err != nil {
		t.Fatal(err)
	}
	app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	whole := simphone.Render(app, image.Pt(480, 960), time.Second)
	seen, err := calibrated.Eyes{}.Observe(whole, screen.Frame{Size: whole.Rect.Max, Rotation: -1}, game.Spec())
	if err != nil {
		t.Fatal(err)
	}
	area := whole.Rect
	area.Min.X, area.Max.X = seen.Layout.Board.Min.X+2, seen.Layout.Board.Max.X-2
	picture := fit.Picture{Name: "cut", Frame: part(whole, area), Rotation: -1}
	var levels *fit.LevelsError
	if _, _, err := fit.Profile(t.Context(), game, []fit.Picture{picture}); !errors.As(err, &levels) || !levels.Levels.Several {
		t.Fatalf("%v, expected it to ask whether levels have several solutions", err)
	}
	picture.Levels = levels.Levels
	profile, _, err := fit.Profile(t.Context(), game, []fit.Picture{picture})
	if err != nil {
		t.Fatalf("%v, though that was said", err)
	}
	again, err := calibration.Parse("profile", profile.YAML())
	if err != nil {
		t.Fatal(err)
	}
	s, err := recognise.Look(t.Context(), calibrated.By(again), picture.Frame, screen.Frame{Size: picture.Frame.Rect.Max, Rotation: -1}, game, again.Levels, time.Minute)
	if err != nil || s.Puzzle.String() != level.String() {
		t.Fatalf("%v, %v, expected the board by the profile", s.Puzzle, err)
	}
}
