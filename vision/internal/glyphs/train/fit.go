package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tapwise/vision/internal/glyphs"
)

// Sizes and rates of the training.
const (
	units     = 56    // in a network's hidden layer
	batch     = 64    // samples between two steps
	rate      = 2e-3  // of Adam, falling to 1/30 of it
	perFigure = 14    // shapes kept of each figure
	mostKept  = 6000  // samples of a figure that the kept shapes are the means of
	farShare  = 0.997 // of a figure's samples that are within the limit of distance
	jitter    = 0.03  // standard deviation of what is added to a shape's values
)

const (
	inputs  = len(glyphs.Shape{}.Grid)
	classes = glyphs.Figures + 1
)

// layer is a matrix with what Adam keeps about its weights.
type layer struct {
	weight, grad, first, second [][]float32
}

func newLayer(r *rand.Rand, rows, cols int) *layer {
	l := &layer{}
	for _, m := range []*[][]float32{&l.weight, &l.grad, &l.first, &l.second} {
		*m = make([][]float32, rows)
		for i := range *m {
			(*m)[i] = make([]float32, cols)
		}
	}
	for _, row := range l.weight {
		for j := range row[:cols-1] {
			row[j] = float32(r.NormFloat64() * math.Sqrt(2/float64(cols)))
		}
	}
	return l
}

// step is a step of Adam, the time-th.
func (l *layer) step(time int, rate float64) {
	const decay1, decay2 = 0.9, 0.999
	scale := float32(rate * math.Sqrt(1-math.Pow(decay2, float64(time))) / (1 - math.Pow(decay1, float64(time))))
	for i, row := range l.weight {
		grad, first, second := l.grad[i], l.first[i], l.second[i]
		for j := range row {
			g := grad[j] + 1e-5*row[j]
			first[j] += (1 - decay1) * (g - first[j])
			second[j] += (1 - decay2) * (g*g - second[j])
			row[j] -= scale * first[j] / (float32(math.Sqrt(float64(second[j]))) + 1e-8)
			grad[j] = 0
		}
	}
}

// trainNet trains one network.
func trainNet(r *rand.Rand, samples []sample, epochs int) glyphs.Net {
	hidden, out := newLayer(r, units, inputs+1), newLayer(r, classes, units+1)
	net := glyphs.Net{Hidden: hidden.weight, Out: out.weight}
	order := r.Perm(len(samples))
	steps, total := 0, epochs*len(samples)/batch
	for epoch := range epochs {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		loss := 0.0
		for k, i := range order {
			loss += learn(r, net, hidden, out, &samples[i])
			if k%batch == batch-1 {
				steps++
				left := 1 - float64(steps)/float64(total+1)
				now := rate * (1.0/30 + (1-1.0/30)*left)
				hidden.step(steps, now)
				out.step(steps, now)
			}
		}
		fmt.Printf("epoch %d: loss %.5f\n", epoch+1, loss/float64(len(samples)))
	}
	return net
}

// learn adds the gradients of one sample, and gives its loss.
func learn(r *rand.Rand, net glyphs.Net, hidden, out *layer, s *sample) float64 {
	grid := s.shape.Grid
	for j := range grid {
		grid[j] += jitter * float32(r.NormFloat64())
	}
	var units_ [units]float32
	for i, row := range hidden.weight {
		sum := row[inputs]
		for j, x := range grid {
			sum += row[j] * x
		}
		units_[i] = max(0, sum)
	}
	likely := net.Run(&grid)
	var back [units]float32
	for c := range likely {
		d := float32(likely[c])
		if c == s.class {
			d--
		}
		d /= batch
		grad, row := out.grad[c], out.weight[c]
		for i, u := range units_ {
			grad[i] += d * u
			back[i] += d * row[i]
		}
		grad[units] += d
	}
	for i, d := range back {
		if units_[i] == 0 || d == 0 {
			continue
		}
		grad := hidden.grad[i]
		for j, x := range grid {
			grad[j] += d * x
		}
		grad[inputs] += d
	}
	return -math.Log(max(1e-12, likely[s.class]))
}

// keep finds the shapes to keep of each figure: the means of groups that lie together.
func keep(r *rand.Rand, m *glyphs.Model, samples []sample) {
	for figure := range glyphs.Figures {
		var own []sample
		for _, s := range samples {
			if s.class == figure && len(own) < mostKept {
				own = append(own, s)
			}
		}
		var means [][inputs]float32
		for range perFigure {
			means = append(means, own[r.IntN(len(own))].shape.Grid)
		}
		var far []float64
		for range 12 {
			var sums [perFigure][inputs]float64
			var counts [perFigure]float64
			far = far[:0]
			for i := range own {
				k, d := nearest(means, &own[i].shape.Grid)
				far = append(far, d)
				counts[k]++
				for j, x := range own[i].shape.Grid {
					sums[k][j] += float64(x)
				}
			}
			for k := range means {
				for j := range means[k] {
					if counts[k] > 0 {
						means[k][j] = float32(sums[k][j] / counts[k])
					}
				}
			}
		}
		slices.Sort(far)
		m.Far[figure] = far[int(farShare*float64(len(far)-1))]
		for _, mean := range means {
			m.Kept = append(m.Kept, glyphs.Kept{Figure: figure, Grid: mean})
		}
		fmt.Printf("figure %d: %d shapes, the farthest at %.3f\n", figure, len(own), m.Far[figure])
	}
}

// nearest is the mean that is nearest to a grid, and its distance.
func nearest(means [][inputs]float32, grid *[inputs]float32) (int, float64) {
	best, least := 0, math.Inf(1)
	for k := range means {
		if d := glyphs.Distance(grid, &means[k]); d < least {
			best, least = k, d
		}
	}
	return best, least
}
