package recognise_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
)

// overdrawn is a frame on which the developer option "Pointer location" drew.
type overdrawn struct {
	*image.RGBA
	r *rand.Rand
}

// line draws a smooth line of a width.
func (o overdrawn) line(ax, ay, bx, by, width float64, c color.RGBA) {
	reach := width/2 + 1
	box := image.Rect(int(math.Min(ax, bx)-reach), int(math.Min(ay, by)-reach), int(math.Max(ax, bx)+reach)+1, int(math.Max(ay, by)+reach)+1)
	long := math.Max(1e-9, (bx-ax)*(bx-ax)+(by-ay)*(by-ay))
	box = box.Intersect(o.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			t := math.Max(0, math.Min(1, ((px-ax)*(bx-ax)+(py-ay)*(by-ay))/long))
			if cover := width/2 + 0.5 - math.Hypot(px-ax-t*(bx-ax), py-ay-t*(by-ay)); cover > 0 {
				over := color.NRGBA{c.R, c.G, c.B, uint8(255 * math.Min(1, cover))}
				draw.Draw(o.RGBA, image.Rect(x, y, x+1, y+1), image.NewUniform(over), image.Point{}, draw.Over)
			}
		}
	}
}

// strokes draws the trace of a finger through points: from cell to cell, as a player's, or
// anywhere; with its points, its speed at the end, and the cross through where it was.
func (o overdrawn) strokes(points []image.Point, pitch float64, cross bool) {
	path, dots := color.RGBA{0, 96, 255, 255}, []color.RGBA{{0, 255, 255, 255}, {128, 255, 255, 255}, {255, 0, 0, 255}}[o.r.IntN(3)]
	width, dot := float64(1+o.r.IntN(3)), float64(2+o.r.IntN(6))
	var x, y float64
	for i, p := range points {
		px, py := float64(p.X)+pitch*0.05*o.r.NormFloat64(), float64(p.Y)+pitch*0.05*o.r.NormFloat64()
		if i > 0 {
			o.line(x, y, px, py, width, path)
		}
		x, y = px, py
		draw.Draw(o.RGBA, image.Rect(int(x-dot/2), int(y-dot/2), int(x+dot/2), int(y+dot/2)), image.NewUniform(dots), image.Point{}, draw.Src)
	}
	angle, speed := 2*math.Pi*o.r.Float64(), pitch*3*o.r.Float64()
	o.line(x, y, x+speed*math.Cos(angle), y+speed*math.Sin(angle), 2, color.RGBA{255, 64, 128, 255})
	if cross {
		for _, end := range [][4]float64{{0, y, float64(o.Rect.Dx()), y}, {x, 0, x, float64(o.Rect.Dy())}} {
			o.line(end[0], end[1], end[2], end[3], 2, color.RGBA{0, 0, 192, 255})
		}
	}
	// The bar with the finger's place, as black on grey and white.
	high := 30 + o.r.IntN(30)
	draw.Draw(o.RGBA, image.Rect(0, 0, o.Rect.Dx(), high), image.NewUniform(color.NRGBA{255, 255, 255, 128}), image.Point{}, draw.Over)
	for i := range 40 {
		at := 10 + i*o.Rect.Dx()/40
		draw.Draw(o.RGBA, image.Rect(at, 8, at+6, high-8), image.NewUniform(color.RGBA{A: 255}), image.Point{}, draw.Src)
	}
}

// TestPointerLocation reads boards beneath what the developer option "Pointer location"
// draws: none wrongly, most of them, and the others with its name.
func TestPointerLocation(t *testing.T) {
	gametest.Long(t)
	for _, game := range all.Games() {
		spec, seeds := game.Spec(), uint64(6)
		if !spec.Panes {
			continue
		}
		if spec.Numbers {
			seeds = 24
		}
		t.Run(game.Name(), func(t *testing.T) {
			right, refused := 0, 0
			for seed := range seeds {
				levels := gametest.Levels(t, game)
				level := levels[int(seed)%len(levels)]
				app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 5})
				if err != nil {
					t.Fatal(err)
				}
				frame := simphone.Render(app, image.Pt(1080, 2340), time.Second)
				plain, err := look(frame)
				if err != nil {
					continue // not for the traces
				}
				o := overdrawn{frame, rand.New(rand.NewPCG(seed, 7))}
				l := plain.Seen.Layout
				at := o.r.IntN(len(l.Centres))
				points := []image.Point{l.Centres[at]}
				for range 3 + o.r.IntN(9) {
					if seed%3 == 2 { // anywhere
						points = append(points, l.Board.Min.Add(image.Pt(o.r.IntN(l.Board.Dx()), o.r.IntN(l.Board.Dy()))))
						continue
					}
					row, col := at/l.Cols, at%l.Cols
					if d := 1 - 2*o.r.IntN(2); o.r.IntN(2) == 0 && col+d >= 0 && col+d < l.Cols {
						col += d
					} else if row+d >= 0 && row+d < l.Rows {
						row += d
					}
					at = row*l.Cols + col
					points = append(points, l.Centres[at])
				}
				o.strokes(points, l.Pitch, seed%4 == 3)
				s, err := look(frame)
				switch {
				case err != nil:
					refused++
					t.Logf("seed %d: %v", seed, err)
				case s.Game.Name() != game.Name() || !gametest.SameBoard(game, s.Puzzle, level):
					t.Errorf("seed %d: read as %s\n%v\nexpected\n%v", seed, s.Game.Name(), s.Puzzle, level)
				default:
					right++
				}
			}
			t.Logf("%d right, %d refused", right, refused)
			if 4*right < 3*(right+refused) {
				t.Errorf("%d right, %d refused, expected three of four", right, refused)
			}
		})
	}
}
