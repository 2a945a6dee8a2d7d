package screen

import (
	"image"
	"image/color"
	"time"
)

// Canvas is the screen that a simulated app draws on. Coordinates are pixels from the
// top left corner; shapes are anti-aliased and blended by the colour's alpha.
//
// It is an alias. It and App use only types of the standard library, so that the
// platform can declare the same and neither has to import the other.
type Canvas = interface {
	Size() image.Point
	Fill(c color.NRGBA)                         // the whole canvas
	Rect(x0, y0, x1, y1 float64, c color.NRGBA) // a filled rectangle
	RoundRect(x0, y0, x1, y1, radius float64, c color.NRGBA)
	Circle(x, y, radius float64, c color.NRGBA)                 // a filled disc
	Polygon(points [][2]float64, c color.NRGBA)                 // filled
	Polyline(points [][2]float64, width float64, c color.NRGBA) // round caps and joins
	// Text draws s with its baseline at y, size pixels high. With align 0 its left
	// end lies at x, with 0.5 its middle, with 1 its right end.
	Text(x, y, size, align float64, s string, c color.NRGBA)
	Picture(x, y int, m *image.NRGBA) // copied without blending, for cached backgrounds
}

// The actions of App.Touch.
const (
	TouchDown = 0
	TouchMove = 1
	TouchUp   = 2
)

// App is a simulated app. One goroutine at a time calls it. It reads no clock: now is
// the time since the phone started.
type App interface {
	Package() string                                   // such as "com.example.flow"
	Draw(c Canvas, now time.Duration)                  // paints the whole screen at that time
	Touch(action int, x, y float64, now time.Duration) // one finger, in pixels of the current orientation
	Back(now time.Duration)                            // the BACK key
}
