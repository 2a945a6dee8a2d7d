package glyphs

import (
	"bytes"
	_ "embed" // the model
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
)

// judgeLimits bound which shapes are figures.
var judgeLimits = struct {
	confidence, likely float64
}{
	confidence: 0.93, // probability: a figure has at least this,
	likely:     0.5,  // and an unclear one may be taken for it from this on
}

// Figures is the number of figures; Other is the class of what is none of them.
const (
	Figures = 10
	Other   = Figures
	classes = Figures + 1
)

// A Net is a small convolutional network: two layers of filters of 3 by 3 values, which keep
// the greatest of each 2 by 2, and two layers of units. It takes a shape and gives a number for
// each figure, and for what is none, that is the greater the likelier it is. A row has the
// weights of a filter or a unit; the last one is added without an input. All but Out are
// rectified.
type Net struct {
	First, Second [][]float32 // a value's channels lie together, row by row
	Hidden        [][]float32 // of Second's values and the shape's width
	Out           [][]float32 // for each class
}

func (n *Net) layers() [4]*[][]float32 {
	return [...]*[][]float32{&n.First, &n.Second, &n.Hidden, &n.Out}
}

// A Pass is what a network makes of a shape, layer by layer. Each value of a layer of filters
// comes with where its filter lies on the values before, -1 where it is 0.
type Pass struct {
	Grid, Mid, Flat, Units []float32 // Grid and Mid with a rim of zeros
	MidFrom, FlatFrom      []int
	Likely                 [classes]float64
}

// Sides of what filters are laid on, without the rim.
const (
	FirstSide  = shapeSide
	SecondSide = FirstSide / 2
	lastSide   = SecondSide / 2
)

// Run is a network's pass over a shape.
func (n *Net) Run(s *Shape) *Pass {
	p := &Pass{Grid: make([]float32, (FirstSide+2)*(FirstSide+2)), Units: make([]float32, len(n.Hidden))}
	for y := range FirstSide {
		copy(p.Grid[(y+1)*(FirstSide+2)+1:], s.Grid[y*FirstSide:(y+1)*FirstSide])
	}
	p.Mid, p.MidFrom = filter(n.First, p.Grid, FirstSide, 1, 1)
	p.Flat, p.FlatFrom = filter(n.Second, p.Mid, SecondSide, len(n.First), 0)
	p.Flat = append(p.Flat, s.Width)
	for i, row := range n.Hidden {
		p.Units[i] = max(0, unit(row, p.Flat))
	}
	most := math.Inf(-1)
	for c := range p.Likely {
		p.Likely[c] = float64(unit(n.Out[c], p.Units))
		most = max(most, p.Likely[c])
	}
	total := 0.0
	for c := range p.Likely {
		p.Likely[c] = math.Exp(p.Likely[c] - most)
		total += p.Likely[c]
	}
	for c := range p.Likely {
		p.Likely[c] /= total
	}
	return p
}

func unit(row, in []float32) float32 {
	sum := row[len(in)]
	row = row[:len(in)]
	for i, x := range in {
		sum += row[i] * x
	}
	return sum
}

// filter lays filters on each place of a square with a rim of zeros, and gives the greatest
// value of each 2 by 2 places, with a rim or none, and which place that is.
func filter(rows [][]float32, in []float32, side, channels, rim int) (out []float32, from []int) {
	half, stride, n := side/2, (side+2)*channels, 3*channels
	wide := half + 2*rim
	out, from = make([]float32, wide*wide*len(rows)), make([]int, wide*wide*len(rows))
	for i := range from {
		from[i] = -1
	}
	under := make([]float32, 4*3*n) // what lies under a filter at each of the 2 by 2 places
	a, b, c, d := under[:3*n], under[3*n:6*n], under[6*n:9*n], under[9*n:]
	for place := range half * half {
		y, x := place/half, place%half
		at := ((y+rim)*wide + x + rim) * len(rows)
		first := 2*y*stride + 2*x*channels
		for k := range 4 {
			for line := range 3 {
				copy(under[3*n*k+n*line:3*n*k+n*line+n], in[first+(k/2+line)*stride+k%2*channels:])
			}
		}
		for to, row := range rows {
			to += at
			var e, f, g, h float32
			a, b, c, d := a[:len(row)-1], b[:len(row)-1], c[:len(row)-1], d[:len(row)-1]
			for j, x := range a {
				w := row[j]
				e += w * x
				f += w * b[j]
				g += w * c[j]
				h += w * d[j]
			}
			for k, sum := range [...]float32{e, f, g, h} {
				if sum += row[3*n]; sum > out[to] {
					out[to], from[to] = sum, first+k/2*stride+k%2*channels
				}
			}
		}
	}
	return out, from
}

