package glyphs

import (
	"bufio"
	_ "embed" // the model
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"sync"
)

// judgeLimits bound which shapes are figures.
var judgeLimits = struct {
	confidence   float64
	far, between float64
	fine         int
}{
	confidence: 0.9,  // probability of the least certain network: a figure has at least this
	far:        1.0,  // times the limit kept with a figure: its nearest kept shape is no further away
	between:    0.95, // the distance to its nearest kept shape is at most this share of that to another figure's
	fine:       14,   // pixels: from this height on, all holes of a figure can be seen
}

// Figures is the number of figures; Other is the class of what is none of them.
const (
	Figures = 10
	Other   = Figures
	classes = Figures + 1
)

// A Net is a network with one hidden layer of rectified linear units: it takes a shape's
// grid and gives a number for each figure, and for what is none, that is the greater
// the likelier it is. The last weight of each row is added without an input.
type Net struct {
	Hidden [][]float32 // a row of shapeSize+1 weights for each unit
	Out    [][]float32 // for each class a row of weights of the units, and one more
}

// Run is the network's probability for each class.
func (n Net) Run(grid *[shapeSize]float32) [classes]float64 {
	units := make([]float32, len(n.Hidden))
	for i, row := range n.Hidden {
		row = row[:shapeSize+1]
		sum := row[shapeSize]
		for j, x := range grid {
			sum += row[j] * x
		}
		units[i] = max(0, sum)
	}
	var out [classes]float64
	most := math.Inf(-1)
	for c := range out {
		row := n.Out[c]
		sum := row[len(units)]
		for i, u := range units {
			sum += row[i] * u
		}
		out[c] = float64(sum)
		most = max(most, out[c])
	}
	total := 0.0
	for c := range out {
		out[c] = math.Exp(out[c] - most)
		total += out[c]
	}
	for c := range out {
		out[c] /= total
	}
	return out
}

// A Kept shape is one that some glyphs of a figure look like.
type Kept struct {
	Figure int
	Grid   [shapeSize]float32
}

// Model is what shapes are judged by.
type Model struct {
	Nets []Net
	Kept []Kept
	Far  [Figures]float64 // greatest distance of a figure from the nearest of its kept shapes
}

// Distance is how far two grids are apart: the root of the sum of squares.
func Distance(a, b *[shapeSize]float32) float64 {
	sum := float32(0)
	for i, x := range a {
		sum += (x - b[i]) * (x - b[i])
	}
	return math.Sqrt(float64(sum))
}

// Judge returns which figure a shape is, with the confidence, 0 to 1. It is 0 for a shape that
// is no figure, or not clearly one; likely says whether the networks, at least, agree on it.
func Judge(s Shape) (figure int, confidence float64, likely bool) { return model().Judge(s) }

// Judge is the function of that name with this model.
func (m *Model) Judge(s Shape) (figure int, confidence float64, likely bool) {
	confidence = 1
	for i, n := range m.Nets {
		each, best := n.Run(&s.Grid), 0
		for c, p := range each {
			if p > each[best] {
				best = c
			}
		}
		if best == Other || i > 0 && best != figure {
			return 0, 0, false
		}
		figure, confidence = best, min(confidence, each[best])
	}
	if !s.mayHave(figure) {
		return figure, 0, true
	}
	own, other := math.Inf(1), math.Inf(1)
	for i := range m.Kept {
		d := Distance(&s.Grid, &m.Kept[i].Grid)
		if m.Kept[i].Figure == figure {
			own = min(own, d)
		} else {
			other = min(other, d)
		}
	}
	if own > judgeLimits.far*m.Far[figure] || own > judgeLimits.between*other {
		return figure, 0, true
	}
	return figure, confidence, true
}

// mayHave reports whether a shape's holes are those of a figure. The zero may have a
// slash or a dot, and the four be open. Holes of small figures may be closed.
func (s Shape) mayHave(figure int) bool {
	least := [Figures]int{0: 1, 6: 1, 8: 2, 9: 1}[figure]
	most := [Figures]int{0: 2, 4: 1, 6: 1, 8: 2, 9: 1}[figure]
	if s.Height < judgeLimits.fine {
		least = min(least, 1)
	}
	return s.Holes >= least && s.Holes <= most
}

//go:embed model.txt
var modelText string

// model is the model that comes along. Its text is part of the program: a mistake in it
// fails the tests, and no number is read then.
var model = sync.OnceValue(func() *Model {
	m, err := ParseModel(modelText)
	if err != nil {
		return &Model{}
	}
	return m
})

// modelLine is the number of bytes in a line of a model's text.
const modelLine = 60

