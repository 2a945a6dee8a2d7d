package app

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/algemy"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// cells is the number of cells of a board.
func cells(shape algemy.Shape, side int) int {
	if shape == algemy.Hexagon {
		return 3*side*(side-1) + 1
	}
	return side * side
}

// empty is a board without crystals.
func empty(t testing.TB, shape algemy.Shape, side int) *algemy.Puzzle {
	t.Helper()
	p, err := algemy.New(algemy.Board{Shape: shape, Side: side, Hard: true, Crystals: []algemy.Crystal(strings.Repeat("-", cells(shape, side)))})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGeometry lays out every board on every size of screen: everything is
// on the screen, nothing in another's way, and every colour of every wheel can
// be reached.
func TestGeometry(t *testing.T) {
	for _, size := range gametest.Sizes() {
		for _, shape := range []algemy.Shape{algemy.Square, algemy.Hexagon} {
			for side := algemy.MinSide; side <= algemy.MaxSide; side++ {
				t.Run(fmt.Sprintf("%v %v %d", size, shape, side), func(t *testing.T) {
					checkGeometry(t, suite.New(t, size, simapp.Options{}, empty(t, shape, side)))
				})
			}
		}
	}
}

func checkGeometry(t *testing.T, a *app) {
	l := a.lay()
	w, h := float64(l.Size.X), float64(l.Size.Y)
	gametest.Apart(t, "screen", simapp.NewBox(0, 0, w, h), l.board, l.banner, l.Buttons[homeButton], l.Buttons[simapp.PreviousButton],
		l.Buttons[simapp.NextButton], l.Buttons[toggleButton], l.Buttons[simapp.BackKey])
	p := a.board.puzzle
	for c := range board.Cell(p.Cells()) {
		at := l.centres[c]
		if got := l.cellAt(at[0], at[1]); got != c {
			t.Errorf("%s: the cell under its centre is %d, expected %d", p.Name(c), got, c)
		}
		for colour := algemy.Red; colour <= algemy.Violet; colour++ {
			s := algemy.NewSolution(p, map[board.Cell]algemy.Colour{c: colour})
			tap := s.Plan(l.screen())[1].Points[0]
			if x, y := float64(tap.X), float64(tap.Y); x < 1 || x > w-1 || y < 1 || y > h-1 || l.colourAt(c, x, y) != colour || !l.onWheel(c, x, y) {
				t.Errorf("%s: %v at %v is %v", p.Name(c), colour, tap, l.colourAt(c, x, y))
			}
		}
	}
}

// TestMeasured compares with what was measured on a screen of 1080×1920.
func TestMeasured(t *testing.T) {
	for side, want := range map[int]simapp.Box{
		4: simapp.NewBox(139, 605, 951, 1417), 5: simapp.NewBox(112, 580, 960, 1428),
		6: simapp.NewBox(102, 570, 980, 1448), 7: simapp.NewBox(92, 560, 987, 1455),
	} {
		a := suite.New(t, image.Pt(1080, 1920), simapp.Options{}, empty(t, algemy.Square, side))
		got := a.lay().board
		for i, d := range []float64{got.X0 - want.X0, got.Y0 - want.Y0, got.X1 - want.X1, got.Y1 - want.Y1} {
			if math.Abs(d) > 1e-6 {
				t.Errorf("side %d: the board is at %v, expected %v (number %d)", side, got, want, i)
			}
		}
		if x, y := a.lay().Buttons[simapp.NextButton].Centre(); math.Abs(x-475) > 1e-6 || math.Abs(y-380) > 1e-6 {
			t.Errorf("next is at %g,%g, expected 475,380", x, y)
		}
	}
}

// TestWholeLevels plays generated levels of every kind by the planned taps,
// from the first to the message after the last.
func TestWholeLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	var levels []solvers.Puzzle
	for _, variant := range []string{"square-thin", "square-bold", "hexagon-thin", "hexagon-bold"} { // medium looks like thin
		for side := algemy.MinSide; side <= algemy.MaxSide; side++ {
			for range 3 {
				p, err := algemy.Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: side, Variant: variant, Unique: side < 6}, random)
				if err != nil {
					t.Fatal(err)
				}
				levels = append(levels, p)
			}
		}
	}
	sizes := gametest.Sizes()
	a := suite.New(t, sizes[0], simapp.Options{}, levels...)
	now := time.Duration(0)
	for i, p := range levels {
		size := sizes[i%len(sizes)]
		gametest.Draw(t, a, size, now, "level")
		s, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		plan := s.Plan(a.lay().screen())
		for k, g := range plan {
			if a.Won() {
				t.Fatalf("level %d is won after %d of %d taps", i+1, k, len(plan))
			}
			now += 50 * time.Millisecond
			gametest.Play(a, now, g)
			gametest.Draw(t, a, size, now, "after a tap")
		}
		if !a.Won() || a.Board() != s.String() || a.Level() != i+1 || a.Moves() != len(plan)/2 {
			t.Fatalf("level %d: %d, won %v in %d moves; the board is\n%s\nexpected\n%s", i+1, a.Level(), a.Won(), a.Moves(), a.Board(), s)
		}
		now += time.Second
		want := fmt.Sprintf("%d/%d|solved", i+1, len(levels))
		if texts := strings.Join(gametest.Draw(t, a, size, now, "solved").Texts, "|"); texts != want {
			t.Errorf("level %d: the screen says %q, expected %q", i+1, texts, want)
		}
		x, y := a.lay().Buttons[simapp.NextButton].Centre()
		gametest.Touch(a, now, [2]float64{x, y})
	}
	if a.Screen() != "pack complete" {
		t.Errorf("after the last level the screen is %s, expected pack complete", a.Screen())
	}
}

