package app

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"time"

	"tapwise/solvers/screen"
)

// Button is something to tap.
type Button int

// The buttons of an app of levels.
const (
	NoButton Button = iota
	PreviousButton
	RestartButton
	NextButton
	HintButton
	BackKey          // Android's, in the navigation bar
	CloseButton      // the X of a panel
	PanelButton      // the first button of a panel; more follow
	OwnButton   = 16 // the first of those that only one app has
)

// Layout is where everything but the board lies on a screen of one size.
type Layout struct {
	Size      image.Point
	Landscape bool
	Unit      float64 // the width of an upright phone's screen; most sizes are parts of it
	Pitch     float64 // of the board: the distance of neighbouring cells' centres, in pixels

	Status, Content, Navigation Box
	Buttons                     map[Button]Box // those beside the board, and Android's BACK key
}

// Base is what all layouts share.
func (l *Layout) Base() *Layout { return l }

// Boxes are the buttons that the screen has.
func (l *Layout) Boxes() map[Button]Box { return l.Buttons }

// NewLayout lays out Android's bars, and leaves the content to the app.
func NewLayout(size image.Point) Layout {
	w, h := float64(size.X), float64(size.Y)
	l := Layout{Size: size, Landscape: w > h, Buttons: map[Button]Box{}}
	status, navigation := 0.07, 0.055
	if l.Landscape {
		l.Unit = min(h, w/1.5)
		status, navigation = 0.055, 0.04
	} else {
		l.Unit = min(w, h/1.5)
	}
	l.Status = Box{0, 0, w, status * l.Unit}
	l.Navigation = Box{0, h - navigation*l.Unit, w, h}
	l.Content = Box{0, l.Status.Y1, w, l.Navigation.Y0}
	return l
}

// NewKeyLayout lays out a screen of square boards with Android's three keys in a bar at the
// bottom, or at the right of a screen that lies, and no status bar.
func NewKeyLayout(size image.Point) Layout {
	const bar = 0.117 // in units
	w, h := float64(size.X), float64(size.Y)
	l := Layout{Size: size, Landscape: w > h, Buttons: map[Button]Box{}}
	if l.Landscape {
		l.Unit = min(h, 0.62*w)
		l.Content = Box{0, 0, w - bar*l.Unit, h}
		l.Navigation = Box{l.Content.X1, 0, w, h}
	} else {
		l.Unit = min(w, 0.6*h)
		l.Content = Box{0, 0, w, h - bar*l.Unit}
		l.Navigation = Box{0, l.Content.Y1, w, h}
	}
	return l
}

// PlaceBackKey puts the BACK key in a bar of three keys, half a width to each side.
func (l *Layout) PlaceBackKey(half float64) {
	x, y := l.Navigation.Centre()
	if l.Landscape {
		y = 0.76 * float64(l.Size.Y)
	} else {
		x = 0.24 * float64(l.Size.X)
	}
	l.Buttons[BackKey] = BoxAround(x, y, half, half)
}

// DrawSystem draws Android's status bar, and the handle of its navigation
// gestures.
func (l *Layout) DrawSystem(c screen.Canvas, now time.Duration, ink color.NRGBA) {
	u := l.Unit
	y := l.Status.Y1 - 0.02*u
	c.Text(0.05*u, y, 0.034*u, 0, Clock(now), ink)
	right := l.Status.X1 - 0.05*u
	c.RoundRect(right-0.04*u, y-0.024*u, right, y, 0.005*u, ink)
	c.Polygon([][2]float64{{right - 0.1*u, y}, {right - 0.06*u, y}, {right - 0.06*u, y - 0.028*u}}, ink)
	x, y := l.Navigation.Centre()
	c.RoundRect(x-0.15*u, y-0.005*u, x+0.15*u, y+0.005*u, 0.005*u, Faded(ink, 0.7))
}

// Clock is the time of day on the status bar.
func Clock(now time.Duration) string {
	minutes := 9*60 + 41 + int(now/time.Minute)
	return fmt.Sprintf("%d:%02d", minutes/60%24, minutes%60)
}

// DrawSky paints the background in bands from one colour to the other, as rows
// of one colour cost next to nothing.
func (l *Layout) DrawSky(c screen.Canvas, sky, ground color.NRGBA) {
	const bands = 96
	w, h := float64(l.Size.X), float64(l.Size.Y)
	c.Fill(ground)
	for i := range bands {
		part := float64(i) / bands
		c.Rect(0, math.Floor(part*h), w, math.Ceil((part+1.0/bands)*h), Mix(sky, ground, part))
	}
}

// DrawKeys draws Android's three keys in the navigation bar; home draws the middle one, a
// disc of radius r when it is nil.
func (l *Layout) DrawKeys(c screen.Canvas, home func(x, y, r float64, key color.NRGBA)) {
	l.Navigation.Fill(c, color.NRGBA{A: 255})
	key := color.NRGBA{155, 155, 155, 255}
	r := 0.0185 * l.Unit
	x, y := l.Buttons[BackKey].Centre()
	c.Polygon([][2]float64{{x - r, y}, {x + 0.8*r, y - r}, {x + 0.8*r, y + r}}, key)
	mx, my := l.Navigation.Centre()
	if home != nil {
		home(mx, my, r, key)
	} else {
		c.Circle(mx, my, r, key)
	}
	sx, sy := 2*mx-x, my
	if l.Landscape {
		sx, sy = mx, 2*my-y
	}
	c.RoundRect(sx-r, sy-r, sx+r, sy+r, 0.2*r, key)
}