// String is the model as text, which ParseModel reads back: a line for each matrix with
// its name, rows and columns, and the matrix's bytes in base64. A row begins with the
// factor of its bytes, a number of 32 bits, lowest byte first.
func (m *Model) String() string {
	var b strings.Builder
	for _, n := range m.Nets {
		writeMatrix(&b, "hidden", n.Hidden)
		writeMatrix(&b, "out", n.Out)
	}
	for f, far := range m.Far {
		fmt.Fprintf(&b, "far %d %.4f\n", f, far)
		var rows [][]float32
		for _, k := range m.Kept {
			if k.Figure == f {
				rows = append(rows, k.Grid[:])
			}
		}
		writeMatrix(&b, "kept", rows)
	}
	return b.String()
}

func writeMatrix(b *strings.Builder, name string, rows [][]float32) {
	fmt.Fprintf(b, "%s %d %d\n", name, len(rows), len(rows[0]))
	var bytes []byte
	for _, row := range rows {
		most := float32(0)
		for _, x := range row {
			most = max(most, x, -x)
		}
		factor := most / 127
		bits := math.Float32bits(factor)
		bytes = append(bytes, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
		for _, x := range row {
			bytes = append(bytes, byte(int8(math.Round(float64(x/max(factor, 1e-12))))))
		}
	}
	for len(bytes) > 0 {
		n := min(modelLine, len(bytes))
		fmt.Fprintln(b, base64.StdEncoding.EncodeToString(bytes[:n]))
		bytes = bytes[n:]
	}
}

// mostRows bounds a matrix of a model's text.
const mostRows = 1 << 12

// ParseModel reads what String writes. The error names the line and what was expected.
func ParseModel(text string) (*Model, error) {
	r := &modelReader{lines: bufio.NewScanner(strings.NewReader(text))}
	m := &Model{}
	for r.next() {
		var rows, cols int
		var figure int
		var far float64
		line := r.lines.Text()
		if n, _ := fmt.Sscanf(line, "hidden %d %d", &rows, &cols); n == 2 {
			hidden := r.matrix(rows, cols, shapeSize+1)
			out := r.named("out", rows+1)
			if r.err == nil && len(out) != classes {
				r.fail("%d rows of out, expected %d", len(out), classes)
			}
			m.Nets = append(m.Nets, Net{hidden, out})
		} else if n, _ := fmt.Sscanf(line, "far %d %g", &figure, &far); n == 2 && figure >= 0 && figure < Figures {
			m.Far[figure] = far
			for _, row := range r.named("kept", shapeSize) {
				m.Kept = append(m.Kept, Kept{figure, [shapeSize]float32(row)})
			}
		} else {
			r.fail("%q, expected hidden or far", line)
		}
	}
	if r.err == nil && (len(m.Nets) == 0 || len(m.Kept) == 0) {
		r.fail("%d networks and %d kept shapes, expected some of both", len(m.Nets), len(m.Kept))
	}
	return m, r.err
}

// modelReader reads a model's text line by line, up to the first mistake.
type modelReader struct {
	lines *bufio.Scanner
	line  int
	err   error
}

func (r *modelReader) next() bool {
	r.line++
	return r.err == nil && r.lines.Scan()
}

func (r *modelReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("model: line %d: %s", r.line, fmt.Sprintf(format, args...))
	}
}

// named reads a matrix with its line.
func (r *modelReader) named(name string, want int) [][]float32 {
	var rows, cols int
	if !r.next() {
		r.fail("no more lines, expected %s", name)
		return nil
	}
	if n, _ := fmt.Sscanf(r.lines.Text(), name+" %d %d", &rows, &cols); n != 2 {
		r.fail("%q, expected %s with rows and columns", r.lines.Text(), name)
		return nil
	}
	return r.matrix(rows, cols, want)
}

// matrix reads the bytes of a matrix that must have as many columns as wanted.
func (r *modelReader) matrix(rows, cols, want int) [][]float32 {
	if rows < 1 || rows > mostRows || cols != want {
		r.fail("a matrix of %d rows and %d columns, expected 1 to %d and %d", rows, cols, mostRows, want)
		return nil
	}
	size := rows * (cols + 4)
	bytes := make([]byte, 0, size)
	for len(bytes) < size {
		if !r.next() {
			r.fail("%d bytes, expected %d", len(bytes), size)
			return nil
		}
		part, err := base64.StdEncoding.DecodeString(r.lines.Text())
		if err != nil || len(part) == 0 || len(bytes)+len(part) > size {
			r.fail("%q, expected base64 of at most %d bytes", r.lines.Text(), size-len(bytes))
			return nil
		}
		bytes = append(bytes, part...)
	}
	m := make([][]float32, rows)
	for i := range m {
		b := bytes[i*(cols+4):]
		factor := math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
		m[i] = make([]float32, cols)
		for j := range m[i] {
			m[i][j] = float32(int8(b[4+j])) * factor
		}
	}
	return m
}
