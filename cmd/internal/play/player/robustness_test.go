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
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	scale "golang.org/x/image/draw"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

var (
	robustness      = flag.Int("robustness", 0, "have TestRobustness read every board with this number of the disturbances in turn, at most 10; 0 takes few boards")
	robustnessSeed  = flag.Uint64("robustness-seed", 7, "the first seed of which TestRobustness draws its boards, looks and strengths")
	robustnessSeeds = flag.Int("robustness-seeds", 1, "how many seeds TestRobustness sums its tables over, from the first on")
	robustnessOnly  = flag.String("robustness-only", "", "have TestRobustness read only screens whose names, such as \"flow 5x5 hex, style blue, 480x854, a notch\", match this regular expression")
	keepRobustness  = flag.String("robustness-keep", "", "have TestRobustness keep the frames that are not read right in a folder, as PNG")
	writeRobustness = flag.String("write-robustness", "", "keep the tables of TestRobustness in a file")
)

// screenSizes are phones of four widths, each tall and short, a tablet and a
// phone on its side.
var screenSizes = []image.Point{
	{480, 854}, {480, 1040}, {720, 1280}, {720, 1600}, {1080, 1920}, {1080, 2400}, {1440, 2560}, {1440, 3200},
	{1600, 2560}, {1920, 1080},
}

// disturbance is something that happens to a frame. Some may hide part of the
// board, so that refusing it is right.
type disturbance struct {
	name  string
	apply func(frame *image.RGBA, random *rand.Rand) *image.RGBA
}

// toast is the disturbance that hides part of the board.
const toast = "a toast over the board"

