package adb

import (
	"errors"
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

// The methods compete by time: where bytes are dear, packing wins; where gzip is slow
// and bytes are cheap, raw pixels win.
func TestProbeChoosesByCost(t *testing.T) {
	for name, test := range map[string]struct {
		config simphone.Config
		method Method
	}{
		"USB 2, slow gzip": {simphone.Config{SDK: 28, Rate: 35_000_000, Costs: simphone.Costs{GzipRate: 500_000, PNG: 900 * time.Millisecond}}, Raw},
		"Wi-Fi":            {simphone.Config{SDK: 28, Rate: 1_000_000, Costs: simphone.Costs{GzipRate: 4_000_000, PNG: 900 * time.Millisecond}}, RawGzip},
		"PNG":              {simphone.Config{SDK: 28, Rate: 1_000_000, Hands: simphone.Hands{Without: []string{"gzip"}}, Costs: simphone.Costs{PNG: 250 * time.Millisecond}}, PNG},
	} {
		inBubble(t, name, func(t *testing.T) {
			test.config.Apps = []simphone.Installed{simphone.Instance(plain{})}
			test.config.Foreground = plain{}.Package()
			test.config.Size = image.Pt(540, 1170)
			_, d := linked(t, test.config, Config{})
			timings, err := d.Probe(t.Context())
			if err != nil || d.Method() != test.method {
				t.Errorf("chose %s, %v of %+v, want %s", d.Method(), err, timings, test.method)
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
