package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"slices"
	"strings"
	"time"
)

// A Method is a way to get a frame off the phone.
type Method string

// The methods. Which is fastest depends on phone and cable; see Device.Probe.
const (
	Raw     Method = "raw"      // the pixels as they are, 10 MB for 1080×2340
	RawGzip Method = "raw+gzip" // the pixels, packed on the phone
	PNG     Method = "png"      // encoded on the phone, slow there
	Pull    Method = "pull"     // the pixels through a file on the phone; works where exec: does not
)

// Methods lists all methods.
func Methods() []Method { return []Method{Raw, RawGzip, PNG, Pull} }

// command is the command to run on the phone, empty for an unknown method. The path
// is for Pull. screencap's warnings go to stderr, which exec: would mix in.
func (m Method) command(display, path string) string {
	command := "screencap"
	if display != "" {
		command += " -d " + display
	}
	switch m {
	case Raw:
		return command + " 2>/dev/null"
	case RawGzip:
		return command + " 2>/dev/null | gzip -1f"
	case PNG:
		return command + " -p 2>/dev/null"
	case Pull:
		return command + " " + path + " 2>/dev/null"
	}
	return ""
}

// Capture takes one frame with the method that ChooseCapture or Probe chose, else
// Config.Method. A frame that is not exactly what its header says, or is all black, is a
// FrameError, never a picture. If a remembered method gave it, the methods are measured anew
// before the next frame.
func (d *Device) Capture(ctx context.Context) (*Frame, error) {
	if d.remembers(captureFailed) {
		_, _ = d.ChooseCapture(ctx) // what fails now fails below as well
	}
	frame, err := d.CaptureWith(ctx, d.Method())
	if methodFailed(err) {
		d.doubtCapture()
	}
	return frame, err
}

// CaptureWith is Capture with a method of the caller's choice.
func (d *Device) CaptureWith(ctx context.Context, method Method) (*Frame, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	start := d.client.config.Now()
	screen := d.screenBeside(ctx, start)
	eye, shown := d.shownBefore()
	img, warning, err := d.grab(ctx, method)
	if err != nil {
		return nil, err
	}
	frame := &Frame{
		Image: img, Size: img.Rect.Size(), Method: method, Warning: warning,
		Time: start, Duration: d.client.config.Now().Sub(start),
	}
	frame.Screen, frame.Rotation = d.screenOf(ctx, frame.Size, screen())
	d.restartEye(ctx, frame.Screen)
	d.checkEye(ctx, eye, shown, frame)
	return frame, nil
}

// screenBeside looks at the screen while a frame is being captured, if the last
// look is too old, and returns a function that waits for the result.
func (d *Device) screenBeside(ctx context.Context, now time.Time) (wait func() screenNote) {
	d.mu.Lock()
	note := d.screen
	d.mu.Unlock()
	if !note.at.IsZero() && now.Sub(note.at) <= d.client.config.RotationAge {
		return func() screenNote { return note }
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, _ = d.lookAtScreen(ctx) // a frame of a phone whose screen cannot be read has rotation -1
	}()
	return func() screenNote {
		<-done
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.screen
	}
}

// screenOf is the screen that a frame of that size is of, and the rotation in which it was
// captured, -1 if unknown. It remembers which screen such frames come from.
func (d *Device) screenOf(ctx context.Context, size image.Point, note screenNote) (Screen, int) {
	changed := note.frame != size && note.frame != (image.Point{}) // since the last frame
	if changed || !note.screen.Fits(size) {                        // or it has just turned
		if _, _, err := d.lookAtScreen(ctx); err != nil {
			return Screen{}, -1
		}
		note = screenNote{}
	}
	if note.at.IsZero() || note.frame != size {
		d.mu.Lock()
		d.screen.frame = size
		note = d.screen
		d.mu.Unlock()
		if current := note.screen.Current; current != size && sameShape(current, size) {
			d.client.config.Log.Info("frames are scaled, and so are touches", "phone", d.Serial, "frames", sizeText(size), "screen", sizeText(current))
		}
	}
	if note.at.IsZero() || !sameShape(size, note.screen.Current) {
		return note.screen, -1
	}
	return note.screen, note.screen.Rotation
}

// Agrees returns a *FrameSizeError if a frame's size is not that of the screen: touches planned
// on it would land elsewhere.
func (d *Device) Agrees(frame *Frame) error {
	if frame.Screen.Fits(frame.Size) {
		return nil
	}
	return &FrameSizeError{Serial: d.Serial, Frame: frame.Size, Screen: frame.Screen}
}

