package adb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A CaptureNote is the fastest way to capture a phone's screen, and what was seen of the frames
// that it pushes.
type CaptureNote struct {
	Method Method `json:"method"`
	// Stream: they are used. NoStream is why they are not; empty: they are, or were not tried.
	Stream   bool   `json:"stream,omitempty"`
	NoStream string `json:"no_stream,omitempty"`
}

// captureReason says why a method is the one of Capture, which was chosen.
type captureReason int8

const (
	captureAsked      captureReason = iota // it is the configuration's or UseMethod's
	captureMeasured                        // it was measured in this run
	captureRemembered                      // it was measured in an earlier one
	captureFailed                          // it was, and has failed since
)

// ChooseCapture makes the fastest method the one of Capture, as Probe does, but measures only
// once for each build, each display, and cable or network. A remembered method takes one frame;
// if that fails, the methods are measured anew. The result is kept beside what is known about
// touching.
func (d *Device) ChooseCapture(ctx context.Context) ([]Timing, error) {
	timeout := d.client.config.Timeout
	if forced := Method(d.client.config.Capture); slices.Contains(Methods(), forced) {
		timing := d.timeMethod(ctx, forced, 1)
		if timing.Err != nil {
			return []Timing{timing}, d.noMethod([]Timing{timing})
		}
		return []Timing{timing}, d.UseMethod(forced)
	}
	if d.recallCapture() {
		began := time.Now()
		once, done := limit(ctx, timeout/2)
		timing := d.timeMethod(once, d.Method(), 1)
		done()
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("adb: probe %s: %w", d.Serial, contextError(ctx))
		case timing.Err == nil:
			d.mu.Lock()
			d.still = max(timing.Median, 1)
			d.mu.Unlock()
			return []Timing{timing}, nil
		case phoneIsGone(timing.Err) || blackFrame(timing.Err): // no other method would see more
			return []Timing{timing}, d.noMethod([]Timing{timing})
		}
		d.doubtCapture()
		timeout -= time.Since(began) // both together have the one timeout
	}
	timings, err := d.probe(ctx, timeout)
	if err == nil {
		d.keepCapture()
	}
	return timings, err
}

// captureKey names what a capture's speed depends on besides the phone.
func (d *Device) captureKey() string {
	key := "cable"
	if strings.Contains(d.Serial, ":") || strings.Contains(d.Serial, "._tcp") {
		key = "network"
	}
	if display := d.client.config.CaptureDisplay; display != "" {
		key += " " + display
	}
	return key
}

// recallCapture takes up the method that is remembered; false where none is that can be
// used.
func (d *Device) recallCapture() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.load()
	note, found := d.note.Captures[d.captureKey()]
	if !found || d.chosen == captureFailed || !slices.Contains(Methods(), note.Method) {
		return false
	}
	d.method, d.chosen = note.Method, captureRemembered
	return true
}

// noteCapture notes the method that was measured, to be kept with whatever is kept next.
func (d *Device) noteCapture() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.load()
	note := d.note.Captures[d.captureKey()]
	note.Method = d.method
	d.note.Captures = d.withCapture(d.note.Captures, note)
}

// withCapture adds a note, of the connection and the display of now, to others.
func (d *Device) withCapture(captures map[string]CaptureNote, note CaptureNote) map[string]CaptureNote {
	captures = maps.Clone(captures)
	if captures == nil {
		captures = map[string]CaptureNote{}
	}
	captures[d.captureKey()] = note
	return captures
}

// keepCapture remembers what was noted. What another process has kept of the
// phone meanwhile stays.
func (d *Device) keepCapture() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keep(func(*TouchNote) {})
}

// doubtCapture notes that the method failed, where it is one that is remembered.
func (d *Device) doubtCapture() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.chosen == captureRemembered {
		d.chosen = captureFailed
	}
}

// remembers reports whether the method is the one of Capture for that reason.
func (d *Device) remembers(reason captureReason) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.chosen == reason
}

// methodFailed reports whether an error can be the method's: not the phone's that is gone,
// and not the screen's that is black.
func methodFailed(err error) bool {
	var fault *FrameError
	return errors.As(err, &fault) && !blackFrame(err)
}

func blackFrame(err error) bool {
	var fault *FrameError
	return errors.As(err, &fault) && (fault.Kind == FrameBlack || fault.Kind == FrameBand)
}
