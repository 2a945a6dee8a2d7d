package fit

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"path"
	"strings"
	"testing"

	"tapwise/adb/simphone"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
)

// own is a level in the game's own look.
func own(t *testing.T, puzzle solvers.Puzzle) *image.RGBA {
	t.Helper()
	app, err := flowapp.New([]solvers.Puzzle{puzzle}, simapp.Options{Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	return simphone.Render(app, themeSize, 0)
}

// shifted moves a picture; the area uncovered is black.
func shifted(from *image.RGBA, by image.Point) *image.RGBA {
	to := image.NewRGBA(from.Bounds())
	draw.Draw(to, to.Bounds(), image.Black, image.Point{}, draw.Src)
	draw.Draw(to, from.Bounds().Add(by), from, image.Point{}, draw.Over)
	return to
}

// twice puts a picture's upper half into it twice, at half the size.
func twice(from *image.RGBA) *image.RGBA {
	b := from.Bounds()
	to := image.NewRGBA(b)
	draw.Draw(to, b, image.NewUniform(from.At(b.Dx()/2, b.Dy()*3/10)), image.Point{}, draw.Src)
	for y := range b.Dy() / 2 {
		for x := range b.Dx() / 2 {
			c := from.RGBAAt(2*x, 2*y)
			to.SetRGBA(x, b.Dy()/4+y, c)
			to.SetRGBA(b.Dx()/2+x, b.Dy()/4+y, c)
		}
	}
	return to
}

// TestFitRefuses expects a clear refusal of pictures from which no profile can be
// made, in the game's own look and in every theme.
func TestFitRefuses(t *testing.T) {
	gametest.Long(t)
	ctx := context.Background()
	puzzles := levels(t, 4, 11)
	frames := map[string]*image.RGBA{"own": own(t, puzzles[2])}
	for _, name := range configs.Themes() {
		frames[name] = themed(t, name, puzzles[2], themeSize, 1)
	}
	blank := image.NewRGBA(image.Rectangle{Max: themeSize})
	for i := range blank.Pix {
		blank.Pix[i] = byte(i*i/7) | 128
	}
	flat := image.NewRGBA(image.Rectangle{Max: themeSize})
	draw.Draw(flat, flat.Bounds(), image.White, image.Point{}, draw.Src)
	list, err := flowapp.New(nil, simapp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]*image.RGBA{
		"noise": blank, "a white screen": flat, "a list of levels": simphone.Render(list, themeSize, 0),
	}
	for name, frame := range frames {
		bad[name+" cut off at the left"] = shifted(frame, image.Pt(-200, 0))
		bad[name+" cut off below"] = shifted(frame, image.Pt(0, 867))
		bad[name+" two boards"] = twice(frame)
	}
	for name, frame := range bad {
		p, _, err := Profile(ctx, flow.Game{}, []Picture{{Name: name, Frame: frame, Rotation: -1}})
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Errorf("%s: profile %+v, error %v, expected a refusal", name, p, err)
			continue
		}
		if strings.HasSuffix(name, "two boards") && name != "own two boards" && !strings.Contains(err.Error(), "more than one board") {
			t.Errorf("%v: expected it to say that there is more than one board", err)
		}
		t.Logf("%v", err)
	}
	// Two themes, two sizes, a board other than the one described.
	a, b := Picture{Name: "a", Frame: frames["paper"], Rotation: -1}, Picture{Name: "b", Frame: frames["bare"], Rotation: -1}
	small := Picture{Name: "small", Frame: themed(t, "paper", puzzles[1], image.Pt(540, 1170), 1), Rotation: -1}
	told := a
	told.Rows, told.Cols = 9, 9
	for want, pictures := range map[string][]Picture{
		"another theme":               {a, b},
		"expected 720x1560":           {a, small},
		"expected 9 and 9":            {told},
		"expected at least one level": nil,
	} {
		p, _, err := Profile(ctx, flow.Game{}, pictures)
		if err == nil || len(pictures) > 0 && !strings.Contains(err.Error(), want) {
			t.Errorf("profile %+v, error %v, expected one with %q", p, err, want)
		}
	}
	if p, _, err := Profile(ctx, all.Games()[1], []Picture{a}); err == nil {
		t.Errorf("a profile of another game was made: %+v", p)
	}
}

// TestOthersRefused expects every real picture of something else to be refused.
func TestOthersRefused(t *testing.T) {
	gametest.Long(t)
	_, others := realScreens(t)
	for _, file := range others {
		frame, err := decodeFile(t, file)
		if err != nil {
			t.Fatal(err)
		}
		if p, fitted, err := Profile(context.Background(), flow.Game{}, []Picture{{Name: path.Base(file), Frame: frame, Rotation: -1}}); err == nil {
			t.Errorf("%s: a profile of something else: %+v, read as\n%v", path.Base(file), p, fitted[0].Puzzle)
		} else {
			t.Logf("%v", err)
		}
	}
}
