package player_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// readGame is a game that is read, with looks of its app that differ the most and with
// boards of every kind and size that it has.
type readGame struct {
	game    solvers.Game
	styles  []string
	options []solvers.GenerateOptions
}

// readGames are all games that are read.
var readGames = func() []readGame {
	var list []readGame
	for _, game := range all.Games() {
		if all.App(game) != nil {
			list = append(list, readGame{game, gametest.Styles(game), game.About().Boards})
		}
	}
	return list
}()

// covered is a panel with words over the lower half of the screen.
func covered(f *image.RGBA, r *rand.Rand) *image.RGBA {
	w, h := f.Rect.Dx(), f.Rect.Dy()
	fill(f, image.Rect(0, h/2, w, h), color.RGBA{40, 42, 48, 255})
	words(f, image.Rect(w/20, h/2+h/40, w-w/20, h-h/40), color.RGBA{225, 225, 230, 255}, r)
	return f
}

// words are lines of blocks as wide as letters.
func words(f *image.RGBA, area image.Rectangle, c color.RGBA, r *rand.Rand) {
	size := f.Rect.Dx() / 40
	for y := area.Min.Y; y+size < area.Max.Y; y += 2 * size {
		for x := area.Min.X; x+size < area.Max.X; x += size/4 + size/2 {
			if r.IntN(6) > 0 {
				fill(f, image.Rect(x, y+r.IntN(size/3), x+size/2, y+size), c)
				fill(f, image.Rect(x+size/8, y+size/2, x+size/2-size/8, y+size-size/8), color.RGBA{30, 30, 30, 255})
			}
		}
	}
}

// noisy adds noise of a standard deviation.
func noisy(f *image.RGBA, deviation float64, r *rand.Rand) *image.RGBA {
	for i := range f.Pix {
		if i%4 != 3 {
			f.Pix[i] = clamped(float64(f.Pix[i]) + deviation*r.NormFloat64())
		}
	}
	return f
}

// boardless are frames on which there is no board.
var boardless = []struct {
	name string
	draw func(f *image.RGBA, r *rand.Rand)
}{
	{"blank", func(f *image.RGBA, _ *rand.Rand) { fill(f, f.Rect, color.RGBA{18, 18, 20, 255}) }},
	{"noise", func(f *image.RGBA, r *rand.Rand) {
		fill(f, f.Rect, color.RGBA{70, 72, 80, 255})
		noisy(f, 25, r)
	}},
	{"words", func(f *image.RGBA, r *rand.Rand) {
		fill(f, f.Rect, color.RGBA{12, 12, 14, 255})
		words(f, f.Rect.Inset(40), color.RGBA{230, 230, 230, 255}, r)
	}},
	{"photograph", func(f *image.RGBA, r *rand.Rand) {
		for range 400 {
			x, y, side := r.IntN(f.Rect.Dx()), r.IntN(f.Rect.Dy()), 20+r.IntN(300)
			fill(f, image.Rect(x, y, x+side, y+side/2), color.RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255})
		}
		blurred(f, 2)
		noisy(f, 6, r)
	}},
}

