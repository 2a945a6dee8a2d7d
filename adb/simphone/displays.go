package simphone

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"
	"strconv"
)

// coverID is the physical id of the cover display of a foldable; that of the display
// with the apps is displayID.
const coverID = "4619827677550801152"

// manyDisplays is what screencap says on a phone with two displays when it is not
// told which one.
const manyDisplays = "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, " +
	"however this default is not guaranteed to be consistent across captures. A display id should be specified.\n"

// appDisplay is the logical id of the display that shows the apps.
func (c Config) appDisplay() int {
	if c.Cover != (image.Point{}) {
		return 1
	}
	return 0
}

func (c Config) checkCover() error {
	if c.Cover == (image.Point{}) {
		return nil
	}
	if c.SDK < 29 {
		return fmt.Errorf("simphone: a cover display on SDK %d, expected 29 and later", c.SDK)
	}
	return checkSize(c.Cover)
}

// captured says what screencap captures: the display with the apps, or the cover. It
// is not ok for a display that does not exist.
func (c Config) captured(id string) (cover, ok bool) {
	folds := c.Cover != (image.Point{})
	switch {
	case id == "":
		return folds, true
	case c.SDK < 29:
		return false, id == "0"
	}
	return folds && id == coverID, id == displayID || folds && id == coverID
}

// captureCover writes a frame of the cover display, which is black.
func (p *process) captureCover(usePNG bool, out io.Writer) int {
	c := newCanvas(p.phone.config.Cover)
	c.Fill(color.NRGBA{A: 255})
	if writeFrame(out, c.frame, usePNG, p.phone.config.SDK) != nil {
		return 1
	}
	return 0
}

// takeDisplay takes "-d ID" off the arguments of wm, which from Android 10 says which
// display is meant; the default is 0. It is not ok for one that does not exist.
func (p *process) takeDisplay(args []string) (rest []string, cover, ok bool) {
	id := 0
	if i := slices.Index(args, "-d"); i >= 0 && i+1 < len(args) && p.phone.config.SDK >= 29 {
		number, err := strconv.Atoi(args[i+1])
		if err != nil {
			return nil, false, false
		}
		id, args = number, slices.Delete(slices.Clone(args), i, i+2)
	}
	app := p.phone.config.appDisplay()
	return args, id != app, id == app || id == 0
}

// display is a display as dumps describe it.
type display struct {
	SDK                       int
	ID                        int
	Physical                  string
	Active                    bool
	Natural, Set, Seen, Built image.Point // as it was made, as wm set it, as apps see it, turned, and as it was made, turned
	Density, SetDensity       int
	Rotation                  int
	Focus, FocusedApp         string           // the focused window and app
	Cutout                    *image.Rectangle // nil for none; its corners are the insets
}

func (d display) Short() int   { return min(d.Seen.X, d.Seen.Y) }
func (d display) Long() int    { return max(d.Seen.X, d.Seen.Y) }
func (d display) Degrees() int { return d.Rotation * 90 }

// appsDisplay describes the display that shows the apps; the caller holds mu.
func (p *Phone) appsDisplay(front dumpedApp, activity string) display {
	c, s := p.config, p.screen
	d := display{SDK: c.SDK, ID: c.appDisplay(), Physical: displayID, Active: s.on, Natural: c.Size, Set: c.Size, Seen: s.frameSize(),
		Built: turned(c.Size, s.rotation), Density: c.Density, SetDensity: c.Density, Rotation: s.rotation}
	setDefault(&s.override, d.Set)
	setDefault(&s.density, d.SetDensity)
	d.Set, d.SetDensity = s.override, s.density
	if c.Cutout > 0 {
		left, top, right, bottom := s.insets()
		d.Cutout = &image.Rectangle{Min: image.Pt(left, top), Max: image.Pt(right, bottom)}
	}
	over := p.troubles.over(front.Name)
	switch {
	case s.covered():
		d.Focus = fmt.Sprintf("Window{%07x u0 %s}", 104729, c.shade())
	case over != nil && over.app.(*overlay).frozen:
		d.Focus = fmt.Sprintf("Window{%07x u0 Application Not Responding: %s}", 104743, front.Name)
	case activity != "":
		d.Focus = fmt.Sprintf("Window{%07x u%d %s}", front.PID*4177, front.User, front.Component)
	default:
		d.Focus = fmt.Sprintf("Window{%07x u%d %s/%s.%s}", front.PID*4177, front.User, front.Name, front.Name, mainActivity)
	}
	if d.FocusedApp = front.Record(); c.SDK < 30 {
		d.FocusedApp = fmt.Sprintf("AppWindowToken{%07x token=Token{%07x %s}}", front.PID*6151, front.PID*3571, front.Record())
	}
	return d
}

// shade is the system's window that also shows the lock.
func (c Config) shade() string {
	switch {
	case c.SDK >= 30:
		return "NotificationShade"
	case c.SDK >= 21:
		return "StatusBar"
	}
	return "Keyguard"
}

// turned is a size in a rotation.
func turned(size image.Point, rotation int) image.Point {
	if rotation%2 == 1 {
		return image.Pt(size.Y, size.X)
	}
	return size
}

// turn turns a place on a display held upright, whose far corner is at w, h, into a rotation.
func turn(rotation int, w, h, x, y float64) (float64, float64) {
	switch rotation {
	case 1:
		return y, w - x
	case 2:
		return w - x, h - y
	case 3:
		return h - y, x
	}
	return x, y
}
