package pointer

import (
	"encoding/hex"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// encoderFor makes the encoder of a line `way NAME ARGUMENT WxH`.
func encoderFor(t *testing.T, line string) (e Encoder, binary bool) {
	t.Helper()
	var way, argument string
	var size image.Point
	if n, err := fmt.Sscanf(line, "way %s %s %dx%d", &way, &argument, &size.X, &size.Y); n != 4 {
		t.Fatalf("%q: %v, expected `way NAME ARGUMENT WxH`", line, err)
	}
	switch way {
	case "uinput":
		return NewUinput(argument, size), false
	case "hid":
		return NewHID(argument, size), false
	case "monkey":
		return Monkey{}, false
	}
	_, list, _ := strings.Cut(readFile(t, filepath.Join("testdata/getevent", argument)), "\n")
	screen, found := ChooseTouchscreen(ParseGetevent(list))
	if !found {
		t.Fatalf("%s: no touchscreen", argument)
	}
	e, err := NewEvdev(screen, size, way == "evdev24")
	if err != nil {
		t.Fatal(err)
	}
	return e, true
}

// TestEncodersAgainstBytesByHand compares each event with what testdata/events says,
// which was written out by hand from the formats.
func TestEncodersAgainstBytesByHand(t *testing.T) {
	files, err := filepath.Glob("testdata/events/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("testdata/events: %d files, %v", len(files), err)
	}
	for _, file := range files {
		var encoder Encoder
		var binary bool
		var name, got string
		var want []string
		check := func() {
			expected := strings.Join(want, "\n")
			if binary {
				expected = strings.NewReplacer(" ", "", "\n", "").Replace(expected)
			}
			if name != "" && got != expected {
				t.Errorf("%s: %s:\n got %s\nwant %s", file, name, got, expected)
			}
			name, want = "", nil
		}
		show := func(data []byte) string {
			if binary {
				return hex.EncodeToString(data)
			}
			text, ended := strings.CutSuffix(string(data), "\n")
			if len(data) > 0 && !ended {
				t.Errorf("%s: %s does not end in a line end", file, name)
			}
			return text
		}
		for line := range strings.Lines(readFile(t, file)) {
			line = strings.TrimRight(line, "\n")
			after, expected := strings.CutPrefix(line, ">")
			if expected {
				want = append(want, strings.TrimPrefix(after, " "))
				continue
			}
			check()
			words := strings.Fields(line)
			switch words[0] {
			case "#":
			case "way":
				encoder, binary = encoderFor(t, line)
			case "start":
				name, got = line, show(encoder.Start())
			case "release":
				name, got = line, show(encoder.Release())
			default:
				name = line
				var word string
				var event Event
				if n, err := fmt.Sscanf(line, "%s %d %d", &word, &event.At.X, &event.At.Y); n != 3 {
					t.Fatalf("%s: %q: %v", file, line, err)
				}
				event.Kind = map[string]Kind{"down": Down, "move": Move, "up": Up}[word]
				got = show(encoder.Encode(event))
			}
		}
		check()
	}
}

func TestParseGetevent(t *testing.T) {
	files, err := filepath.Glob("testdata/getevent/*.txt")
	if err != nil || len(files) < 4 {
		t.Fatalf("testdata/getevent: %d files, %v", len(files), err)
	}
	for _, file := range files {
		want, list, _ := strings.Cut(readFile(t, file), "\n")
		for _, ends := range []string{"\n", "\r\n"} {
			screen, found := ChooseTouchscreen(ParseGetevent(strings.ReplaceAll(list, "\n", ends)))
			got := "want none"
			if found {
				x, y := screen.Axes[absX], screen.Axes[absY]
				got = fmt.Sprintf("want node=%s direct=%v x=%d..%d y=%d..%d slot=%v", screen.Node, screen.Direct, x.Least, x.Most, y.Least, y.Most, screen.has(absSlot))
			}
			if got != want {
				t.Errorf("%s: %s, expected %s", file, got, want)
			}
		}
	}
}

// TestSpaceTurnsBack checks corners and the middle of a screen of 100x200 in each
// rotation, by where Android shows them: rotation 1 shows the phone's right edge on
// top.
// TestNodeOfAnotherName: what a shell would read as more than a name is no touchscreen's.
func TestNodeOfAnotherName(t *testing.T) {
	const rest = "\n  events:\n    ABS (0003): 0035  : value 0, min 0, max 9\n 0036 : value 0, min 0, max 9\n  input props:\n    INPUT_PROP_DIRECT\n"
	for node, want := range map[string]int{"/dev/input/event1": 1, "/dev/input/event1; reboot": 0, "/dev/input/$(reboot)": 0, "event1": 0} {
		if found := ParseGetevent("add device 1: " + node + rest); len(found) != want {
			t.Errorf("%s: found %v, expected %d", node, found, want)
		}
	}
}

func TestSpaceTurnsBack(t *testing.T) {
	for _, test := range []struct {
		current  image.Point
		rotation int
		at, want image.Point
	}{
		{image.Pt(100, 200), 0, image.Pt(3, 7), image.Pt(3, 7)},
		{image.Pt(200, 100), 1, image.Pt(0, 0), image.Pt(99, 0)}, // the picture's top left is the phone's top right
		{image.Pt(200, 100), 1, image.Pt(199, 99), image.Pt(0, 199)},
		{image.Pt(200, 100), 1, image.Pt(150, 10), image.Pt(89, 150)},
		{image.Pt(100, 200), 2, image.Pt(0, 0), image.Pt(99, 199)},
		{image.Pt(200, 100), 3, image.Pt(0, 0), image.Pt(0, 199)}, // the phone's bottom left
		{image.Pt(200, 100), 3, image.Pt(150, 10), image.Pt(10, 49)},
		{image.Pt(50, 100), 0, image.Pt(10, 20), image.Pt(21, 41)}, // an override of half the size
		{image.Pt(100, 50), 1, image.Pt(20, 39), image.Pt(21, 41)},
	} {
		space := Space{Physical: image.Pt(100, 200), Current: test.current, Rotation: test.rotation}
		if err := space.Check(); err != nil {
			t.Errorf("%+v: %v", space, err)
		}
		if got := space.Natural(test.at); got != test.want {
			t.Errorf("%+v: %v becomes %v, expected %v", space, test.at, got, test.want)
		}
	}
}

func TestSpaceRefuses(t *testing.T) {
	for _, test := range []struct {
		space Space
		want  string
	}{
		{Space{image.Pt(1080, 2340), image.Pt(1080, 2340), -1}, "rotation is -1"},
		{Space{image.Pt(1080, 2340), image.Pt(1080, 1920), 0}, "wm size reset"},
		{Space{image.Pt(1080, 2340), image.Point{}, 0}, "as (0,0)"},
		{Space{image.Pt(1080, 2340), image.Pt(2340, 1080), 0}, "wm size reset"},
		{Space{image.Pt(1080, 2340), image.Pt(720, 1560), 0}, ""},
		{Space{image.Pt(1080, 2340), image.Pt(1560, 720), 3}, ""},
	} {
		if err := test.space.Check(); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, expected %q", test.space, err, test.want)
		}
	}
}

