package calibration

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// full is a profile with all its parts.
func full() *Profile {
	return &Profile{
		Game: "flow", App: "6.0", Levels: solvers.Levels{Several: true, Uncovered: true},
		Phone:   Phone{Model: "Some \"phone\": 7", Frame: image.Pt(1080, 2340), Rotation: 0},
		Board:   Board{Left: 0.0046, Top: 0.23, Right: 0.9954, Bottom: 0.69, Rows: 7, Cols: 6},
		Reading: Reading{Light: true, NoLines: true, MarkRadius: 0.3, RingInner: 0.2, RingOuter: 0.28},
		Palette: screen.Palette{
			Ground: []screen.Tone{{Colour: color.RGBA{250, 248, 241, 255}, Margin: 12}},
			Marks:  []screen.Tone{{Colour: color.RGBA{255, 0, 0, 255}, Margin: 20}, {Colour: color.RGBA{0, 0, 255, 255}, Margin: 4}},
		},
		Buttons: map[string]Point{"next": {0.5, 0.6}, "restart": {0.5, 0.86}, "close": {0.9, 0.3}},
		Safe:    Insets{Top: 0.04, Bottom: 0.02},
		Capture: "raw+gzip", Input: "corners", Settle: 120 * time.Millisecond,
		Touch: []Touch{{Rotation: 0, Offset: Point{0.01, -0.02}, Scale: Point{1.01, 0.99}, Turn: 0.5, Shear: 0.001}, {Rotation: 3, Scale: Point{1, 1}}},
	}
}

func TestYAML(t *testing.T) {
	for name, p := range map[string]*Profile{
		"full":  full(),
		"small": {Game: "algemy", Phone: Phone{Frame: image.Pt(720, 1280), Rotation: -1}},
		"signs": {Game: "flow", Phone: Phone{Frame: image.Pt(720, 1280), Rotation: -1}, Board: Board{Left: 0.1, Top: 0.2, Right: 0.9, Bottom: 0.6, Rows: 6, Cols: 6},
			Reading: Reading{Signs: true}, Alike: [][2]color.RGBA{{{230, 30, 30, 255}, {1, 2, 3, 255}}}},
	} {
		text := p.YAML()
		got, err := Parse(name, text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		const byteOrderMark = "\ufeff"
		if marked, err := Parse(name, append([]byte(byteOrderMark), text...)); err != nil || !reflect.DeepEqual(marked, p) {
			t.Errorf("%s after a byte order mark: read as %+v, %v", name, marked, err)
		}
		if !reflect.DeepEqual(got, p) {
			t.Errorf("%s: read back as\n%+v\nexpected\n%+v\n%s", name, got, p, text)
		}
		previous := ""
		for i, line := range strings.Split(string(text), "\n") {
			key := line != "" && line[0] >= 'a' && line[0] <= 'z'
			if key && line != "version: 1" && !strings.HasPrefix(previous, "#") {
				t.Errorf("%s line %d: %q has no comment before it", name, i+1, line)
			}
			previous = line
		}
	}
}

func TestParseRefuses(t *testing.T) {
	text, err := os.ReadFile("testdata/wrong.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "\n\n")[1:] {
		profile, want, found := strings.Cut(strings.TrimSpace(block), "\n-- ")
		if !found {
			t.Fatalf("no \"-- \" in\n%s", block)
		}
		var wrong *FileError
		if p, err := Parse("p.yaml", []byte(profile)); err == nil || !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nread as %+v, error\n%v\nexpected\n%s", profile, p, err, want)
		}
	}
}

// FuzzParse parses anything: a profile that is accepted comes back from its own
// YAML.
func FuzzParse(f *testing.F) {
	f.Add(string(full().YAML()))
	f.Add("version: 1\ngame: flow\nphone: {frame: 1080x2340}\n")
	f.Add("version: 1\ngame: &a flow\nphone: *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("fuzz", []byte(text))
		if err != nil {
			return
		}
		again, err := Parse("again", p.YAML())
		if err != nil {
			// Rounding may bring two radii or two sides together, nothing else.
			if strings.Contains(err.Error(), "expected the inner radius") || strings.Contains(err.Error(), "0.05 beyond") ||
				strings.Contains(err.Error(), "mark-radius") {
				return
			}
			t.Fatalf("%v\n%s", err, p.YAML())
		}
		if d := Diff(p, again); len(d) > 0 {
			t.Fatalf("differs in %v\n%s", d, p.YAML())
		}
	})
}

