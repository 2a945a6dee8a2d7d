package adb

import (
	"context"
	"image"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
)

// asked records the captures that the phone is asked for, "raw raw+gzip png".
type asked struct {
	mu   sync.Mutex
	list []string
}

func (a *asked) take() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := strings.Join(a.list, " ")
	a.list = nil
	return list
}

// askedConn records the requests that go through it.
type askedConn struct {
	net.Conn
	asked *asked
}

func (c askedConn) Write(p []byte) (int, error) {
	if _, command, found := strings.Cut(string(p), "exec:"); found {
		for _, method := range Methods() {
			if command == method.command("", "") {
				c.asked.mu.Lock()
				c.asked.list = append(c.asked.list, string(method))
				c.asked.mu.Unlock()
			}
		}
	}
	return c.Conn.Write(p)
}

// captureRun opens a phone as a run does, with what is remembered of it, and returns which
// captures choosing a method took.
func captureRun(t *testing.T, config simphone.Config, store TouchStore, then func(*simphone.Phone, *Device, *asked)) string {
	t.Helper()
	config.Size = image.Pt(270, 584)
	config.Apps, config.Foreground = []simphone.Installed{simphone.Instance(plain{})}, plain{}.Package()
	phone, err := simphone.New(config)
	if err != nil {
		t.Fatal(err)
	}
	link := adbtest.NewLink(t, phone)
	asked := new(asked)
	client, err := New(Config{TouchStore: store, Dial: func(ctx context.Context) (net.Conn, error) {
		c, err := link.Dial(ctx)
		return askedConn{c, asked}, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.ChooseCapture(t.Context()); err != nil {
		t.Fatal(err)
	}
	chosen := asked.take()
	if then != nil {
		then(phone, d, asked)
	}
	return chosen
}

// captureCosts are phones on which one method is far the fastest, and one on which it is
// not. They run on a clock of the test's own.
var captureCosts = map[string]simphone.Config{
	"raw":      {SDK: 34, Rate: 35_000_000, Costs: simphone.Costs{GzipRate: 500_000, PNG: 900 * time.Millisecond}},
	"raw+gzip": {SDK: 34, Rate: 200_000, Costs: simphone.Costs{GzipRate: 4_000_000, PNG: 1900 * time.Millisecond}},
	"close":    {SDK: 34, Rate: 1_000_000, Costs: simphone.Costs{GzipRate: 1_000_000, PNG: 9 * time.Second}},
}

// TestCaptureIsMeasuredOnce: the methods are measured at the first start, with one look at
// each where one is far faster, and later starts take one look by it.
func TestCaptureIsMeasuredOnce(t *testing.T) {
	first := map[string]string{
		"raw": "raw raw+gzip png", "raw+gzip": "raw raw+gzip png", "close": "raw raw+gzip png raw raw raw+gzip raw+gzip",
	}
	for name, config := range captureCosts {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := new(notes)
				var method Method
				got := captureRun(t, config, store, func(_ *simphone.Phone, d *Device, _ *asked) { method = d.Method() })
				if got != first[name] || name != "close" && string(method) != name {
					t.Errorf("the first start takes %s and chooses %s, expected %s", got, method, first[name])
				}
				for range 2 {
					got := captureRun(t, config, store, func(_ *simphone.Phone, d *Device, asked *asked) {
						if d.Method() != method {
							t.Errorf("%s, expected %s", d.Method(), method)
						}
						if _, err := d.Capture(t.Context()); err != nil || asked.take() != string(method) {
							t.Errorf("a frame: %v", err)
						}
					})
					if got != string(method) {
						t.Errorf("a later start takes %s, expected one look by %s", got, method)
					}
				}
			})
		})
	}
}

