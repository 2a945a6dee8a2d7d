package simphone

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"
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

// coverDump is the part of `dumpsys window displays` on the cover display.
func (c Config) coverDump() string {
	if c.Cover == (image.Point{}) {
		return ""
	}
	size := fmt.Sprintf("%dx%d", c.Cover.X, c.Cover.Y)
	return "  Display: mDisplayId=0\n" + fmt.Sprintf("    init=%s %ddpi cur=%s app=%s\n", size, c.Density, size, size) +
		"    deferred=false mLayoutNeeded=false\n  mCurrentFocus=null\n  mFocusedApp=null\n" +
		fmt.Sprintf("  DisplayFrames w=%d h=%d r=0\n", c.Cover.X, c.Cover.Y)
}

// viewports are the displays as `dumpsys display` lists them.
func (p *state) viewports() string {
	size := p.screen.frameSize()
	list := []string{viewport(p.config.appDisplay(), displayID, p.screen.on, p.screen.rotation, size)}
	if p.config.Cover != (image.Point{}) {
		list = append([]string{viewport(0, coverID, false, 0, p.config.Cover)}, list...)
	}
	return strings.Join(list, ", ")
}

func viewport(id int, physical string, active bool, rotation int, size image.Point) string {
	return fmt.Sprintf("DisplayViewport{type=INTERNAL, valid=true, isActive=%t, displayId=%d, uniqueId='local:%s', orientation=%d,"+
		" logicalFrame=Rect(0, 0 - %d, %d), deviceWidth=%d, deviceHeight=%d}", active, id, physical, rotation, size.X, size.Y, size.X, size.Y)
}