// sameShape reports whether two sizes differ in their aspect by at most 1 %.
func sameShape(a, b image.Point) bool {
	left, right := int64(a.X)*int64(b.Y), int64(a.Y)*int64(b.X)
	difference := max(left-right, right-left)
	return left > 0 && right > 0 && difference*100 <= max(left, right)
}

// grab captures a picture without asking for the rotation.
func (d *Device) grab(ctx context.Context, method Method) (*image.RGBA, string, error) {
	img, warning, err := d.grabFrom(ctx, method)
	if err == nil {
		return img, warning, nil
	}
	var fault *FrameError
	if ctx.Err() != nil {
		err = contextError(ctx)
	} else if errors.As(err, &fault) && fault.Kind == FrameEmpty && fault.Text == "" {
		fault.Text = d.screencapSays(ctx)
	}
	return nil, "", d.fail(ctx, "screencap ("+string(method)+")", err)
}

func (d *Device) grabFrom(ctx context.Context, method Method) (*image.RGBA, string, error) {
	config := d.client.config
	if method == Pull {
		return d.grabFile(ctx)
	}
	command := method.command(config.CaptureDisplay, "")
	if command == "" {
		return nil, "", fmt.Errorf("capture method %q, expected one of %v", method, Methods())
	}
	k, err := d.exec(ctx, command)
	if err != nil {
		return nil, "", err
	}
	defer k.Close()
	switch method {
	case RawGzip:
		return decodeGzip(k, config.MaxPixels)
	case PNG:
		data, err := readPNG(k, config.MaxPixels)
		img, warning, decodeErr := decodePNG(data, config.MaxPixels)
		if decodeErr != nil && err != nil {
			decodeErr = fmt.Errorf("%w: %w", decodeErr, err)
		}
		return img, warning, decodeErr
	}
	return decodeRaw(k, config.MaxPixels)
}

// grabFile captures into a file on the phone, pulls it and removes it.
func (d *Device) grabFile(ctx context.Context) (*image.RGBA, string, error) {
	config := d.client.config
	// The name keeps programs and captures apart that use the phone at the same
	// time.
	d.mu.Lock()
	d.files++
	path := fmt.Sprintf("/data/local/tmp/tapwise-%d-%d.raw", os.Getpid(), d.files)
	d.mu.Unlock()
	output, status, err := d.client.shell(ctx, d.Serial, Pull.command(config.CaptureDisplay, path))
	if err != nil {
		return nil, "", err
	}
	if status != 0 {
		return nil, "", &FrameError{Kind: FrameNoHeader, Text: shorten(strings.TrimSpace(output)),
			Err: fmt.Errorf("screencap ended with status %d", status)}
	}
	data, err := d.pull(ctx, path, int64(config.MaxPixels)*8+maxHeaderText)
	clean, cancel := limit(context.WithoutCancel(ctx), d.client.slow(2*time.Second))
	defer cancel()
	_, _, _ = d.client.shell(clean, d.Serial, "rm -f "+path) // at worst a file is left behind
	if err != nil {
		return nil, "", err
	}
	return decodeRaw(bytes.NewReader(data), config.MaxPixels)
}

// screencapSays runs screencap once more to see what it prints on stderr.
func (d *Device) screencapSays(ctx context.Context) string {
	command := strings.TrimSuffix(Raw.command(d.client.config.CaptureDisplay, ""), " 2>/dev/null")
	output, status, err := d.client.shell(ctx, d.Serial, command+" >/dev/null")
	if err != nil || (status == 0 && !isText([]byte(output))) {
		return ""
	}
	return shorten(strings.TrimSpace(output))
}

// Timing says how long captures by one method took.
type Timing struct {
	Method           Method
	Captures         int
	Min, Median, Max time.Duration
	Err              error // why the method is not used; nil if it works

	times []time.Duration
}

const (
	// probeCaptures is how many frames Probe takes by each method between which one look
	// does not decide.
	probeCaptures = 3
	// farFaster is how many times faster a method has to be for one look to decide.
	farFaster = 3
)

// Probe measures the methods, makes the fastest one whose frames are valid the method of
// Capture, and returns the times, in the order tried. One look at each is enough if one is far
// faster. Pull is tried only if nothing else works. Config.Timeout bounds the whole: until one
// method works, each may take half of the time left, so that a screencap that hangs is reported
// in time, by an ErrTimeout that names the methods tried.
func (d *Device) Probe(ctx context.Context) ([]Timing, error) {
	return d.probe(ctx, d.client.config.Timeout)
}

