package touchscreen

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
)

// recorder writes down what the fingers do.
type recorder struct{ b strings.Builder }

func (r *recorder) note(what string, slot int, x, y float64) {
	fmt.Fprintf(&r.b, "%s %d %s %s\n", what, slot, strconv.FormatFloat(x, 'g', 6, 64), strconv.FormatFloat(y, 'g', 6, 64))
}

func (r *recorder) Down(slot int, x, y float64) { r.note("down", slot, x, y) }
func (r *recorder) Move(slot int, x, y float64) { r.note("move", slot, x, y) }
func (r *recorder) Up(slot int, x, y float64)   { r.note("up", slot, x, y) }

// fixture is a test case: a text file of sections, each headed by "-- name --".
// Lines before the first are remarks.
type fixture struct {
	name     string
	sections map[string]string
}

func fixtures(t testing.TB, folder string) []fixture {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("testdata/%s: no fixtures (%v)", folder, err)
	}
	var all []fixture
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := fixture{name: filepath.Base(path), sections: make(map[string]string)}
		section := ""
		for line := range strings.Lines(string(data)) {
			if head, ok := strings.CutPrefix(line, "-- "); ok {
				section, _, _ = strings.Cut(head, " --")
				f.sections[section] = ""
				continue
			}
			if section != "" {
				f.sections[section] += line
			}
		}
		all = append(all, f)
	}
	return all
}

// hub makes the phone that the section "phone" describes by words such as "sdk 31"
// or "protocol-a". held collects what waits for a device to be opened.
func (f fixture) hub(t testing.TB, glass Glass, held *[]func()) (*Hub, *strings.Builder) {
	t.Helper()
	log := new(strings.Builder)
	config := Config{SDK: 34, Width: 1080, Height: 2340, Glass: glass, Log: func(tag, message string) { fmt.Fprintf(log, "%s: %s\n", tag, message) }}
	panel := Panel{}
	number := func(words []string, i int) int {
		n, err := strconv.Atoi(words[i])
		if err != nil {
			t.Fatalf("%s: phone: %v", f.name, err)
		}
		return n
	}
	for line := range strings.Lines(f.sections["phone"]) {
		words := strings.Fields(line)
		switch words[0] {
		case "sdk":
			config.SDK = number(words, 1)
		case "size":
			config.Width, config.Height = number(words, 1), number(words, 2)
		case "axes": // the least and the greatest value across, and down
			panel.MinX, panel.MaxX, panel.MinY, panel.MaxY = number(words, 1), number(words, 2), number(words, 3), number(words, 4)
		case "protocol-a":
			panel.ProtocolA = true
		case "no-button":
			panel.NoButton = true
		case "pressure":
			panel.Pressure = true
		case "second-display":
			config.SecondDisplay = true
		case "not-opened":
			config.Opening = time.Second
			config.After = func(_ time.Duration, open func()) { *held = append(*held, open) }
		case "uinput":
			config.Uinput = accessNames[words[1]]
		case "uhid":
			config.Uhid = accessNames[words[1]]
		case "nodes":
			config.Nodes = accessNames[words[1]]
		default:
			t.Fatalf("%s: phone: unknown word %q", f.name, words[0])
		}
	}
	panel.Width, panel.Height = config.Width, config.Height
	config.Devices = BuiltIn(panel)
	hub, err := New(config)
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return hub, log
}

var accessNames = map[string]Access{"writable": Writable, "read-only": ReadOnly, "missing": Missing}

// check compares a section with what was there; a section that is not in the file
// is not compared.
func (f fixture) check(t *testing.T, section, got string) {
	t.Helper()
	if want, ok := f.sections[section]; ok && strings.TrimSpace(want) != strings.TrimSpace(got) {
		t.Errorf("%s: %s is\n%s\nwant\n%s", f.name, section, got, want)
	}
}

// pacedReader gives the input line by line. At a line OPEN it lets Android open the
// devices; at LIST it notes which devices dumpsys input lists.
type pacedReader struct {
	lines []string
	held  *[]func()
	hub   *Hub
	list  string
}

func (r *pacedReader) Read(p []byte) (int, error) {
	for len(r.lines) > 0 {
		switch strings.TrimSpace(r.lines[0]) {
		case "OPEN":
			for _, open := range *r.held {
				open()
			}
			*r.held = nil
		case "LIST":
			for line := range strings.Lines(r.hub.Dump()) {
				if strings.HasPrefix(line, "    ") && line[4] >= '1' && line[4] <= '9' {
					r.list += strings.TrimSpace(line) + "\n"
				}
			}
		default:
			n := copy(p, r.lines[0])
			if r.lines[0] = r.lines[0][n:]; r.lines[0] == "" {
				r.lines = r.lines[1:]
			}
			return n, nil
		}
		r.lines = r.lines[1:]
	}
	return 0, errEnd
}

var errEnd = errors.New("EOF")

// fingers is the number of fingers that are on the panel of a phone.
func fingers(h *Hub) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	count := 0
	for _, d := range h.devices {
		if d.client == nil || !d.client.touch {
			continue
		}
		for _, f := range d.client.fingers {
			if !f.dead {
				count++
			}
		}
	}
	return count
}

