package adb

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// TimeCaptures takes the given number of frames by every method and returns the
// times, in the order of Methods. A method that fails has its error there. Unlike
// Probe it leaves no method out and chooses none.
func (d *Device) TimeCaptures(ctx context.Context, times int) ([]Timing, error) {
	var timings []Timing
	for _, method := range Methods() {
		timing := d.timeMethod(ctx, method, times)
		if ctx.Err() != nil {
			return timings, fmt.Errorf("adb: captures of %s: %w", d.Serial, contextError(ctx))
		}
		timings = append(timings, timing)
	}
	return timings, nil
}

// UseMethod sets the method of Capture, for one that was measured before or is asked for.
func (d *Device) UseMethod(method Method) error {
	if !slices.Contains(Methods(), method) {
		return fmt.Errorf("adb: capture method %q, expected one of %v", method, Methods())
	}
	d.mu.Lock()
	d.method, d.chosen = method, captureAsked
	d.mu.Unlock()
	return nil
}

// Insets are the margins of the screen that must not be touched, in pixels.
type Insets struct{ Left, Top, Right, Bottom int }

var cutoutInsets = regexp.MustCompile(`DisplayCutout\{[^\n]*?\binsets=Rect\((\d{1,5}), (\d{1,5}) - (\d{1,5}), (\d{1,5})\)`)

// parseCutout finds the insets of the default display's cutout in the output of
// `dumpsys window displays`; zero where there is none.
func parseCutout(text string) Insets {
	found := cutoutInsets.FindStringSubmatch(defaultDisplay(text))
	if found == nil {
		return Insets{}
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(found[i]) // at most five digits
		return n
	}
	return Insets{number(1), number(2), number(3), number(4)}
}

// Cutout asks the phone for the insets of its cutout, in the screen's current
// rotation.
func (d *Device) Cutout(ctx context.Context) (Insets, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	text, _, err := d.shell(ctx, dumpDisplays)
	if err != nil {
		return Insets{}, err
	}
	return parseCutout(text), nil
}