// TestLevels keeps the known facts about an app's levels when more is measured.
func TestLevels(t *testing.T) {
	const head = "version: 1\ngame: flow\nphone: {frame: 1080x2340}\n"
	usual, err := Parse("usual", []byte(head+"unique: true\ncover: true\n"))
	if err != nil || usual.Levels != (solvers.Levels{}) || strings.Contains(string(usual.YAML()), "unique:") {
		t.Errorf("%+v, error %v, expected levels that are as the game's:\n%s", usual, err, usual.YAML())
	}
	loose, err := Parse("loose", []byte(head+"unique: false\ncover: false\n"))
	if err != nil || loose.Levels != (solvers.Levels{Several: true, Uncovered: true}) {
		t.Fatalf("%+v, error %v, expected levels that are neither unique nor covered", loose, err)
	}
	for _, pair := range [][2]*Profile{{loose, usual}, {usual, loose}} {
		if p, err := Refine(pair[0], pair[1]); err != nil || p.Levels != loose.Levels {
			t.Errorf("refined to %+v, error %v, expected %+v", p, err, loose.Levels)
		}
	}
}

func TestDiffAndRefine(t *testing.T) {
	before := full()
	if d := Diff(before, before); len(d) > 0 {
		t.Errorf("the same profile differs in %v", d)
	}
	more := &Profile{Game: "flow", Phone: Phone{Frame: image.Pt(1440, 3120), Rotation: -1}, Settle: 90 * time.Millisecond}
	more.Palette.Marks = []screen.Tone{{Colour: color.RGBA{0, 200, 0, 255}, Margin: 9}, {Colour: color.RGBA{254, 1, 0, 255}, Margin: 9}}
	more.SetTouch(Touch{Rotation: 0, Scale: Point{1, 1}})
	after, err := Refine(before, more)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"phone.frame: 1080x2340 → 1440x3120",
		"palette.marks[#00c800]: margin 9 (new)",
		"settle: 120ms → 90ms",
		"touch[0]: offset [0.01, -0.02], scale [1.01, 0.99], turn 0.5, shear 0.001 → offset [0, 0], scale [1, 1], turn 0, shear 0",
	}
	if got := Diff(before, after); !reflect.DeepEqual(got, want) {
		t.Errorf("differs in\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, other := range map[string]*Profile{
		"one of algemy": {Game: "algemy", Phone: Phone{Frame: image.Pt(1080, 2340)}},
		"of the shape":  {Game: "flow", Phone: Phone{Frame: image.Pt(2340, 1080)}},
		"another theme": {Game: "flow", Phone: Phone{Frame: image.Pt(1080, 2340)}, Board: Board{0, 0, 1, 1, 0, 0}},
	} {
		if p, err := Refine(before, other); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("refined to %+v, error %v, expected one with %q", p, err, name)
		}
	}
}