var disturbances = []disturbance{
	{"none", func(f *image.RGBA, _ *rand.Rand) *image.RGBA { return f }},
	{"brightness 0.6 to 1", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		return mapped(f, scaled(0.6+0.4*r.Float64()))
	}},
	{"JPEG quality 40 to 100", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return asJPEG(f, 40+r.IntN(61)) }},
	{"noise, deviation up to 8", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return withNoise(f, mostNoise*r.Float64(), r) }},
	{"wide-gamut colours", func(f *image.RGBA, _ *rand.Rand) *image.RGBA {
		// About the coordinates in Display P3 of sRGB colours.
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
	{toast, func(f *image.RGBA, r *rand.Rand) *image.RGBA {
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

// robustnessTables count the verdicts on the boards of all seeds.
type robustnessTables struct {
	mu                                       sync.Mutex
	bySeed, byDisturbance, byBoard, byScreen talliesOf
	byPushed                                 talliesOf // of the same frames, scaled down as a phone pushes them
}

// TestRobustness draws boards of every game, kind and size, on screens of all
// sizes in all looks, disturbs them in every way, and reads them. Boards may be
// refused; none may be read wrongly.
func TestRobustness(t *testing.T) {
	if testing.Short() && *robustness == 0 {
		t.Skip("takes a while")
	}
	only, err := regexp.Compile(*robustnessOnly)
	if err != nil {
		t.Fatal(err)
	}
	var tables robustnessTables
	var seeds []string
	for i := range *robustnessSeeds {
		seeds = append(seeds, strconv.FormatUint(*robustnessSeed+uint64(i), 10))
		tables.bySeed.add("all", "seed "+seeds[i], tally{}) // in their order, whichever is done first
	}
	t.Run("seeds", func(t *testing.T) {
		for i, name := range seeds {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				tables.read(t, *robustnessSeed+uint64(i), only)
			})
		}
	})
	text := tables.text(seeds)
	t.Logf("\n%s", text)
	if *writeRobustness != "" {
		if err := os.WriteFile(*writeRobustness, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// read reads the boards of a seed.
func (r *robustnessTables) read(t *testing.T, seed uint64, only *regexp.Regexp) {
	random := rand.New(rand.NewPCG(seed, seed+1))
	each := max(*robustness, 1)
	for _, of := range readGames {
		game := of.game
		boards := of.options
		// A board of each size, in turn, until each screen had each disturbance.
		levels := make([]solvers.Puzzle, len(boards))
		for i, o := range boards {
			if *robustness == 0 && i%4 != 0 {
				continue
			}
			var err error
			if levels[i], err = game.Generate(t.Context(), o, random); err != nil {
				t.Fatal(err)
			}
		}
		screens := 0
		for i := range max(len(boards), len(screenSizes)) {
			level, o := levels[i%len(boards)], boards[i%len(boards)]
			for kind, disturbance := range disturbances {
				if of := len(disturbances); level == nil || (kind+of-i*each%of)%of >= each {
					continue
				}
				size := screenSizes[(screens+screens/len(screenSizes))%len(screenSizes)]
				screens++
				style := of.styles[random.IntN(len(of.styles))]
				app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: random.Uint64(), Style: style})
				if err != nil {
					t.Fatal(err)
				}
				shown := robustScreen{game: game, level: level, board: boardName(o), style: style, size: size, disturbance: disturbance.name}
				if !only.MatchString(shown.String()) {
					// What was drawn from random does not depend on what the frame shows.
					disturbance.apply(image.NewRGBA(image.Rectangle{Max: size}), random)
					continue
				}
				frame := disturbance.apply(simphone.Render(app, size, 2*time.Second), random)
				verdict := shown.read(t, frame)
				r.add(seed, shown, verdict)
				r.readPushed(t, shown, frame)
				if *keepRobustness != "" && verdict.right == 0 {
					name := strings.NewReplacer(" ", "-", ",", "").Replace(fmt.Sprintf("%d %v", seed, shown))
					keepFrame(t, filepath.Join(*keepRobustness, name+".png"), frame)
				}
			}
		}
	}
}

// readPushed reads a screen from frames as a phone pushes them, which are smaller by a whole
// factor.
func (r *robustnessTables) readPushed(t *testing.T, shown robustScreen, frame *image.RGBA) {
	short := min(shown.size.X, shown.size.Y)
	for part := short / leastPushed; part > 1; part-- {
		if shown.size.X%part > 0 || shown.size.Y%part > 0 {
			continue
		}
		small := image.NewRGBA(image.Rectangle{Max: shown.size.Div(part)})
		scale.ApproxBiLinear.Scale(small, small.Rect, frame, frame.Rect, scale.Src, nil) // as a GPU samples
		verdict := shown.readAs(t, fmt.Sprintf("a frame %d pixels wide of %v", short/part, shown), func() (solvers.Puzzle, error) {
			return readReduced(small, shown.size, shown.game)
		})
		r.mu.Lock()
		if shown.disturbance != toast {
			r.byPushed.add(shown.game.Name(), fmt.Sprintf("%4d pixels wide", short/part), verdict)
		}
		r.mu.Unlock()
		if *robustness == 0 {
			return
		}
	}
}

// leastPushed is the least width of frames that are pushed, in pixels.
const leastPushed = 360

// readReduced reads a board from a frame that was pushed, as the player does: only one with
// one solution counts, where the game's levels have one.
func readReduced(small *image.RGBA, size image.Point, game solvers.Game) (solvers.Puzzle, error) {
	seen, _, err := recognise.Reduced(calibrated.Eyes{}, small, screen.Frame{Size: size, Rotation: -1}, game)
	if err != nil {
		return nil, err
	}
	if len(seen.Seen.Signs) > 0 {
		return nil, errors.New("its cells are told by which look alike")
	}
	p, err := seen.Read()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), await.Hang)
	defer cancel()
	judged, err := solvers.JudgeRead(ctx, game, solvers.Levels{}, p, seen.Seen)
	if judged.Several {
		err = solvers.ErrSeveral
	}
	return p, err
}

// keepFrame writes a frame as PNG.
func keepFrame(t *testing.T, path string, frame image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, frame); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// robustScreen is what a screen shows.
type robustScreen struct {
	game                      solvers.Game
	level                     solvers.Puzzle
	board, style, disturbance string
	size                      image.Point
}

func (s robustScreen) String() string {
	return fmt.Sprintf("%s %s, style %s, %dx%d, %s", s.game.Name(), s.board, s.style, s.size.X, s.size.Y, s.disturbance)
}

// read reads the screen as it came out.
func (s robustScreen) read(t *testing.T, frame *image.RGBA) tally {
	return s.readAs(t, s.String(), func() (solvers.Puzzle, error) { return readSolved(frame, s.game) })
}

func (s robustScreen) readAs(t *testing.T, name string, read func() (solvers.Puzzle, error)) tally {
	p, err := read()
	switch {
	case err != nil:
		t.Logf("%s: %v", name, err)
		return tally{refused: 1}
	case gametest.SameBoard(s.game, p, s.level):
		return tally{right: 1}
	}
	t.Errorf("%s: read as\n%v\nexpected\n%v", name, p, s.level)
	return tally{wrong: 1}
}

func (r *robustnessTables) add(seed uint64, shown robustScreen, one tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	game := shown.game.Name()
	r.byDisturbance.add(game, shown.disturbance, one)
	// A toast hides what it lies over, on a board of any size.
	if shown.disturbance != toast {
		r.bySeed.add("all", fmt.Sprintf("seed %d", seed), one)
		r.byBoard.add(game, shown.board, one)
		r.byScreen.add(game, fmt.Sprintf("%dx%d", shown.size.X, shown.size.Y), one)
	}
}

// text is the page about robustness.
func (r *robustnessTables) text(seeds []string) string {
	return fmt.Sprintf("# Robustness\n\nThis page shows how many boards drawn by the games' simulated apps are read right, refused, and read wrongly. "+
		"Every kind and size of board is drawn with %d of the disturbances in turn, each with another screen, look and "+
		"strength: phones 480 to 1440 pixels wide, tall and short, a tablet, and a phone on its side. A toast hides what is below it, "+
		"so the board has to be refused; a banner may also hide a part of a board. The numbers are sums over the seeds %s.\n\n"+
		"Made by `make robustness`, which fails if a board is read wrongly.\n\n", max(*robustness, 1), strings.Join(seeds, ", ")) +
		"```\n" + r.byDisturbance.String() + "```\n\nWithout the toasts, by seed:\n\n```\n" + r.bySeed.String() +
		"```\n\nBy board:\n\n```\n" + r.byBoard.String() + "```\n\nBy screen:\n\n```\n" + r.byScreen.String() +
		"```\n\nThe same screens on frames as a phone pushes them, scaled down by a whole factor, of which only boards\n" +
		"with one solution are believed ([capture.md](capture.md)):\n\n```\n" + r.byPushed.String() + "```\n"
}

// TestNoise reads a board of every game with as much noise as any of TestRobustness has.
func TestNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, of := range readGames {
		t.Run(of.game.Name(), func(t *testing.T) {
			level, err := of.game.Generate(t.Context(), of.options[0], random)
			if err != nil {
				t.Fatal(err)
			}
			app, err := all.Simulate(of.game, []solvers.Puzzle{level}, simapp.Options{Seed: 5, Style: of.styles[0]})
			if err != nil {
				t.Fatal(err)
			}
			frame := withNoise(simphone.Render(app, image.Pt(480, 854), 2*time.Second), mostNoise, random)
			if p, err := readSolved(frame, of.game); err != nil {
				t.Error(err)
			} else if !gametest.SameBoard(of.game, p, level) {
				t.Errorf("read as\n%v\nexpected\n%v", p, level)
			}
		})
	}
}

