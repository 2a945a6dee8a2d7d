package simphone

import (
	"image"
	"image/color"
	"math"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Canvas is the surface that an app draws on. Coordinates are pixels from the top
// left corner; shapes are anti-aliased and blended by the colour's alpha.
//
// It is an alias, and it and App use only the standard library's types, so that an
// app can be written without knowing this package.
type Canvas = interface {
	Size() image.Point
	Fill(c color.NRGBA)                         // the whole canvas
	Rect(x0, y0, x1, y1 float64, c color.NRGBA) // a filled rectangle
	RoundRect(x0, y0, x1, y1, radius float64, c color.NRGBA)
	Circle(x, y, radius float64, c color.NRGBA)                 // a filled disc
	Polygon(points [][2]float64, c color.NRGBA)                 // filled
	Polyline(points [][2]float64, width float64, c color.NRGBA) // round caps and joins
	// Text draws s with its baseline at y, size pixels high; align 0 puts its
	// left end at x, 0.5 its middle, 1 its right end.
	Text(x, y, size, align float64, s string, c color.NRGBA)
	Picture(x, y int, m *image.NRGBA) // copied as it is, for cached backgrounds
}

// Render draws an app without a phone.
func Render(app App, size image.Point, now time.Duration) *image.RGBA {
	c := newCanvas(size)
	c.Fill(color.NRGBA{A: 255})
	app.Draw(c, now)
	return c.frame
}

// canvas draws on an opaque frame. Shapes with straight edges along the axes
// and circles are filled row by row; the rest goes through the rasterizer.
type canvas struct {
	frame  *image.RGBA
	size   image.Point
	raster vector.Rasterizer
	font   *opentype.Font
	faces  map[int]font.Face // by size in quarter pixels
}

const (
	maxFaces = 16
	maxFont  = 2000 // pixels
)

func newCanvas(size image.Point) *canvas {
	size.X, size.Y = max(size.X, 1), max(size.Y, 1)
	return &canvas{frame: image.NewRGBA(image.Rectangle{Max: size}), size: size, faces: make(map[int]font.Face)}
}

func (c *canvas) Size() image.Point { return c.size }

func (c *canvas) Fill(col color.NRGBA) {
	if col.A != 255 {
		c.Rect(0, 0, float64(c.size.X), float64(c.size.Y), col)
		return
	}
	copyPixel(c.frame.Pix, [4]byte{col.R, col.G, col.B, 255})
}

// copyPixel fills pix with one pixel.
func copyPixel(pix []byte, pixel [4]byte) {
	n := copy(pix, pixel[:])
	for n < len(pix) {
		n += copy(pix[n:], pix[:n])
	}
}

// row returns the pixels x0 to x1 of a row, which lie on the canvas.
func (c *canvas) row(y, x0, x1 int) []byte {
	start := y * c.frame.Stride
	return c.frame.Pix[start+4*x0 : start+4*x1]
}

// blend draws a colour over one pixel; alpha is 0 to 255.
func blend(pixel []byte, col color.NRGBA, alpha uint32) {
	rest := 255 - alpha
	pixel[0] = byte((uint32(col.R)*alpha + uint32(pixel[0])*rest + 127) / 255)
	pixel[1] = byte((uint32(col.G)*alpha + uint32(pixel[1])*rest + 127) / 255)
	pixel[2] = byte((uint32(col.B)*alpha + uint32(pixel[2])*rest + 127) / 255)
}

// span draws from x0 to x1 on row y, where its ends may cover pixels partly; cover
// is the covered part of the row's height, 0 to 1.
func (c *canvas) span(y int, x0, x1, cover float64, col color.NRGBA) {
	x0, x1 = max(x0, 0), min(x1, float64(c.size.X))
	if y < 0 || y >= c.size.Y || !(x1 > x0) || cover <= 0 {
		return
	}
	alpha := float64(col.A) * min(cover, 1)
	first, last := int(x0), int(math.Ceil(x1))-1 // the pixels touched
	if first == last {
		blend(c.row(y, first, first+1), col, uint32(alpha*(x1-x0)+0.5))
		return
	}
	if left := float64(first+1) - x0; left < 1 {
		blend(c.row(y, first, first+1), col, uint32(alpha*left+0.5))
		first++
	}
	if right := x1 - float64(last); right < 1 {
		blend(c.row(y, last, last+1), col, uint32(alpha*right+0.5))
		last--
	}
	if first > last {
		return
	}
	pixels := c.row(y, first, last+1)
	whole := uint32(alpha + 0.5)
	if whole == 255 {
		copyPixel(pixels, [4]byte{col.R, col.G, col.B, 255})
		return
	}
	for i := 0; i < len(pixels); i += 4 {
		blend(pixels[i:i+4], col, whole)
	}
}

// finite reports whether all values are numbers that can be drawn with.
func finite(values ...float64) bool {
	for _, v := range values {
		if !(math.Abs(v) < 1e9) {
			return false
		}
	}
	return true
}

func (c *canvas) Rect(x0, y0, x1, y1 float64, col color.NRGBA) {
	if !finite(x0, y0, x1, y1) {
		return
	}
	x0, x1 = min(x0, x1), max(x0, x1)
	y0, y1 = max(min(y0, y1), 0), min(max(y0, y1), float64(c.size.Y))
	for y := int(y0); float64(y) < y1; y++ {
		c.span(y, x0, x1, min(y1, float64(y+1))-max(y0, float64(y)), col)
	}
}

func (c *canvas) Circle(x, y, radius float64, col color.NRGBA) {
	c.RoundRect(x-radius, y-radius, x+radius, y+radius, radius, col)
}

func (c *canvas) RoundRect(x0, y0, x1, y1, radius float64, col color.NRGBA) {
	if !finite(x0, y0, x1, y1, radius) {
		return
	}
	x0, x1 = min(x0, x1), max(x0, x1)
	y0, y1 = min(y0, y1), max(y0, y1)
	radius = min(radius, (x1-x0)/2, (y1-y0)/2)
	if radius <= 0 {
		c.Rect(x0, y0, x1, y1, col)
		return
	}
	top, bottom := int(math.Floor(max(y0, 0))), min(int(math.Ceil(y1)), c.size.Y)
	for y := top; y < bottom; y++ {
		c.roundRow(y, x0, y0, x1, y1, radius, col)
	}
}

// roundRow draws one row of a rounded rectangle. Where the edge is round, the
// coverage of a pixel follows from the distance of its centre to the edge.
func (c *canvas) roundRow(y int, x0, y0, x1, y1, radius float64, col color.NRGBA) {
	middle := float64(y) + 0.5
	dy := max(y0+radius-middle, middle-(y1-radius))
	if dy <= 0 {
		c.span(y, x0, x1, min(y1, float64(y+1))-max(y0, float64(y)), col)
		return
	}
	if dy >= radius+0.5 {
		return
	}
	// Pixels beyond outer are empty, pixels within inner are full.
	outer := math.Sqrt((radius+0.5)*(radius+0.5) - dy*dy)
	inner := 0.0
	if dy < radius-0.5 {
		inner = math.Sqrt((radius-0.5)*(radius-0.5) - dy*dy)
	}
	left, right := x0+radius, x1-radius // the centres of the corners
	fullFrom := int(math.Ceil(left - inner - 0.5))
	fullTo := int(math.Floor(right+inner-0.5)) + 1
	if dy >= radius-0.5 || fullTo < fullFrom {
		// The edge runs through every pixel of the row.
		fullFrom = int(math.Floor(left + 0.5))
		fullTo = fullFrom
	}
	for x := max(int(math.Floor(left-outer-0.5)), 0); x < min(fullFrom, c.size.X); x++ {
		c.edge(x, y, left, right, dy, radius, col)
	}
	c.span(y, float64(fullFrom), float64(fullTo), 1, col)
	for x := max(fullTo, 0); x < min(int(math.Ceil(right+outer+0.5)), c.size.X); x++ {
		c.edge(x, y, left, right, dy, radius, col)
	}
}

func (c *canvas) edge(x, y int, left, right, dy, radius float64, col color.NRGBA) {
	middle := float64(x) + 0.5
	dx := max(left-middle, middle-right, 0)
	cover := min(max(radius+0.5-math.Sqrt(dx*dx+dy*dy), 0), 1)
	if alpha := uint32(float64(col.A)*cover + 0.5); alpha > 0 {
		blend(c.row(y, x, x+1), col, alpha)
	}
}

func (c *canvas) Polygon(points [][2]float64, col color.NRGBA) {
	for _, p := range points {
		if !finite(p[0], p[1]) {
			return
		}
	}
	c.rasterize([][][2]float64{points}, col)
}

func (c *canvas) Polyline(points [][2]float64, width float64, col color.NRGBA) {
	if len(points) == 0 || !finite(width) || width <= 0 {
		return
	}
	along := true
	for i, p := range points {
		if !finite(p[0], p[1]) {
			return
		}
		along = along && (i == 0 || p[0] == points[i-1][0] || p[1] == points[i-1][1])
	}
	half := width / 2
	if len(points) == 1 {
		c.Circle(points[0][0], points[0][1], half, col)
		return
	}
	if along && col.A == 255 {
		// Overlaps hardly show, so each leg can be drawn by itself.
		for i, p := range points[1:] {
			q := points[i]
			c.RoundRect(min(p[0], q[0])-half, min(p[1], q[1])-half, max(p[0], q[0])+half, max(p[1], q[1])+half, half, col)
		}
		return
	}
	var legs [][][2]float64
	for i, p := range points[1:] {
		legs = append(legs, capsule(points[i], p, half))
	}
	c.rasterize(legs, col)
}

// capsule is the outline of a line with round ends, always in the same direction,
// so that the overlaps of several add up.
func capsule(a, b [2]float64, radius float64) [][2]float64 {
	direction := math.Atan2(b[1]-a[1], b[0]-a[0])
	// Enough chords in each half circle to be off by less than a tenth of a pixel.
	steps := int(min(max(4, 5*math.Sqrt(radius)), 64))
	points := make([][2]float64, 0, 2*steps+2)
	for _, end := range []struct {
		centre [2]float64
		from   float64
	}{{b, direction - math.Pi/2}, {a, direction + math.Pi/2}} {
		for i := 0; i <= steps; i++ {
			sin, cos := math.Sincos(end.from + math.Pi*float64(i)/float64(steps))
			points = append(points, [2]float64{end.centre[0] + radius*cos, end.centre[1] + radius*sin})
		}
	}
	return points
}

// rasterize fills outlines as one shape, using only the part of the rasterizer that
// the canvas needs for them.
func (c *canvas) rasterize(outlines [][][2]float64, col color.NRGBA) {
	low := [2]float64{math.Inf(1), math.Inf(1)}
	high := [2]float64{math.Inf(-1), math.Inf(-1)}
	clipped := make([][][2]float64, 0, len(outlines))
	for _, points := range outlines {
		points = clip(points, float64(c.size.X), float64(c.size.Y))
		if len(points) < 3 {
			continue
		}
		clipped = append(clipped, points)
		for _, p := range points {
			for i := range p {
				low[i], high[i] = min(low[i], p[i]), max(high[i], p[i])
			}
		}
	}
	if len(clipped) == 0 {
		return
	}
	bounds := image.Rect(int(low[0]), int(low[1]), int(math.Ceil(high[0])), int(math.Ceil(high[1])))
	if bounds.Empty() {
		return
	}
	c.raster.Reset(bounds.Dx(), bounds.Dy())
	for _, points := range clipped {
		for i, p := range points {
			x, y := float32(p[0]-float64(bounds.Min.X)), float32(p[1]-float64(bounds.Min.Y))
			if i == 0 {
				c.raster.MoveTo(x, y)
			} else {
				c.raster.LineTo(x, y)
			}
		}
		c.raster.ClosePath()
	}
	c.raster.Draw(c.frame, bounds, image.NewUniform(col), image.Point{})
}

// clip cuts a polygon to the rectangle from 0, 0 to w, h, edge by edge.
func clip(points [][2]float64, w, h float64) [][2]float64 {
	for _, edge := range []struct {
		axis  int
		limit float64
		sign  float64
	}{{0, 0, 1}, {0, w, -1}, {1, 0, 1}, {1, h, -1}} {
		inside := func(p [2]float64) float64 { return (p[edge.axis] - edge.limit) * edge.sign }
		var kept [][2]float64
		for i, p := range points {
			q := points[(i+len(points)-1)%len(points)]
			dp, dq := inside(p), inside(q)
			if (dp >= 0) != (dq >= 0) {
				t := dq / (dq - dp)
				cut := [2]float64{q[0] + (p[0]-q[0])*t, q[1] + (p[1]-q[1])*t}
				cut[edge.axis] = edge.limit
				kept = append(kept, cut)
			}
			if dp >= 0 {
				kept = append(kept, p)
			}
		}
		points = kept
	}
	return points
}

func (c *canvas) Text(x, y, size, align float64, s string, col color.NRGBA) {
	if !finite(x, y, align) || !(size > 0) || size > maxFont || len(s) > 4096 {
		return
	}
	face := c.face(size)
	if face == nil {
		return
	}
	drawer := font.Drawer{Dst: c.frame, Src: image.NewUniform(col), Face: face}
	if align != 0 {
		x -= align * float64(drawer.MeasureString(s)) / 64
	}
	if math.Abs(x) > 1<<20 || math.Abs(y) > 1<<20 { // beyond fixed point, and any screen
		return
	}
	drawer.Dot = fixed.Point26_6{X: fixed.Int26_6(math.Round(x * 64)), Y: fixed.Int26_6(math.Round(y * 64))}
	drawer.DrawString(s)
}

// face returns the font in a size, and keeps it for the next time.
func (c *canvas) face(size float64) font.Face {
	key := max(int(math.Round(size*4)), 1)
	if face := c.faces[key]; face != nil {
		return face
	}
	if c.font == nil {
		parsed, err := opentype.Parse(goregular.TTF)
		if err != nil {
			return nil
		}
		c.font = parsed
	}
	face, err := opentype.NewFace(c.font, &opentype.FaceOptions{Size: float64(key) / 4, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil
	}
	if len(c.faces) >= maxFaces {
		clear(c.faces)
	}
	c.faces[key] = face
	return face
}

func (c *canvas) Picture(x, y int, m *image.NRGBA) {
	if m == nil {
		return
	}
	bounds := m.Bounds()
	target := bounds.Sub(bounds.Min).Add(image.Pt(x, y)).Intersect(c.frame.Bounds())
	for row := target.Min.Y; row < target.Max.Y; row++ {
		from := m.Pix[m.PixOffset(bounds.Min.X+target.Min.X-x, bounds.Min.Y+row-y):][:4*target.Dx()]
		to := c.row(row, target.Min.X, target.Max.X)
		copied := 0 // everything before it is copied
		for i := 0; i < len(from); i += 4 {
			if from[i+3] == 255 {
				continue
			}
			copy(to[copied:i], from[copied:i])
			blend(to[i:i+4], color.NRGBA{R: from[i], G: from[i+1], B: from[i+2]}, uint32(from[i+3]))
			copied = i + 4
		}
		copy(to[copied:], from[copied:])
	}
}
