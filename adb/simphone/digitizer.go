package simphone

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
)

// TouchError says how a phone's touch panel is displaced from its screen: a touch
// sent to a pixel lands, in pixels of the phone held upright, at
//
//	middle + Offset + turned by Turn degrees clockwise (Scale · (pixel - middle))
//
// The zero value is a panel without error. The offset is in pixels of the physical
// screen, and scales with a size override.
type TouchError struct {
	OffsetX, OffsetY float64
	ScaleX, ScaleY   float64 // 0 stands for 1
	Turn             float64 // degrees
}

func (e TouchError) check() error {
	for _, v := range []float64{e.OffsetX, e.OffsetY, e.ScaleX, e.ScaleY, e.Turn} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("simphone: touch error that is not a number")
		}
	}
	if e.ScaleX < 0 || e.ScaleY < 0 {
		return fmt.Errorf("simphone: touch scaled by %g, %g, expected more than 0", e.ScaleX, e.ScaleY)
	}
	return nil
}

// land is where a touch from input lands, in pixels of the screen in its current
// rotation.
func (s *screenState) land(x, y float64) (float64, float64) {
	e := s.touch
	if e == (TouchError{}) {
		return x, y
	}
	setDefault(&e.ScaleX, 1)
	setDefault(&e.ScaleY, 1)
	size := s.frameSize()
	upright := turned(size, s.rotation)
	w, h := float64(upright.X), float64(upright.Y)
	x, y = turn(4-s.rotation, float64(size.X), float64(size.Y), x, y) // to the panel's own pixels
	dx, dy := e.ScaleX*(x-w/2), e.ScaleY*(y-h/2)
	sin, cos := math.Sincos(e.Turn * math.Pi / 180)
	part := w / float64(s.natural.X)
	return turn(s.rotation, w, h, w/2+part*e.OffsetX+cos*dx-sin*dy, h/2+part*e.OffsetY+sin*dx+cos*dy)
}

// insets are the margins, in pixels, that the cutout takes from the sides of the
// screen in its current rotation: apps keep clear of them.
func (s *screenState) insets() (left, top, right, bottom int) {
	cut := s.cutout
	switch s.rotation {
	case 1:
		return cut, 0, 0, 0
	case 2:
		return 0, 0, 0, cut
	case 3:
		return 0, 0, cut, 0
	}
	return 0, cut, 0, 0
}

// area is the part of the frame that belongs to apps.
func (s *screenState) area() image.Rectangle {
	size := s.frameSize()
	left, top, right, bottom := s.insets()
	return image.Rect(left, top, size.X-right, size.Y-bottom)
}

// drawApp lets an app draw on its part of the frame; the caller holds appMu.
func (p *Phone) drawApp(app *runningApp, c *canvas) {
	p.mu.Lock()
	area := p.screen.area()
	p.mu.Unlock()
	if p.config.Cutout == 0 || area.Empty() {
		p.callApp(app, func() { app.app.Draw(c, p.now()) })
		return
	}
	inside := newCanvas(area.Size())
	p.callApp(app, func() { app.app.Draw(inside, p.now()) })
	draw.Draw(c.frame, area, inside.frame, image.Point{}, draw.Src)
}
