package adb

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/adb/simphone/touchscreen"
)

var kills = flag.Int("kills", 1, "how often each way to touch is cut off in each way that it can be")

// notes is a TouchStore in memory.
type notes struct {
	mu   sync.Mutex
	kept map[string]TouchNote
}

func (n *notes) Load(key string) (TouchNote, bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	note, found := n.kept[key]
	return note, found, nil
}

func (n *notes) Save(key string, note TouchNote) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kept == nil {
		n.kept = map[string]TouchNote{}
	}
	note.Refused = slices.Clone(note.Refused)
	n.kept[key] = note
	return nil
}

// eventually waits until a condition holds: the phone reads what was sent when it
// comes to it.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	await.Until(t, what, holds)
}

// up reports whether the last touch that the phone saw lifted the finger.
func up(phone *simphone.Phone) bool {
	events := phone.Events()
	return len(events) > 0 && events[len(events)-1].Kind == simphone.EventUp
}

// someSDK is a version of Android that takes each of the ways.
var someSDK = map[string]int{
	TouchUinput: 34, TouchEvdev: 26, TouchHID: 30, TouchMonkey: 30, TouchMotion: 33, TouchSwipes: 23,
}

// TestPhoneEveryRung moves a finger in each way and rotation, and compares with the
// points that were meant.
func TestPhoneEveryRung(t *testing.T) {
	_, client := serverClient(t, Config{})
	for _, rung := range []string{TouchUinput, TouchEvdev, TouchHID, TouchMonkey} {
		phone := startPhone(t, simphone.Config{SDK: someSDK[rung], Size: image.Pt(1080, 2340)})
		d := forced(t, client, phone, rung)
		if _, err := d.ChooseTouch(t.Context()); err != nil {
			t.Fatalf("%s: %v", rung, err)
		}
		for rotation := range 4 {
			phone.SetRotation(rotation)
			frame := phone.FrameSize()
			path := points(200, 300, 300, 300, 400, 300, 400, 400, 400, frame.Y-100)
			stroke := Stroke{Points: path, Size: frame, Rotation: rotation}
			phone.ClearEvents()
			var began []int
			err := d.PlayWith(t.Context(), []Stroke{stroke, {Points: points(700, 800), Size: frame, Rotation: rotation}},
				PlayOptions{Began: func(i int) { began = append(began, i) }})
			if err != nil {
				t.Fatalf("%s, rotation %d: %v", rung, rotation, err)
			}
			eventually(t, rung+": the finger is up", func() bool {
				return up(phone) && strings.Count(trace(phone), "up") == 2
			})
			if fmt.Sprint(began) != "[0 1]" {
				t.Errorf("%s, rotation %d: strokes %v began", rung, rotation, began)
			}
			checkTrace(t, fmt.Sprintf("%s, rotation %d", rung, rotation), phone, append(path, image.Pt(700, 800)))
		}
		if got := d.TouchChoice(); got.Rung != rung || got.Seen {
			t.Errorf("%s: %+v, expected it, not seen yet", rung, got)
		}
		if err := d.CloseTouch(t.Context()); err != nil {
			t.Errorf("%s: %v", rung, err)
		}
	}
}

// piecesConn cuts what is written through it: a first piece of so many bytes, then the
// rest, as a connection does that backs up.
type piecesConn struct {
	net.Conn
	first int
}

func (c piecesConn) Write(p []byte) (int, error) {
	cut := min(c.first, len(p))
	n, err := c.Conn.Write(p[:cut])
	if err != nil || cut == len(p) {
		return n, err
	}
	rest, err := c.Conn.Write(p[cut:])
	return n + rest, err
}

