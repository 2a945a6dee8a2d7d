package gametest

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/screen"
)

// styleKinds are the kinds of cases that are for the simulated app.
var styleKinds = []string{"style", "nostyle"}

// RunApp runs the suite on a game's simulated app. The levels are the solved
// cases in files, and the styles those of the style and nostyle cases.
func RunApp(t *testing.T, game solvers.Game, app simapp.Maker, pattern string) {
	t.Helper()
	var levels []solvers.Puzzle
	for _, c := range Cases(t, pattern, "solved") {
		levels = append(levels, parse(t, game, c.Parts[0]))
	}
	for _, c := range Cases(t, pattern) {
		if slices.Contains(styleKinds, c.Kind) {
			t.Run(c.Kind+" "+c.Where, func(t *testing.T) { styles(t, app, levels[0], c) })
		}
	}
	t.Run("about styles", func(t *testing.T) { aboutStyles(t, game, app) })
	t.Run("simulate", func(t *testing.T) { simulate(t, app, levels) })
}

// simulate draws the app on screens of many shapes and touches it everywhere.
func simulate(t *testing.T, maker simapp.Maker, levels []solvers.Puzzle) {
	for _, size := range append(turned(image.Pt(1080, 2340), image.Pt(480, 800), image.Pt(2560, 1600), image.Pt(320, 320)), oddSizes()...) {
		app, err := maker(levels, simapp.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if app.Package() == "" {
			t.Error("the app has no package name")
		}
		touchEverywhere(t, app, size)
	}
	if app, err := maker(append(slices.Clone(levels), nil), simapp.Options{}); err == nil {
		t.Errorf("simulated a level that is no puzzle: %v", app)
	}
	noLevels(t, maker)
}

// touchEverywhere touches an app at random and beyond its screen, and draws it
// after each touch.
func touchEverywhere(t *testing.T, app screen.App, size image.Point) {
	random := rand.New(rand.NewPCG(1, 2))
	drawn := 0
	draw := func(now time.Duration, what string) {
		drawn += len(Draw(t, app, size, now, what).Shapes)
	}
	now := time.Duration(0)
	for range 60 {
		draw(now, "before a touch")
		x, y := random.Float64()*float64(size.X), random.Float64()*float64(size.Y)
		app.Touch(screen.TouchDown, x, y, now)
		for range 5 {
			now += 10 * time.Millisecond
			x, y = random.Float64()*float64(size.X), random.Float64()*float64(size.Y)
			app.Touch(screen.TouchMove, x, y, now)
		}
		app.Touch(screen.TouchMove, math.NaN(), y, now)
		draw(now, "while touched")
		app.Touch(screen.TouchUp, x, y, now)
		now += 400 * time.Millisecond
	}
	touchWildly(app)
	draw(now, "after wild touches")
	app.Back(now)
	draw(now, "after BACK")
	if drawn == 0 && size.X > 0 && size.Y > 0 {
		t.Errorf("%v: nothing was drawn", size)
	}
}

// noLevels wants an app without levels to be refused or to show nothing.
func noLevels(t *testing.T, maker simapp.Maker) {
	app, err := maker(nil, simapp.Options{})
	if err != nil {
		return
	}
	size := image.Pt(480, 800)
	for y := range size.Y / 20 {
		Draw(t, app, size, 0, "no levels")
		Touch(app, 0, [2]float64{240, float64(20 * y)})
	}
	app.Back(0)
	if a, ok := app.(App); !ok || a.Board() != "" || a.Won() || a.Moves() != 0 || a.Level() != 0 {
		t.Errorf("an app without levels says %+v", app)
	}
}

// styles wants styles to be known, or to be refused with a message.
func styles(t *testing.T, maker simapp.Maker, level solvers.Puzzle, c Case) {
	for _, style := range c.Parts {
		got := ""
		if _, err := maker([]solvers.Puzzle{level}, simapp.Options{Style: style}); err != nil {
			got = err.Error()
		}
		if got != c.Want {
			t.Errorf("style %q: %q, expected %q", style, got, c.Want)
		}
	}
}
