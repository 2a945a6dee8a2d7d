package screen

import (
	"image"
	"image/color"
	"time"
)

// Canvas is what a simulated app draws on. Coordinates are pixels from the top
// left corner; shapes are anti-aliased and blended by the colour's alpha.
//
// It is an alias, and it and App speak only the standard library's types, so
// that the platform can declare the same and neither has to import the other.
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

// The actions of App.Touch.
const (
	TouchDown = 0
	TouchMove = 1
	TouchUp   = 2
)

// App is a simulated app. One goroutine at a time calls it. Time is given,
// never taken: now is the time since the phone started.
type App interface {
	Package() string                                   // such as "com.example.flow"
	Draw(c Canvas, now time.Duration)                  // paints the whole screen as it looks at that time
	Touch(action int, x, y float64, now time.Duration) // one finger, in pixels of the current orientation
	Back(now time.Duration)                            // the BACK key
}