// TestPiecesOfEvents: wherever a connection cuts what is written, the phone gets whole
// events, on all ways that stream and for programs of 32 and of 64 bits.
func TestPiecesOfEvents(t *testing.T) {
	for _, rung := range []string{TouchUinput, TouchEvdev, TouchHID, TouchMonkey} {
		for _, c := range []struct{ bits, first int }{{64, 10}, {64, 16}, {64, 145}, {32, 7}, {32, 24}} {
			phone, err := simphone.New(simphone.Config{SDK: someSDK[rung], Size: image.Pt(1080, 2340), Hands: simphone.Hands{CatBits: c.bits},
				Apps: []simphone.Installed{simphone.Instance(plainApp{})}, Foreground: plainPackage})
			if err != nil {
				t.Fatal(err)
			}
			link := adbtest.NewLink(t, phone)
			client, err := New(Config{Touch: rung, Dial: func(ctx context.Context) (net.Conn, error) {
				conn, err := link.Dial(ctx)
				return piecesConn{conn, c.first}, err
			}})
			if err != nil {
				t.Fatal(err)
			}
			d, err := client.Open(t.Context(), adbtest.LinkSerial)
			if err != nil {
				t.Fatal(err)
			}
			path := points(200, 300, 300, 300, 400, 300, 400, 400)
			err = d.Play(t.Context(), []Stroke{{Points: path, Size: phone.FrameSize()}})
			if err != nil {
				t.Errorf("%s, %d bits, cut after %d bytes: %v", rung, c.bits, c.first, err)
				continue
			}
			eventually(t, rung+": the finger is up", func() bool { return up(phone) })
			checkTrace(t, fmt.Sprintf("%s, %d bits, cut after %d bytes", rung, c.bits, c.first), phone, path)
			if err := d.CloseTouch(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// tornConn takes a part of one write and then says that the time is over.
type tornConn struct {
	net.Conn
	left atomic.Int64 // writes until then and one; 0: it takes all, -1: it was torn
}

func (c *tornConn) Write(p []byte) (int, error) {
	switch left := c.left.Load(); {
	case left == 0:
		return c.Conn.Write(p)
	case left < 0 || left > 1:
		c.left.Add(-1)
		return c.Conn.Write(p)
	}
	c.left.Store(-1)
	n, err := c.Conn.Write(p[:len(p)/2])
	return n, errors.Join(os.ErrDeadlineExceeded, err)
}

// TestNothingAfterATornWrite: what is written after a part of an event would be read as
// its rest; the connection is closed and the finger lifted through another one.
func TestNothingAfterATornWrite(t *testing.T) {
	for _, rung := range []string{TouchUinput, TouchEvdev, TouchHID, TouchMonkey} {
		phone, err := simphone.New(simphone.Config{SDK: someSDK[rung], Size: image.Pt(1080, 2340),
			Apps: []simphone.Installed{simphone.Instance(plainApp{})}, Foreground: plainPackage})
		if err != nil {
			t.Fatal(err)
		}
		link := adbtest.NewLink(t, phone)
		client, err := New(Config{Touch: rung, Dial: func(ctx context.Context) (net.Conn, error) {
			line, err := link.Dial(ctx)
			return &tornConn{Conn: line}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := client.Open(t.Context(), adbtest.LinkSerial)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.ChooseTouch(t.Context()); err != nil {
			t.Fatal(err)
		}
		torn := d.hands.stream.line.Conn.(*tornConn)
		torn.left.Store(4) // the finger is down and has moved
		stroke := Stroke{Points: points(200, 300, 300, 300, 400, 300, 400, 400), Size: phone.FrameSize()}
		if err := d.Play(t.Context(), []Stroke{stroke}); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v, expected an ErrClosed", rung, err)
		}
		eventually(t, rung+": the finger is up", func() bool { return up(phone) })
		if left := torn.left.Load(); left != -1 {
			t.Errorf("%s: %d writes after the torn one", rung, -1-left)
		}
		if err := d.CloseTouch(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// checkTrace wants all points among the phone's events, in order, and no step longer
// than the shortest between points.
func checkTrace(t *testing.T, name string, phone *simphone.Phone, path []image.Point) {
	t.Helper()
	next := 0
	var last image.Point
	for i, e := range phone.Events() {
		at := image.Pt(int(e.X+0.5), int(e.Y+0.5))
		if next < len(path) && distance(at, path[next]) <= 2 {
			next++
		}
		if e.Kind == simphone.EventMove && i > 0 && distance(at, last) > 105 {
			t.Errorf("%s: from %v to %v at once", name, last, at)
		}
		last = at
	}
	if next < len(path) {
		t.Errorf("%s: %v is not reached: %s", name, path[next], trace(phone))
	}
}

// forced opens a phone that is touched in one way only.
func forced(t *testing.T, client *Client, phone *simphone.Phone, rung string) *Device {
	t.Helper()
	config := client.config
	config.Touch = rung
	own, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := own.Connect(t.Context(), phone.Addr())
	if err != nil {
		t.Fatal(err)
	}
	d, err := own.Open(t.Context(), serial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.CloseTouch(context.Background()) })
	return d
}

// TestPhoneChoosesByWhatWorks opens phones of each version, and phones whose makers
// left something out, and says which way is taken and which are refused.
func TestPhoneChoosesByWhatWorks(t *testing.T) {
	_, client := serverClient(t, Config{})
	for _, test := range []struct {
		name  string
		sdk   int
		hands simphone.Hands
		want  string
		why   map[string]string
	}{
		{name: "Android 5", sdk: 21, want: TouchEvdev, why: map[string]string{TouchUinput: "/dev/uinput may not be written to"}},
		{name: "Android 9", sdk: 28, want: TouchEvdev},
		{name: "Android 11", sdk: 30, want: TouchHID, why: map[string]string{TouchEvdev: "Permission denied"}},
		{name: "Android 14", sdk: 34, want: TouchUinput},
		{name: "nodes of another group", sdk: 26, hands: simphone.Hands{Nodes: touchscreen.ReadOnly}, want: TouchMonkey,
			why: map[string]string{TouchEvdev: "Permission denied"}},
		{name: "protocol A, 32 bits", sdk: 23, hands: simphone.Hands{CatBits: 32, Panel: touchscreen.Panel{ProtocolA: true}}, want: TouchEvdev},
		{name: "axes of their own, pressure", sdk: 27, hands: simphone.Hands{Panel: touchscreen.Panel{MaxX: 4095, MaxY: 8191, Pressure: true}}, want: TouchEvdev},
		{name: "no uinput", sdk: 34, hands: simphone.Hands{Without: []string{"uinput"}}, want: TouchHID, why: map[string]string{TouchUinput: "not found"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			phone := startPhone(t, simphone.Config{SDK: test.sdk, Size: image.Pt(1080, 2340), Hands: test.hands})
			d := forced(t, client, phone, "")
			choice, err := d.ChooseTouch(t.Context())
			if err != nil || choice.Rung != test.want {
				t.Fatalf("%v, %v, expected %s", choice, err, test.want)
			}
			for rung, reason := range test.why {
				if !slices.ContainsFunc(choice.Refused, func(r TouchRefusal) bool { return r.Rung == rung && strings.Contains(r.Reason, reason) }) {
					t.Errorf("%v does not say that %s is refused for %q", choice, rung, reason)
				}
			}
			if strings.Contains(trace(phone), "down") {
				t.Errorf("choosing touched the phone: %s", trace(phone))
			}
			path := points(200, 300, 300, 300, 400, 300, 400, 400)
			if err := d.Stroke(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the finger is up", func() bool { return up(phone) })
			checkTrace(t, test.name, phone, path)
		})
	}
}

// TestPhoneRungIsRemembered opens a phone again and again: with the same build it is
// touched in the way that was seen to work, and with another one all are tried.
func TestPhoneRungIsRemembered(t *testing.T) {
	kept := new(notes)
	_, client := serverClient(t, Config{TouchStore: kept})
	phone := startPhone(t, simphone.Config{SDK: 34, Size: image.Pt(1080, 2340)})
	first := forced(t, client, phone, "")
	if err := first.Stroke(t.Context(), points(100, 500, 300, 500)); err != nil {
		t.Fatal(err)
	}
	if first.TouchTrusted() {
		t.Error("a way is trusted whose touches nobody saw")
	}
	if again := first.TouchSeen(1, 0); !again {
		t.Error("touches that nobody sees are not tried in another way")
	}
	if err := first.Stroke(t.Context(), points(100, 500, 300, 500)); err != nil {
		t.Fatal(err)
	}
	first.TouchSeen(1, 1)
	if choice := first.TouchChoice(); choice.Rung != TouchHID || !choice.Seen || !strings.Contains(choice.String(), "uinput: its touches were not seen") {
		t.Errorf("%v, expected hid, seen", choice)
	}
	if err := first.CloseTouch(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := forced(t, client, phone, "")
	choice, err := second.ChooseTouch(t.Context())
	if err != nil || choice.Rung != TouchHID || !choice.Seen || choice.Left != "" || len(choice.Refused) != 2 {
		t.Errorf("%+v, %v, expected hid as it was seen, and why not uinput and evdev", choice, err)
	}
	// It was not closed: the next one finds that out.
	third := forced(t, client, phone, "")
	third.Properties = map[string]string{"ro.serialno": third.Properties["ro.serialno"], buildProperty: "another"}
	choice, err = third.ChooseTouch(t.Context())
	if err != nil || choice.Rung != TouchUinput || choice.Seen || !strings.Contains(choice.Left, "touched by hid: the finger is up") {
		t.Errorf("%+v, %v, expected uinput, not seen, after a run that was cut off", choice, err)
	}
}

// TestPhoneMonkeyPutsTheRotationBack has a screen that does not turn by itself, as
// monkey leaves it to.
func TestPhoneMonkeyPutsTheRotationBack(t *testing.T) {
	_, client := serverClient(t, Config{})
	phone := startPhone(t, simphone.Config{SDK: 30, Size: image.Pt(1080, 2340)})
	d := forced(t, client, phone, TouchMonkey)
	setting := func() string {
		t.Helper()
		text, _, err := d.Shell(t.Context(), "settings get system accelerometer_rotation; settings get system user_rotation")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if _, _, err := d.Shell(t.Context(), "settings put system accelerometer_rotation 0; settings put system user_rotation 0"); err != nil {
		t.Fatal(err)
	}
	before := setting()
	if err := d.Tap(t.Context(), image.Pt(300, 300)); err != nil {
		t.Fatal(err)
	}
	if err := d.CloseTouch(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := setting(); after != before {
		t.Errorf("rotation %q, expected %q as it was", after, before)
	}
	phone.RefuseInput(true)
	var err error
	eventually(t, "touches are refused", func() bool { // it is said when monkey injects
		err = d.Tap(t.Context(), image.Pt(300, 300))
		return err != nil
	})
	if !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), "INJECT_EVENTS") {
		t.Errorf("%v, expected an ErrInputRefused that names INJECT_EVENTS", err)
	}
}

// wire stands between a client and its server, to be cut as kill -9 cuts it.
type wire struct {
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: listener}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			w.mu.Lock()
			w.open = append(w.open, near, far)
			w.mu.Unlock()
			for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
				go func() {
					_, _ = io.Copy(pair[0], pair[1])
					pair[0].Close()
				}()
			}
		}
	}()
	t.Cleanup(w.cut)
	return w
}

func (w *wire) cut() {
	w.listener.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		c.Close()
	}
}

// cuts are the ways in which strokes are cut off: by the end of the program's
// connections, as kill -9 does, by the loss of the phone, by a restart of the adb
// server, and by an interrupt.
var cuts = []string{"killed", "lost", "restarted", "interrupted"}

// TestPhoneFingerIsNeverLeftDown cuts strokes off in the middle, in each way of
// touching. The next start has the finger up, and says that something was cut off
// unless it ended as it should. With -v it prints how often it was still down.
func TestPhoneFingerIsNeverLeftDown(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts off a stroke in each way of touching, each way of cutting")
	}
	var mu sync.Mutex
	down := map[string]int{}
	t.Run("cut", func(t *testing.T) {
		for _, rung := range TouchRungs() {
			for _, how := range cuts {
				t.Run(rung+" "+how, func(t *testing.T) {
					t.Parallel()
					server := adbtest.Start(t)
					// A swipe that takes its time is cut off in the middle as well.
					phone := startPhone(t, simphone.Config{SDK: someSDK[rung], Size: image.Pt(1080, 2340), InputDelay: 3 * time.Millisecond, TimeScale: 1})
					for n := range *kills {
						if cutOff(t, server, phone, rung, how, n) {
							mu.Lock()
							down[rung+" "+how]++
							mu.Unlock()
						}
					}
				})
			}
		}
	})
	line := fmt.Sprintf("| %-8s", "way")
	for _, how := range cuts {
		line += fmt.Sprintf(" | %-11s", how)
	}
	t.Logf("found down at the next start, of %d each:\n%s |", *kills, line)
	for _, rung := range TouchRungs() {
		line := fmt.Sprintf("| %-8s", rung)
		for _, how := range cuts {
			line += fmt.Sprintf(" | %11d", down[rung+" "+how])
		}
		t.Log(line + " |")
	}
}

// cutOff plays strokes, cuts one off and starts again. It reports whether the next
// start found the finger down.
func cutOff(t *testing.T, server *adbtest.Server, phone *simphone.Phone, rung, how string, n int) (down bool) {
	t.Helper()
	kept := new(notes)
	direct := fmt.Sprintf("127.0.0.1:%d", server.Port)
	between := newWire(t, direct)
	defer between.cut()
	config := Config{Touch: rung, TouchStore: kept}
	d := forced(t, clientFor(t, between.listener.Addr().String(), config), phone, rung)
	if _, err := d.ChooseTouch(t.Context()); err != nil {
		t.Fatal(err)
	}
	phone.ClearEvents()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	played := make(chan error, 1)
	go func() {
		played <- d.Play(ctx, []Stroke{{Points: snake(cutPoints), Size: image.Pt(1080, 2340)}, {Points: snake(cutPoints), Size: image.Pt(1080, 2340)}})
	}()
	eventually(t, "the finger moves", func() bool { return len(phone.Events()) > 5+n%20 })
	cutAs(t, how, between, phone, server, cancel)
	if err := <-played; err == nil {
		t.Fatal("a stroke that was cut off is no failure")
	}
	if how == "interrupted" { // the program ends in order
		if err := d.CloseTouch(t.Context()); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the finger is up at the end", func() bool { return up(phone) })
	}
	if _, err := clientFor(t, direct, config).Connect(t.Context(), phone.Addr()); errors.Is(err, ErrNoServer) {
		// adb 29 stands still now and then when it loses a phone. Nothing but another
		// server helps.
		t.Logf("the adb server is started again: %v", err)
		if err := server.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	next := forced(t, clientFor(t, direct, config), phone, rung)
	choice, err := next.ChooseTouch(t.Context())
	if err != nil {
		t.Fatalf("the next start: %v", err)
	}
	if left := strings.Contains(choice.Left, "cut off while it touched by "+rung); left != (how != "interrupted") {
		t.Errorf("the next start says %q of the one that was cut off", choice.Left)
	}
	eventually(t, "the finger is up", func() bool { return up(phone) })
	phone.ClearEvents()
	if err := next.Stroke(t.Context(), points(500, 500, 600, 500)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the next stroke", func() bool { return up(phone) })
	if got := trace(phone); strings.Count(got, "down") != 1 || !strings.HasPrefix(got, "down") {
		t.Errorf("the next stroke is %s", got)
	}
	if err := next.CloseTouch(t.Context()); err != nil {
		t.Error(err)
	}
	return strings.Contains(choice.Left, "still down")
}

// cutAs cuts off what is under way: in one of the ways of cutting.
func cutAs(t *testing.T, how string, between *wire, phone *simphone.Phone, server *adbtest.Server, interrupt context.CancelFunc) {
	t.Helper()
	switch how {
	case "killed":
		between.cut()
	case "lost":
		phone.Disconnect()
	case "restarted":
		if err := server.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
	case "interrupted":
		interrupt()
	}
}

// cutPoints is the length of a stroke that is cut off: more than are seen before.
const cutPoints = 40

// checkRefusal wants an error that is a refusal of that kind, and of no other.
func checkRefusal(t *testing.T, err, kind error) {
	t.Helper()
	if kind != nil && !errors.Is(err, ErrInputRefused) {
		t.Errorf("%v, expected an ErrInputRefused", err)
	}
	for _, other := range []error{ErrInjectEvents, ErrNoMonkey, ErrOverridden} {
		if errors.Is(err, other) != (other == kind) {
			t.Errorf("%v: it is %q: %v, expected of kind %v", err, other, errors.Is(err, other), kind)
		}
	}
}

// TestOverriddenShape: a size of another shape is refused as that, by the ways that it
// concerns; where every way is refused, the error is each of the refusals.
func TestOverriddenShape(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{SDK: 34, Size: image.Pt(1080, 2340)}, Config{Touch: TouchUinput})
	if err := phone.SetOverrideSize(image.Pt(1080, 1920)); err != nil {
		t.Fatal(err)
	}
	checkRefusal(t, d.Play(t.Context(), []Stroke{{Points: points(200, 300), Size: phone.FrameSize()}}), ErrOverridden)
	all := &noWayError{"none", []error{fmt.Errorf("%w: no", ErrInputRefused), fmt.Errorf("%w: %w", ErrInputRefused, ErrNoMonkey)}}
	checkRefusal(t, fmt.Errorf("a play: %w", all), ErrNoMonkey)
}

// TestTouchRefusals scripts what phones answer to each way to touch.
func TestTouchRefusals(t *testing.T) {
	const getevent = "add device 1: /dev/input/event2\n  name:     \"ts\"\n  events:\n" +
		"    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n" +
		"                ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0\n" +
		"                ABS_MT_POSITION_Y     : value 0, min 0, max 2339, fuzz 0, flat 0, resolution 0\n" +
		"  input props:\n    INPUT_PROP_DIRECT\n"
	const denied = "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission\n"
	for _, test := range []struct {
		name, rung string
		answers    map[string]string // by the beginning of the service
		want       string
		kind       error // what it is besides an ErrInputRefused; nil for nothing
	}{
		{"no such command", TouchUinput, map[string]string{"exec:uinput": "/system/bin/sh: uinput: inaccessible or not found\n"}, "inaccessible or not found", nil},
		{"never listed", TouchHID, map[string]string{"exec:hid": "hang", "shell:ls": "crw-rw---- system bluetooth /dev/uhid\n__RC0\n"}, "system bluetooth", nil},
		{"an exception", TouchHID, map[string]string{"exec:hid": "WARNING: linker: hid has text relocations\njava.io.IOException: Error: open failed: EACCES (Permission denied)\n"}, "EACCES", nil},
		{"nothing said", TouchUinput, map[string]string{"exec:uinput": ""}, "uinput ended", nil},
		{"no getevent", TouchEvdev, map[string]string{"shell:getevent": "sh: getevent: not found\n__RC127\n"}, "getevent: not found", nil},
		{"uhid EACCES", TouchHID, map[string]string{"shell:: >": "/system/bin/sh: can't create /dev/uhid: Permission denied\n__RC1\n"}, "/dev/uhid: Permission denied", nil},
		{"EACCES", TouchEvdev, map[string]string{"shell:getevent": getevent + "__RC0\n", "exec:cat /system": "\x7fELF\x02",
			"shell:: >": "/system/bin/sh: can't create /dev/input/event2: Permission denied\n__RC1\n"}, "Permission denied", nil},
		{"no monkey", TouchMonkey, map[string]string{"shell:settings": "0\n__RC0\n", "tcp:": "refuse", "exec:monkey": "/system/bin/sh: monkey: not found\n"}, "monkey: not found", nil},
		{"INJECT_EVENTS", TouchMonkey, map[string]string{"shell:settings": "0\n__RC0\n", "tcp:": "refuse", "exec:monkey": denied}, "Security settings", ErrInjectEvents},
		{"no motionevent", TouchMotion, map[string]string{"shell:input": "tap <x> <y>\nswipe\n__RC0\n"}, "no motionevent", nil},
		{"a port that does not listen", TouchMonkey, map[string]string{"shell:settings": "0\n__RC0\n", "tcp:": "refuse", "exec:monkey": "hang"}, "does not listen", ErrNoMonkey},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := new(phoneScript).start(t, "device", func(c net.Conn, service string) {
				text := "__RC0\n"
				if strings.HasPrefix(service, "shell:wm size") {
					text = "Physical size: 1080x2340\n  DisplayFrames w=1080 h=2340 r=0\n__RC0\n"
				}
				for begins, answer := range test.answers {
					if strings.HasPrefix(service, begins) {
						text = answer
					}
				}
				if text == "refuse" {
					failWith(c, "closed")
					return
				}
				okay(c)
				if text == "hang" {
					hang(c)
					return
				}
				fmt.Fprint(c, text)
			})
			d.hands.pinned = false
			d.client.config.Touch = test.rung
			clock := time.Unix(1000, 0)
			d.client.config.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
			_, err := d.ChooseTouch(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "touch by "+test.rung) {
				t.Errorf("%v, expected one that names %s and %q", err, test.rung, test.want)
			}
			checkRefusal(t, err, test.kind)
			if choice := d.TouchChoice(); len(choice.Refused) != 1 || choice.Refused[0].Rung != test.rung {
				t.Errorf("%+v, expected %s refused", choice, test.rung)
			}
		})
	}
}

func TestPaceFollowsTheBoard(t *testing.T) {
	d := &Device{client: &Client{}}
	d.hands.rung, d.hands.app = TouchUinput, "a"
	tell := func(arrived, moves int) time.Duration {
		d.hands.moves = moves
		d.TouchSeen(9, arrived)
		return d.Pace("a")
	}
	if got := tell(9, 50); got != firstPace || !d.TouchTrusted() {
		t.Errorf("the play that proves the way changes the pace to %v", got)
	}
	var got []time.Duration
	for _, arrived := range []int{9, 9, 8, 9, 9, 9, 3, 9, 9, 9} {
		got = append(got, tell(arrived, 50)/time.Millisecond)
	}
	// 12 ms lost a point: it is not tried again soon. At 14 another one was lost.
	if want := []time.Duration{14, 12, 14, 14, 14, 14, 17, 17, 17, 17}; !reflect.DeepEqual(got, want) {
		t.Errorf("paces %v, expected %v", got, want)
	}
	if other := d.Pace("b"); other != firstPace {
		t.Errorf("another app begins with %v", other)
	}
	for i := range 2*paceRetry - 4 { // three were whole since the second loss
		if now := tell(9, 50); now != firstPace {
			t.Fatalf("%v after %d plays that lost nothing", now, i+4)
		}
	}
	if now := tell(9, 50); now != 14*time.Millisecond {
		t.Errorf("%v, expected the pace that lost points long ago to be tried again", now)
	}
	if now := tell(9, 3); now != 14*time.Millisecond {
		t.Errorf("%v after three moves, which tell too little to go faster", now)
	}
	if now := tell(8, 3); now != firstPace {
		t.Errorf("%v after a loss in three moves", now)
	}
	if now := tell(8, 0); now != firstPace {
		t.Errorf("%v after a tap without effect, which has no pace", now)
	}
}

func TestInSteps(t *testing.T) {
	for _, test := range []struct {
		path []image.Point
		step float64
		want []image.Point
	}{
		{points(5, 5), 10, points(5, 5)},
		{points(0, 0, 10, 0, 21, 0), 10, points(0, 0, 10, 0, 21, 0)},
		{points(0, 0, 30, 0, 30, 10), 10, points(0, 0, 10, 0, 20, 0, 30, 0, 30, 10)},
		{points(7, 7, 7, 7), 10, points(7, 7)},
	} {
		if got := inSteps(test.path, test.step); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v in steps of %v is %v, expected %v", test.path, test.step, got, test.want)
		}
	}
	screen := image.Pt(1080, 2340)
	for want, strokes := range map[float64][]Stroke{
		90:  {{Points: points(0, 0, 500, 0)}},
		122: {{Points: points(0, 0, 120, 0, 240, 0, 500, 0)}, {Points: points(0, 0, 60, 0)}},
		27:  {{Points: points(0, 0, 3, 0, 240, 0)}},
	} {
		if got := stepOf(strokes, screen); got != want {
			t.Errorf("the step of %v is %v, expected %v", strokes, got, want)
		}
	}
}
