package simphone

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb/simphone/shell"
)

// banner is an app that is of one colour.
type banner struct {
	mu     sync.Mutex
	colour color.NRGBA
}

func (f *banner) Package() string { return "com.example.flag" }
func (f *banner) Draw(c Canvas, _ time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c.Fill(f.colour)
}
func (f *banner) Touch(int, float64, float64, time.Duration) {}
func (f *banner) Back(time.Duration)                         {}
func (f *banner) show(red, green, blue uint8) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.colour = color.NRGBA{R: red, G: green, B: blue, A: 255}
}

// recordingPhone is a phone that shows a banner, and takes one frame of the display for
// 10 ms. It and what is read of it live in a bubble of package synctest.
func recordingPhone(t *testing.T, config Config) (*Phone, *banner) {
	t.Helper()
	app := &banner{}
	app.show(1, 2, 3)
	config.Apps, config.Foreground = []Installed{Instance(app)}, app.Package()
	config.Hands.Frame = 10 * time.Millisecond
	if config.Size == (image.Point{}) {
		config.Size = image.Pt(16, 32)
	}
	phone, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { phone.Close() })
	return phone, app
}

// record runs a command on the phone, and returns its standard output and what closes
// that, as the end of its connection does.
func record(t *testing.T, phone *Phone, command string) (io.Reader, func()) {
	t.Helper()
	reader, writer := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		phone.shell.Run(ctx, shell.Call{Command: command, Stdin: strings.NewReader(""), Stdout: writer, Stderr: writer})
		writer.Close()
	}()
	closeAll := func() { cancel(); reader.Close() }
	t.Cleanup(closeAll)
	return reader, closeAll
}

func expectBytes(t *testing.T, r io.Reader, want []byte) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("got % d (%v), expected % d", got[:min(n, 60)], err, want[:min(len(want), 60)])
	}
}

// TestRecorderBytes compares frames with ones written out by hand: a first field that
// counts what follows it, width, height, stride, format 3, each of four bytes with the
// lowest first, then rows of red, green and blue.
func TestRecorderBytes(t *testing.T) {
	for _, test := range []struct {
		options string
		config  Config
		want    []byte
	}{
		{"--size 3x4 ", Config{}, join(
			[]byte{52, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0}, // 16 + 3 * 3 * 4
			// The screen is 1:2, so that its picture is two of three columns.
			[]byte{1, 2, 3, 1, 2, 3, 0, 0, 0}, []byte{1, 2, 3, 1, 2, 3, 0, 0, 0}, []byte{1, 2, 3, 1, 2, 3, 0, 0, 0}, []byte{1, 2, 3, 1, 2, 3, 0, 0, 0})},
		{"--size=1x4 --time-limit 1 ", Config{}, join(
			[]byte{28, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0}, []byte{0, 0, 0}, []byte{1, 2, 3}, []byte{1, 2, 3}, []byte{0, 0, 0})},
		// The picture of a screen of 1:2 has no column there.
		{"--size 1x1 ", Config{}, []byte{19, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0}},
		{"", Config{}, join([]byte{16, 6, 0, 0, 16, 0, 0, 0, 32, 0, 0, 0, 48, 0, 0, 0, 3, 0, 0, 0}, bytes.Repeat([]byte{1, 2, 3}, 16*32))},
		// 480 x 270 is 388,820 bytes a frame on a Galaxy S8: 388,816 after the first field.
		{"--size 480x270 ", Config{Size: image.Pt(480, 270)}, []byte{0xd0, 0xee, 5, 0, 0xe0, 1, 0, 0, 14, 1, 0, 0, 0xa0, 5, 0, 0, 3, 0, 0, 0}},
	} {
		t.Run(test.options, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				phone, _ := recordingPhone(t, test.config)
				out, _ := record(t, phone, "screenrecord --output-format=frames "+test.options+"-")
				expectBytes(t, out, test.want)
			})
		})
	}
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// pixel reads a frame of 2 x 4, and returns its first red.
func pixel(t *testing.T, r io.Reader) byte {
	t.Helper()
	var frame [20 + 24]byte
	if _, err := io.ReadFull(r, frame[:]); err != nil {
		t.Fatal(err)
	}
	if length := binary.LittleEndian.Uint32(frame[:]); length != 40 {
		t.Fatalf("% d begins no frame of 2 x 4", frame[:20])
	}
	return frame[20]
}

