package simphone

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone/shell"
	"tapwise/adb/simphone/touchscreen"
)

// run runs a command with an input and returns what it printed.
func run(t *testing.T, phone *Phone, command, input string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Hang)
	defer cancel()
	var out bytes.Buffer
	phone.shell.Run(ctx, shell.Call{Command: command, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &out})
	return out.String()
}

// trail is the input that the phone received, as text.
func trail(phone *Phone) string {
	var b strings.Builder
	for _, e := range phone.Events() {
		if e.Kind == EventDown || e.Kind == EventMove || e.Kind == EventUp {
			fmt.Fprintf(&b, "%s %g,%g ", e.Kind, e.X, e.Y)
		}
	}
	return strings.TrimSpace(b.String())
}

// The objects of TOUCH.md for a panel of 270 x 585, and a finger that comes down at
// 60, 100, moves to 80, 100, and goes.
const (
	uinputRegister = `{"id":1,"command":"register","name":"tapwise","vid":6353,"pid":43981,"bus":"usb","configuration":[
{"type":100,"data":[1,3]},{"type":101,"data":[330]},{"type":103,"data":[47,53,54,57]},{"type":110,"data":[1]}],
"abs_info":[{"code":47,"info":{"value":0,"minimum":0,"maximum":9,"fuzz":0,"flat":0,"resolution":0}},
{"code":53,"info":{"value":0,"minimum":0,"maximum":269,"fuzz":0,"flat":0,"resolution":0}},
{"code":54,"info":{"value":0,"minimum":0,"maximum":584,"fuzz":0,"flat":0,"resolution":0}},
{"code":57,"info":{"value":0,"minimum":0,"maximum":65535,"fuzz":0,"flat":0,"resolution":0}}]}`
	uinputStroke = `{"id":1,"command":"inject","events":[1,330,1, 3,47,0, 3,57,1, 3,53,60, 3,54,100, 0,0,0]}
{"id":1,"command":"inject","events":[3,53,80, 3,54,100, 0,0,0]}
{"id":1,"command":"inject","events":[1,330,0, 3,57,-1, 0,0,0]}`
)

// nodeStroke is the same stroke as a 64-bit program writes it.
var nodeStroke = func() string {
	line := func(kind, code, value string) string { return strings.Repeat("\x00", 16) + kind + code + value }
	sync := line("\x00\x00", "\x00\x00", "\x00\x00\x00\x00")
	return line("\x01\x00", "\x4a\x01", "\x01\x00\x00\x00") + line("\x03\x00", "\x2f\x00", "\x00\x00\x00\x00") +
		line("\x03\x00", "\x39\x00", "\x01\x00\x00\x00") + line("\x03\x00", "\x35\x00", "\x3c\x00\x00\x00") +
		line("\x03\x00", "\x36\x00", "\x64\x00\x00\x00") + sync + line("\x03\x00", "\x35\x00", "\x50\x00\x00\x00") + sync +
		line("\x01\x00", "\x4a\x01", "\x00\x00\x00\x00") + line("\x03\x00", "\x39\x00", "\xff\xff\xff\xff") + sync
}()