// TestScreens draws every screen once in every style and size, however odd.
func TestScreens(t *testing.T) {
	p, err := algemy.Parse("hard\nR O Y G\nB V W X\n- - - -\n- - - -")
	if err != nil {
		t.Fatal(err)
	}
	for _, style := range []string{"day", "night"} {
		suite.Screens(t, simapp.Options{Style: style, Pack: "Sample"}, []solvers.Puzzle{p},
			gametest.Show[*app]{Name: "wheel", Set: func(a *app) {
				a.board.put(8, algemy.Red)
				a.board.put(9, algemy.Green) // which sees it
				a.wheel = 15
			}},
			gametest.Show[*app]{Name: "solved", Says: "solved", Set: func(a *app) { a.wheel, a.solved = board.None, true }},
			gametest.Show[*app]{Name: "end", Says: "ok", Set: func(a *app) { a.Panel = a.Stage.Ended() }},
			gametest.Show[*app]{Name: "home", Says: "ALGEMY|Sample", Set: func(a *app) { a.GoHome() }})
	}
}

// TestCrystals looks at the colours of cubes: which faces carry them, and
// that a crystal that is right is full.
func TestCrystals(t *testing.T) {
	p, err := algemy.Parse("R O Y G\nB V W X\n- - - -\n- - - -")
	if err != nil {
		t.Fatal(err)
	}
	a := suite.New(t, image.Pt(1080, 1920), simapp.Options{Style: "day"}, p)
	faces := map[algemy.Crystal]string{'R': "top", 'O': "top right", 'Y': "right", 'G': "right left", 'B': "left", 'V': "top left", 'W': "", 'X': "top right left"}
	r := gametest.Draw(t, a, a.Size, 0, "level")
	l := a.lay()
	for c, at := range l.centres {
		k := p.Crystal(board.Cell(c))
		if k == algemy.Empty {
			continue
		}
		inner := 0.1 * l.Pitch // a place inside a face of the small cube
		var got []string
		for _, face := range []struct {
			name string
			x, y float64
		}{{"top", 0, -inner}, {"right", inner, 0.6 * inner}, {"left", -inner, 0.6 * inner}} {
			if s, _ := r.Top("polygon", at[0]+face.x, at[1]+face.y); s.Colour != dayLook.ground {
				got = append(got, face.name)
				if s.Colour != dayLook.Crystal(k) {
					t.Errorf("%c: the face %s is %v, expected %v", k, face.name, s.Colour, dayLook.Crystal(k))
				}
			}
		}
		if strings.Join(got, " ") != faces[k] {
			t.Errorf("%c: coloured are %q, expected %q", k, got, faces[k])
		}
	}
	// A blue source below the blue crystal fills it, outside its small cube too.
	a.board.put(8, algemy.Blue)
	at := l.centres[4]
	r = gametest.Draw(t, a, a.Size, 0, "source")
	if got, _ := r.Top("polygon", at[0], at[1]-0.35*l.Pitch); got.Colour != dayLook.Crystal('B') {
		t.Errorf("the blue crystal that is right is %v, expected %v", got.Colour, dayLook.Crystal('B'))
	}
}

// TestSources: a source is a disc of its colour, and the two looks differ.
func TestSources(t *testing.T) {
	p := empty(t, algemy.Square, 5)
	discs := map[color.NRGBA]bool{}
	for _, style := range []string{"day", "night"} {
		a := suite.New(t, image.Pt(1080, 1920), simapp.Options{Style: style}, p)
		for colour := algemy.Red; colour <= algemy.Violet; colour++ {
			a.board.put(12, colour)
			at := a.lay().centres[12]
			for _, s := range gametest.Draw(t, a, a.Size, 0, "source").Shapes {
				x, y := s.Bounds.Centre()
				if s.Kind == "circle" && math.Hypot(x-at[0], y-at[1]) < 0.001 && s.Bounds.Width() > 0.5*a.lay().Pitch && s.Colour != dayLook.engraved && s.Colour != nightLook.engraved {
					discs[s.Colour] = true
				}
			}
		}
	}
	if len(discs) != 12 {
		t.Errorf("%d colours of sources, expected 6 in each of two styles: %v", len(discs), discs)
	}
}

// BenchmarkDraw is the app's own part of drawing a full board.
func BenchmarkDraw(b *testing.B) {
	p, err := algemy.Parse(strings.TrimSuffix(strings.Repeat("X - X - X - X\n- X - X - X -\n", 3)+"X - X - X - X", "\n"))
	if err != nil {
		b.Fatal(err)
	}
	a := suite.New(b, image.Pt(1080, 2340), simapp.Options{Style: "night"}, p)
	for b.Loop() {
		a.Draw(gametest.NewRecorder(a.Size), 0)
	}
}

// screen is the board's layout as Plan wants it.
func (l *layout) screen() screen.Layout {
	p := l.puzzle
	s := gametest.BoardLayout(l.Size, p.Rows(), p.RowWidth(p.Rows()/2), l.Pitch, l.board, p.Cells(), func(c board.Cell) [2]float64 { return l.centres[c] })
	if p.Shape() == algemy.Hexagon {
		s.Topology = screen.Hex
	}
	return s
}