func TestChoose(t *testing.T) {
	make := func(name, file, model, app string, frame image.Point) Named {
		return Named{Name: name, File: file, Profile: &Profile{Game: "flow", App: app, Phone: Phone{Model: model, Frame: frame}}}
	}
	all := []Named{
		make("shipped", "", "", "", image.Pt(1080, 2340)),
		make("own", "own.yaml", "", "", image.Pt(1080, 2340)),
		make("large", "large.yaml", "", "", image.Pt(1440, 3120)),
		make("model", "model.yaml", "Seven", "", image.Pt(1440, 3120)),
		make("model and app", "app.yaml", "Seven", "2.0", image.Pt(1440, 3120)),
		make("lying", "lying.yaml", "", "", image.Pt(2340, 1080)),
	}
	for _, test := range []struct {
		situation Situation
		want      string
	}{
		{Situation{"flow", "Eight", image.Pt(1080, 2340), ""}, "own"},
		{Situation{"flow", "Eight", image.Pt(1440, 3120), ""}, "large"},
		{Situation{"flow", "Seven", image.Pt(1080, 2340), ""}, "model"},
		{Situation{"flow", "Seven", image.Pt(1080, 2340), "2.0"}, "model and app"},
		{Situation{"flow", "Seven", image.Pt(1080, 2340), "3.0"}, "model"},
		{Situation{"flow", "", image.Pt(2400, 1108), ""}, "lying"},
		{Situation{"flow", "", image.Pt(1440, 3120), ""}, "large"},
		{Situation{"flow", "", image.Pt(720, 1560), ""}, "own"},
		{Situation{"flow", "", image.Pt(1080, 1920), ""}, ""},
		{Situation{"algemy", "", image.Pt(1080, 2340), ""}, ""},
	} {
		if got, _ := Choose(all, test.situation); got.Name != test.want {
			t.Errorf("%+v: %q chosen, expected %q", test.situation, got.Name, test.want)
		}
	}
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "new", "p.yaml")
	for _, text := range []string{"one", "two, longer"} {
		if err := Write(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q, %v, expected %q", got, err, text)
		}
	}
	// A file that cannot be replaced stays, and nothing is left behind.
	taken := filepath.Join(folder, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(taken, []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("%d entries left, %v, expected new and taken", len(entries), err)
	}
	if err := os.WriteFile(filepath.Join(folder, "broken.yaml"), []byte("game: 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(folder, "good.yaml"), full().YAML()); err != nil {
		t.Fatal(err)
	}
	found, err := Load(folder)
	if len(found) != 1 || found[0].Name != "good" || err == nil || !strings.Contains(err.Error(), "broken.yaml:1: ") {
		t.Errorf("found %v, error %v, expected good and a complaint about broken.yaml", found, err)
	}
	if found, err := Load(filepath.Join(folder, "nowhere")); len(found) != 0 || err != nil {
		t.Errorf("found %v, %v in a folder that is not there", found, err)
	}
}

// TestWritten writes no profile that would not be read, and Room makes none of boards at the
// rims of frames.
func TestWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	beyond := full()
	beyond.Board.Left = -0.00336
	if err := beyond.WriteTo(file); err == nil || !strings.Contains(err.Error(), "board.left") {
		t.Errorf("%v, expected a complaint about board.left", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was written all the same")
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		size := image.Pt(16+random.IntN(3000), 16+random.IntN(3000))
		side := func(most int) (from, to int) { // of a board that may reach over the rims
			slack := 1 + most/50
			from = random.IntN(most/2) - slack*random.IntN(2)
			return from, from + most/10 + 1 + random.IntN(most-max(from, 0)-most/10+slack)
		}
		var l screen.Layout
		l.On.Size = size
		l.Board.Min.X, l.Board.Max.X = side(size.X)
		l.Board.Min.Y, l.Board.Max.Y = side(size.Y)
		p := full()
		p.Phone.Frame = size
		p.Board = Room([]Sample{{Layout: l}})
		p.Buttons = map[string]Point{"next": PointAt(l.Board.Min, size), "close": PointAt(l.Board.Max, size)}
		if _, err := Parse(file, p.YAML()); err != nil {
			t.Fatalf("a board at %v on a frame of %v: %v", l.Board, size, err)
		}
	}
}

func TestFitTouch(t *testing.T) {
	size := image.Pt(1080, 2340)
	truth := Touch{Rotation: 1, Offset: Point{0.02, -0.01}, Scale: Point{1.03, 0.98}, Turn: 1.5, Shear: 0.01}
	var landings []Landing
	for _, at := range [][2]float64{{100, 700}, {900, 650}, {150, 1500}, {930, 1540}, {540, 1100}} {
		x, y := truth.lands(size, at[0], at[1])
		landings = append(landings, Landing{at[0], at[1], x, y})
	}
	got, _, err := FitTouch(size, 1, landings, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []image.Point{{0, 0}, {1079, 0}, {1079, 2339}, {300, 2000}} {
		aim := got.Aim(size, at)
		x, y := truth.lands(size, float64(aim.X), float64(aim.Y))
		if off := math.Hypot(x-float64(at.X), y-float64(at.Y)); off > 1 {
			t.Errorf("a touch for %v lands %.2f pixels off (%+v)", at, off, got)
		}
	}
	for name, bad := range map[string][]Landing{
		"at least 3":        landings[:2],
		"lie on a line":     {{100, 100, 100, 100}, {200, 200, 200, 200}, {300, 300, 300, 300}},
		"in no regular way": append(landings[:4:4], Landing{540, 1100, 700, 1100}),
		"scale x is":        {{100, 100, 320, 100}, {900, 100, 720, 100}, {100, 900, 320, 900}},
	} {
		if got, _, err := FitTouch(size, 0, bad, 3); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("fitted %+v, error %v, expected one with %q", got, err, name)
		}
	}
}

// TestTranslateKeepsShown expects the screen's own colours to be kept, for
// pictures, beside those that a game reads.
func TestTranslateKeepsShown(t *testing.T) {
	p := &Profile{}
	p.Reading.Light = true
	red := color.RGBA{179, 32, 42, 255}
	seen := &screen.Observation{Readings: [][]screen.Reading{{{Colour: red}, {Colour: color.RGBA{250, 250, 250, 255}}}}}
	p.Translate(seen, screen.Spec{})
	got := seen.Readings[0][0]
	if got.Colour == red {
		t.Errorf("%v was not translated", got)
	}
	if got.OnScreen() != red {
		t.Errorf("%v on the screen, expected %v", got.OnScreen(), red)
	}
	if untouched := (screen.Reading{Colour: red}); untouched.OnScreen() != red {
		t.Errorf("%v on the screen, expected %v", untouched.OnScreen(), red)
	}
}
