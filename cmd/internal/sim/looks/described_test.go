package looks

import (
	"flag"
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/described"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

var describedBoards = flag.Int("described", 0, "how many boards TestDescribed generates and reads of each described game, beside its levels")

// TestDescribed reads boards of all described games that come along from their own app, on screens
// of several sizes, light and dark. Each is read as it is.
func TestDescribed(t *testing.T) {
	gametest.Long(t)
	for _, name := range described.Shipped() {
		game, err := described.OpenShipped(name)
		if err != nil {
			t.Fatal(err)
		}
		if all.App(game) == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var boards []solvers.Puzzle
			if game.About().Pack != "" {
				boards = gametest.Levels(t, game)
			}
			for i := range *describedBoards {
				bounded, release := csp.WithBudget(t.Context(), 20_000) // conflicts
				p, err := game.Generate(bounded, solvers.GenerateOptions{Unique: true}, rand.New(rand.NewPCG(7, uint64(i))))
				if release(); err == nil {
					boards = append(boards, p)
				}
			}
			if boards == nil {
				t.Fatal("it has no levels, expected some that its app shows")
			}
			for _, style := range []string{"", "dark"} {
				for _, size := range []image.Point{{540, 1170}, {720, 1480}, {720, 1280}, {1080, 1920}, {1080, 2400}, {1440, 3040}} {
					var n tally
					for _, board := range boards {
						app := itsApp(t, game, board, style)
						read, err := shownBy(app, size, game)
						switch {
						case err != nil:
							if n.refused++; n.refused == 1 {
								t.Errorf("%s %v: %v\n%s", style, size, err, board)
							}
						case read.String() == board.String() && size.X >= 720:
							n.right++
							played(t, game, read, app, size)
						case read.String() != board.String():
							n.wrong++
							t.Errorf("%s %v: read\n%s\nexpected\n%s", style, size, read, board)
						default:
							n.right++
						}
					}
					t.Logf("%s %v: %s", style, size, n)
				}
			}
		})
	}
}

// itsApp is a game's own app with a board.
func itsApp(t *testing.T, game solvers.Game, board solvers.Puzzle, style string) *simapp.Grid {
	t.Helper()
	app, err := all.Simulate(game, []solvers.Puzzle{board}, simapp.Options{Seed: 5, Style: style})
	if err != nil {
		t.Fatal(err)
	}
	return app.(*simapp.Grid)
}

// seenBy is what an app shows.
func seenBy(app screen.App, size image.Point, game solvers.Game) (*screen.Observation, error) {
	s, err := recognise.See(calibrated.Eyes{}, simphone.Render(app, size, time.Second), screen.Frame{Size: size, Rotation: -1}, game)
	return s.Seen, err
}

// shownBy reads the board that an app shows.
func shownBy(app screen.App, size image.Point, game solvers.Game) (solvers.Puzzle, error) {
	seen, err := seenBy(app, size, game)
	if err != nil {
		return nil, err
	}
	return game.Read(seen)
}

// played plays half of a level by the plan of its solution, and the rest by what the app shows then.
func played(t *testing.T, game solvers.Game, p solvers.Puzzle, app *simapp.Grid, size image.Point) {
	t.Helper()
	s, err := p.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen, err := seenBy(app, size, game)
	if err != nil {
		t.Fatal(err)
	}
	plan := s.Plan(seen.Layout)
	half := len(plan) / 2
	for half > 0 && plan[half].Note == plan[half-1].Note { // a cell takes several taps
		half--
	}
	gametest.Play(app, time.Second, dense(plan[:half])...)
	if seen, err = seenBy(app, size, game); err != nil {
		t.Errorf("%v, half played: %v\n%s", size, err, p)
		return
	}
	// What was put counts as given where it looks so; the solution is the same.
	again, err := game.Read(seen)
	if err == nil {
		var other solvers.Solution
		if other, err = again.Solve(t.Context()); err == nil && other.String() != s.String() {
			t.Errorf("%v, half played: read\n%s\nexpected\n%s", size, again, p)
		}
	}
	if err != nil {
		t.Errorf("%v, half played: %v: read\n%v\nexpected\n%s", size, err, again, p)
		return
	}
	rest, err := s.Remaining(seen)
	if err != nil {
		t.Errorf("%v, half played: %v\n%s", size, err, p)
		return
	}
	gametest.Play(app, time.Second, dense(rest)...)
	simphone.Render(app, size, time.Minute) // which shows the panel
	if app.Screen() != "complete" {
		t.Errorf("%v: after %d gestures of %d and %d more the app shows %q, not that it is won\n%s", size, half, len(plan), len(rest), app.Screen(), p)
	}
}

// dense are gestures as a finger makes them, with many places on the way.
func dense(plan []screen.Gesture) []screen.Gesture {
	const steps = 16
	for i, g := range plan {
		var points []image.Point
		for k, p := range g.Points[:len(g.Points)-1] {
			for j := range steps {
				points = append(points, p.Add(g.Points[k+1].Sub(p).Mul(j).Div(steps)))
			}
		}
		plan[i].Points = append(points, g.Points[len(g.Points)-1])
	}
	return plan
}
