package player_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/player"
	"tapwise/solvers"
	"tapwise/solvers/adrift"
	"tapwise/solvers/algemy"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	robustness      = flag.Int("robustness", 0, "screens of each game for TestRobustness; 0 takes a few")
	writeRobustness = flag.String("write-robustness", "", "keep the table of TestRobustness in a file")
)

// screenSizes are phones of four widths, each tall and short, a tablet and a
// phone on its side.
var screenSizes = []image.Point{
	{480, 854}, {480, 1040}, {720, 1280}, {720, 1600}, {1080, 1920}, {1080, 2400}, {1440, 2560}, {1440, 3200},
	{1600, 2560}, {1920, 1080},
}

// disturbance is something that happens to a frame. Some may hide part of the
// board, so that it may be refused for good.
type disturbance struct {
	name  string
	apply func(frame *image.RGBA, random *rand.Rand) *image.RGBA
}

var disturbances = []disturbance{
	{"none", func(f *image.RGBA, _ *rand.Rand) *image.RGBA { return f }},
	{"brightness 0.6 to 1", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		return mapped(f, scaled(0.6+0.4*r.Float64()))
	}},
	{"JPEG quality 40 to 100", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return asJPEG(f, 40+r.IntN(61)) }},
	{"noise, deviation up to 8", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		deviation := 8 * r.Float64()
		for i := range f.Pix {
			if i%4 != 3 {
				f.Pix[i] = clamped(float64(f.Pix[i]) + deviation*r.NormFloat64())
			}
		}
		return f
	}},
	{"wide-gamut colours", func(f *image.RGBA, _ *rand.Rand) *image.RGBA {
		// sRGB colours written in the coordinates of Display P3, about.
		return mapped(f, func(c [3]float64) [3]float64 {
			return [3]float64{0.82*c[0] + 0.18*c[1], 0.03*c[0] + 0.97*c[1], 0.02*c[0] + 0.07*c[1] + 0.91*c[2]}
		})
	}},
	{"blur, radius 1 to 2", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return blurred(f, 1+r.IntN(2)) }},
	{"a notch", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		w := f.Rect.Dx()
		fill(f, image.Rect(w/2-w/8, 0, w/2+w/8, w/16), color.RGBA{A: 255})
		return f
	}},
	{"a banner", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		w, h := f.Rect.Dx(), f.Rect.Dy()
		at := image.Rect(w/16, h/40, w-w/16, h/40+min(w, h)/7)
		fill(f, at, color.RGBA{236, 236, 240, 255})
		for i := range 3 {
			fill(f, image.Rect(at.Min.X+w/12, at.Min.Y+(2*i+1)*at.Dy()/7, at.Max.X-w/(3+r.IntN(5)), at.Min.Y+(2*i+2)*at.Dy()/7), color.RGBA{60, 60, 66, 255})
		}
		return f
	}},
	{"a toast over the board", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		w, h := f.Rect.Dx(), f.Rect.Dy()
		y := h*2/5 + r.IntN(h/4)
		at := image.Rect(w/4, y, w-w/4, y+min(w, h)/11)
		fill(f, at, color.RGBA{50, 50, 50, 255})
		for x := at.Min.X + w/20; x < at.Max.X-w/20; x += w / 36 {
			fill(f, image.Rect(x, y+at.Dy()/3, x+w/60, y+at.Dy()*2/3), color.RGBA{240, 240, 240, 255})
		}
		return f
	}},
	{"several at once", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		return asJPEG(blurred(mapped(f, scaled(0.7+0.3*r.Float64())), 1), 60+r.IntN(40))
	}},
}