// mostNoise is the greatest standard deviation of noise.
const mostNoise = 8

// withNoise adds noise of a standard deviation to a frame.
func withNoise(f *image.RGBA, deviation float64, r *rand.Rand) *image.RGBA {
	for i := range f.Pix {
		if i%4 != 3 {
			f.Pix[i] = clamped(float64(f.Pix[i]) + deviation*r.NormFloat64())
		}
	}
	return f
}

// boardName says what kind of board was generated.
func boardName(o solvers.GenerateOptions) string {
	name := fmt.Sprintf("%dx%d", o.Cols, o.Rows)
	if o.Rows == 0 {
		name = "3x3"
	}
	return strings.TrimSpace(name + " " + o.Variant)
}

// talliesOf counts the verdicts on boards, by game and by one other property.
type talliesOf struct {
	keys   [][2]string
	counts map[[2]string]tally
}

func (t *talliesOf) add(game, what string, one tally) {
	key := [2]string{game, what}
	if t.counts == nil {
		t.counts = map[[2]string]tally{}
	}
	c, ok := t.counts[key]
	if !ok {
		t.keys = append(t.keys, key)
	}
	c.add(one)
	t.counts[key] = c
}

// String is a table of the counts, and of the share that is right to the nearest percent,
// but 0 only for none and 100 only for all.
func (t *talliesOf) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %-26s %6s %6s %8s %6s %6s\n", "game", "", "boards", "right", "refused", "wrong", "right")
	// Seeds that are read side by side come to the next game at different times.
	first := func(key [2]string) int {
		return slices.IndexFunc(t.keys, func(k [2]string) bool { return k[0] == key[0] })
	}
	keys := slices.SortedStableFunc(slices.Values(t.keys), func(a, b [2]string) int { return first(a) - first(b) })
	for _, key := range keys {
		c := t.counts[key]
		n := c.right + c.refused + c.wrong
		share := (200*c.right + n) / max(2*n, 1)
		switch {
		case c.right > 0 && share == 0:
			share = 1
		case c.right < n && share == 100:
			share = 99
		}
		fmt.Fprintf(&b, "%-10s %-26s %6d %6d %8d %6d %5d%%\n", key[0], key[1], n, c.right, c.refused, c.wrong, share)
	}
	return b.String()
}

// readSolved reads a board as the player does before it plays.
func readSolved(frame *image.RGBA, game solvers.Game) (solvers.Puzzle, error) {
	seen, err := recognise.See(calibrated.Eyes{}, frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, game)
	if err != nil {
		return nil, err
	}
	p, err := seen.Read()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), await.Hang)
	defer cancel()
	_, err = solvers.JudgeRead(ctx, game, solvers.Levels{}, p, seen.Seen)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return p, err
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
