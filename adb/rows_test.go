package adb

import (
	"crypto/md5"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
)

// Rows and their sums are those of the phone's screen, on every form of header, with
// and without the programs that pack and sum.
func TestRows(t *testing.T) {
	const from, to = 130, 390
	for _, test := range []struct {
		sdk     int
		without string
		packed  bool
		sums    bool
	}{
		{23, "", true, true}, {28, "", true, true}, {31, "", true, true},
		{23, "gzip", false, true}, {28, "md5sum", true, false}, {31, "gzip md5sum", false, false},
	} {
		t.Run(fmt.Sprint(test.sdk, " without ", test.without), func(t *testing.T) {
			phone, d := openPhone(t, simphone.Config{SDK: test.sdk, Hands: simphone.Hands{Without: strings.Fields(test.without)}}, Config{})
			if _, err := d.CaptureRows(t.Context(), from, to); !errors.Is(err, ErrNoRows) {
				t.Errorf("before a whole frame: %v, want an ErrNoRows", err)
			}
			if _, err := d.Probe(t.Context()); err != nil {
				t.Fatal(err)
			}
			if d.packs != test.packed {
				t.Errorf("gzip works: %v, want %v", d.packs, test.packed)
			}
			whole := phone.Frame()
			want := whole.Pix[from*whole.Stride : to*whole.Stride]
			before, _ := d.Traffic()
			frame, err := d.CaptureRows(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			after, _ := d.Traffic()
			if frame.Image.Rect != image.Rect(0, from, 240, to) || frame.Size != image.Pt(240, 520) || string(frame.Image.Pix) != string(want) {
				t.Errorf("rows %v of %v, want those of the screen", frame.Image.Rect, frame.Size)
			}
			if got := int(after - before); got > len(want)+8000 || // the rotation is asked for beside it
				test.packed && got > len(want)/4 {
				t.Errorf("%d bytes came for rows of %d", got, len(want))
			}
			sum, err := d.RowsSum(t.Context(), from, to)
			if (err == nil) != test.sums || err != nil && !errors.Is(err, ErrNoRows) {
				t.Errorf("sum: %v", err)
			}
			if expected := fmt.Sprintf("%x", md5.Sum(want)); test.sums && sum != expected {
				t.Errorf("sum %s, want %s", sum, expected)
			}
			if received, _ := d.Traffic(); test.sums && received-after > 80 { // with the server's answers and the exit code
				t.Errorf("a sum took %d bytes", received-after)
			}
			if _, err := d.RowsSum(t.Context(), from, 521); err == nil || errors.Is(err, ErrNoRows) {
				t.Errorf("rows below the screen: %v", err)
			}
		})
	}
}

// A missing head or tail makes sums of nothing, which must not pass for a screen that
// stands still.
func TestRowsWithoutTools(t *testing.T) {
	for _, missing := range []string{"head", "tail", "screencap"} {
		phone, d := openPhone(t, simphone.Config{SDK: 28}, Config{})
		if _, err := d.Capture(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, lesser := openPhone(t, simphone.Config{SDK: 28, Hands: simphone.Hands{Without: []string{missing}}}, Config{})
		lesser.layout = d.layout
		if sum, err := lesser.RowsSum(t.Context(), 10, 20); !errors.Is(err, ErrNoRows) {
			t.Errorf("without %s: sum %q, %v, want an ErrNoRows", missing, sum, err)
		}
		if _, err := lesser.CaptureRows(t.Context(), 10, 20); err == nil {
			t.Errorf("without %s: rows", missing)
		}
		phone.Close()
	}
}

// Another screen than that of the whole frame is noticed, and so are frames that are
// cut short or black.
func TestRowsOfAnotherScreen(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{SDK: 31}, Config{})
	if _, err := d.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 5, 16, 100_000} {
		phone.TruncateNextFrame(n)
		var fault *FrameError
		if _, err := d.CaptureRows(t.Context(), 100, 400); !errors.As(err, &fault) || fault.Kind != FrameTruncated && fault.Kind != FrameEmpty {
			t.Errorf("a frame of %d bytes: %v, want a FrameError", n, err)
		}
	}
	phone.SetBlackFrames(true)
	_, err := d.CaptureRows(t.Context(), 100, 400)
	wantFault(t, err, FrameBlack)
	phone.SetBlackFrames(false)
	if _, err := d.CaptureRows(t.Context(), 100, 400); err != nil {
		t.Fatal(err)
	}
	phone.SetFramePrefix("[Warning] Multiple displays\n", false)
	if _, err := d.CaptureRows(t.Context(), 100, 400); !errors.Is(err, ErrScreenChanged) {
		t.Errorf("text before the frame: %v, want an ErrScreenChanged", err)
	}
	phone.SetFramePrefix("", false)
	if _, err := d.CaptureWith(t.Context(), Raw); err != nil {
		t.Fatal(err)
	}
	phone.SetRotation(1) // as many bytes, other rows
	if _, err := d.CaptureRows(t.Context(), 100, 200); !errors.Is(err, ErrScreenChanged) {
		t.Errorf("a turned screen: %v, want an ErrScreenChanged", err)
	}
	if _, err := d.CaptureRows(t.Context(), 100, 200); !errors.Is(err, ErrNoRows) {
		t.Errorf("after a turned screen: %v, want an ErrNoRows until a whole frame was seen", err)
	}
	if frame, err := d.CaptureWith(t.Context(), Raw); err != nil || frame.Size != image.Pt(520, 240) {
		t.Fatalf("%v, %v", frame, err)
	}
	if rows, err := d.CaptureRows(t.Context(), 100, 200); err != nil || rows.Image.Rect != image.Rect(0, 100, 520, 200) {
		t.Errorf("rows of the turned screen: %v, %v", rows, err)
	}
}