// TestRobustness draws levels of every game that has an app and a reader on
// screens of all sizes, disturbs them, and reads them. Boards may be refused;
// none may be read wrongly. Undisturbed ones must be read.
func TestRobustness(t *testing.T) {
	if testing.Short() && *robustness == 0 {
		t.Skip("takes a while")
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-10s %-26s %6s %8s %6s\n", "game", "disturbance", "right", "refused", "wrong")
	for _, game := range all.Games() {
		simulator, ok := game.(solvers.Simulator)
		if !ok || len(game.Spec().Measures) == 0 {
			continue
		}
		levels := player.PackLevels(t, game)
		n := *robustness
		if n == 0 {
			n = len(disturbances)
		}
		random := rand.New(rand.NewPCG(7, uint64(len(game.Name()))))
		counts := make([]tally, len(disturbances))
		for i := range n {
			// Each draw takes another size, level and style, whatever n is.
			size := screenSizes[random.IntN(len(screenSizes))]
			level := levels[random.IntN(len(levels))]
			style := styles(simulator, level)[i/len(disturbances)%len(styles(simulator, level))]
			app, err := simulator.Simulate([]solvers.Puzzle{level}, solvers.SimulateOptions{Seed: random.Uint64(), Style: style})
			if err != nil {
				t.Fatal(err)
			}
			kind := i % len(disturbances)
			frame := disturbances[kind].apply(simphone.Render(app, size, 2*time.Second), random)
			p, err := readSolved(frame, game)
			switch {
			case err != nil:
				counts[kind].refused++
				t.Logf("%s, style %q, %v, %s: %v", game.Name(), style, size, disturbances[kind].name, err)
			case sameBoard(p, level):
				counts[kind].right++
			default:
				counts[kind].wrong++
				t.Errorf("%s, style %q, %v, %s: read as\n%v\nexpected\n%v", game.Name(), style, size, disturbances[kind].name, p, level)
			}
		}
		for kind, c := range counts {
			total := max(1, c.right+c.refused+c.wrong)
			percent := func(k int) string { return fmt.Sprintf("%d%%", 100*k/total) }
			fmt.Fprintf(&table, "%-10s %-26s %6s %8s %6s\n", game.Name(), disturbances[kind].name, percent(c.right), percent(c.refused), percent(c.wrong))
		}
	}
	t.Logf("\n%s", table.String())
	if *writeRobustness != "" {
		text := "# Robustness\n\nHow many of the boards that the games' simulated apps draw are read right, are refused, and are read wrongly, " +
			"over screens of 480 to 1440 pixels' width, tall and short, a tablet and a phone on its side.\n\n" +
			"Made by `make robustness`" + fmt.Sprintf(", %d screens of each game", *robustness) + ". A wrong board fails it.\n\n```\n" + table.String() + "```\n"
		if err := os.WriteFile(*writeRobustness, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// styles are those of some usual ones that a game's app knows.
func styles(s solvers.Simulator, level solvers.Puzzle) []string {
	var known []string
	for _, style := range []string{"", "dark", "light", "thin", "thick", "blue"} {
		if _, err := s.Simulate([]solvers.Puzzle{level}, solvers.SimulateOptions{Style: style}); err == nil {
			known = append(known, style)
		}
	}
	return known
}

// readSolved reads a board as it is read before it is played.
func readSolved(frame *image.RGBA, game solvers.Game) (solvers.Puzzle, error) {
	seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, game.Spec())
	if err != nil {
		return nil, err
	}
	p, err := game.Read(seen)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_, _, err = solvers.SolveRead(ctx, game, p)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return p, err
}

// sameBoard compares boards but for the names of colours, which nobody can see.
func sameBoard(a, b solvers.Puzzle) bool {
	if _, mixes := a.(*algemy.Puzzle); mixes || a.String() == b.String() {
		return a.String() == b.String()
	}
	_, stones := a.(*adrift.Puzzle)
	return named(a.String(), stones) == named(b.String(), stones)
}

// named gives the letters of a board new names in the order they come; X may be
// a stone.
func named(board string, stones bool) string {
	names := map[rune]rune{}
	head, rest, found := strings.Cut(board, "\n")
	if !found || !strings.HasPrefix(head, "walls") && head != "hex" && head != "warp" {
		head, rest = "", board
	} else if head != "" && head != "walls" && !strings.HasPrefix(head, "walls") {
		return head + "\n" + named(rest, stones)
	}
	return head + "\n" + strings.Map(func(r rune) rune {
		if r < 'A' || r > 'z' || stones && r == 'X' || r > 'Z' && r < 'a' {
			return r
		}
		if _, ok := names[r]; !ok {
			names[r] = rune(0x100 + len(names))
		}
		return names[r]
	}, rest)
}

func scaled(by float64) func([3]float64) [3]float64 {
	return func(c [3]float64) [3]float64 { return [3]float64{by * c[0], by * c[1], by * c[2]} }
}

func mapped(f *image.RGBA, colour func([3]float64) [3]float64) *image.RGBA {
	for i := 0; i < len(f.Pix); i += 4 {
		c := colour([3]float64{float64(f.Pix[i]), float64(f.Pix[i+1]), float64(f.Pix[i+2])})
		f.Pix[i], f.Pix[i+1], f.Pix[i+2] = clamped(c[0]), clamped(c[1]), clamped(c[2])
	}
	return f
}

func clamped(x float64) uint8 { return uint8(math.Round(max(0, min(255, x)))) }

func asJPEG(f *image.RGBA, quality int) *image.RGBA {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, f, &jpeg.Options{Quality: quality}); err != nil {
		panic(err) // into memory it cannot fail
	}
	m, err := jpeg.Decode(&b)
	if err != nil {
		panic(err)
	}
	draw.Draw(f, f.Rect, m, image.Point{}, draw.Src)
	return f
}

// blurred is the mean of the pixels around each, 3 or 5 pixels wide.
func blurred(f *image.RGBA, radius int) *image.RGBA {
	for _, step := range []int{4, f.Stride} {
		from := slices.Clone(f.Pix)
		for i := radius * step; i < len(from)-radius*step; i++ {
			sum := 0
			for k := -radius; k <= radius; k++ {
				sum += int(from[i+k*step])
			}
			f.Pix[i] = uint8(sum / (2*radius + 1))
		}
	}
	return f
}

func fill(f *image.RGBA, r image.Rectangle, c color.RGBA) {
	draw.Draw(f, r, image.NewUniform(c), image.Point{}, draw.Src)
}