func TestTrackingIDsBeginAnew(t *testing.T) {
	u := NewUinput("x", image.Pt(10, 10))
	u.id = maxID
	if got := string(u.Encode(Event{Kind: Down})); !strings.Contains(got, ",57,1,") {
		t.Errorf("after the last id comes %s", got)
	}
	screen := Touchscreen{Axes: map[int]Axis{absX: {0, 9}, absY: {0, 9}, absSlot: {0, 1}, absID: {0, 3}}}
	v, err := NewEvdev(screen, image.Pt(10, 10), true)
	if err != nil {
		t.Fatal(err)
	}
	before := 0
	for range 20 {
		id := v.nextID()
		if id < 0 || id > 3 || id == before {
			t.Fatalf("id %d after %d, expected another one of 0 to 3", id, before)
		}
		before = id
	}
	if _, err := NewEvdev(Touchscreen{}, image.Pt(10, 10), true); err == nil {
		t.Error("a device without axes is taken")
	}
}

func TestDumpsysInput(t *testing.T) {
	hub := "Event Hub State:\n  Devices:\n    7: tapwise-1\n      Classes: KEYBOARD | TOUCH\n"
	reader := "Input Reader State (Nums of device: 8):\n  Device 7: tapwise-1\n    Generation: 5\n"
	for text, want := range map[string]bool{
		hub: true, hub + "Input Reader State:\n  Device 3: other\n": false, hub + reader: true, "": false,
		"  Device 9: tapwise-10\n": false, "    3: 'tapwise-1'\n": true,
	} {
		if got := Listed(text, "tapwise-1"); got != want {
			t.Errorf("%q: listed %v, expected %v", text, got, want)
		}
	}
}

