package simphone

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// summary writes events as short text, with the number of moves in a row.
func summary(events []Event) string {
	var out []string
	moves := 0
	flush := func() {
		if moves > 0 {
			out = append(out, fmt.Sprintf("%d moves", moves))
			moves = 0
		}
	}
	for _, e := range events {
		if e.Kind == EventMove {
			moves++
			continue
		}
		flush()
		text := fmt.Sprintf("%s %g,%g", e.Kind, e.X, e.Y)
		if e.Key != "" {
			text = fmt.Sprintf("%s %s", e.Kind, e.Key)
		}
		if e.Package == "" {
			text += " (nobody)"
		}
		out = append(out, text)
	}
	flush()
	return strings.Join(out, "; ")
}

func TestInput(t *testing.T) {
	for _, c := range []struct {
		sdk     int
		command string
		events  string
		output  string // the beginning of the output; empty for none at all
	}{
		{34, "input tap 10 20", "down 10,20; up 10,20", ""},
		{34, "input tap 10.5 20.25", "down 10.5,20.25; up 10.5,20.25", ""},
		{34, "input touchscreen -d 0 tap 1 2", "down 1,2; up 1,2", ""},
		{34, "input -d 3 tap 1 2", "", ""},
		{34, "input tap 270 20", "down 270,20 (nobody); up 270,20 (nobody)", ""},
		{34, "input tap -1 20", "down -1,20 (nobody); up -1,20 (nobody)", ""},
		{34, "input swipe 0 0 100 100", "down 0,0; 30 moves; up 100,100", ""},
		{34, "input swipe 0 0 100 100 50", "down 0,0; 5 moves; up 100,100", ""},
		{34, "input swipe 0 0 100 100 0", "down 0,0; up 100,100", ""},
		{34, "input swipe 0 0 100 400 -7", "down 0,0; 30 moves; up 100,400", ""},
		{19, "input swipe 0 0 100 400", "down 0,0; 30 moves; up 100,400", ""},
		{19, "input swipe 0 0 100 400 50", "", "Error: Invalid arguments for command: swipe\nusage: input ..."},
		{34, "input draganddrop 0 0 9 9 300", "down 0,0; up 9,9", ""},
		{34, "input draganddrop 0 0 9 9 1000", "down 0,0; 50 moves; up 9,9", ""},
		{29, "input draganddrop 0 0 9 9 300", "down 0,0; up 9,9", ""},
		{28, "input draganddrop 0 0 9 9 300", "down 0,0; 30 moves; up 9,9", ""},
		{19, "input draganddrop 0 0 9 9", "", "Error: Unknown command: draganddrop\nusage: input ..."},
		{34, "input motionevent DOWN 1 1; input motionevent MOVE 5 5; input motionevent UP 6 6", "down 1,1; 1 moves; up 6,6", ""},
		{34, "input motionevent down 1 1; input motionevent CANCEL", "down 1,1; cancel 0,0", ""},
		{34, "input motionevent UP 1 1", "up 1,1 (nobody)", ""},
		{29, "input motionevent DOWN 1 1", "down 1,1", ""},
		{30, "input motionevent CANCEL 1 1", "", "Unknown action: CANCEL\n? 0"},
		{28, "input motionevent DOWN 1 1", "", "Error: Unknown command: motionevent\nUsage: input [<source>] <command>"},
		{34, "input keyevent 4", "key BACK", ""},
		{34, "input keyevent KEYCODE_BACK BACK", "key BACK; key BACK", ""},
		{34, "input keyevent --longpress 26", "key POWER (nobody)", ""},
		{34, "input keyevent --doubletap 4", "key BACK; key BACK", ""},
		{34, "input keyevent POWER; input tap 1 1; input keyevent WAKEUP; input tap 2 2",
			"key POWER (nobody); down 1,1 (nobody); up 1,1 (nobody); key WAKEUP (nobody); down 2,2; up 2,2", ""},
		{34, "input keyevent HOME; input tap 2 2", "key HOME (nobody); down 2,2; up 2,2", ""},
		{34, "input text hello%sworld", "text hello world (nobody)", ""},
		{23, "input tap 1", "", "Error: Invalid arguments for command: tap\nUsage: input [<source>] <command>"},
		{23, "input tap a b", "", "Error: Invalid arguments for command: tap\nUsage"},
		{23, "input tap nan inf", "", "Error: Invalid arguments for command: tap\nUsage"},
		{34, "input tap a b", "", "\nException occurred while executing 'tap':\njava.lang.IllegalArgumentException: Error: Invalid arguments for command: tap\n"},
		{34, "input tap 1", "", "\nException occurred while executing 'tap':\njava.lang.IllegalArgumentException: Argument expected after \"1\"\n"},
		{34, "input fling", "", "Unknown command: fling\n? 0"},
		{23, "input fling", "", "Error: Unknown command: fling\nUsage"},
		{34, "input -d", "", "\nException occurred"},
	} {
		t.Run(fmt.Sprintf("%d %s", c.sdk, c.command), func(t *testing.T) {
			phone, _ := boardPhone(t, Config{SDK: c.sdk})
			output := lines(phone, c.command)
			if got := summary(phone.Events()); got != c.events {
				t.Errorf("events:\n got %s\nwant %s", got, c.events)
			}
			want, exact := strings.CutSuffix(c.output, "? 0")
			if exact && output != want || !strings.HasPrefix(output, want) || want == "" && output != "" {
				t.Errorf("output:\n got %q\nwant %q", output, want)
			}
		})
	}
}

