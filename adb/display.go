package adb

import (
	"context"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Display is one of a phone's screens. Most phones have one; foldables have two, of
// which one is black, and some emulators make one for each app.
type Display struct {
	ID       string      // the logical id, as input -d and wm -d take it
	Physical string      // the id that screencap -d takes, a long number; empty: it cannot be captured by one
	Size     image.Point // pixels, as it is turned now; zero unknown
	Active   Answer      // whether it shows something
	Front    Foreground  // the app and the window that have its focus
}

// String is what people need to choose one: "1, 1080x2340, com.example.game".
func (d Display) String() string {
	parts := []string{d.ID}
	if d.Size != (image.Point{}) {
		parts = append(parts, sizeText(d.Size))
	}
	if d.Active == No {
		parts = append(parts, "off")
	}
	if d.Front.Package != "" {
		parts = append(parts, d.Front.Package)
	}
	return strings.Join(parts, ", ")
}

// maxDisplays bounds the displays that are listed.
const maxDisplays = 32

var (
	viewport         = regexp.MustCompile(`DisplayViewport\{([^{}\n]*)`)
	viewportID       = regexp.MustCompile(`\bdisplayId=(\d{1,9})\b`)
	viewportPhysical = regexp.MustCompile(`\buniqueId='local:(\d{1,20})'`)
	viewportFrame    = regexp.MustCompile(`\blogicalFrame=Rect\((\d{1,5}), (\d{1,5}) - (\d{1,5}), (\d{1,5})\)`)
	viewportActive   = regexp.MustCompile(`\bisActive=(true|false)\b`)
	viewportValid    = regexp.MustCompile(`\bvalid=(true|false)\b`)
	viewportWidth    = regexp.MustCompile(`\bdeviceWidth=(\d{1,5})\b`)
	viewportHeight   = regexp.MustCompile(`\bdeviceHeight=(\d{1,5})\b`)
)

// dumpViewports prints what the display manager knows of the displays.
const dumpViewports = "dumpsys display | grep DisplayViewport"

// A viewportText is the fields of the viewport of one display.
type viewportText struct{ id, fields string }

// viewportTexts cuts the viewports out of the output of `dumpsys display`: one for each
// display that there is, in the phone's order.
func viewportTexts(text string) []viewportText {
	var viewports []viewportText
	for _, found := range viewport.FindAllStringSubmatch(text, 4*maxDisplays) {
		id := viewportID.FindStringSubmatch(found[1])
		if id == nil || len(viewports) == maxDisplays ||
			slices.ContainsFunc(viewports, func(v viewportText) bool { return v.id == id[1] }) ||
			firstAnswer([]*regexp.Regexp{viewportValid}, found[1]) == No { // nothing is connected there
			continue
		}
		viewports = append(viewports, viewportText{id[1], found[1]})
	}
	return viewports
}

// size is the display's, as apps see it; zero where the viewport does not tell.
func (v viewportText) size() image.Point {
	frame := viewportFrame.FindStringSubmatch(v.fields)
	if frame == nil {
		return image.Point{}
	}
	var corner [4]int
	for i := range corner {
		corner[i], _ = strconv.Atoi(frame[1+i]) // at most five digits each
	}
	return image.Rect(corner[0], corner[1], corner[2], corner[3]).Size()
}

// parseDisplays reads the joined output of `dumpsys display` and `dumpsys window
// displays`: the displays, each once, in the phone's order.
func parseDisplays(text string) []Display {
	var displays []Display
	for _, v := range viewportTexts(text) {
		d := Display{ID: v.id, Size: v.size(), Active: firstAnswer([]*regexp.Regexp{viewportActive}, v.fields)}
		if physical := viewportPhysical.FindStringSubmatch(v.fields); physical != nil {
			d.Physical = physical[1]
		}
		if part := displayPart(text, d.ID); part != "" {
			d.Front = parseFocus(part)
		}
		displays = append(displays, d)
	}
	return displays
}

// screen is the display's, by its viewport: the device's size is turned with the screen,
// as that of apps is. Its sizes are zero where the viewport does not tell them.
func (v viewportText) screen() Screen {
	width, height := viewportWidth.FindStringSubmatch(v.fields), viewportHeight.FindStringSubmatch(v.fields)
	orientation := inputOrientation.FindStringSubmatch(v.fields)
	seen := v.size()
	if width == nil || height == nil || orientation == nil || seen.X <= 0 || seen.Y <= 0 {
		return Screen{}
	}
	rotation := quarterTurns(orientation[1])
	device := findSize(sizePattern, width[1]+"x"+height[1])
	if rotation < 0 || device == (image.Point{}) {
		return Screen{}
	}
	screen := Screen{Physical: uprightOf(device, rotation, device), Override: uprightOf(seen, rotation, device)}
	if screen.Override == screen.Physical {
		screen.Override = image.Point{}
	}
	return screen.turned(rotation)
}

// Displays lists the phone's displays. Before Android 7 the list is empty on some
// phones that have one.
func (d *Device) Displays(ctx context.Context) ([]Display, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	text, _, err := d.shell(ctx, dumpViewports+"; "+dumpDisplays)
	if err != nil {
		return nil, err
	}
	return parseDisplays(text), nil
}

// firstDisplays is the first SDK whose input and wm take a display.
const firstDisplays = 29

// On is the same phone with one of its displays: frames, touches, sizes, rotations and
// the app in front are that display's.
func (d *Device) On(display Display) (*Device, error) {
	if d.SDK > 0 && d.SDK < firstDisplays && display.ID != "0" {
		return nil, fmt.Errorf("adb: %s: display %s: Android 10 is the first that can touch another display than 0", d.Serial, display.ID)
	}
	if display.Physical == "" && display.ID != "0" { // frames would be another display's
		return nil, fmt.Errorf("adb: %s: display %s: it cannot be captured, since it has no physical id", d.Serial, display.ID)
	}
	client := *d.client
	client.config.Display, client.config.TouchDisplay, client.config.CaptureDisplay = display.ID, display.ID, display.Physical
	if d.SDK > 0 && d.SDK < firstDisplays { // there is nothing to name
		client.config.Display, client.config.TouchDisplay, client.config.CaptureDisplay = "", "", ""
	}
	return &Device{Serial: d.Serial, Model: d.Model, SDK: d.SDK, Properties: d.Properties, client: &client,
		method: d.Method()}, nil
}

// onConfigured is the phone with the display that the configuration names, by either
// of its ids.
func (d *Device) onConfigured(ctx context.Context) (*Device, error) {
	wanted := d.client.config.Display
	displays, err := d.Displays(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, display := range displays {
		if display.ID == wanted || display.Physical != "" && display.Physical == wanted {
			return d.On(display)
		}
		names = append(names, display.String())
	}
	return nil, fmt.Errorf("adb: %s: no display %s, expected one of: %s", d.Serial, wanted, strings.Join(names, "; "))
}

// displayOption is what wm takes to mean the display: with a blank before it, or
// empty.
func (d *Device) displayOption() string {
	if d.client.config.Display == "" {
		return ""
	}
	return " -d " + d.client.config.Display
}

// display is the logical id of the display that is used.
func (d *Device) display() string {
	if d.client.config.Display == "" {
		return "0"
	}
	return d.client.config.Display
}