// TestCommands sends what testdata/uinput and testdata/hid hold, written by hand
// from what Android documents, and compares what the fingers do.
func TestCommands(t *testing.T) {
	for _, command := range []string{"uinput", "hid"} {
		for _, f := range fixtures(t, command) {
			t.Run(command+"/"+f.name, func(t *testing.T) {
				var glass recorder
				var held []func()
				hub, log := f.hub(t, &glass, &held)
				in := &pacedReader{held: &held, hub: hub}
				for line := range strings.Lines(f.sections["input"]) {
					in.lines = append(in.lines, line)
				}
				ctx, cancel := context.WithTimeout(context.Background(), await.Hang)
				defer cancel()
				if f.sections["hangs"] != "" {
					cancel()
				}
				var stdout bytes.Buffer
				run := hub.Uinput
				if command == "hid" {
					run = hub.HID
				}
				status := run(ctx, eofReader{in}, &stdout)
				f.check(t, "glass", glass.b.String())
				f.check(t, "stdout", stdout.String())
				f.check(t, "exit", strconv.Itoa(status))
				f.check(t, "devices", in.list)
				if want := strings.TrimSpace(f.sections["log"]); !strings.Contains(log.String(), want) {
					t.Errorf("%s: the log is\n%s\nwant\n%s", f.name, log, want)
				}
				if n := fingers(hub); n != 0 {
					t.Errorf("%s: %d fingers are left", f.name, n)
				}
				if got := len(hub.Nodes()); got != 4 {
					t.Errorf("%s: %d devices are left, want the 4 of the phone", f.name, got)
				}
			})
		}
	}
}

// eofReader turns the end of a pacedReader into io.EOF.
type eofReader struct{ r *pacedReader }

func (r eofReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err == errEnd {
		return n, io.EOF
	}
	return n, err
}

// TestNode writes the bytes of testdata/node to the touch screen's node. A blank
// line ends a write.
func TestNode(t *testing.T) {
	for _, f := range fixtures(t, "node") {
		t.Run(f.name, func(t *testing.T) {
			var glass recorder
			hub, log := f.hub(t, &glass, nil)
			size := eventBytes64
			if strings.Contains(f.sections["cat"], "32") {
				size = eventBytes32
			}
			failure := ""
			node, err := hub.Open("/dev/input/event3", size)
			if err != nil {
				failure = err.Error()
			}
			for _, write := range strings.Split(f.sections["writes"], "\n\n") {
				if err != nil {
					break
				}
				var text strings.Builder
				for line := range strings.Lines(write) {
					line, _, _ = strings.Cut(line, "#")
					text.WriteString(strings.Join(strings.Fields(line), ""))
				}
				data, decodeErr := hex.DecodeString(text.String())
				if decodeErr != nil {
					t.Fatal(decodeErr)
				}
				if _, err := node.Write(data); err != nil {
					failure += err.Error() + "\n"
				}
			}
			f.check(t, "glass", glass.b.String())
			f.check(t, "error", failure)
			f.check(t, "fingers", strconv.Itoa(fingers(hub)))
			if want := strings.TrimSpace(f.sections["log"]); !strings.Contains(log.String(), want) {
				t.Errorf("%s: the log is\n%s\nwant\n%s", f.name, log, want)
			}
		})
	}
}

// TestGetevent compares getevent's lists with texts in the form of real phones'.
func TestGetevent(t *testing.T) {
	for _, f := range fixtures(t, "getevent") {
		t.Run(f.name, func(t *testing.T) {
			hub, _ := f.hub(t, new(recorder), nil)
			var stdout, stderr bytes.Buffer
			status := hub.Getevent(context.Background(), strings.Fields(f.sections["arguments"]), &stdout, &stderr)
			f.check(t, "stdout", regexp.MustCompile(`(?m) +$`).ReplaceAllString(stdout.String(), ""))
			f.check(t, "stderr", stderr.String())
			f.check(t, "exit", strconv.Itoa(status))
			f.check(t, "dump", hub.Dump())
		})
	}
}

// monkeyScreen is what monkey plays on.
type monkeyScreen struct {
	b      strings.Builder
	refuse bool
}

var errRefused = errors.New("requires INJECT_EVENTS")

func (m *monkeyScreen) Touch(action MonkeyAction, x, y int32) error {
	if m.refuse {
		return errRefused
	}
	fmt.Fprintf(&m.b, "%s %d %d\n", [...]string{"down", "move", "up"}[action], x, y)
	return nil
}

func (m *monkeyScreen) Key(down bool, key string) error {
	fmt.Fprintf(&m.b, "key %s %t\n", key, down)
	return nil
}

func (m *monkeyScreen) Type(text string) error {
	fmt.Fprintf(&m.b, "type %q\n", text)
	return nil
}

func (m *monkeyScreen) Wake() { m.b.WriteString("wake\n") }

func (m *monkeyScreen) Variable(name string) (string, bool) { return "1080", name == "display.width" }

// conversation is a client that says everything at once.
type conversation struct {
	*strings.Reader
	answers strings.Builder
}

func (c *conversation) Write(p []byte) (int, error) { return c.answers.Write(p) }

// TestMonkey holds the conversations of testdata/monkey.
func TestMonkey(t *testing.T) {
	for _, f := range fixtures(t, "monkey") {
		t.Run(f.name, func(t *testing.T) {
			screen := &monkeyScreen{refuse: f.sections["refuse"] != ""}
			client := &conversation{Reader: strings.NewReader(f.sections["client"])}
			quit, err := Monkey(context.Background(), client, screen)
			f.check(t, "answers", client.answers.String())
			f.check(t, "screen", screen.b.String())
			f.check(t, "quit", strconv.FormatBool(quit))
			if (err != nil) != screen.refuse {
				t.Errorf("%s: error %v, refused %t", f.name, err, screen.refuse)
			}
		})
	}
}
