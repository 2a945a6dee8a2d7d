package looks

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"strings"
	"testing"

	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// disturbances change a frame whose board lies in a room of so many rows and columns. They
// may return another frame.
var disturbances = []struct {
	name   string
	change func(c choice, frame *image.RGBA, room image.Rectangle, rows, cols int) *image.RGBA
}{
	{"none", func(_ choice, frame *image.RGBA, _ image.Rectangle, _, _ int) *image.RGBA { return frame }},
	{"noise", func(c choice, frame *image.RGBA, _ image.Rectangle, _, _ int) *image.RGBA {
		deviation := c.between(1, 8)
		return mapped(frame, func(v uint8) uint8 { return clamped(float64(v) + deviation*c.NormFloat64()) })
	}},
	{"blurred", func(c choice, frame *image.RGBA, _ image.Rectangle, _, _ int) *image.RGBA {
		return blurred(frame, 1+c.IntN(4))
	}},
	{"dimmed", func(c choice, frame *image.RGBA, _ image.Rectangle, _, _ int) *image.RGBA {
		by := c.between(0.1, 0.8)
		return mapped(frame, func(v uint8) uint8 { return clamped(by * float64(v)) })
	}},
	{"a strip", func(c choice, frame *image.RGBA, room image.Rectangle, _, _ int) *image.RGBA {
		y := room.Min.Y + c.IntN(room.Dy())
		return covered(c, frame, image.Rect(0, y, frame.Rect.Max.X, y+20+c.IntN(room.Dy())))
	}},
	{"a strip upright", func(c choice, frame *image.RGBA, room image.Rectangle, _, _ int) *image.RGBA {
		x := room.Min.X + c.IntN(room.Dx())
		return covered(c, frame, image.Rect(x, 0, x+20+c.IntN(room.Dx()), frame.Rect.Max.Y))
	}},
	{"rows covered", func(c choice, frame *image.RGBA, room image.Rectangle, rows, _ int) *image.RGBA {
		y := room.Min.Y + room.Dy()*(rows-1-c.IntN(rows/2))/rows // at the border of two rows
		return covered(c, frame, image.Rect(0, y, frame.Rect.Max.X, frame.Rect.Max.Y))
	}},
	{"columns cut off", func(c choice, frame *image.RGBA, room image.Rectangle, _, cols int) *image.RGBA {
		x := room.Min.X + room.Dx()*(cols-1-c.IntN(cols/2))/cols + c.IntN(5)
		part := image.NewRGBA(image.Rect(0, 0, x, frame.Rect.Max.Y))
		draw.Draw(part, part.Rect, frame, image.Point{}, draw.Src)
		return part
	}},
	{"a wall", func(c choice, frame *image.RGBA, room image.Rectangle, rows, cols int) *image.RGBA {
		w, h := room.Dx()/cols, room.Dy()/rows
		x, y, half := room.Min.X+room.Dx()*(1+c.IntN(cols-1))/cols, room.Min.Y+room.Dy()*c.IntN(rows)/rows, max(3, w/20)
		draw.Draw(frame, image.Rect(x-half, y, x+half, y+h), image.NewUniform(shade(c)), image.Point{}, draw.Src)
		return frame
	}},
}

func shade(c choice) color.RGBA {
	return color.RGBA{uint8(c.IntN(256)), uint8(c.IntN(256)), uint8(c.IntN(256)), 255}
}

func covered(c choice, frame *image.RGBA, r image.Rectangle) *image.RGBA {
	draw.Draw(frame, r, image.NewUniform(shade(c)), image.Point{}, draw.Src)
	return frame
}

func clamped(v float64) uint8 { return uint8(max(0, min(255, v+0.5))) }

func mapped(frame *image.RGBA, to func(uint8) uint8) *image.RGBA {
	for i, v := range frame.Pix {
		if i%4 < 3 {
			frame.Pix[i] = to(v)
		}
	}
	return frame
}

// blurred is the frame's means of so many pixels beside each other, then above each other.
func blurred(frame *image.RGBA, width int) *image.RGBA {
	for _, step := range []int{4, frame.Stride} {
		from := append([]uint8(nil), frame.Pix...)
		for i := range from[:len(from)-step*width] {
			sum := 0
			for k := range width {
				sum += int(from[i+k*step])
			}
			frame.Pix[i] = uint8(sum / width)
		}
	}
	return frame
}

// TestBeyondDoubt reads looks, each disturbed in all ways, and counts the boards that were
// seen beyond doubt, for which the game vouches: none of them may be wrong, be it by its
// size, its ends, or a wall that is there and was not told. It takes a third of the looks,
// each in nine frames.
func TestBeyondDoubt(t *testing.T) {
	gametest.Long(t)
	p := &painter{t: t}
	tallies := make([]struct{ all, sure, right, wrong, wrongSure int }, len(disturbances))
	for seed := *first; seed < *first+uint64(*count/3); seed++ {
		l, err := New(t.Context(), seed, 3)
		if err != nil {
			t.Fatal(err)
		}
		picture, room := p.frame(l)
		for i, d := range disturbances {
			frame, err := vision.Decode(t.Context(), picture)
			if err != nil {
				t.Fatal(err)
			}
			frame = d.change(choice{rand.New(rand.NewPCG(seed, uint64(i)))}, frame, room, l.Board.Rows, l.Board.Cols)
			spec := flow.Game{}.Spec()
			spec.Signs = true
			seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, spec)
			if err != nil {
				t.Fatal(err)
			}
			n := &tallies[i]
			n.all++
			puzzle, err := flow.Game{}.Read(seen)
			if err != nil {
				continue
			}
			right := gametest.Relettered(puzzle.String()) == gametest.Relettered(strings.ReplaceAll(l.Levels[0], "/", "\n")) && d.name != "a wall"
			sure := flow.Game{}.Vouch(seen) == nil
			switch {
			case right && sure:
				n.sure++
			case right:
				n.right++
			case sure:
				n.wrongSure++
				t.Errorf("look %d, %s: beyond doubt, though it is wrong:\n%s", seed, d.name, puzzle)
			default:
				n.wrong++
			}
		}
	}
	for i, n := range tallies {
		t.Logf("%-16s %4d frames: %4d right beyond doubt, %4d right, %4d wrong, %d wrong beyond doubt", disturbances[i].name, n.all, n.sure, n.right, n.wrong, n.wrongSure)
	}
}
