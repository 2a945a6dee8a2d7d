package adb

import (
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestParseInputUsage(t *testing.T) {
	files, err := filepath.Glob("testdata/usage/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/usage: %d files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, usage, _ := strings.Cut(string(data), "\n")
		method, ok := parseInputUsage(usage)
		if got := fmt.Sprintf("want motion=%v duration=%v", method.Motion, method.SwipeDuration); !ok || got != want {
			t.Errorf("%s: %s, recognised %v, %s", file, got, ok, want)
		}
	}
	for _, text := range []string{"", "Error: unknown command\n", "/system/bin/sh: input: not found\n"} {
		if method, ok := parseInputUsage(text); ok {
			t.Errorf("%q is taken for %+v", text, method)
		}
	}
}

func points(coordinates ...int) []image.Point {
	var list []image.Point
	for i := 0; i+1 < len(coordinates); i += 2 {
		list = append(list, image.Pt(coordinates[i], coordinates[i+1]))
	}
	return list
}

func TestCorners(t *testing.T) {
	for _, test := range []struct {
		name       string
		path, want []image.Point
	}{
		{"none", nil, nil},
		{"one", points(5, 5), points(5, 5)},
		{"the same twice", points(5, 5, 5, 5), points(5, 5)},
		{"straight", points(0, 0, 10, 0, 20, 0, 30, 0), points(0, 0, 30, 0)},
		{"rounded centres", points(0, 0, 77, 0, 154, 1, 231, 1, 309, 1), points(0, 0, 309, 1)},
		{"L", points(0, 0, 10, 0, 20, 0, 20, 10, 20, 20), points(0, 0, 20, 0, 20, 20)},
		{"back on itself", points(0, 0, 20, 0, 10, 0), points(0, 0, 20, 0, 10, 0)},
		{"there and back", points(0, 0, 20, 0, 0, 0), points(0, 0, 20, 0, 0, 0)},
		{"staircase", points(0, 0, 9, 0, 9, 9, 18, 9, 18, 18), points(0, 0, 9, 0, 9, 9, 18, 9, 18, 18)},
		{"diagonal", points(0, 0, 9, 9, 18, 18), points(0, 0, 18, 18)},
		{"slow curve", points(0, 0, 100, 1, 200, 3, 300, 6, 400, 10), points(0, 0, 300, 6, 400, 10)},
	} {
		if got := corners(test.path); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestLegs(t *testing.T) {
	stroke := Stroke{Points: points(0, 0, 10, 0, 20, 0, 20, 10), Size: image.Pt(100, 200), Rotation: 1}
	legs := stroke.Legs()
	if got, want := fmt.Sprint(legs), fmt.Sprint([]Stroke{
		{points(0, 0, 20, 0), stroke.Size, 1}, {points(20, 0, 20, 10), stroke.Size, 1},
	}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if tap := (Stroke{Points: points(3, 4)}).Legs(); len(tap) != 1 || len(tap[0].Points) != 1 {
		t.Errorf("a tap has legs %v", tap)
	}
}

func TestCommandsPerMethod(t *testing.T) {
	strokes := []Stroke{{Points: points(100, 100, 200, 100, 300, 100, 300, 200)}, {Points: points(500, 600)}}
	for _, test := range []struct {
		method TouchMethod
		want   string
	}{
		{TouchMethod{Motion: true}, "input motionevent DOWN 100 100; input motionevent MOVE 200 100; input motionevent MOVE 300 100; " +
			"input motionevent MOVE 300 200; input motionevent UP 300 200\ninput tap 500 600"},
		{TouchMethod{Motion: true, Corners: true}, "input motionevent DOWN 100 100; input motionevent MOVE 300 100; " +
			"input motionevent MOVE 300 200; input motionevent UP 300 200\ninput tap 500 600"},
		{TouchMethod{SwipeDuration: true}, "input swipe 100 100 300 100 600\ninput swipe 300 100 300 200 450\ninput tap 500 600"},
		{TouchMethod{}, "input swipe 100 100 300 100\ninput swipe 300 100 300 200\ninput tap 500 600"},
	} {
		if got := strings.Join(test.method.Commands(strokes), "\n"); got != test.want {
			t.Errorf("%v:\n got %s\nwant %s", test.method, got, test.want)
		}
	}
	if got := (TouchMethod{Motion: true}).Commands(nil); len(got) != 0 {
		t.Errorf("commands %q for no strokes", got)
	}
	on := TouchMethod{Motion: true}.plan([]Stroke{{Points: points(1, 2)}}, touchOptions{display: "3"})
	if on[0].text != "input -d 3 tap 1 2" {
		t.Errorf("on a display: %q", on[0].text)
	}
}

// snake is a path through n points, each a corner.
func snake(n int) []image.Point {
	path := make([]image.Point, n)
	for i := range path {
		path[i] = image.Pt(1000+(i+1)/2%2*50, 1000+i/2*10)
	}
	return path
}

func TestCommandsStayShortAndWhole(t *testing.T) {
	for _, method := range []TouchMethod{{Motion: true}, {Motion: true, Corners: true}, {SwipeDuration: true}, {}} {
		for _, lengths := range [][]int{{1}, {2, 2, 2}, {40, 40, 40, 40}, {95, 96, 97, 98, 99, 100, 101}, {500}, {3, 400, 3}} {
			var strokes []Stroke
			for _, n := range lengths {
				strokes = append(strokes, Stroke{Points: snake(n)})
			}
			commands := method.Commands(strokes)
			for _, command := range commands {
				if size := len(pidEcho) + len(command) + len(statusEcho); size > MaxCommand {
					t.Errorf("%v %v: a command of %d bytes", method, lengths, size)
				}
			}
			// However they are packed, the events are those of each stroke alone.
			var alone []string
			for _, stroke := range strokes {
				alone = append(alone, method.Commands([]Stroke{stroke})...)
			}
			if got, want := strings.Join(commands, between), strings.Join(alone, between); got != want {
				t.Errorf("%v %v:\n got %s\nwant %s", method, lengths, got, want)
			}
			if method.Motion && len(lengths) == 4 && len(commands) != len(lengths) {
				t.Errorf("%v %v: %d commands, want one for each stroke", method, lengths, len(commands))
			}
		}
		taps := make([]Stroke, 12)
		for i := range taps {
			taps[i].Points = points(10*i, 10)
		}
		if commands := method.Commands(taps); len(commands) != 1 {
			t.Errorf("%v: %d commands for %d taps, want 1", method, len(commands), len(taps))
		}
	}
}

func TestStrokesThatFitAreNotDivided(t *testing.T) {
	strokes := []Stroke{{Points: snake(60)}, {Points: snake(60)}, {Points: snake(60)}}
	for i, command := range (TouchMethod{Motion: true}).Commands(strokes) {
		if !strings.HasPrefix(command, "input motionevent DOWN") || strings.Count(command, "DOWN") != strings.Count(command, "UP") {
			t.Errorf("command %d is not whole strokes: %s", i, command)
		}
	}
}

func TestEstimate(t *testing.T) {
	strokes := []Stroke{{Points: points(0, 0, 100, 0, 200, 0)}, {Points: points(1, 1)}}
	for _, test := range []struct {
		method TouchMethod
		want   time.Duration
	}{
		{TouchMethod{Motion: true, EventTime: time.Second}, 5 * time.Second},
		{TouchMethod{Motion: true, Corners: true, EventTime: time.Second}, 4 * time.Second},
		{TouchMethod{SwipeDuration: true, EventTime: time.Second}, 2*time.Second + 600*time.Millisecond},
	} {
		if got := test.method.Estimate(strokes); got != test.want {
			t.Errorf("%v: %v, want %v", test.method, got, test.want)
		}
	}
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
	err := refusal(trace)
	for _, want := range []string{"USB debugging (Security settings)", "Injecting input events requires"} {
		if !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want an ErrInputRefused with %q in one line", err, want)
		}
	}
	if err := refusal("Error: Invalid arguments for command: motionevent"); !errors.Is(err, ErrInputRefused) || strings.Contains(err.Error(), "Security settings") {
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
		d := &Device{client: &Client{}}
		stroke := Stroke{Points: []image.Point{test.size.Div(2)}, Size: test.size, Rotation: test.rotation}
		got := "refused"
		if plannedOn(stroke, test.now, test.before) {
			scaled, err := d.scale(stroke, test.now)
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
		margin int
		ok     bool
	}{
		{points(0, 0), 0, true}, {points(999, 1999), 0, true},
		{points(1000, 5), 0, false}, {points(5, 2000), 0, false}, {points(-1, 5), 0, false}, {nil, 0, false},
		{points(10, 10, 900, 10), 0, true},
		{points(9, 500, 900, 500), 0, false}, // the back gesture
		{points(9, 500, 900, 500), -1, true},
		{points(50, 500, 900, 500), 60, false},
	} {
		d := &Device{client: &Client{config: Config{EdgeMargin: test.margin}}}
		_, err := d.scale(Stroke{Points: test.points, Size: screen.Current}, screen)
		if (err == nil) != test.ok || (err != nil && len(test.points) > 0 && !errors.Is(err, ErrOutside)) {
			t.Errorf("%v with margin %d: %v", test.points, test.margin, err)
		}
	}
}

func FuzzInputUsage(f *testing.F) {
	f.Add("motionevent <DOWN|UP|MOVE>\n tap <x> <y>\n input")
	f.Fuzz(func(t *testing.T, text string) {
		method, ok := parseInputUsage(text)
		if ok && method.Motion && !strings.Contains(text, "event") {
			t.Errorf("motion events out of %q", text)
		}
	})
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
