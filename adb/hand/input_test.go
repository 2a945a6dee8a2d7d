package hand

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// room is that of a phone in bytes.
const room = 3486

func planner(display string) *Hand {
	return New(nil, Config{Display: display, Room: room})
}

func commandsOf(method Method, strokes []Stroke) []string {
	return texts(planner("").plan(method, strokes))
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

func TestCommandsPerMethod(t *testing.T) {
	strokes := []Stroke{{Points: points(100, 100, 200, 100, 300, 100, 300, 200)}, {Points: points(500, 600)}}
	for _, test := range []struct {
		method Method
		want   string
	}{
		{Method{Motion: true}, "input motionevent DOWN 100 100; input motionevent MOVE 200 100; input motionevent MOVE 300 100; " +
			"input motionevent MOVE 300 200; input motionevent UP 300 200\ninput tap 500 600"},
		{Method{Motion: true, Corners: true}, "input motionevent DOWN 100 100; input motionevent MOVE 300 100; " +
			"input motionevent MOVE 300 200; input motionevent UP 300 200\ninput tap 500 600"},
		{Method{SwipeDuration: true}, "input swipe 100 100 300 100 600\ninput swipe 300 100 300 200 450\ninput tap 500 600"},
		{Method{}, "input swipe 100 100 300 100\ninput swipe 300 100 300 200\ninput tap 500 600"},
	} {
		if got := strings.Join(commandsOf(test.method, strokes), "\n"); got != test.want {
			t.Errorf("%v:\n got %s\nwant %s", test.method, got, test.want)
		}
	}
	if got := commandsOf(Method{Motion: true}, nil); len(got) != 0 {
		t.Errorf("commands %q for no strokes", got)
	}
	on := planner("3").plan(Method{Motion: true}, []Stroke{{Points: points(1, 2)}})
	if texts(on)[0] != "input -d 3 tap 1 2" {
		t.Errorf("on a display: %q", texts(on)[0])
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
	for _, method := range []Method{{Motion: true}, {Motion: true, Corners: true}, {SwipeDuration: true}, {}} {
		for _, lengths := range [][]int{{1}, {2, 2, 2}, {40, 40, 40, 40}, {95, 96, 97, 98, 99, 100, 101}, {500}, {3, 400, 3}} {
			var strokes []Stroke
			for _, n := range lengths {
				strokes = append(strokes, Stroke{Points: snake(n)})
			}
			commands := commandsOf(method, strokes)
			for _, command := range commands {
				if size := len(pidEcho) + len(command); size > room {
					t.Errorf("%v %v: a command of %d bytes", method, lengths, size)
				}
			}
			// However they are packed, the events are those of each stroke alone.
			var alone []string
			for _, stroke := range strokes {
				alone = append(alone, commandsOf(method, []Stroke{stroke})...)
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
		if commands := commandsOf(method, taps); len(commands) != 1 {
			t.Errorf("%v: %d commands for %d taps, want 1", method, len(commands), len(taps))
		}
	}
}

func TestStrokesThatFitAreNotDivided(t *testing.T) {
	strokes := []Stroke{{Points: snake(60)}, {Points: snake(60)}, {Points: snake(60)}}
	for i, command := range commandsOf(Method{Motion: true}, strokes) {
		if !strings.HasPrefix(command, "input motionevent DOWN") || strings.Count(command, "DOWN") != strings.Count(command, "UP") {
			t.Errorf("command %d is not whole strokes: %s", i, command)
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
