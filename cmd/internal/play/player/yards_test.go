package player

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/alcazar"
	alcazarapp "tapwise/solvers/games/alcazar/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// yardBoards are palaces of Alcazar with places without a room: inside, at the
// corners, and a heart with blank places around.
func yardBoards(t *testing.T) (levels []solvers.Puzzle) {
	t.Helper()
	for _, text := range []string{
		"xxxxx x\nx0 0 0x\nx x x x\nx0x#x0x\nx xxx x\nx0 0 0x\nxxxxxxx",
		"  ╔╩╗  \n  ║▒║  \n╔═╝ ╚═╗\n╣▒ ▒ ▒║\n║     ║\n║▒ ▒ ▒║\n╚═════╝",
	} {
		p, err := alcazar.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		levels = append(levels, p)
	}
	random := rand.New(rand.NewPCG(6, 7))
	for _, side := range []int{4, 6, 8, 11} {
		p, err := alcazar.Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: side + 1, Cols: side, Unique: true, Variant: "holes"}, random)
		if err != nil {
			t.Fatal(err)
		}
		levels = append(levels, p)
	}
	return levels
}

// TestYardsRead reads boards with places without a room from the simulated app's
// screen, in each of its looks.
func TestYardsRead(t *testing.T) {
	gametest.Long(t)
	for i, level := range yardBoards(t) {
		for k, style := range []string{"light", "dark", "light thin", "dark thick"} {
			size := []image.Point{{720, 1280}, {1080, 2400}, {1280, 720}}[(i+k)%3]
			app, err := alcazarapp.New([]solvers.Puzzle{level}, simapp.Options{Style: style, Seed: uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			frame := simphone.Render(app, size, 0)
			seen, err := vision.Observe(frame, screen.Frame{Size: size}, alcazar.Game{}.Spec())
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("board %d, %s, %v", i, style, size)
			want := level.(*alcazar.Puzzle).As(alcazar.Plain).String()
			p, err := alcazar.Game{}.Read(seen)
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, want)
			} else if got := p.(*alcazar.Puzzle).As(alcazar.Plain).String(); got != want {
				t.Errorf("%s: read as\n%s\nexpected\n%s", name, got, want)
			}
		}
	}
}

// TestYardsPlayed plays such boards, and continues where some of the path is drawn.
func TestYardsPlayed(t *testing.T) {
	levels := yardBoards(t)
	app, err := alcazarapp.New(levels, simapp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, p := newGlass(t)
	g.app, p.Game = app, alcazar.Game{}
	for i := range levels {
		if i%2 == 1 {
			_, plan, err := p.Preview(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			plan[0].Points = plan[0].Points[:len(plan[0].Points)/2]
			if err := g.Play(context.Background(), plan[:1]); err != nil {
				t.Fatal(err)
			}
		}
		if r, err := p.Level(context.Background()); err != nil || !r.Won {
			t.Fatalf("level %d: %+v, %v\n%s", i, r, err, levels[i])
		}
		if i+1 < len(levels) {
			if _, err := p.Next(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