func FuzzParseGetevent(f *testing.F) {
	f.Add("add device 1: /dev/input/event1\n  name: \"x\"\n  events:\n    ABS (0003): 0035  : value 0, min 0, max 9\n 0036 : value 0, min 0, max 9\n  input props:\n    INPUT_PROP_DIRECT\n")
	f.Fuzz(func(t *testing.T, text string) {
		screens := ParseGetevent(text)
		if len(screens) > maxNodes {
			t.Fatalf("%d devices", len(screens))
		}
		for _, s := range screens {
			v, err := NewEvdev(s, image.Pt(1080, 2340), true)
			if err != nil {
				t.Fatalf("%+v: %v", s, err)
			}
			for _, e := range []Event{{Down, image.Pt(0, 0)}, {Move, image.Pt(1079, 2339)}, {Up, image.Pt(1079, 2339)}} {
				if got := v.Encode(e); len(got)%24 != 0 || len(got) == 0 {
					t.Fatalf("%+v: %v has %d bytes", s, e, len(got))
				}
			}
			for _, p := range []int{0, 1079} {
				if x, axis := onAxis(p, 1080, s.Axes[absX].Least, s.Axes[absX].Most), s.Axes[absX]; x < axis.Least || x > axis.Most {
					t.Fatalf("pixel %d is %d on %+v", p, x, axis)
				}
			}
		}
	})
}

func FuzzDumpsysInput(f *testing.F) {
	f.Add("Input Reader State:\n  Device 7: tapwise-1\n      Last Raw Touch: pointerCount=1\n", "tapwise-1")
	f.Add("Input Dispatcher State:\n  TouchStatesByDisplay:\n    0: down=true\n      Windows:\n        0: name='x', pointerIds=0x1\n  Windows:\n", "x")
	f.Add("Input Dispatcher State:\n  TouchStatesByDisplay:\n    0 :     Windows:\n        0 : name='x', mDeviceStates=-1:[touchingPointers=[Pointer(id=0, FINGER)]]\n", "x")
	f.Fuzz(func(t *testing.T, text, name string) {
		if Listed(text, name) && !strings.Contains(text, name) {
			t.Errorf("%q is listed in %q", name, text)
		}
		finger := ReadFinger(text)
		if finger == FingerDown && !strings.ContainsAny(text, "123456789eP") || finger == FingerUp && !strings.Contains(text, "Touch") {
			t.Errorf("a finger that is %v out of %q", finger, text)
		}
		// What a maker prints after it, and what was at another time, changes nothing.
		if again := ReadFinger(text + "\nInput Dispatcher State at time of last ANR:\n  TouchDown: true\n"); again != finger {
			t.Errorf("%v, and with more after it %v: %q", finger, again, text)
		}
	})
}
