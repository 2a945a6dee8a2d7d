package adb

import (
	"context"
	"fmt"
	"image"
	"regexp"
	"strconv"
	"strings"
)

// A Screen is the phone's screen as its window manager describes it.
type Screen struct {
	Physical image.Point // pixels, upright as the phone was built
	Override image.Point // the size set with `wm size`; zero if none
	Current  image.Point // Override or Physical, turned as the screen is now
	Density  int         // dpi, the override if there is one; 0 unknown
	Rotation int         // quarter turns 0–3, -1 unknown
}

// Screen looks at the phone's screen now.
func (d *Device) Screen(ctx context.Context) (Screen, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	screen, _, err := d.lookAtScreen(ctx)
	return screen, err
}

// lookAtScreen also returns the app in front, where the same command shows it. It asks
// for sizes by `wm` only where the dump does not show them: up to Android 7 each call
// of wm starts a Java process, which takes longer than a level's strokes.
func (d *Device) lookAtScreen(ctx context.Context) (Screen, Foreground, error) {
	text, _, err := d.shell(ctx, dumpDisplays)
	if err != nil {
		return Screen{}, Foreground{}, err
	}
	screen, shown := parseDumpedScreen(text, d.display())
	if !shown {
		sizes, _, err := d.shell(ctx, "wm size"+d.displayOption()+"; wm density"+d.displayOption())
		if err != nil {
			return Screen{}, Foreground{}, err
		}
		if screen, err = parseScreen(sizes+text, d.display()); err != nil {
			return Screen{}, Foreground{}, fmt.Errorf("adb: wm size on %s: %w", d.Serial, err)
		}
	}
	front := parseForeground(text, d.display())
	if screen.Rotation < 0 { // Android 8 and older do not show it there
		text, _, err := d.shell(ctx, dumpInput)
		if err != nil {
			return Screen{}, Foreground{}, err
		}
		screen = screen.turned(parseInputRotation(text))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.screen.screen != screen {
		d.screen.frame = image.Point{} // the next frame gives its size
	}
	d.screen.screen, d.screen.at = screen, d.client.config.Now()
	return screen, front, nil
}

// Distorts reports whether frames of that size, in pixels, do not follow the size set
// with `wm size`: they have the panel's aspect, and the override has another.
func (s Screen) Distorts(frame image.Point) bool {
	if s.Override == (image.Point{}) || sameShape(s.Override, s.Physical) {
		return false
	}
	turned := image.Pt(s.Physical.Y, s.Physical.X)
	return !sameShape(frame, s.Current) && (sameShape(frame, s.Physical) || sameShape(frame, turned))
}

// turned is the screen in the given rotation.
func (s Screen) turned(rotation int) Screen {
	s.Rotation = rotation
	s.Current = s.Physical
	if s.Override != (image.Point{}) {
		s.Current = s.Override
	}
	if rotation == 1 || rotation == 3 {
		s.Current = image.Pt(s.Current.Y, s.Current.X)
	}
	return s
}

// All patterns start with plain text: dumps are long, and plain text is found fast.
var (
	sizePattern     = regexp.MustCompile(`^(\d+)x(\d+)$`)
	physicalSize    = regexp.MustCompile(`(?m)Physical size: (\d{1,5})x(\d{1,5})\s*$`)
	overrideSize    = regexp.MustCompile(`(?m)Override size: (\d{1,5})x(\d{1,5})\s*$`)
	physicalDensity = regexp.MustCompile(`(?m)Physical density: (\d{1,5})\s*$`)
	overrideDensity = regexp.MustCompile(`(?m)Override density: (\d{1,5})\s*$`)
)

// dumpDisplays prints what the window manager knows of the displays.
const dumpDisplays = "dumpsys window displays"

// dumpedSize is how that shows a display's size and density: as it was built, and as
// `wm` set them where that is different.
var dumpedSize = regexp.MustCompile(`(?m)^\s*init=(\d{1,5}x\d{1,5}) (\d{1,5})dpi\b(?: base=(\d{1,5}x\d{1,5}) (\d{1,5})dpi\b)?`)

// parseDumpedScreen reads what one display's are in the output of `dumpsys window
// displays`, where it shows them.
func parseDumpedScreen(text, display string) (Screen, bool) {
	found := dumpedSize.FindStringSubmatch(onDisplay(text, display))
	if found == nil {
		return Screen{}, false
	}
	screen := Screen{Physical: findSize(sizePattern, found[1]), Override: findSize(sizePattern, found[3])}
	if screen.Override == screen.Physical { // only its density was set
		screen.Override = image.Point{}
	}
	density := found[2]
	if found[4] != "" {
		density = found[4]
	}
	screen.Density, _ = strconv.Atoi(density) // at most five digits
	return screen.turned(parseRotation(text, display)), screen.Physical != (image.Point{})
}

// parseScreen reads what one display's are in the joined output of `wm size`, `wm
// density` and `dumpsys window displays`. Only the physical size is required.
func parseScreen(text, display string) (Screen, error) {
	screen := Screen{
		Physical: findSize(physicalSize, text),
		Override: findSize(overrideSize, text),
	}
	if screen.Physical == (image.Point{}) {
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return Screen{}, fmt.Errorf("no line \"Physical size: WxH\" but %q", shorten(first))
	}
	for _, density := range []*regexp.Regexp{overrideDensity, physicalDensity} {
		if found := density.FindStringSubmatch(text); found != nil && screen.Density == 0 {
			screen.Density, _ = strconv.Atoi(found[1]) // at most five digits
		}
	}
	return screen.turned(parseRotation(text, display)), nil
}

func findSize(pattern *regexp.Regexp, text string) image.Point {
	found := pattern.FindStringSubmatch(text)
	if found == nil {
		return image.Point{}
	}
	width, _ := strconv.Atoi(found[1]) // at most five digits each
	height, _ := strconv.Atoi(found[2])
	if width == 0 || height == 0 {
		return image.Point{}
	}
	return image.Pt(width, height)
}

var (
	displayTitle = regexp.MustCompile(`Display: mDisplayId=(\d+)`)
	// In the order of trust. The first has been printed since Android 9, the others
	// come and go with the version.
	windowRotations = []*regexp.Regexp{
		regexp.MustCompile(`DisplayFrames w=\d+ h=\d+ r=([0-3])\b`),
		regexp.MustCompile(`mCurrentRotation=(ROTATION_\d+|[0-3])\b`),
		regexp.MustCompile(`mDisplayRotation=(ROTATION_\d+)\b`),
		regexp.MustCompile(`mRotation=(ROTATION_\d+|[0-3])\b`),
	}
	inputRotations = []*regexp.Regexp{
		regexp.MustCompile(`Viewport INTERNAL: displayId=0\b[^\n]*?\borientation=([0-3])\b`),
		regexp.MustCompile(`Viewport: displayId=0, orientation=([0-3])\b`),
		regexp.MustCompile(`SurfaceOrientation: ([0-3])\b`),
		regexp.MustCompile(`InputDeviceOrientation: ([0-3])\b`),
	}
)

// parseRotation finds a display's rotation (quarter turns 0–3) in the
// output of `dumpsys window displays`; -1 if it is missing.
func parseRotation(text, display string) int {
	return firstRotation(windowRotations, onDisplay(text, display))
}

// parseInputRotation finds the rotation in the output of `dumpsys input`; -1 if it
// is missing.
func parseInputRotation(text string) int {
	return firstRotation(inputRotations, text)
}

// defaultDisplay cuts out the part on display 0, where the text tells displays
// apart.
func defaultDisplay(text string) string { return onDisplay(text, "0") }

// onDisplay is defaultDisplay for any display.
func onDisplay(text, id string) string {
	if part := displayPart(text, id); part != "" {
		return part
	}
	return text
}

// displayPart cuts out the part on a display; empty when there is none.
func displayPart(text, id string) string {
	titles := displayTitle.FindAllStringSubmatchIndex(text, -1)
	for i, title := range titles {
		if text[title[2]:title[3]] != id {
			continue
		}
		end := len(text)
		if i+1 < len(titles) {
			end = titles[i+1][0]
		}
		return text[title[0]:end]
	}
	return ""
}

func firstRotation(patterns []*regexp.Regexp, text string) int {
	for _, pattern := range patterns {
		found := pattern.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		switch strings.TrimPrefix(found[1], "ROTATION_") {
		case "0":
			return 0
		case "1", "90":
			return 1
		case "2", "180":
			return 2
		case "3", "270":
			return 3
		}
	}
	return -1
}