// The methods compete by time: where bytes are dear, packing wins; where gzip is slow
// and bytes are cheap, raw pixels win. Marks are used only where they are cheaper.
func TestProbeChoosesByCost(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for slow phones")
	}
	for name, test := range map[string]struct {
		config simphone.Config
		method Method
		by     rowsBy
	}{
		"USB 2, slow gzip": {simphone.Config{SDK: 28, Rate: 35_000_000, Costs: simphone.Costs{GzipRate: 500_000, PNG: 900 * time.Millisecond}}, Raw, ""},
		"Wi-Fi":            {simphone.Config{SDK: 28, Rate: 1_000_000, Costs: simphone.Costs{GzipRate: 4_000_000, PNG: 900 * time.Millisecond}}, RawGzip, rowsBySum},
		"PNG":              {simphone.Config{SDK: 28, Rate: 1_000_000, Hands: simphone.Hands{Without: []string{"gzip"}}, Costs: simphone.Costs{PNG: 250 * time.Millisecond}}, PNG, rowsBySum},
	} {
		t.Run(name, func(t *testing.T) {
			test.config.Apps = []simphone.Installed{simphone.Instance(plain{})}
			test.config.Foreground = plain{}.Package()
			_, d := openPhone(t, test.config, Config{})
			timings, err := d.Probe(t.Context())
			if err != nil || d.Method() != test.method {
				t.Errorf("chose %s, %v of %+v, want %s", d.Method(), err, timings, test.method)
			}
			if test.by != "" && d.RowsBy() != string(test.by) {
				t.Errorf("settles by %q, want %q; %+v", d.RowsBy(), test.by, timings)
			}
		})
	}
}

// plain is an app with few colours, as puzzles have.
type plain struct{ adbtest.Stripes }

func (plain) Draw(c simphone.Canvas, _ time.Duration) {
	c.Circle(float64(c.Size().X)/2, float64(c.Size().Y)/2, float64(c.Size().X)/3, color.NRGBA{G: 200, A: 255})
}

// A command that never returns is reported within one deadline, whatever was tried.
func TestHungCommands(t *testing.T) {
	const timeout = 20 * time.Second
	for _, command := range []string{"screencap", "input"} {
		t.Run(command, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				phone, d := linkedPhone(t, simphone.Config{SDK: 28}, Config{Timeout: timeout, Touch: hand.Swipes})
				phone.Hang(command)
				began := time.Now()
				var err error
				if command == "screencap" {
					_, err = d.Probe(t.Context())
					for _, method := range Methods() {
						if err == nil || !strings.Contains(err.Error(), string(method)) {
							t.Errorf("%v does not name %s", err, method)
						}
					}
				} else {
					_, err = d.Hand().Choose(t.Context())
				}
				if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), command) || !strings.Contains(err.Error(), timeout.String()) {
					t.Errorf("%v, want an ErrTimeout that names %s and %v", err, command, timeout)
				}
				if took := time.Since(began); took > timeout {
					t.Errorf("it took %v, one deadline is %v", took, timeout)
				}
				phone.Hang("")
				if _, err := d.Probe(t.Context()); err != nil {
					t.Errorf("once it answers again: %v", err)
				}
			})
		})
	}
}
