package drawing

import (
	"image"
	"image/color"
	"math"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
)

// Sizes in pixels: a pitch and the longer side of a picture, at most.
const (
	printPitch  = 120
	printSide   = 4096
	moviePitch  = 72
	movieSide   = 720
	leastPixels = 16 // either side of a picture, at least
)

// capital is the height of a capital letter, as a share of the font size.
const capital = 0.72

// Raster draws a picture in pixels, at the size for print.
func Raster(p solvers.Picture) *image.RGBA { return raster(p, scale(p, printPitch, printSide)) }

// scale is the number of pixels for a pitch.
func scale(p solvers.Picture, pitch, side float64) float64 {
	return min(pitch, side/max(p.Width, p.Height, 1))
}

func raster(p solvers.Picture, scale float64) *image.RGBA {
	size := image.Pt(max(leastPixels, int(math.Ceil(p.Width*scale))), max(leastPixels, int(math.Ceil(p.Height*scale))))
	return simphone.Render(sheet{p, scale}, size, 0)
}

// sheet is a picture as an app of the simulated phone, whose canvas draws smooth
// edges.
type sheet struct {
	picture solvers.Picture
	scale   float64
}

func (sheet) Package() string                            { return "" }
func (sheet) Touch(int, float64, float64, time.Duration) {}
func (sheet) Back(time.Duration)                         {}
func (s sheet) Draw(c simphone.Canvas, now time.Duration) {
	c.Fill(color.NRGBA{255, 255, 255, 255})
	for _, shape := range s.picture.Shapes {
		points := make([][2]float64, len(shape.Points))
		for i, p := range shape.Points {
			points[i] = [2]float64{p[0] * s.scale, p[1] * s.scale}
		}
		size := shape.Size * s.scale
		switch {
		case len(points) == 0:
		case shape.Kind == solvers.LineShape && len(points) == 1, shape.Kind == solvers.DiscShape:
			if shape.Kind == solvers.LineShape {
				size /= 2
			}
			c.Circle(points[0][0], points[0][1], size, shape.Colour)
		case shape.Kind == solvers.LineShape:
			c.Polyline(points, size, shape.Colour)
		case shape.Kind == solvers.PolygonShape:
			c.Polygon(points, shape.Colour)
		case shape.Kind == solvers.TextShape:
			c.Text(points[0][0], points[0][1]+size/2, size/capital, 0.5, shape.Text, shape.Colour)
		}
	}
}