func (d *Device) probe(ctx context.Context, timeout time.Duration) ([]Timing, error) {
	whole, cancel := limit(ctx, timeout)
	defer cancel()
	timings, err := d.firstLooks(ctx, whole)
	if err != nil {
		return timings, err
	}
	best := fastest(timings)
	if best == nil {
		own, limited := ctx.Deadline()
		if end, _ := whole.Deadline(); limited && !own.After(end) && errors.Is(timings[0].Err, ErrTimeout) {
			<-ctx.Done() // the shares of the caller's time are over, or nearly all of it
			return timings, fmt.Errorf("adb: probe %s: %w", d.Serial, contextError(ctx))
		}
		return timings, d.noMethod(timings)
	}
	if near := nearest(timings, farFaster*best.Median); len(near) > 1 {
		for _, timing := range near {
			more := d.timeMethod(whole, timing.Method, probeCaptures-1)
			if ctx.Err() != nil {
				return timings, fmt.Errorf("adb: probe %s: %w", d.Serial, contextError(ctx))
			}
			if whole.Err() != nil { // the first looks have to do
				break
			}
			timing.add(more)
		}
		best = fastest(timings) // none has failed in all of its looks
		if best == nil {
			return timings, d.noMethod(timings)
		}
	}
	d.mu.Lock()
	d.method, d.chosen, d.still = best.Method, captureMeasured, max(best.Median, 1)
	d.mu.Unlock()
	d.noteCapture()
	return timings, nil
}

// firstLooks takes one frame by each method, of Pull only if no other works.
func (d *Device) firstLooks(ctx, whole context.Context) ([]Timing, error) {
	var timings []Timing
	timeout := d.client.config.Timeout
	for _, method := range Methods() {
		works := fastest(timings) != nil
		if works && (method == Pull || whole.Err() != nil) {
			break
		}
		// The last method may take all that is left.
		share := timeout
		if deadline, ok := whole.Deadline(); ok && !works && method != Pull {
			share = time.Until(deadline) / 2
		}
		once, done := context.WithTimeoutCause(whole, share, fmt.Errorf("%w (%v for all methods together)", ErrTimeout, timeout))
		timing := d.timeMethod(once, method, 1)
		done()
		if ctx.Err() != nil {
			return timings, fmt.Errorf("adb: probe %s: %w", d.Serial, contextError(ctx))
		}
		timings = append(timings, timing)
	}
	return timings, nil
}

// fastest is the timing of the fastest method that works; nil where none does.
func fastest(timings []Timing) *Timing {
	var best *Timing
	for i := range timings {
		if t := &timings[i]; t.Err == nil && (best == nil || t.Median < best.Median) {
			best = t
		}
	}
	return best
}

// nearest are the timings of the methods that work and took at most that long.
func nearest(timings []Timing, most time.Duration) []*Timing {
	var near []*Timing
	for i := range timings {
		if t := &timings[i]; t.Err == nil && t.Median <= most {
			near = append(near, t)
		}
	}
	return near
}

// noMethod is the error that no way to capture works. Where one did not answer and
// the others were cut short by it, it names them all.
func (d *Device) noMethod(timings []Timing) error {
	var late []string
	for _, t := range timings {
		if errors.Is(t.Err, ErrTimeout) {
			late = append(late, string(t.Method))
		}
	}
	if len(late) == len(timings) {
		return fmt.Errorf("adb: screencap does not answer on %s: %w within %v, tried in turn: %s",
			d.Serial, ErrTimeout, d.client.config.Timeout, strings.Join(late, ", "))
	}
	return fmt.Errorf("adb: no way to capture works on %s: %w", d.Serial, timings[0].Err)
}

// timeMethod times the given number of captures by one method. It stops early at an
// error.
func (d *Device) timeMethod(ctx context.Context, method Method, captures int) Timing {
	timing := Timing{Method: method}
	for range captures {
		once, cancel := d.client.limit(ctx)
		start := d.client.config.Now()
		_, _, err := d.grab(once, method)
		timing.times = append(timing.times, d.client.config.Now().Sub(start))
		cancel()
		if err != nil {
			timing.Err = err
			return timing
		}
	}
	timing.count()
	return timing
}

// add takes more looks by the same method into account.
func (t *Timing) add(more Timing) {
	t.times = append(t.times, more.times...)
	if t.Err = more.Err; t.Err == nil {
		t.count()
	}
}

func (t *Timing) count() {
	slices.Sort(t.times)
	if t.Captures = len(t.times); t.Captures > 0 {
		t.Min, t.Median, t.Max = t.times[0], t.times[t.Captures/2], t.times[t.Captures-1]
	}
}

// Method is the method that Capture uses now.
func (d *Device) Method() Method {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.method
}