const smallFrames = "echo $$; exec screenrecord --output-format=frames --size 2x4 -"

// pidOf reads the line with the process id.
func pidOf(t *testing.T, r io.Reader) int {
	t.Helper()
	var line []byte
	for b := make([]byte, 1); ; line = append(line, b[0]) {
		if _, err := r.Read(b); err != nil {
			t.Fatal(err)
		}
		if b[0] == '\n' {
			break
		}
	}
	pid, err := strconv.Atoi(string(line))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// The first frame comes at once, the next ones when the screen changes and only then. A
// slow reader gets two old ones.
func TestRecorderChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		phone, app := recordingPhone(t, Config{})
		began := time.Now()
		out, _ := record(t, phone, smallFrames)
		pid := pidOf(t, out)
		if got := pixel(t, out); got != 1 || time.Since(began) != 0 {
			t.Fatalf("the first frame is %d after %v", got, time.Since(began))
		}
		for _, then := range []byte{50, 60} {
			time.AfterFunc(time.Minute, func() { app.show(then, 0, 0) })
			began = time.Now()
			if got := pixel(t, out); got != then || time.Since(began) < time.Minute || time.Since(began) > time.Minute+20*time.Millisecond {
				t.Fatalf("frame %d after %v, expected %d after a minute", got, time.Since(began), then)
			}
		}
		time.Sleep(5 * time.Millisecond) // a change comes between two looks of the recorder, not with one
		for red := range uint8(100) {    // nobody reads
			app.show(100+red, 0, 0)
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		for i, want := range []byte{100, 101, 199} {
			if got := pixel(t, out); got != want {
				t.Errorf("frame %d after a pause is %d, expected %d", i, got, want)
			}
		}
		if got := lines(phone, "pidof screenrecord"); got != strconv.Itoa(pid)+"\n" {
			t.Errorf("pidof printed %q, expected %d", got, pid)
		}
	})
}

// Nothing ends it but a signal, or the first change after the reader has gone.
func TestRecorderEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		phone, app := recordingPhone(t, Config{})
		for _, signal := range []string{"-INT", "-2", "-HUP", "-SIGINT"} {
			out, _ := record(t, phone, smallFrames)
			pid := pidOf(t, out)
			pixel(t, out)
			if got := lines(phone, "kill -0 "+strconv.Itoa(pid)+" && kill "+signal+" "+strconv.Itoa(pid)); got != "" {
				t.Errorf("kill %s printed %q", signal, got)
			}
			if _, err := out.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("after %s: %v, expected the end", signal, err)
			}
			synctest.Wait()
			if left := phone.Recorders(); len(left) != 0 {
				t.Errorf("%v runs after %s", left, signal)
			}
		}
		out, closed := record(t, phone, smallFrames)
		pid := pidOf(t, out)
		pixel(t, out)
		closed()
		time.Sleep(10 * time.Minute)
		if left := phone.Recorders(); len(left) != 1 || left[0] != pid {
			t.Fatalf("%v runs long after its reader has gone, expected %d", left, pid)
		}
		app.show(9, 9, 9)
		time.Sleep(time.Second)
		if left := phone.Recorders(); len(left) != 0 {
			t.Errorf("%v runs after the screen changed", left)
		}
		// kill ends nothing else.
		for command, want := range map[string]string{
			"kill -INT 900": "kill: 900: Operation not permitted\n? 1\n", "kill -INT " + strconv.Itoa(pid): "kill: " + strconv.Itoa(pid) + ": No such process\n? 1\n",
			"kill -INT": "kill: Needs 1 argument\n? 1\n", "kill -FOO 1": "kill: bad signal 'FOO'\n? 1\n", "kill x": "kill: unknown pid 'x'\n? 1\n",
		} {
			if got := lines(phone, command); got != want {
				t.Errorf("%s printed %q, expected %q", command, got, want)
			}
		}
	})
}

