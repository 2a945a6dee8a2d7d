package recognise_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// likeliest expects an error of one line in the words of the given game, and a
// line for each of the others.
func likeliest(t *testing.T, err error, game string) {
	t.Helper()
	var refusal *recognise.Refusal
	switch {
	case !errors.As(err, &refusal):
		t.Errorf("%v, expected a refusal", err)
	case refusal.Reasons[0].Game != game:
		t.Errorf("taken for one of %s: %v\n%+v", refusal.Reasons[0].Game, err, refusal.Reasons)
	case !strings.Contains(err.Error(), game) || strings.Contains(err.Error(), "\n"):
		t.Errorf("%q, expected a line that names %s", err, game)
	case len(refusal.Others()) != len(refusal.Reasons)-1:
		t.Errorf("%d other reasons of %d games", len(refusal.Others()), len(refusal.Reasons))
	}
}

// TestLikeliestNotation expects errors in the words of the right game: for the
// wrong texts of each game's own cases, and for mistakes of every kind in real
// levels.
func TestLikeliestNotation(t *testing.T) {
	for _, game := range all.Games() {
		for _, c := range gametest.Cases(t, filepath.Join("../../../../solvers/games", game.Name(), "testdata/cases/*.txt"), "refused") {
			other, _, err := recognise.Text(c.Parts[0], all.Games())
			if err == nil {
				t.Logf("%s %s: a puzzle of %s", game.Name(), c.Where, other.Name())
				continue
			}
			t.Run(game.Name()+" "+c.Where, func(t *testing.T) { likeliest(t, err, game.Name()) })
		}
		for _, level := range gametest.Levels(t, game)[:3] {
			lines := strings.Split(level.String(), "\n")
			middle := len(lines) / 2
			change := func(line string) string { // of the middle line
				changed := append([]string{}, lines...)
				changed[middle] = line
				return strings.Join(changed, "\n")
			}
			for _, mistake := range []struct{ name, text string }{
				{"the last line is missing", strings.Join(lines[:len(lines)-1], "\n")},
				{"the first line is missing", strings.Join(lines[1:], "\n")},
				{"a line stands twice", change(lines[middle] + "\n" + lines[middle])},
				{"a line is too short", change(lines[middle][:len(lines[middle])-1])},
				{"a line is too long", change(lines[middle] + "Q")},
				{"a cell is unknown", change("?" + lines[middle][1:])},
				{"two cells are unknown", change("?" + lines[middle][1:len(lines[middle])-1] + "?")},
				{"indented", "  " + strings.Join(lines, "\n  ")},
			} {
				other, puzzle, err := recognise.Text(mistake.text, all.Games())
				if err == nil {
					t.Logf("%s, %s: still a puzzle of %s:\n%s", game.Name(), mistake.name, other.Name(), puzzle)
					continue
				}
				t.Run(game.Name()+" "+mistake.name, func(t *testing.T) {
					likeliest(t, err, game.Name())
					if t.Failed() {
						t.Log("\n" + mistake.text)
					}
				})
			}
		}
	}
}

// TestLikeliestBoard expects the error for a picture of a board that cannot be
// read in the words of the right game, in all of its looks.
func TestLikeliestBoard(t *testing.T) {
	gametest.Long(t)
	told := map[string]int{}
	for _, game := range all.Games() {
		if all.App(game) == nil || len(game.Spec().Measures) == 0 {
			continue
		}
		for _, style := range gametest.Styles(game) {
			app, err := all.Simulate(game, gametest.Levels(t, game)[1:2], simapp.Options{Seed: 5, Style: style})
			if err != nil {
				t.Fatal(err)
			}
			clean := simphone.Render(app, image.Pt(480, 960), time.Second)
			on := screen.Frame{Size: clean.Rect.Size(), Rotation: -1}
			s, err := recognise.Look(t.Context(), calibrated.Eyes{}, clean, on, game, solvers.Levels{}, deadline)
			if err != nil {
				t.Fatal(err)
			}
			// The part of the board that is covered, in hundredths of it.
			for _, cover := range []struct {
				name string
				area image.Rectangle
			}{
				{"a spot in the middle", image.Rect(45, 45, 55, 55)},
				{"a panel", image.Rect(25, 25, 75, 75)},
				{"a low panel", image.Rect(20, 60, 80, 80)},
				{"a bar", image.Rect(30, 0, 35, 100)},
				{"all below", image.Rect(-100, 70, 200, 300)},
			} {
				t.Run(game.Name()+" "+style+" "+cover.name, func(t *testing.T) {
					frame := image.NewRGBA(clean.Rect)
					copy(frame.Pix, clean.Pix)
					b := s.Seen.Layout.Board
					of := func(p image.Point) image.Point {
						return b.Min.Add(image.Pt(p.X*b.Dx()/100, p.Y*b.Dy()/100))
					}
					area := image.Rectangle{of(cover.area.Min), of(cover.area.Max)}
					draw.Draw(frame, area, image.NewUniform(color.RGBA{250, 60, 200, 255}), image.Point{}, draw.Src)
					own, ownErr := recognise.Look(t.Context(), calibrated.Eyes{}, frame, on, game, solvers.Levels{}, deadline)
					sight, err := recognise.Game(t.Context(), calibrated.Eyes{}, frame, on, all.Games(), deadline)
					switch {
					case ownErr == nil:
						t.Skip("it can still be read")
					case own.Seen.Layout.Rows == 0:
						t.Skip("there is no board left to tell it by")
					}
					likeliest(t, err, game.Name())
					if sight.Game == nil || sight.Game.Name() != game.Name() {
						t.Errorf("the sight is not that of %s", game.Name())
					}
					told[game.Name()]++
				})
			}
		}
	}
	for _, game := range all.Games() {
		if told[game.Name()] == 0 && len(game.Spec().Measures) > 0 {
			t.Errorf("no picture of %s was refused", game.Name())
		}
	}
}

// TestOutOfTime expects the error for a board that was read, but not solved in
// time, to name the time.
func TestOutOfTime(t *testing.T) {
	game := all.Games()[0]
	app, err := all.Simulate(game, gametest.Levels(t, game)[:1], simapp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	frame := simphone.Render(app, image.Pt(480, 960), time.Second)
	s, err := recognise.Look(t.Context(), calibrated.Eyes{}, frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, game, solvers.Levels{}, time.Nanosecond)
	if !errors.Is(err, context.DeadlineExceeded) || err.Error() != "read, but not solved within 1ns" || s.Puzzle == nil {
		t.Errorf("%v with the board\n%v\nexpected it to be out of time", err, s.Puzzle)
	}
}

// TestNoBoard expects the error for a picture without any board to say what is
// missing, and to name no game.
func TestNoBoard(t *testing.T) {
	_, err := look(image.NewRGBA(image.Rect(0, 0, 480, 960)))
	if err == nil || !strings.HasPrefix(err.Error(), "no board on the screen: ") || strings.Contains(err.Error(), ";") {
		t.Errorf("%v, expected one line about no board", err)
	}
}