// BenchmarkRead measures reading on a screen of 1080×2400, from decoded pixels
// to a board: looking (look-ms), telling the place, and reading. Before a board is
// played its solution is proved to be the only one: prove-ms, which is not part of
// the others. Times are processor time, of all threads and of system calls
// together; the worst one is that of all repetitions.
func BenchmarkRead(b *testing.B) {
	size := image.Pt(1080, 2400)
	conditions := []disturbance{
		{"clean", func(f *image.RGBA, _ *rand.Rand) *image.RGBA { return f }},
		{"noise12", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return noisy(f, 12, r) }},
		{"jpeg40", func(f *image.RGBA, _ *rand.Rand) *image.RGBA { return asJPEG(f, 40) }},
		{"covered", covered},
	}
	var boards []readGame // one for each game's variant
	for _, of := range readGames {
		for _, o := range of.options {
			if n := len(boards); n == 0 || boards[n-1].game != of.game || boards[n-1].options[0].Variant != o.Variant {
				boards = append(boards, readGame{of.game, of.styles, nil})
			}
			last := &boards[len(boards)-1]
			last.options = append(last.options, o)
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-16s %6s %9s %8s\n", "milliseconds", "frames", "median", "worst")
	for _, of := range boards {
		name := of.game.Name()
		if variant := of.options[0].Variant; variant != "" {
			name += "-" + variant
		}
		b.Run(name, func(b *testing.B) {
			var medians []float64
			var worst float64
			var worstOf string
			read := func(b *testing.B, frame *image.RGBA) (solvers.Puzzle, error) {
				p, took, err := measureRead(b, frame, of.game)
				medians = append(medians, took.median)
				if took.worst > worst {
					worst, worstOf = took.worst, strings.TrimPrefix(b.Name(), "BenchmarkRead/")
				}
				return p, err
			}
			defer func() {
				if len(medians) > 0 {
					slices.Sort(medians)
					fmt.Fprintf(&table, "%-16s %6d %9.1f %8.1f %s\n", name, len(medians), medians[len(medians)/2], worst, worstOf)
				}
			}()
			random := rand.New(rand.NewPCG(1, 2))
			for i, o := range of.options {
				level := generated(b, of.game, o, random)
				name := fmt.Sprintf("%s%dx%d", o.Variant, o.Rows, o.Cols)
				for _, c := range conditions {
					// Disturbances are shown on small, middle-sized and large boards.
					if n := len(of.options); c.name != "clean" && i%max(1, n/3) != 0 && i != n-1 {
						continue
					}
					for _, style := range of.styles {
						app, err := all.Simulate(of.game, []solvers.Puzzle{level}, simapp.Options{Style: style, Seed: 4})
						if err != nil {
							b.Fatal(err)
						}
						frame := c.apply(simphone.Render(app, size, 2*time.Second), random)
						b.Run(c.name+"/"+name+"/"+style, func(b *testing.B) {
							p, err := read(b, frame)
							switch {
							case err == nil && !gametest.SameBoard(of.game, p, level):
								b.Errorf("read as\n%v\nexpected\n%v", p, level)
							case err != nil && c.name == "clean":
								b.Errorf("refused: %v", err)
							}
						})
					}
				}
			}
			for _, other := range boardless {
				frame := image.NewRGBA(image.Rectangle{Max: size})
				other.draw(frame, random)
				b.Run("boardless/"+other.name, func(b *testing.B) {
					if p, err := read(b, frame); err == nil {
						b.Errorf("read as\n%v\nexpected no board", p)
					}
				})
			}
			b.Run("boardless/another", func(b *testing.B) {
				another := boards[0]
				if of.game == another.game {
					another = boards[len(boards)-1]
				}
				level := generated(b, another.game, another.options[len(another.options)/2], random)
				app, err := all.Simulate(another.game, []solvers.Puzzle{level}, simapp.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if p, err := read(b, simphone.Render(app, size, 2*time.Second)); err == nil {
					b.Errorf("read as\n%v\nexpected no board", p)
				}
			})
		})
	}
	fmt.Printf("\n%s\n", table.String()) // a benchmark of benchmarks logs nothing
}

// generated is a puzzle with one solution.
func generated(b *testing.B, game solvers.Game, o solvers.GenerateOptions, random *rand.Rand) solvers.Puzzle {
	b.Helper()
	p, err := game.Generate(context.Background(), o, random)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// took is the time from pixels to a board, in milliseconds.
type took struct{ median, worst float64 }

// measureRead reads a frame again and again, and reports the median and the
// worst time to a board, and the medians of its stages.
func measureRead(b *testing.B, frame *image.RGBA, game solvers.Game) (p solvers.Puzzle, t took, err error) {
	b.Helper()
	var look, read, prove []time.Duration
	for b.Loop() {
		start := processorTime(b)
		seen, failed := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, game.Spec())
		if failed != nil {
			b.Fatal(failed)
		}
		look = append(look, processorTime(b)-start)
		game.Locate(seen)
		p, err = game.Read(seen)
		read = append(read, processorTime(b)-start)
		if err == nil {
			start = processorTime(b)
			_, _, err = solvers.SolveRead(context.Background(), game, p)
			prove = append(prove, processorTime(b)-start)
		}
	}
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	median := func(times []time.Duration) float64 {
		slices.Sort(times)
		return milliseconds(times[len(times)/2])
	}
	t.median = median(read)
	t.worst = milliseconds(read[len(read)-1])
	b.ReportMetric(median(look), "look-ms")
	b.ReportMetric(t.median, "median-ms")
	b.ReportMetric(t.worst, "worst-ms")
	if len(prove) > 0 {
		b.ReportMetric(median(prove), "prove-ms")
	}
	b.ReportMetric(0, "ns/op") // the clock says little while other processes work
	return p, t, err
}

func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
