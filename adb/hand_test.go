package adb

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"math"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/hand"
	"tapwise/adb/hand/pointer"
	"tapwise/adb/internal/fault"
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
	hand.Uinput: 34, hand.Evdev: 26, hand.HID: 30, hand.Monkey: 30, hand.Motion: 33, hand.Swipes: 23,
}

// TestPhoneEveryRung moves a finger in each way and rotation, and compares with the
// points that were meant.
func TestPhoneEveryRung(t *testing.T) {
	_, client := serverClient(t, Config{})
	for _, rung := range []string{hand.Uinput, hand.Evdev, hand.HID, hand.Monkey} {
		phone := startPhone(t, simphone.Config{SDK: someSDK[rung], Size: image.Pt(1080, 2340)})
		d := forced(t, client, phone, rung)
		if _, err := d.Hand().Choose(t.Context()); err != nil {
			t.Fatalf("%s: %v", rung, err)
		}
		for rotation := range 4 {
			phone.SetRotation(rotation)
			frame := phone.FrameSize()
			path := points(200, 300, 300, 300, 400, 300, 400, 400, 400, frame.Y-100)
			stroke := hand.Stroke{Points: path, Size: frame, Rotation: rotation}
			phone.ClearEvents()
			var began []int
			err := d.Hand().Play(t.Context(), []hand.Stroke{stroke, {Points: points(700, 800), Size: frame, Rotation: rotation}},
				hand.Options{Began: func(i int) { began = append(began, i) }})
			if err != nil {
				t.Fatalf("%s, rotation %d: %v", rung, rotation, err)
			}
			// By monkey the finger is lifted before them, too, which the phone may take in late.
			eventually(t, rung+": the finger is up", func() bool {
				return up(phone) && strings.Count(trace(phone), "down") == 2
			})
			if fmt.Sprint(began) != "[0 1]" {
				t.Errorf("%s, rotation %d: strokes %v began", rung, rotation, began)
			}
			checkTrace(t, fmt.Sprintf("%s, rotation %d", rung, rotation), phone, append(path, image.Pt(700, 800)))
		}
		if got := d.Hand().Choice(); got.Rung != rung || got.Seen {
			t.Errorf("%s: %+v, expected it, not seen yet", rung, got)
		}
		if err := d.Hand().Close(t.Context()); err != nil {
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
	for _, rung := range []string{hand.Uinput, hand.Evdev, hand.HID, hand.Monkey} {
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
			err = play(t.Context(), d, []hand.Stroke{{Points: path, Size: phone.FrameSize()}})
			if err != nil {
				t.Errorf("%s, %d bits, cut after %d bytes: %v", rung, c.bits, c.first, err)
				continue
			}
			eventually(t, rung+": the finger is up", func() bool { return up(phone) })
			checkTrace(t, fmt.Sprintf("%s, %d bits, cut after %d bytes", rung, c.bits, c.first), phone, path)
			if err := d.Hand().Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// tornConn takes a part of one write and then says that the time is over.
type tornConn struct {
	net.Conn
	service  string                    // of the stream
	streamed *atomic.Pointer[tornConn] // the connection to it
	left     atomic.Int64              // writes until then and one; 0: it takes all, -1: it was torn
}

func (c *tornConn) Write(p []byte) (int, error) {
	if strings.Contains(string(p), c.service) {
		c.streamed.Store(c)
	}
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
	for rung, service := range map[string]string{hand.Uinput: "exec:uinput", hand.Evdev: "exec:dd", hand.HID: "exec:hid", hand.Monkey: "tcp:"} {
		var streamed atomic.Pointer[tornConn]
		phone, err := simphone.New(simphone.Config{SDK: someSDK[rung], Size: image.Pt(1080, 2340),
			Apps: []simphone.Installed{simphone.Instance(plainApp{})}, Foreground: plainPackage})
		if err != nil {
			t.Fatal(err)
		}
		link := adbtest.NewLink(t, phone)
		client, err := New(Config{Touch: rung, Dial: func(ctx context.Context) (net.Conn, error) {
			line, err := link.Dial(ctx)
			return &tornConn{Conn: line, service: service, streamed: &streamed}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := client.Open(t.Context(), adbtest.LinkSerial)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Hand().Choose(t.Context()); err != nil {
			t.Fatal(err)
		}
		torn := streamed.Load()
		torn.left.Store(4) // the finger is down and has moved
		stroke := hand.Stroke{Points: points(200, 300, 300, 300, 400, 300, 400, 400), Size: phone.FrameSize()}
		if err := play(t.Context(), d, []hand.Stroke{stroke}); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v, expected an ErrClosed", rung, err)
		}
		eventually(t, rung+": the finger is up", func() bool { return up(phone) })
		if left := torn.left.Load(); left != -1 {
			t.Errorf("%s: %d writes after the torn one", rung, -1-left)
		}
		if err := d.Hand().Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func apart(a, b image.Point) float64 { return math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)) }

// checkTrace wants all points among the phone's events, in order, and no step longer
// than the shortest between points.
func checkTrace(t *testing.T, name string, phone *simphone.Phone, path []image.Point) {
	t.Helper()
	next := 0
	var last image.Point
	for i, e := range phone.Events() {
		at := image.Pt(int(e.X+0.5), int(e.Y+0.5))
		if next < len(path) && apart(at, path[next]) <= 2 {
			next++
		}
		if e.Kind == simphone.EventMove && i > 0 && apart(at, last) > 105 {
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
	t.Cleanup(func() { _ = d.Hand().Close(context.Background()) })
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
		{name: "Android 5", sdk: 21, want: hand.Evdev, why: map[string]string{hand.Uinput: "/dev/uinput may not be written to"}},
		{name: "Android 9", sdk: 28, want: hand.Evdev},
		{name: "Android 11", sdk: 30, want: hand.HID, why: map[string]string{hand.Evdev: "Permission denied"}},
		{name: "Android 14", sdk: 34, want: hand.Uinput},
		{name: "nodes of another group", sdk: 26, hands: simphone.Hands{Nodes: touchscreen.ReadOnly}, want: hand.Monkey,
			why: map[string]string{hand.Evdev: "Permission denied"}},
		{name: "protocol A, 32 bits", sdk: 23, hands: simphone.Hands{CatBits: 32, Panel: touchscreen.Panel{ProtocolA: true}}, want: hand.Evdev},
		{name: "axes of their own, pressure", sdk: 27, hands: simphone.Hands{Panel: touchscreen.Panel{MaxX: 4095, MaxY: 8191, Pressure: true}}, want: hand.Evdev},
		{name: "no uinput", sdk: 34, hands: simphone.Hands{Without: []string{"uinput"}}, want: hand.HID, why: map[string]string{hand.Uinput: "not found"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			phone := startPhone(t, simphone.Config{SDK: test.sdk, Size: image.Pt(1080, 2340), Hands: test.hands})
			d := forced(t, client, phone, "")
			choice, err := d.Hand().Choose(t.Context())
			if err != nil || choice.Rung != test.want {
				t.Fatalf("%v, %v, expected %s", choice, err, test.want)
			}
			for rung, reason := range test.why {
				if !slices.ContainsFunc(choice.Refused, func(r hand.Refusal) bool { return r.Rung == rung && strings.Contains(r.Reason, reason) }) {
					t.Errorf("%v does not say that %s is refused for %q", choice, rung, reason)
				}
			}
			if strings.Contains(trace(phone), "down") {
				t.Errorf("choosing touched the phone: %s", trace(phone))
			}
			path := points(200, 300, 300, 300, 400, 300, 400, 400)
			if err := strokeThrough(t.Context(), d, path); err != nil {
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
	if err := strokeThrough(t.Context(), first, points(100, 500, 300, 500)); err != nil {
		t.Fatal(err)
	}
	if first.Hand().Choice().Seen {
		t.Error("a way is trusted whose touches nobody saw")
	}
	if again := first.Hand().Seen(1, 0); !again {
		t.Error("touches that nobody sees are not tried in another way")
	}
	if err := strokeThrough(t.Context(), first, points(100, 500, 300, 500)); err != nil {
		t.Fatal(err)
	}
	first.Hand().Seen(1, 1)
	if choice := first.Hand().Choice(); choice.Rung != hand.HID || !choice.Seen || !strings.Contains(choice.String(), "uinput: its touches were not seen") {
		t.Errorf("%v, expected hid, seen", choice)
	}
	if err := first.Hand().Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := forced(t, client, phone, "")
	choice, err := second.Hand().Choose(t.Context())
	if err != nil || choice.Rung != hand.HID || !choice.Seen || choice.Left != "" || len(choice.Refused) != 2 {
		t.Errorf("%+v, %v, expected hid as it was seen, and why not uinput and evdev", choice, err)
	}
	// It was not closed: the next one finds that out.
	third := forced(t, client, phone, "")
	third.Properties = map[string]string{"ro.serialno": third.Properties["ro.serialno"], buildProperty: "another"}
	choice, err = third.Hand().Choose(t.Context())
	if err != nil || choice.Rung != hand.Uinput || choice.Seen || !strings.Contains(choice.Left, "touched by hid: the finger is up") {
		t.Errorf("%+v, %v, expected uinput, not seen, after a run that was cut off", choice, err)
	}
}

// TestPhoneMonkeyPutsTheRotationBack has a screen that does not turn by itself, as
// monkey leaves it to.
func TestPhoneMonkeyPutsTheRotationBack(t *testing.T) {
	_, client := serverClient(t, Config{})
	phone := startPhone(t, simphone.Config{SDK: 30, Size: image.Pt(1080, 2340)})
	d := forced(t, client, phone, hand.Monkey)
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
	if err := tapAt(t.Context(), d, image.Pt(300, 300)); err != nil {
		t.Fatal(err)
	}
	if err := d.Hand().Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := setting(); after != before {
		t.Errorf("rotation %q, expected %q as it was", after, before)
	}
	phone.RefuseInput(true)
	var err error
	eventually(t, "touches are refused", func() bool { // it is said when monkey injects
		err = tapAt(t.Context(), d, image.Pt(300, 300))
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
		for _, rung := range hand.Ways() {
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
	for _, rung := range hand.Ways() {
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
	if _, err := d.Hand().Choose(t.Context()); err != nil {
		t.Fatal(err)
	}
	phone.ClearEvents()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	played := make(chan error, 1)
	go func() {
		played <- play(ctx, d, []hand.Stroke{{Points: snake(cutPoints), Size: image.Pt(1080, 2340)}, {Points: snake(cutPoints), Size: image.Pt(1080, 2340)}})
	}()
	eventually(t, "the finger moves", func() bool { return len(phone.Events()) > 5+n%20 })
	cutAs(t, how, between, phone, server, cancel)
	if err := <-played; err == nil {
		t.Fatal("a stroke that was cut off is no failure")
	}
	if how == "interrupted" { // the program ends in order
		if err := d.Hand().Close(t.Context()); err != nil {
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
	choice, err := next.Hand().Choose(t.Context())
	if err != nil {
		t.Fatalf("the next start: %v", err)
	}
	if left := strings.Contains(choice.Left, "cut off while it touched by "+rung); left != (how != "interrupted") {
		t.Errorf("the next start says %q of the one that was cut off", choice.Left)
	}
	eventually(t, "the finger is up", func() bool { return up(phone) })
	phone.ClearEvents()
	if err := strokeThrough(t.Context(), next, points(500, 500, 600, 500)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the next stroke", func() bool { return up(phone) })
	if got := trace(phone); strings.Count(got, "down") != 1 || !strings.HasPrefix(got, "down") {
		t.Errorf("the next stroke is %s", got)
	}
	if err := next.Hand().Close(t.Context()); err != nil {
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
	for _, other := range []error{ErrInjectEvents, hand.ErrNoMonkey, pointer.ErrOverridden} {
		if errors.Is(err, other) != (other == kind) {
			t.Errorf("%v: it is %q: %v, expected of kind %v", err, other, errors.Is(err, other), kind)
		}
	}
}

// TestOverriddenShape: a size of another shape is refused as that, by the ways that it
// concerns.
func TestOverriddenShape(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{SDK: 34, Size: image.Pt(1080, 2340)}, Config{Touch: hand.Uinput})
	if err := phone.SetOverrideSize(image.Pt(1080, 1920)); err != nil {
		t.Fatal(err)
	}
	checkRefusal(t, play(t.Context(), d, []hand.Stroke{{Points: points(200, 300), Size: phone.FrameSize()}}), pointer.ErrOverridden)
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
		{"no such command", hand.Uinput, map[string]string{"exec:uinput": "/system/bin/sh: uinput: inaccessible or not found\n"}, "inaccessible or not found", nil},
		{"never listed", hand.HID, map[string]string{"exec:hid": "hang", "shell:ls": "crw-rw---- system bluetooth /dev/uhid\n__RC0\n"}, "system bluetooth", nil},
		{"an exception", hand.HID, map[string]string{"exec:hid": "WARNING: linker: hid has text relocations\njava.io.IOException: Error: open failed: EACCES (Permission denied)\n"}, "EACCES", nil},
		{"nothing said", hand.Uinput, map[string]string{"exec:uinput": ""}, "uinput ended", nil},
		{"no getevent", hand.Evdev, map[string]string{"shell:getevent": "sh: getevent: not found\n__RC127\n"}, "getevent: not found", nil},
		{"uhid EACCES", hand.HID, map[string]string{"shell:: >": "/system/bin/sh: can't create /dev/uhid: Permission denied\n__RC1\n"}, "/dev/uhid: Permission denied", nil},
		{"EACCES", hand.Evdev, map[string]string{"shell:getevent": getevent + "__RC0\n", "exec:cat /system": "\x7fELF\x02",
			"shell:: >": "/system/bin/sh: can't create /dev/input/event2: Permission denied\n__RC1\n"}, "Permission denied", nil},
		{"no monkey", hand.Monkey, map[string]string{"shell:settings": "0\n__RC0\n", "tcp:": "refuse", "exec:monkey": "/system/bin/sh: monkey: not found\n"}, "monkey: not found", nil},
		{"INJECT_EVENTS", hand.Monkey, map[string]string{"shell:settings": "0\n__RC0\n", "tcp:": "refuse", "exec:monkey": denied}, "Security settings", ErrInjectEvents},
		{"no motionevent", hand.Motion, map[string]string{"shell:input": "tap <x> <y>\nswipe\n__RC0\n"}, "no motionevent", nil},
		{"a port that does not listen", hand.Monkey, map[string]string{"shell:settings": "0\n__RC0\n", "tcp:": "refuse", "exec:monkey": "hang"}, "does not listen", hand.ErrNoMonkey},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			d := (&phoneScript{piped: true}).start(t, "device", func(c net.Conn, service string) {
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
			d.client.config.Touch = test.rung
			clock := time.Unix(1000, 0)
			d.client.config.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
			_, err := d.Hand().Choose(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "touch by "+test.rung) {
				t.Errorf("%v, expected one that names %s and %q", err, test.rung, test.want)
			}
			checkRefusal(t, err, test.kind)
			if choice := d.Hand().Choice(); len(choice.Refused) != 1 || choice.Refused[0].Rung != test.rung {
				t.Errorf("%+v, expected %s refused", choice, test.rung)
			}
		})
	}
}

func points(coordinates ...int) []image.Point {
	var list []image.Point
	for i := 0; i+1 < len(coordinates); i += 2 {
		list = append(list, image.Pt(coordinates[i], coordinates[i+1]))
	}
	return list
}

// snake is a path through n points, each a corner.
func snake(n int) []image.Point {
	path := make([]image.Point, n)
	for i := range path {
		path[i] = image.Pt(1000+(i+1)/2%2*50, 1000+i/2*10)
	}
	return path
}

func TestQuote(t *testing.T) {
	for want, words := range map[string][]string{
		"am start -n a/b.C":       {"am", "start", "-n", "a/b.C"},
		"echo 'a b' '' 'x;y' '$'": {"echo", "a b", "", "x;y", "$"},
		`echo 'it'\''s'`:          {"echo", "it's"},
		"echo '~' '*' 'ä'":        {"echo", "~", "*", "ä"},
	} {
		if got := Quote(words...); got != want {
			t.Errorf("Quote(%q) = %s, want %s", words, got, want)
		}
	}
	d := &Device{Serial: "127.0.0.1:5"}
	if got, want := d.CommandLine("input tap 1 2; echo"), "adb -s 127.0.0.1:5 shell 'input tap 1 2; echo'"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCutStatus(t *testing.T) {
	for raw, want := range map[string]string{
		"__RC0\n":                       `"" 0 true`,
		"text\n__RC1\n":                 `"text\n" 1 true`,
		"no line end__RC127\n":          `"no line end" 127 true`,
		"a\r\nb\r\n__RC0\r\n":           `"a\nb\n" 0 true`,
		"__RC0\n in the text\n__RC2\n":  `"__RC0\n in the text\n" 2 true`,
		"text\n":                        `"text\n" 0 false`,
		"text\n__RC":                    `"text\n__RC" 0 false`,
		"text\n__RC1":                   `"text\n__RC1" 0 false`, // __RC12 may have been on its way
		"text\n__RC3\nof the shell\n":   `"text\n" 3 true`,
		"__RC0\nmore __RC\n":            `"__RC0\nmore __RC\n" 0 false`,
		"":                              `"" 0 false`,
		"__RC99999999999999999999999\n": `"__RC99999999999999999999999\n" 0 false`,
	} {
		output, status, whole := cutStatus(raw)
		if got := fmt.Sprintf("%q %d %v", output, status, whole); got != want {
			t.Errorf("cutStatus(%q) = %s, want %s", raw, got, want)
		}
	}
}

func TestRefusalNamesTheSetting(t *testing.T) {
	trace := "Exception occurred while executing 'motionevent':\njava.lang.SecurityException: Injecting input events requires the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission.\n\tat com.android.server.input.InputManagerService.injectInputEventToTarget(InputManagerService.java:911)\n"
	err := fault.Refusal(trace)
	for _, want := range []string{"USB debugging (Security settings)", "Injecting input events requires"} {
		if !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want an ErrInputRefused with %q in one line", err, want)
		}
	}
	if err := fault.Refusal("Error: Invalid arguments for command: motionevent"); !errors.Is(err, ErrInputRefused) || strings.Contains(err.Error(), "Security settings") {
		t.Errorf("%v", err)
	}
}

func TestPlannedOnAndScale(t *testing.T) {
	upright := Screen{Physical: image.Pt(1080, 2340), Current: image.Pt(1080, 2340), Rotation: 0}
	turned := upright.turned(1)
	unknown := upright.turned(-1)
	small := Screen{Physical: image.Pt(1080, 2340), Override: image.Pt(720, 1560)}.turned(0)
	note := func(screen Screen, x, y int) screenNote { return screenNote{screen: screen, frame: image.Pt(x, y)} }
	for _, test := range []struct {
		name     string
		size     image.Point
		rotation int
		now      Screen
		before   screenNote
		want     string // where the middle point lands
	}{
		{"the same", image.Pt(1080, 2340), 0, upright, screenNote{}, "(540,1170)"},
		{"rotation not noted", image.Pt(1080, 2340), -1, upright, screenNote{}, "(540,1170)"},
		{"rotation cannot be read", image.Pt(1080, 2340), 0, unknown, screenNote{}, "(540,1170)"},
		{"nor how it is turned", image.Pt(2340, 1080), 1, unknown, screenNote{}, "(1170,540)"},
		{"turned", image.Pt(1080, 2340), 0, turned, note(upright, 1080, 2340), "refused"},
		{"upside down", image.Pt(1080, 2340), 0, upright.turned(2), note(upright, 1080, 2340), "refused"},
		{"size set since", image.Pt(1080, 2340), 0, small, note(upright, 1080, 2340), "refused"},
		{"never seen", image.Pt(1080, 2340), 0, small, screenNote{}, "refused"},
		{"frames have the panel's size", image.Pt(1080, 2340), 0, small, note(small, 1080, 2340), "(360,780)"},
		{"another shape", image.Pt(720, 1280), 0, small, note(small, 720, 1280), "refused"},
		{"within one percent", image.Pt(1080, 2320), 0, upright, note(upright, 1080, 2320), "(540,1170)"},
		{"over one percent", image.Pt(1080, 2310), 0, upright, note(upright, 1080, 2310), "refused"},
	} {
		stroke := hand.Stroke{Points: []image.Point{test.size.Div(2)}, Size: test.size, Rotation: test.rotation}
		got := "refused"
		if plannedOn(stroke, test.now, test.before) {
			scaled, err := scale(stroke, test.now)
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			got = fmt.Sprint(scaled[0])
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestPointsOutsideAreRefused(t *testing.T) {
	screen := Screen{Physical: image.Pt(1000, 2000)}.turned(0)
	for _, test := range []struct {
		points []image.Point
		ok     bool
	}{
		{points(0, 0), true}, {points(999, 1999), true},
		{points(1000, 5), false}, {points(5, 2000), false}, {points(-1, 5), false}, {nil, false},
		{points(10, 10, 900, 10), true},
		{points(9, 500, 900, 500), false}, // the back gesture
	} {
		_, err := scale(hand.Stroke{Points: test.points, Size: screen.Current}, screen)
		if (err == nil) != test.ok || (err != nil && len(test.points) > 0 && !errors.Is(err, ErrOutside)) {
			t.Errorf("%v: %v", test.points, err)
		}
	}
}

func FuzzCutStatus(f *testing.F) {
	f.Add("text\r\n__RC0\r\n")
	f.Fuzz(func(t *testing.T, raw string) {
		output, _, whole := cutStatus(raw)
		if whole && len(output) >= len(raw) {
			t.Errorf("%q: the marker is left in %q", raw, output)
		}
	})
}
