package fit

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

var themeSize = image.Pt(720, 1560)

func readTheme(t *testing.T, name string) *simapp.Theme {
	t.Helper()
	text, err := configs.Theme(name)
	if err != nil {
		t.Fatal(err)
	}
	theme, err := simulation.ReadTheme(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

// themed renders a level on a phone's screen with a theme.
func themed(t *testing.T, name string, puzzle solvers.Puzzle, size image.Point, seed uint64) *image.RGBA {
	t.Helper()
	theme := readTheme(t, name)
	app, err := flowapp.New([]solvers.Puzzle{puzzle}, simapp.Options{Theme: theme, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return simphone.Render(app, size, 0)
}

// levels makes levels of many shapes, each with one solution.
func levels(t *testing.T, n int, seed uint64) []solvers.Puzzle {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	shapes := [][2]int{{5, 5}, {6, 6}, {7, 7}, {8, 8}, {9, 9}, {8, 6}, {9, 7}, {6, 7}}
	var made []solvers.Puzzle
	for i := range n {
		shape := shapes[i%len(shapes)]
		p, err := flow.Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: shape[0], Cols: shape[1], Unique: true}, random)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, p)
	}
	return made
}

// TestThemes calibrates each theme on two screenshots and then reads 50 other
// levels, 5 with -short, all of which automatic reading refuses.
func TestThemes(t *testing.T) {
	game := flow.Game{}
	all := levels(t, 52, 7)
	for _, name := range configs.Themes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			var pictures []Picture
			for i, p := range all[3:5] {
				pictures = append(pictures, Picture{Name: fmt.Sprint("level ", i), Frame: themed(t, name, p, themeSize, 1), Rotation: -1})
			}
			profile, fitted, err := Profile(ctx, game, pictures)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", *profile)
			for _, f := range fitted {
				if f.Automatic {
					t.Errorf("%s is read without a profile: the theme shows nothing", f.Name)
				}
			}
			right := 0
			rest := append(all[:3:3], all[5:]...)
			if testing.Short() {
				rest = rest[:5]
			}
			for i, p := range rest {
				frame := themed(t, name, p, themeSize, uint64(i))
				on := screen.Frame{Size: themeSize, Rotation: -1}
				if seen, err := (calibrated.Eyes{}).Observe(frame, on, game.Spec()); err != nil {
					t.Fatal(err)
				} else if _, err := game.Read(seen); err == nil {
					t.Errorf("level %d is read without a profile: the theme shows nothing", i)
				}
				seen, err := calibrated.By(profile).Observe(frame, on, game.Spec())
				if err != nil {
					t.Fatal(err)
				}
				read, err := game.Read(seen)
				if err != nil {
					t.Errorf("level %d: %v; layout %dx%d, expected\n%s", i, err, seen.Layout.Cols, seen.Layout.Rows, p)
					continue
				}
				if gametest.Relettered(read.String()) != gametest.Relettered(p.String()) {
					t.Errorf("level %d: read as\n%s\nexpected\n%s", i, read, p)
					continue
				}
				right++
			}
			t.Logf("%d of %d levels read right", right, len(rest))
		})
	}
}

// TestThemesTurned calibrates each theme on a phone on its side, and on other
// resolutions of the same shape.
func TestThemesTurned(t *testing.T) {
	gametest.Long(t)
	game := flow.Game{}
	all := levels(t, 8, 21)
	lying := image.Pt(1560, 720)
	for _, name := range configs.Themes() {
		for _, size := range []image.Point{lying, themeSize} {
			var pictures []Picture
			for _, p := range all[1:3] {
				pictures = append(pictures, Picture{Name: "level", Frame: themed(t, name, p, size, 1), Rotation: -1})
			}
			profile, _, err := Profile(context.Background(), game, pictures)
			if err != nil {
				t.Errorf("%s on %v: %v", name, size, err)
				continue
			}
			for _, other := range []image.Point{size, size.Mul(2).Div(3)} {
				for i, p := range all[3:] {
					seen, err := calibrated.By(profile).Observe(themed(t, name, p, other, 2), screen.Frame{Size: other, Rotation: -1}, game.Spec())
					if err != nil {
						t.Fatal(err)
					}
					if read, err := game.Read(seen); err != nil || gametest.Relettered(read.String()) != gametest.Relettered(p.String()) {
						t.Errorf("%s on %v, level %d: read as\n%v\nerror %v, expected\n%v", name, other, i, read, err, p)
					}
				}
			}
		}
	}
}

// TestThemesDrawn expects the missing strokes of a half-played level to be found,
// with themes whose finished pipes dye their cells as they do in the game.
func TestThemesDrawn(t *testing.T) {
	game := flow.Game{}
	for _, name := range []string{"paper", "bare"} {
		theme := readTheme(t, name)
		puzzle, err := flow.Parse(touchLevel)
		if err != nil {
			t.Fatal(err)
		}
		app, err := all.Simulate(game, []solvers.Puzzle{puzzle}, simapp.Options{Theme: theme})
		if err != nil {
			t.Fatal(err)
		}
		picture := Picture{Name: name, Frame: simphone.Render(app, themeSize, 0)}
		profile, fitted, err := Profile(context.Background(), game, []Picture{picture})
		if err != nil {
			t.Fatal(err)
		}
		plan := fitted[0].Solution.Plan(fitted[0].Seen.Layout)
		g := &slowGlass{app: app}
		for n := range 3 {
			if err := g.Play(context.Background(), plan[n:n+1]); err != nil {
				t.Fatal(err)
			}
			seen, err := calibrated.By(profile).Observe(simphone.Render(app, themeSize, g.now), screen.Frame{Size: themeSize}, game.Spec())
			if err != nil {
				t.Fatal(err)
			}
			rest, err := fitted[0].Solution.Remaining(seen)
			if err != nil || len(rest) != len(plan)-n-1 {
				t.Errorf("%s, %d of %d strokes drawn: %d missing, %v", name, n+1, len(plan), len(rest), err)
			}
		}
	}
}

// FuzzReadTheme reads anything: a theme that is accepted can be drawn.
func FuzzReadTheme(f *testing.F) {
	for _, name := range configs.Themes() {
		text, err := configs.Theme(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
		f.Add(strings.Replace(string(text), "mark-radius:", "mark-radius: .nan #", 1))
	}
	f.Add("background: &a \"#000000\"\nground: *a\n")
	level, err := flow.Parse("AB\n..\nAB")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		theme, err := simulation.ReadTheme("fuzz.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.yaml:") || strings.Contains(err.Error(), "struct") {
				t.Errorf("%v, expected it to name the file, and no type of the program's", err)
			}
			return
		}
		for _, v := range []float64{theme.LineWidth, theme.MarkRadius, theme.MarkInside, theme.PipeWidth} {
			if !(v >= 0 && v <= 10) {
				t.Fatalf("accepted %+v", theme)
			}
		}
		app, err := flowapp.New([]solvers.Puzzle{level}, simapp.Options{Theme: theme})
		if err != nil {
			t.Fatalf("accepted, and then: %v", err)
		}
		simphone.Render(app, image.Pt(120, 240), 0)
	})
}