// Model is what shapes are judged by: networks whose probabilities are averaged.
type Model []Net

// Judge returns which figure a shape is, with the confidence, 0 to 1: 0 for what is rather no
// figure.
func Judge(s *Shape) (figure int, confidence float64) { return model().Judge(s) }

// Judge is the function of that name with this model.
func (m Model) Judge(s *Shape) (figure int, confidence float64) {
	var mean [classes]float64
	for i := range m {
		for c, p := range m[i].Run(s).Likely {
			mean[c] += p / float64(len(m))
		}
	}
	for c, p := range mean {
		if p > confidence {
			figure, confidence = c, p
		}
	}
	if figure == Other {
		return 0, 0
	}
	return figure, confidence
}

//go:embed model.bin
var modelData []byte

// model is the model that comes along. It is part of the program: a mistake in it
// fails the tests, and no number is read then.
var model = sync.OnceValue(func() Model {
	m, err := Unpack(modelData)
	if err != nil {
		return nil
	}
	return m
})

// Pack is the model as bytes, the lowest of a number first: for each layer its rows and columns, of
// 16 bits, and for each row a factor, of 32 bits, and its weights in units of that, of 8 bits.
func (m Model) Pack() []byte {
	var b []byte
	for i := range m {
		for _, layer := range m[i].layers() {
			b = binary.LittleEndian.AppendUint16(b, uint16(len(*layer)))
			b = binary.LittleEndian.AppendUint16(b, uint16(len((*layer)[0])))
			for _, row := range *layer {
				most := float32(0)
				for _, x := range row {
					most = max(most, x, -x)
				}
				factor := most / math.MaxInt8
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(factor))
				for _, x := range row {
					b = append(b, byte(int8(math.Round(float64(x/max(factor, 1e-12))))))
				}
			}
		}
	}
	return b
}

// Unpack reads what Pack writes. The error names the layer and what was expected.
func Unpack(data []byte) (Model, error) {
	r := bytes.NewReader(data)
	var m Model
	for r.Len() > 0 {
		var n Net
		cols := 9 + 1
		for i, layer := range n.layers() {
			var size struct{ Rows, Cols uint16 }
			err := binary.Read(r, binary.LittleEndian, &size)
			if rows := int(size.Rows); err == nil && (int(size.Cols) != cols || rows == 0 || i == 3 && rows != classes) {
				err = fmt.Errorf("%d rows and %d columns, expected %d columns, and %d rows of the last layer", rows, size.Cols, cols, classes)
			}
			for row := 0; err == nil && row < int(size.Rows); row++ {
				var factor float32
				bytes, weights := make([]int8, cols), make([]float32, cols)
				err = errors.Join(binary.Read(r, binary.LittleEndian, &factor), binary.Read(r, binary.LittleEndian, bytes))
				for j, b := range bytes {
					weights[j] = float32(b) * factor
				}
				*layer = append(*layer, weights)
			}
			if err != nil {
				return nil, fmt.Errorf("model: network %d, layer %d: %w", len(m)+1, i+1, err)
			}
			rows := len(*layer)
			cols = [...]int{9*rows + 1, lastSide*lastSide*rows + 2, rows + 1, 0}[i]
		}
		m = append(m, n)
	}
	if len(m) == 0 {
		return nil, errors.New("model: no network, expected some")
	}
	return m, nil
}
