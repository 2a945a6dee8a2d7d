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
// for sizes elsewhere only where the dump does not tell them: up to Android 7 each call
// of wm starts a Java process, which takes longer than a level's strokes.
func (d *Device) lookAtScreen(ctx context.Context) (Screen, Foreground, error) {
	text, _, err := d.shell(ctx, dumpDisplays)
	if err != nil {
		return Screen{}, Foreground{}, err
	}
	screen, sure := parseDumpedScreen(text, d.display())
	if !sure {
		if screen, err = d.askForSizes(ctx, text); err != nil {
			return Screen{}, Foreground{}, err
		}
	}
	front := parseForeground(text, d.display())
	if screen.Rotation < 0 { // Android 8 and older do not show it there
		text, _, err := d.shell(ctx, dumpInput)
		if err != nil {
			return Screen{}, Foreground{}, err
		}
		screen = screen.turned(parseInputRotation(text, d.display()))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.screen.screen != screen {
		d.screen.frame = image.Point{} // the next frame gives its size
	}
	d.screen.screen, d.screen.at = screen, d.client.config.Now()
	return screen, front, nil
}

// askForSizes is the screen by what wm says of its sizes or, where that says nothing,
// by the display manager's viewports, for a dump of the window manager's that does not
// tell them.
func (d *Device) askForSizes(ctx context.Context, dump string) (Screen, error) {
	sizes, _, err := d.shell(ctx, "wm size"+d.displayOption()+"; wm density"+d.displayOption())
	if err != nil {
		return Screen{}, err
	}
	screen, unknown := parseScreen(sizes+dump, d.display())
	if unknown == nil {
		return screen, nil
	}
	viewports, _, err := d.shell(ctx, dumpViewports)
	if err != nil {
		return Screen{}, err
	}
	for _, v := range viewportTexts(viewports) {
		if screen := v.screen(); v.id == d.display() && screen.Physical != (image.Point{}) {
			return screen, nil
		}
	}
	return Screen{}, fmt.Errorf("adb: wm size on %s: %w", d.Serial, unknown)
}

// distorts reports whether frames of that size, in pixels, do not follow the size set
// with `wm size`: they have the panel's aspect, and the override has another.
func (s Screen) distorts(frame image.Point) bool {
	if s.Override == (image.Point{}) || sameShape(s.Override, s.Physical) {
		return false
	}
	turned := image.Pt(s.Physical.Y, s.Physical.X)
	return !sameShape(frame, s.Current) && (sameShape(frame, s.Physical) || sameShape(frame, turned))
}

// Fits reports whether frames of that size, in pixels, can be of this screen: they may be
// scaled, but must have its shape. If the screen's rotation is unknown, either way will do.
func (s Screen) Fits(frame image.Point) bool {
	return s.Current == (image.Point{}) || sameShape(frame, s.Current) || s.Rotation < 0 && sameShape(frame, image.Pt(s.Current.Y, s.Current.X))
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

// dumpInput prints what the input manager knows of them, and of fingers.
const dumpInput = "dumpsys input"

// dumpedSize is how that shows a display's sizes: as it was built, as `wm` set it where
// that is different, and as apps see it, turned. From Android 13 on there is more
// between them, and one that is not scaled has them on two lines.
var dumpedSize = regexp.MustCompile(`\b(init|base|cur)=(\d{1,5}x\d{1,5})\b(?: (\d{1,5})dpi\b)?`)

// sizeLines is how many lines can hold a display's sizes.
const sizeLines = 4

// dumpedSizes finds the sizes of one display, and its density, in its part of the
// dump. Those that are missing are zero.
func dumpedSizes(part string) (built, set, seen image.Point, density int) {
	at := strings.Index(part, "init=")
	if at < 0 {
		return
	}
	from, end := strings.LastIndexByte(part[:at], '\n')+1, at
	for range sizeLines {
		next := strings.IndexByte(part[end:], '\n')
		if next < 0 {
			end = len(part)
			break
		}
		end += next + 1
	}
	sizes := map[string]image.Point{}
	densities := map[string]int{}
	for _, found := range dumpedSize.FindAllStringSubmatch(part[from:end], -1) {
		if _, known := sizes[found[1]]; !known {
			sizes[found[1]] = findSize(sizePattern, found[2])
			densities[found[1]], _ = strconv.Atoi(found[3]) // at most five digits
		}
	}
	density = densities["init"]
	if densities["base"] > 0 {
		density = densities["base"]
	}
	return sizes["init"], sizes["base"], sizes["cur"], density
}

// parseDumpedScreen reads what one display's are in the output of `dumpsys window
// displays`. It is not sure where a size is missing, or two of them disagree.
func parseDumpedScreen(text, display string) (screen Screen, sure bool) {
	part := onDisplay(text, display)
	built, set, seen, density := dumpedSizes(part)
	screen = Screen{Physical: built, Override: set, Density: density}
	if set == built { // only its density was set
		screen.Override = image.Point{}
	}
	upright := screen.turned(0).Current
	screen = screen.turned(parseRotation(part, upright, seen))
	known := built != (image.Point{}) && (set != (image.Point{}) || seen != (image.Point{}))
	return screen, known && agree(upright, seen)
}

// parseScreen reads what one display's are in the joined output of `wm size`, `wm
// density` and `dumpsys window displays`. Only the physical size is required. Where the
// dump shows that apps see another size than wm tells, it is that: touches are in its
// pixels.
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
	part := onDisplay(text, display)
	_, _, seen, _ := dumpedSizes(part)
	rotation := parseRotation(part, screen.turned(0).Current, seen)
	if !agree(screen.turned(0).Current, seen) {
		rotation = parseRotation(part, image.Point{}, image.Point{})
		screen.Override = uprightOf(seen, rotation, screen.Physical)
	}
	return screen.turned(rotation), nil
}

// agree reports whether a size, held upright, can be the one that apps see, turned or
// not. One that is missing agrees with any.
func agree(upright, seen image.Point) bool {
	return seen == (image.Point{}) || seen == upright || seen == image.Pt(upright.Y, upright.X)
}

// uprightOf turns a size that apps see back. Where the rotation is not known, the
// panel's shape tells whether it is turned.
func uprightOf(seen image.Point, rotation int, physical image.Point) image.Point {
	turned := rotation == 1 || rotation == 3
	if rotation < 0 {
		turned = (seen.X > seen.Y) != (physical.X > physical.Y)
	}
	if turned {
		return image.Pt(seen.Y, seen.X)
	}
	return seen
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
	// displayTitle begins the part on a display, in the dumps of the windows and of the
	// activities.
	displayTitle = regexp.MustCompile(`Display: mDisplayId=(\d+)|Display #(\d+) \(activities`)
	// In the order of trust. The first has been printed since Android 9, the others
	// come and go with the version.
	windowRotations = []*regexp.Regexp{
		regexp.MustCompile(`DisplayFrames [^\n]*?\br=([0-3])\b`),
		regexp.MustCompile(`DisplayRotation\n(?:[^\n]*\n){0,8}?[^\n]*\bmRotation=(ROTATION_\d+|[0-3])\b`),
		regexp.MustCompile(`mCurrentRotation=(ROTATION_\d+|[0-3])\b`),
		regexp.MustCompile(`mDisplayRotation=(ROTATION_\d+|[0-3])\b`),
		regexp.MustCompile(`mRotation=(ROTATION_\d+|[0-3])\b`),
	}
	// InputDeviceOrientation is not among them: from Android 12 on it says how a touch
	// panel is turned against the screen, which is not at all on most phones.
	inputViewport    = regexp.MustCompile(`Viewport\b[^:\n]*: ([^\n]*)`)
	inputOrientation = regexp.MustCompile(`\borientation=(?:ROTATION_|Rotation)?(\d+)\b`)
	inputActive      = regexp.MustCompile(`\bisActive=\[?(?:1|true)\b`)
	surfaceRotation  = regexp.MustCompile(`SurfaceOrientation: ([0-3])\b`)
)

// parseRotation finds a display's rotation (quarter turns 0–3) in its part of the
// output of `dumpsys window displays`; -1 if it is missing. One by which apps would see
// a size, held upright, as another than they do is not its.
func parseRotation(part string, upright, seen image.Point) int {
	for _, pattern := range windowRotations {
		found := pattern.FindStringSubmatch(part)
		if found == nil {
			continue
		}
		rotation := quarterTurns(found[1])
		if rotation < 0 {
			continue
		}
		if seen == (image.Point{}) || upright == (image.Point{}) || (Screen{Physical: upright}).turned(rotation).Current == seen {
			return rotation
		}
	}
	return -1
}

// parseInputRotation finds a display's rotation in the output of `dumpsys input`; -1 if
// it is missing. A viewport that shows something tells more than one that does not.
func parseInputRotation(text, display string) int {
	rotation := -1
	viewports := inputViewport.FindAllStringSubmatch(text, maxViewports)
	for _, found := range viewports {
		id, turned := viewportID.FindStringSubmatch(found[1]), inputOrientation.FindStringSubmatch(found[1])
		if id == nil || id[1] != display || turned == nil {
			continue
		}
		if inputActive.MatchString(found[1]) {
			return quarterTurns(turned[1])
		}
		if rotation < 0 {
			rotation = quarterTurns(turned[1])
		}
	}
	if len(viewports) > 0 || display != "0" {
		return rotation
	}
	if found := surfaceRotation.FindStringSubmatch(text); found != nil {
		return quarterTurns(found[1])
	}
	return -1
}

// maxViewports bounds those that are read: each input device has one.
const maxViewports = 256

// quarterTurns reads a rotation in any of Android's ways to write one; -1 for none.
func quarterTurns(text string) int {
	switch strings.TrimPrefix(text, "ROTATION_") {
	case "0":
		return 0
	case "1", "90":
		return 1
	case "2", "180":
		return 2
	case "3", "270":
		return 3
	}
	return -1
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

// displayPart cuts out what a text says of a display; empty when there is nothing.
func displayPart(text, id string) string {
	var parts strings.Builder
	titles := displayTitle.FindAllStringSubmatchIndex(text, -1)
	for i, title := range titles {
		number := text[max(title[2], title[4]):max(title[3], title[5])] // one of the two is there
		if number != id {
			continue
		}
		end := len(text)
		if i+1 < len(titles) {
			end = titles[i+1][0]
		}
		parts.WriteString(text[title[0]:end])
	}
	return parts.String()
}