// TestCaptureIsMeasuredAnew: another build, another kind of connection, a method that is
// none, one that does not work any more, and one that fails later.
func TestCaptureIsMeasuredAnew(t *testing.T) {
	const all = "raw raw+gzip png"
	config := captureCosts["raw+gzip"]
	with := func(change func(*TouchNote)) func(t *testing.T, store *notes) string {
		return func(t *testing.T, store *notes) string {
			for key, note := range store.kept {
				change(&note)
				store.kept[key] = note
			}
			return captureRun(t, config, store, nil)
		}
	}
	method := func(m Method) func(*TouchNote) {
		return func(n *TouchNote) {
			for key, c := range n.Captures {
				c.Method = m
				n.Captures[key] = c
			}
		}
	}
	for name, c := range map[string]struct {
		second func(t *testing.T, store *notes) string
		want   string
	}{
		"another build": {with(func(n *TouchNote) { n.Build = "older" }), all},
		"another connection": {with(func(n *TouchNote) {
			n.Captures = map[string]CaptureNote{"network": {Method: RawGzip}}
		}), all},
		"no method": {with(method("jpeg")), all},
		"gzip is gone": {func(t *testing.T, store *notes) string {
			config := config
			config.Hands.Without = []string{"gzip"}
			return captureRun(t, config, store, nil)
		}, "raw+gzip " + all + " raw raw png png"},
		"a frame that breaks": {func(t *testing.T, store *notes) string {
			return captureRun(t, config, store, func(phone *simphone.Phone, d *Device, asked *asked) {
				phone.TruncateNextFrame(100)
				if _, err := d.Capture(t.Context()); err == nil || asked.take() != "raw+gzip" {
					t.Errorf("a broken frame: %v", err)
				}
				if _, err := d.Capture(t.Context()); err != nil {
					t.Error(err)
				}
				if got := asked.take(); got != all+" raw+gzip" {
					t.Errorf("after it %s, expected all methods and a frame", got)
				}
				phone.TruncateNextFrame(100)
				_, _ = d.Capture(t.Context())
				if _, err := d.Capture(t.Context()); err != nil || asked.take() != "raw+gzip raw+gzip" {
					t.Errorf("what this run measured is measured again: %v", err)
				}
			})
		}, "raw+gzip"},
		"a profile's method that breaks": {func(t *testing.T, store *notes) string {
			return captureRun(t, config, store, func(phone *simphone.Phone, d *Device, asked *asked) {
				if err := d.UseMethod(PNG); err != nil {
					t.Fatal(err)
				}
				phone.TruncateNextFrame(10)
				_, _ = d.Capture(t.Context())
				if _, err := d.Capture(t.Context()); err != nil || asked.take() != "png png" || d.Method() != PNG {
					t.Errorf("what was asked for is replaced: %v", err)
				}
			})
		}, "raw+gzip"},
		"a black screen": {func(t *testing.T, store *notes) string {
			return captureRun(t, config, store, func(phone *simphone.Phone, d *Device, asked *asked) {
				phone.SetBlackFrames(true)
				if _, err := d.ChooseCapture(t.Context()); !blackFrame(err) || asked.take() != "raw+gzip" {
					t.Errorf("a black screen: %v", err)
				}
			})
		}, "raw+gzip"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := new(notes)
				captureRun(t, config, store, nil)
				if got := c.second(t, store); got != c.want {
					t.Errorf("the second start takes %s, expected %s", got, c.want)
				}
			})
		})
	}
}

// TestCaptureNoteKeepsOthers: what is known of touching, and that a run was cut off, stays
// when a method is remembered, and the other way round.
func TestCaptureNoteKeepsOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(notes)
		config := captureCosts["raw+gzip"]
		touch := func(_ *simphone.Phone, d *Device, _ *asked) {
			if _, err := d.Hand().Choose(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		captureRun(t, config, store, touch) // and ends as if it were killed
		var before TouchNote
		for key, note := range store.kept {
			if before = note; note.Using != hand.Uinput || note.Captures["cable"].Method != RawGzip {
				t.Fatalf("%+v is kept", note)
			}
			note.Captures = nil
			store.kept[key] = note
		}
		captureRun(t, config, store, func(_ *simphone.Phone, d *Device, _ *asked) {
			for _, note := range store.kept {
				if note.Using != before.Using || note.Rung != before.Rung || !slices.Equal(note.Refused, before.Refused) || note.Captures["cable"].Method != RawGzip {
					t.Errorf("%+v is kept, expected all of %+v", note, before)
				}
			}
			choice, err := d.Hand().Choose(t.Context())
			if err != nil || !strings.Contains(choice.Left, "cut off") {
				t.Errorf("%+v, %v, expected that the run before is known to be cut off", choice, err)
			}
			if err := d.Hand().Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	})
}