// A turned screen is drawn as far as it lies where the upright one was; a secure window
// and a screen that is off are black.
func TestRecorderScreens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		phone, _ := recordingPhone(t, Config{})
		out, _ := record(t, phone, "screenrecord --output-format=frames --size 1x2 -")
		frame := func(want ...byte) {
			t.Helper()
			expectBytes(t, out, join([]byte{22, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0}, want))
		}
		frame(1, 2, 3, 1, 2, 3)
		phone.SetRotation(1)
		frame(1, 2, 3, 0, 0, 0)
		phone.SetRotation(0)
		frame(1, 2, 3, 1, 2, 3)
		phone.SetBlackFrames(true)
		frame(0, 0, 0, 0, 0, 0)
		phone.SetBlackFrames(false)
		frame(1, 2, 3, 1, 2, 3)
		phone.ScreenOff()
		frame(0, 0, 0, 0, 0, 0)
	})
}

func TestRecorderRefusals(t *testing.T) {
	phone, _ := boardPhone(t, Config{})
	for arguments, want := range map[string]string{
		"":                         "Must specify output file",
		"--output-format=frames":   "Must specify output file",
		"--nosuch -":               "not defined: -nosuch",
		"--size":                   "needs an argument",
		"--size 0x5 -":             `invalid value "0x5"`,
		"--size 5 -":               `invalid value "5"`,
		"--time-limit x -":         `invalid value "x"`,
		"--output-format=h264 -":   "no encoder",
		"--output-format=frames x": "no encoder",
		"--display-id 7 --output-format=frames -": "Invalid display id '7'",
	} {
		if got := lines(phone, "screenrecord "+arguments); !strings.Contains(got, want) || !strings.HasSuffix(got, "? 2\n") {
			t.Errorf("screenrecord %s printed %q, expected %q", arguments, got, want)
		}
	}
	for _, missing := range []Config{{SDK: 18}, {Hands: Hands{Without: []string{"screenrecord"}}}} {
		phone, _ := boardPhone(t, missing)
		if got := lines(phone, smallFrames); !strings.Contains(got, "screenrecord: ") || !strings.HasSuffix(got, "not found\n? 127\n") {
			t.Errorf("without screenrecord: %q", got)
		}
	}
	old, _ := boardPhone(t, Config{SDK: 19})
	if got := lines(old, "screenrecord --output-format=frames -"); !strings.Contains(got, "unrecognized option") {
		t.Errorf("on Android 4.4: %q", got)
	}
	if err := phone.Inject([]Fault{{Name: "no-recorder"}}, 1); err != nil {
		t.Fatal(err)
	}
	if got := lines(phone, smallFrames); !strings.HasSuffix(got, "not found\n? 127\n") {
		t.Errorf("with the fault no-recorder: %q", got)
	}
}

// What goes wrong with recorders on demand.
func TestRecorderFaults(t *testing.T) {
	for fault, check := range map[string]func(t *testing.T, phone *Phone, out io.Reader, app *banner){
		"silent-recorder": func(t *testing.T, phone *Phone, out io.Reader, app *banner) {
			for i := range byte(recorderFrames) {
				app.show(i+50, 0, 0)
				pixel(t, out)
			}
			app.show(99, 0, 0)
			time.AfterFunc(time.Minute, func() { lines(phone, "kill -INT $(pidof screenrecord)") })
			if _, err := out.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("it was not silent: %v", err)
			}
		},
		"dying-recorder": func(t *testing.T, _ *Phone, out io.Reader, app *banner) {
			for i := range byte(recorderFrames) {
				app.show(i+50, 0, 0)
				pixel(t, out)
			}
			app.show(99, 0, 0)
			if _, err := out.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("it did not end: %v", err)
			}
		},
		"odd-recorder": func(t *testing.T, _ *Phone, out io.Reader, _ *banner) {
			expectBytes(t, out, []byte{8, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, 3, 0, 0, 0})
		},
		"rgba-recorder": func(t *testing.T, _ *Phone, out io.Reader, _ *banner) {
			expectBytes(t, out, []byte{48, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 255})
		},
	} {
		t.Run(fault, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				phone, app := recordingPhone(t, Config{})
				if err := phone.Inject([]Fault{{Name: fault}}, 1); err != nil {
					t.Fatal(err)
				}
				out, _ := record(t, phone, "screenrecord --output-format=frames --size 2x4 -")
				check(t, phone, out, app)
			})
		})
	}
}
