package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tapwise/vision/internal/glyphs"
)

// Sizes and rates of the training.
const (
	first, second = 10, 20 // filters
	units         = 56     // in a network's hidden layer
	batch         = 64     // samples between two steps
	rate          = 2e-3   // of Adam, falling to 1/30 of it
	jitter        = 0.03   // standard deviation of what is added to a shape's values
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
	const last = glyphs.SecondSide / 2
	layers := [...]*layer{newLayer(r, first, 9+1), newLayer(r, second, 9*first+1), newLayer(r, units, last*last*second+2), newLayer(r, glyphs.Figures+1, units+1)}
	net := glyphs.Net{First: layers[0].weight, Second: layers[1].weight, Hidden: layers[2].weight, Out: layers[3].weight}
	order := r.Perm(len(samples))
	steps, total := 0, epochs*len(samples)/batch
	for epoch := range epochs {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		loss := 0.0
		for k, i := range order {
			s := samples[i]
			for j := range s.shape.Grid {
				s.shape.Grid[j] += jitter * float32(r.NormFloat64())
			}
			pass := net.Run(&s.shape)
			loss -= math.Log(max(1e-12, pass.Likely[s.class]))
			learn(layers[:], pass, s.class)
			if k%batch == batch-1 {
				steps++
				now := rate * (1.0/30 + (1-1.0/30)*(1-float64(steps)/float64(total+1)))
				for _, l := range layers {
					l.step(steps, now)
				}
			}
		}
		fmt.Printf("epoch %d: loss %.5f\n", epoch+1, loss/float64(len(samples)))
	}
	return net
}

// learn adds the gradients of a pass over a shape of a class.
func learn(layers []*layer, pass *glyphs.Pass, class int) {
	var down [glyphs.Figures + 1]float32
	for c, likely := range pass.Likely {
		down[c] = float32(likely) / batch
	}
	down[class] -= 1.0 / batch
	of := make([]float32, len(pass.Units))
	layers[3].back(down[:], pass.Units, of)
	for i, u := range pass.Units {
		if u == 0 {
			of[i] = 0
		}
	}
	flat := make([]float32, len(pass.Flat))
	layers[2].back(of, pass.Flat, flat)
	mid := make([]float32, len(pass.Mid))
	layers[1].backFilter(flat, pass.FlatFrom, pass.Mid, mid, glyphs.SecondSide, first)
	layers[0].backFilter(mid, pass.MidFrom, pass.Grid, make([]float32, len(pass.Grid)), glyphs.FirstSide, 1)
}

// back adds the gradients of a layer's weights and of its inputs to those that are there.
func (l *layer) back(down, in, of []float32) {
	for c, d := range down {
		if d != 0 {
			addBack(d, in, of, l.weight[c], l.grad[c])
			l.grad[c][len(in)] += d
		}
	}
}

// backFilter is back for a layer of filters, whose values come from places of a square.
func (l *layer) backFilter(down []float32, from []int, in, of []float32, side, channels int) {
	for k, at := range from {
		d, f := down[k], k%len(l.weight)
		if at < 0 || d == 0 {
			continue
		}
		n := 3 * channels
		for line := range 3 {
			i := at + line*(side+2)*channels
			addBack(d, in[i:i+n], of[i:i+n], l.weight[f][n*line:], l.grad[f][n*line:])
		}
		l.grad[f][3*n] += d
	}
}

func addBack(d float32, in, of, weight, grad []float32) {
	of, weight, grad = of[:len(in)], weight[:len(in)], grad[:len(in)]
	for j, x := range in {
		grad[j] += d * x
		of[j] += d * weight[j]
	}
}