// TestHands touches a phone of 270 x 585 in each way. Devices report in the panel's
// own orientation, so on a turned screen the touches land turned back.
func TestHands(t *testing.T) {
	for name, test := range map[string]struct {
		sdk, rotation  int
		override       image.Point
		hands          Hands
		command, input string
		want           string // what arrived, in pixels of the frame
		print          string
	}{
		"uinput": {sdk: 34, command: "uinput -", input: uinputRegister + uinputStroke, want: "down 60,100 move 80,100 up 80,100"},
		"uinput, a quarter turn": {sdk: 34, rotation: 1, command: "uinput -", input: uinputRegister + uinputStroke,
			want: "down 100,209 move 100,189 up 100,189"},
		"uinput, half a turn": {sdk: 34, rotation: 2, command: "uinput -", input: uinputRegister + uinputStroke,
			want: "down 209,484 move 189,484 up 189,484"},
		"uinput, three quarters": {sdk: 34, rotation: 3, command: "uinput -", input: uinputRegister + uinputStroke,
			want: "down 484,60 move 484,80 up 484,80"},
		"uinput, another size": {sdk: 34, override: image.Pt(540, 1170), command: "uinput -", input: uinputRegister + uinputStroke,
			want: "down 120,200 move 160,200 up 160,200"},
		"uinput, a second display": {sdk: 34, hands: Hands{SecondDisplay: true}, command: "uinput -", input: uinputRegister + uinputStroke},
		"uinput, the end lifts": {sdk: 34, command: "uinput -", input: uinputRegister + uinputStroke[:strings.Index(uinputStroke, "\n")],
			want: "down 60,100 up 60,100"},
		"no uinput on 11":      {sdk: 30, command: "uinput -", print: "/system/bin/sh: uinput: inaccessible or not found\n"},
		"uinput left out":      {sdk: 34, hands: Hands{Without: []string{"uinput"}}, command: "uinput -", print: "/system/bin/sh: uinput: inaccessible or not found\n"},
		"node":                 {sdk: 28, command: "cat >/dev/input/event3", input: nodeStroke, want: "down 60,100 move 80,100 up 80,100"},
		"node, 32-bit":         {sdk: 22, hands: Hands{CatBits: 32}, command: "cat >/dev/input/event3", input: nodeStroke},
		"node on 10":           {sdk: 29, command: "cat >/dev/input/event3", input: nodeStroke, print: "/system/bin/sh: can't create /dev/input/event3: Permission denied\n"},
		"node of another kind": {sdk: 28, command: "cat >/dev/input/event2", input: nodeStroke},
		"nodes":                {sdk: 26, command: "ls /dev/input; : >/dev/input/event3", print: "event0\nevent1\nevent2\nevent3\n"},
		"a maker's nodes":      {sdk: 26, hands: Hands{Nodes: touchscreen.ReadOnly}, command: ": >/dev/input/event3", print: "/system/bin/sh: can't create /dev/input/event3: Permission denied\n"},
		"hid": {sdk: 28, command: "hid -", input: `{"id":1,"command":"register","name":"tapwise","descriptor":[5,13,9,4,161,1,9,34,161,2,9,66,21,0,37,1,
117,1,149,1,129,2,149,7,129,3,9,81,37,127,117,8,149,1,129,2,5,1,38,255,127,117,16,149,1,9,48,129,2,9,49,129,2,192,5,13,9,84,37,127,117,8,149,1,129,2,192]}
{"id":1,"command":"report","report":[1,0,0,64,0,32,1]}{"id":1,"command":"report","report":[0,0,0,64,0,32,1]}`,
			want: "down 135,146.25 up 135,146.25"},
	} {
		t.Run(name, func(t *testing.T) {
			phone, _ := boardPhone(t, Config{SDK: test.sdk, Rotation: test.rotation, Hands: test.hands})
			if err := phone.SetOverrideSize(test.override); err != nil {
				t.Fatal(err)
			}
			printed := run(t, phone, test.command, test.input)
			if printed != test.print {
				t.Errorf("it printed %q, want %q", printed, test.print)
			}
			if got := trail(phone); got != test.want {
				t.Errorf("arrived\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestHandsDump looks for a new device in dumpsys input, and for the node's file.
func TestHandsDump(t *testing.T) {
	phone, _ := boardPhone(t, Config{SDK: 34})
	before := run(t, phone, "dumpsys input; ls /dev/input", "")
	in, feed := io.Pipe()
	said, out := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		phone.shell.Run(context.Background(), shell.Call{Command: "uinput -", Stdin: in, Stdout: out, Stderr: out})
	}()
	fmt.Fprint(feed, uinputRegister+`{"id":1,"command":"sync","syncToken":"a"}`)
	const synced = `{"reason":"sync","id":1,"syncToken":"a"}` // the device is there when it is said
	answer := make([]byte, len(synced))
	if _, err := io.ReadFull(said, answer); err != nil || string(answer) != synced {
		t.Fatalf("uinput said %q (%v), want %q", answer, err, synced)
	}
	during := run(t, phone, "dumpsys input; ls /dev/input", "")
	feed.Close()
	<-ended
	after := run(t, phone, "dumpsys input; ls /dev/input", "")
	for _, want := range []string{": tapwise\n", "event4\n"} {
		if strings.Contains(before, want) || !strings.Contains(during, want) || strings.Contains(after, want) {
			t.Errorf("%q: before %t, during %t, after %t; want it during only", want,
				strings.Contains(before, want), strings.Contains(during, want), strings.Contains(after, want))
		}
	}
}

// TestMonkeyPort talks to monkey --port, through the port that adb would open.
func TestMonkeyPort(t *testing.T) {
	for name, refuse := range map[string]bool{"plays": false, "refused": true} {
		t.Run(name, func(t *testing.T) {
			phone, _ := boardPhone(t, Config{SDK: 22, Rotation: 1})
			phone.RefuseInput(refuse)
			var out bytes.Buffer
			ended := make(chan int, 1)
			go func() {
				ended <- phone.shell.Run(context.Background(), shell.Call{Command: "monkey --port 1080", Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
			}()
			var conn net.Conn
			var err error
			await.Until(t, "monkey listens", func() bool {
				conn, err = phone.shell.Dial(1080)
				return err == nil
			})
			defer conn.Close()
			answer := make([]byte, 3)
			for _, line := range []string{"touch down 60 100", "touch move 80 100", "touch up 80 100", "quit"} {
				if _, err = fmt.Fprintln(conn, line); err == nil {
					_, err = io.ReadFull(conn, answer)
				}
				if err != nil && !refuse || err == nil && string(answer) != "OK\n" {
					t.Fatalf("%s: answer %q, error %v", line, answer, err)
				}
			}
			<-ended
			want, said := "down 60,100 move 80,100 up 80,100", "Events injected: 3\n"
			if refuse {
				want, said = "", "INJECT_EVENTS"
			}
			if got := trail(phone); got != want || !strings.Contains(out.String(), said) {
				t.Errorf("arrived %q, want %q; printed %q, want %q in it", got, want, out.String(), said)
			}
			if got := run(t, phone, "settings get system accelerometer_rotation; settings get system user_rotation", ""); got != "1\n0\n" {
				t.Errorf("auto-rotation and rotation are %q after monkey, want 1 and 0", got)
			}
		})
	}
}

// TestFrame: an app that is shown the moves of a frame as one sees the last of each
// frame, and never one after the finger was lifted.
func TestFrame(t *testing.T) {
	now := time.Unix(0, 0)
	phone, _ := boardPhone(t, Config{Clock: func() time.Time { return now }, Hands: Hands{Frame: 16 * time.Millisecond}})
	at := func(ms int, kind EventKind, x float64) {
		now = time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond)
		phone.Touch(kind, x, 10)
	}
	at(0, EventDown, 1)
	at(1, EventMove, 2)
	at(15, EventMove, 3) // the last of the frame up to 16 ms
	at(17, EventMove, 4)
	at(20, EventMove, 5) // the last of the frame up to 32 ms
	at(33, EventMove, 6)
	at(34, EventUp, 7)
	if got, want := trail(phone), "down 1,10 move 3,10 move 5,10 move 6,10 up 7,10"; got != want {
		t.Errorf("the app saw %s, want %s", got, want)
	}
	phone.ClearEvents()
	at(50, EventDown, 1)
	at(51, EventMove, 2)
	phone.Frame()
	if got, want := trail(phone), "down 1,10"; got != want {
		t.Errorf("within the frame the app saw %s, want %s", got, want)
	}
	now = now.Add(16 * time.Millisecond)
	phone.Frame()
	if got, want := trail(phone), "down 1,10 move 2,10"; got != want {
		t.Errorf("after the frame the app saw %s, want %s", got, want)
	}
}

// TestStartCosts: what starts a Java process costs, and how long depends on Android.
func TestStartCosts(t *testing.T) {
	for _, test := range []struct {
		sdk     int
		command string
		java    bool
	}{{21, "input", true}, {30, "input", true}, {31, "input", false}, {25, "settings", true}, {26, "settings", false},
		{34, "uinput", true}, {34, "monkey", true}, {28, "hid", true}, {21, "cat", false}, {34, "screencap", false}} {
		config := Config{SDK: test.sdk, Costs: Costs{JavaStart: time.Second}}
		if got := config.startCost(test.command) > 0; got != test.java {
			t.Errorf("SDK %d: %s starts a Java process: %t, want %t", test.sdk, test.command, got, test.java)
		}
	}
	_, err := New(Config{Hands: Hands{CatBits: 16}})
	if err == nil {
		t.Error("programs of 16 bits are taken")
	}
}