// The verbs in the usage that a client sees, for each Android.
func TestInputUsage(t *testing.T) {
	for _, c := range []struct {
		sdk           int
		with, without string
	}{
		{19, "usage: input ...|swipe <x1> <y1> <x2> <y2>\n", "duration|draganddrop|motionevent|DISPLAY"},
		{23, "Usage: input [<source>] <command>|[duration(ms)]|draganddrop", "motionevent|DISPLAY_ID"},
		{28, "draganddrop|[--longpress]", "motionevent|DISPLAY_ID|doubletap"},
		{29, "[-d DISPLAY_ID]|event <DOWN|UP|MOVE>", "motionevent|CANCEL"},
		{30, "[-d DISPLAY_ID]|motionevent <DOWN|UP|MOVE> <x> <y>", "CANCEL"},
		{31, "motionevent <DOWN|UP|MOVE|CANCEL> <x> <y>|keycombination", ""},
		{36, "motionevent <DOWN|UP|MOVE|CANCEL> <x> <y>", ""},
	} {
		phone, _ := boardPhone(t, Config{SDK: c.sdk})
		usage := lines(phone, "input")
		split := func(s string) []string { // at the bars that are not part of the usage
			s = strings.NewReplacer("DOWN|UP|MOVE|CANCEL", "DOWN/UP/MOVE/CANCEL", "DOWN|UP|MOVE", "DOWN/UP/MOVE").Replace(s)
			list := strings.Split(s, "|")
			for i := range list {
				list[i] = strings.ReplaceAll(list[i], "/", "|")
			}
			return list
		}
		for _, want := range split(c.with) {
			if !strings.Contains(usage, want) {
				t.Errorf("SDK %d: %q is not in the usage:\n%s", c.sdk, want, usage)
			}
		}
		for _, no := range split(c.without) {
			if no != "" && strings.Contains(usage, no) {
				t.Errorf("SDK %d: %q is in the usage:\n%s", c.sdk, no, usage)
			}
		}
	}
}

// A swipe follows a straight line at an even pace, by the app's clock.
func TestSwipePath(t *testing.T) {
	phone, board := boardPhone(t, Config{Clock: func() time.Time { return time.Unix(1000, 0) }})
	lines(phone, "input swipe 10 20 110 220 1000")
	events := phone.Events()
	for i, e := range events[1 : len(events)-1] {
		alpha := float64(i) / 100
		if math.Abs(e.X-(10+100*alpha)) > 1e-9 || math.Abs(e.Y-(20+200*alpha)) > 1e-9 || e.Time != time.Duration(i)*10*time.Millisecond {
			t.Fatalf("move %d at %g,%g after %v", i, e.X, e.Y, e.Time)
		}
	}
	if last := events[len(events)-1]; last.Time != time.Second || last.X != 110 || last.Y != 220 {
		t.Errorf("lifted at %g,%g after %v, expected 110,220 after 1s", last.X, last.Y, last.Time)
	}
	if got := len(board.touches()); got != 102 {
		t.Errorf("the app got %d touches, expected 102", got)
	}
}

func TestRefusedInput(t *testing.T) {
	for _, c := range []struct {
		sdk    int
		status string
	}{{23, ""}, {29, ""}, {34, "? 255\n"}} {
		phone, board := boardPhone(t, Config{SDK: c.sdk})
		phone.RefuseInput(true)
		output := lines(phone, "input tap 1 1")
		if !strings.Contains(output, "java.lang.SecurityException: Injecting ") || !strings.Contains(output, "INJECT_EVENTS") || !strings.HasSuffix(output, c.status) {
			t.Errorf("SDK %d: got %q, expected INJECT_EVENTS and %q", c.sdk, output, c.status)
		}
		if len(board.touches()) > 0 || len(phone.Events()) > 0 {
			t.Errorf("SDK %d: a refused touch arrived", c.sdk)
		}
	}
}
