package player

import (
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/image/draw"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/screen"
)

// TestComparePushed shows boards on still frames and on frames that were pushed: only where both are
// the same are boards read from those that are pushed.
func TestComparePushed(t *testing.T) {
	size := image.Pt(1080, 2400)
	frame := func(side int, seed uint64) *image.RGBA {
		puzzle, err := (flow.Game{}).Generate(t.Context(), solvers.GenerateOptions{Rows: side, Cols: side, Unique: true}, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		app, err := flowapp.New([]solvers.Puzzle{puzzle}, simapp.Options{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		return simphone.Render(app, size, time.Second)
	}
	one, other, fine := frame(6, 1), frame(6, 2), frame(15, 3)
	blank := image.NewRGBA(image.Rectangle{Max: size})
	for name, test := range map[string]struct {
		stills, pushed []*image.RGBA
		want           pushedReads
		reads          bool // the board one, on a frame that is pushed
	}{
		"the same":                      {[]*image.RGBA{one}, []*image.RGBA{one}, pushedReads{agree: true}, true},
		"another":                       {[]*image.RGBA{one}, []*image.RGBA{other}, pushedReads{differ: true}, false},
		"another, then the same":        {[]*image.RGBA{one, one}, []*image.RGBA{other, one}, pushedReads{differ: true}, false},
		"nothing":                       {[]*image.RGBA{one}, []*image.RGBA{blank}, pushedReads{refused: 1}, false},
		"nothing thrice, then the same": {[]*image.RGBA{one, one, one, one}, []*image.RGBA{blank, blank, blank, one}, pushedReads{refused: 3}, false},
		"too fine, then the same":       {[]*image.RGBA{fine, one}, []*image.RGBA{image.NewRGBA(image.Rect(0, 0, 1080, 2400)), one}, pushedReads{agree: true}, true},
		"no level":                      {[]*image.RGBA{blank}, []*image.RGBA{one}, pushedReads{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Player{Game: flow.Game{}, Eyes: calibrated.Eyes{}}
			l := p.level(StateSettle)
			l.state = StateSettle
			on := screen.Frame{Size: size}
			pushed := func(of *image.RGBA) sight {
				small := image.NewRGBA(image.Rectangle{Max: size.Div(3)})
				draw.ApproxBiLinear.Scale(small, small.Rect, of, of.Rect, draw.Src, nil)
				return sight{frame: small, on: on, at: time.Now()}
			}
			for i, still := range test.stills {
				s, err := l.know(sight{frame: still, on: on, at: time.Now()})
				if err != nil {
					t.Fatal(err)
				}
				l.comparePushed(pushed(test.pushed[i]), s)
			}
			if l.memory.pushed != test.want {
				t.Errorf("%+v is known, expected %+v", l.memory.pushed, test.want)
			}
			if _, ok := l.readPushed(t.Context(), pushed(one)); ok {
				t.Error("a board is read although no win was seen yet")
			}
			l.memory.celebration = time.Second
			s, ok := l.readPushed(t.Context(), pushed(one))
			if ok != test.reads {
				t.Fatalf("read %t, expected %t", ok, test.reads)
			}
			if !ok {
				return
			}
			if _, ok := l.readPushed(t.Context(), pushed(fine)); ok || !l.memory.pushed.tried {
				t.Error("a board of 15x15 is read from 360 pixels, or was not tried")
			}
			if whole := s.whole(); s.factor != 3 || whole.Rect.Size() != size || !same(recognise.Shrunk(whole, s.factor), pushed(one).frame) {
				t.Errorf("the frame of %v is not the one that was pushed, enlarged by 3", whole.Rect)
			}
			l.memory.pushed.levels = pushedLevels
			if _, ok := l.readPushed(t.Context(), pushed(one)); ok {
				t.Errorf("%d levels were read so, and none was compared", pushedLevels)
			}
		})
	}
}

func same(a, b *image.RGBA) bool { return a.Rect == b.Rect && string(a.Pix) == string(b.Pix) }
