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

// display is a display as the window manager describes it.
type display struct {
	id                  int
	natural, set, seen  image.Point // as it was built, as wm set it, and as apps see it, turned
	density, setDensity int
	rotation            int
	focus               string // the lines of the focused window and app
	cutout              string // the line of the cutout; empty for none
}

// dump writes its part of `dumpsys window displays`, in the form of the pretended
// Android.
func (d display) dump(b *strings.Builder, sdk int) {
	organized, least, base := "", "", ""
	if sdk >= 31 {
		organized = " (organized)"
	}
	if sdk >= 33 {
		least = " mMinSizeOfResizeableTaskDp=220"
	}
	if d.set != d.natural || d.setDensity != d.density {
		base = fmt.Sprintf(" base=%dx%d %ddpi", d.set.X, d.set.Y, d.setDensity)
	}
	short, long := min(d.seen.X, d.seen.Y), max(d.seen.X, d.seen.Y)
	fmt.Fprintf(b, "  Display: mDisplayId=%d%s\n    init=%dx%d %ddpi%s%s cur=%dx%d app=%dx%d rng=%dx%d-%dx%d\n", d.id, organized,
		d.natural.X, d.natural.Y, d.density, least, base, d.seen.X, d.seen.Y, d.seen.X, d.seen.Y, short, short, long, long)
	switch {
	case sdk < 26:
		b.WriteString("    deferred=false layoutNeeded=false\n")
	case sdk < 34:
		fmt.Fprintf(b, "    deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion((0,0,%d,%d))\n", d.seen.X, d.seen.Y)
	default:
		b.WriteString("    deferred=false mLayoutNeeded=false\n")
	}
	if sdk >= 29 {
		fmt.Fprintf(b, "%s\n  DisplayRotation\n    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n    mLastOrientation=-1\n"+
			"    mRotation=%d mDeferredRotationPauseCount=0\n    mUserRotationMode=USER_ROTATION_LOCKED mUserRotation=ROTATION_%d\n",
			d.focus, d.rotation, d.rotation*90)
	}
	if sdk >= 28 {
		fmt.Fprintf(b, "  DisplayFrames w=%d h=%d r=%d\n%s", d.seen.X, d.seen.Y, d.rotation, d.cutout)
	}
}

// viewports are the displays as `dumpsys display` lists them.
func (p *state) viewports() string {
	sdk, size := p.config.SDK, p.screen.frameSize()
	apps := viewport(sdk, p.config.appDisplay(), displayID, p.screen.on, p.screen.rotation, size, p.config.Size)
	switch {
	case sdk < 29:
		return "  mDefaultViewport=" + apps + "\n  mExternalTouchViewport=DisplayViewport{valid=false, displayId=0, orientation=0," +
			" logicalFrame=Rect(0, 0 - 0, 0), physicalFrame=Rect(0, 0 - 0, 0), deviceWidth=0, deviceHeight=0}\n"
	case p.config.Cover != (image.Point{}):
		apps = viewport(sdk, 0, coverID, false, 0, p.config.Cover, p.config.Cover) + ", " + apps
	}
	return "  mViewports=[" + apps + "]\n"
}

// viewport is one of them. A device is as large as it was built, and turned with the
// screen.
func viewport(sdk, id int, physical string, active bool, rotation int, seen, built image.Point) string {
	first, unique := "valid=true", ""
	if sdk >= 29 {
		first, unique = "type=INTERNAL, valid=true", " uniqueId='local:"+physical+"', physicalPort=129,"
	}
	if sdk >= 30 {
		first += fmt.Sprintf(", isActive=%t", active)
	}
	built = turned(built, rotation)
	return fmt.Sprintf("DisplayViewport{%s, displayId=%d,%s orientation=%d, logicalFrame=Rect(0, 0 - %d, %d),"+
		" physicalFrame=Rect(0, 0 - %d, %d), deviceWidth=%d, deviceHeight=%d}",
		first, id, unique, rotation, seen.X, seen.Y, built.X, built.Y, built.X, built.Y)
}

// turned is a size in a rotation.
func turned(size image.Point, rotation int) image.Point {
	if rotation%2 == 1 {
		return image.Pt(size.Y, size.X)
	}
	return size
}
