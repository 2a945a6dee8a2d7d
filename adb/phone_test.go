package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/electricbubble/gadb"

	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
)

// The tests in this file run the real adb server against the simulated phone.

func startPhone(t testing.TB, config simphone.Config) *simphone.Phone {
	t.Helper()
	if config.Size == (image.Point{}) {
		config.Size = image.Pt(240, 520)
	}
	return adbtest.StartPhone(t, config)
}

func serverClient(t testing.TB, config Config) (*adbtest.Server, *Client) {
	t.Helper()
	server := adbtest.Start(t)
	return server, clientFor(t, fmt.Sprintf("127.0.0.1:%d", server.Port), config)
}

// openPhone starts a server and a phone, and opens the phone through the server.
func openPhone(t testing.TB, phoneConfig simphone.Config, config Config) (*simphone.Phone, *Device) {
	t.Helper()
	_, client := serverClient(t, config)
	phone := startPhone(t, phoneConfig)
	serial, err := client.Connect(t.Context(), phone.Addr())
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Open(t.Context(), serial)
	if err != nil {
		t.Fatal(err)
	}
	return phone, d
}

// linkedPhone opens a phone within the process: what the phone and the client take is time
// of the bubble's clock, and none of it is the machine's.
func linkedPhone(t *testing.T, phoneConfig simphone.Config, config Config) (*simphone.Phone, *Device) {
	t.Helper()
	phoneConfig.Apps, phoneConfig.Foreground = []simphone.Installed{simphone.Instance(adbtest.Stripes{})}, adbtest.Stripes{}.Package()
	phone, err := simphone.New(phoneConfig)
	if err != nil {
		t.Fatal(err)
	}
	config.Dial = adbtest.NewLink(t, phone).Dial
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	return phone, d
}

// onPhone tries the calls that use a phone, and returns their errors by name.
func onPhone(t *testing.T, d *Device) map[string]error {
	return map[string]error{
		"shell":   second(d.Shell(t.Context(), "true")),
		"exec":    last(execute(t.Context(), d, "true", 10)),
		"capture": last(d.Capture(t.Context())),
		"pull":    last(d.pull(t.Context(), "/x", 1<<30)),
	}
}

func TestPhoneOpenAndDevices(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{SDK: 33, Model: "Sim_33", Product: "sim33"}, Config{})
	if d.SDK != 33 || d.Model != "Sim_33" || d.Properties["ro.product.name"] != "sim33" || d.Serial != phone.Addr() {
		t.Errorf("%s, SDK %d, properties %q", d, d.SDK, d.Properties)
	}
	list, err := d.client.Devices(t.Context())
	if err != nil || len(list) != 1 || list[0].State != StateDevice || list[0].Model != "Sim_33" || list[0].Product != "sim33" {
		t.Errorf("%+v, %v", list, err)
	}
	if version, err := d.client.ServerVersion(t.Context()); err != nil || version < 30 {
		t.Errorf("server version %d, %v", version, err)
	}
	if only, err := d.client.Open(t.Context(), ""); err != nil || only.Serial != d.Serial {
		t.Errorf("the only phone: %v, %v", only, err)
	}
	second := startPhone(t, simphone.Config{})
	if _, err := d.client.Connect(t.Context(), second.Addr()); err != nil {
		t.Fatal(err)
	}
	if _, err := d.client.Open(t.Context(), ""); !errors.Is(err, ErrManyDevices) || !strings.Contains(err.Error(), second.Addr()) {
		t.Errorf("two phones: %v, want an ErrManyDevices that lists them", err)
	}
	// Disconnecting one does not affect the other.
	if err := d.client.Disconnect(t.Context(), second.Addr()); err != nil {
		t.Error(err)
	}
	if list, err := d.client.Devices(t.Context()); err != nil || len(list) != 1 || list[0].Serial != d.Serial {
		t.Errorf("after disconnecting one of two: %+v, %v", list, err)
	}
	if err := d.client.Disconnect(t.Context(), second.Addr()); !errors.Is(err, ErrNoDevice) {
		t.Errorf("disconnecting what is not connected: %v", err)
	}
}

func TestPhoneThatIsNotThere(t *testing.T) {
	_, client := serverClient(t, Config{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	if _, err := client.Connect(t.Context(), address); !errors.Is(err, ErrNoDevice) {
		t.Errorf("connect: %v, want an ErrNoDevice", err)
	}
	if _, err := client.Open(t.Context(), ""); !errors.Is(err, ErrNoDevice) {
		t.Errorf("open: %v, want an ErrNoDevice", err)
	}
	if _, _, err := phoneOf(client, "R58M").Shell(t.Context(), "true"); !errors.Is(err, ErrNoDevice) {
		t.Errorf("shell: %v, want an ErrNoDevice", err)
	}
}

func TestPhoneUnauthorized(t *testing.T) {
	_, client := serverClient(t, Config{})
	phone := startPhone(t, simphone.Config{Auth: simphone.AuthNever})
	if _, err := client.Connect(t.Context(), phone.Addr()); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("connect: %v, want an ErrUnauthorized", err)
	}
	// gadb's own list hides the phone.
	list, err := client.Devices(t.Context())
	if err != nil || len(list) != 1 || !errors.Is(list[0].Err(), ErrUnauthorized) {
		t.Fatalf("devices: %+v, %v, want one that is unauthorized", list, err)
	}
	if _, err := client.Open(t.Context(), ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("open: %v", err)
	}
	d := phoneOf(client, phone.Addr())
	for name, err := range onPhone(t, d) {
		if !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s: %v, want an ErrUnauthorized", name, err)
		}
	}
	phone.SetAuth(simphone.AuthAllow)
	if _, err := client.Connect(t.Context(), phone.Addr()); err != nil {
		t.Errorf("connect after the key was accepted: %v", err)
	}
}

func second(_ string, _ int, err error) error { return err }
func last[T any](_ T, err error) error        { return err }

func TestPhoneOfflineAndBack(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{}, Config{})
	address := phone.Addr()
	if err := phone.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err := d.Shell(t.Context(), "true")
	if !Reconnectable(err) {
		t.Errorf("shell on a phone that went away: %v, want one that is reconnectable", err)
	}
	// It comes back at the same address, while the server may still hold the old
	// connection.
	if err := phone.Listen(context.Background(), address); err != nil {
		t.Fatal(err)
	}
	if err := d.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if output, status, err := d.Shell(t.Context(), "echo back"); err != nil || status != 0 || output != "back\n" {
		t.Errorf("after reconnecting: %q, %d, %v", output, status, err)
	}
	// Connecting a connected phone again is fine too.
	if serial, err := d.client.Connect(t.Context(), address); err != nil || serial != address {
		t.Errorf("connect again: %q, %v", serial, err)
	}
}

func TestPhoneShell(t *testing.T) {
	for _, sdk := range []int{19, 23, 28, 34} {
		t.Run(fmt.Sprint("sdk ", sdk), func(t *testing.T) {
			_, d := openPhone(t, simphone.Config{SDK: sdk}, Config{})
			for _, test := range []struct {
				command, output string
				status          int
			}{
				{"echo hello", "hello\n", 0},
				{"echo -n hello", "hello", 0},
				{"false", "", 1},
				{"true", "", 0},
				{"echo one; echo two; false", "one\ntwo\n", 1},
				{"nosuchcommand 2>/dev/null", "", 127},
				{Quote("echo", "it's", "a b", "$HOME;x", "*"), "it's a b $HOME;x *\n", 0},
				{"echo __RC7", "__RC7\n", 0},
			} {
				output, status, err := d.Shell(t.Context(), test.command)
				if err != nil || output != test.output || status != test.status {
					t.Errorf("%s: %q, %d, %v, want %q, %d", test.command, output, status, err, test.output, test.status)
				}
			}
		})
	}
}

// On a phone with packets of 4096 bytes a longer command would end the server for
// everybody.
func TestPhoneLongCommands(t *testing.T) {
	_, d := openPhone(t, simphone.Config{SDK: 23, MaxPacket: 4096}, Config{})
	room := MaxCommand - len(statusEcho) - len("echo ")
	output, _, err := d.Shell(t.Context(), "echo "+strings.Repeat("x", room))
	if err != nil || len(output) != room+1 {
		t.Errorf("the longest command: %d bytes, %v", len(output), err)
	}
	for name, err := range map[string]error{
		"shell": second(d.Shell(t.Context(), "echo "+strings.Repeat("x", room+1))),
		"exec":  last(execute(t.Context(), d, strings.Repeat("x", MaxCommand+1), 1)),
		"huge":  second(d.Shell(t.Context(), strings.Repeat("x", 1<<20))),
	} {
		if !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: %v, want an ErrTooLong", name, err)
		}
	}
	for _, command := range []string{"", "  \n", "echo \x00"} {
		if _, _, err := d.Shell(t.Context(), command); err == nil {
			t.Errorf("%q was sent", command)
		}
	}
	if _, _, err := d.Shell(t.Context(), "true"); err != nil {
		t.Errorf("the server does not answer any more: %v", err)
	}
}

// pushTo writes a file on the phone with adb itself.
func pushTo(t *testing.T, server *adbtest.Server, d *Device, content []byte, path string) {
	t.Helper()
	local := filepath.Join(t.TempDir(), "content")
	if err := os.WriteFile(local, content, 0o600); err != nil {
		t.Fatal(err)
	}
	server.Run("-s", d.Serial, "push", local, path)
}

func TestPhoneExecIsExact(t *testing.T) {
	for _, sdk := range []int{23, 34} {
		server, client := serverClient(t, Config{})
		phone := startPhone(t, simphone.Config{SDK: sdk})
		server.Run("connect", phone.Addr())
		d := phoneOf(client, phone.Addr())
		pushTo(t, server, d, []byte("a\nb\r\n\x00\xff"), "/data/local/tmp/bytes")
		got, err := execute(t.Context(), d, "cat /data/local/tmp/bytes", 100)
		if want := "a\nb\r\n\x00\xff"; err != nil || string(got) != want {
			t.Errorf("SDK %d: %q, %v, want %q", sdk, got, err, want)
		}
		if _, err := execute(t.Context(), d, "cat /data/local/tmp/bytes", 6); !errors.Is(err, ErrTooMuch) {
			t.Errorf("SDK %d: over the limit: %v, want an ErrTooMuch", sdk, err)
		}
	}
}

func TestPhonePull(t *testing.T) {
	server, client := serverClient(t, Config{})
	phone := startPhone(t, simphone.Config{})
	server.Run("connect", phone.Addr())
	d := phoneOf(client, phone.Addr())
	for _, size := range []int{0, 1, 64 << 10, 64<<10 + 1, 3 << 20} {
		content := picture(image.Pt(size/4+1, 1)).Pix[:size]
		pushTo(t, server, d, content, "/data/local/tmp/file")
		got, err := d.pull(t.Context(), "/data/local/tmp/file", 4<<20)
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("pull of %d bytes: %d bytes, %v", size, len(got), err)
		}
	}
	if _, err := d.pull(t.Context(), "/data/local/tmp/none", 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if gadb.DefaultAdbReadTimeout != 60 {
		t.Errorf("gadb's global timeout was changed to %d", gadb.DefaultAdbReadTimeout)
	}
}

func samePicture(t *testing.T, name string, got, want *image.RGBA) {
	t.Helper()
	if got == nil || got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Errorf("%s: the picture is not the phone's", name)
	}
}

func TestPhoneCaptureByEveryMethod(t *testing.T) {
	for _, sdk := range []int{23, 26, 34} {
		for rotation := range 4 {
			phone, d := openPhone(t, simphone.Config{SDK: sdk, Rotation: rotation}, Config{})
			for _, method := range Methods() {
				name := fmt.Sprintf("SDK %d rotation %d %s", sdk, rotation, method)
				frame, err := d.CaptureWith(t.Context(), method)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				samePicture(t, name, frame.Image, phone.Frame())
				if frame.Rotation != rotation || frame.Size != phone.FrameSize() || frame.Warning != "" || frame.Method != method {
					t.Errorf("%s: rotation %d, size %v, method %s, warning %q", name, frame.Rotation, frame.Size, frame.Method, frame.Warning)
				}
			}
			if output, _, err := d.Shell(t.Context(), "ls /data/local/tmp"); err != nil || output != "" {
				t.Errorf("SDK %d: files are left behind: %q, %v", sdk, output, err)
			}
		}
	}
}

// shell: of an old phone turns every LF into CR LF. The error must name this, and
// exec: must not be affected.
// TestPhoneWordsAroundFrames: a shell with lines of its own before and after what a command
// prints leaves a way to capture.
func TestPhoneWordsAroundFrames(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{}, Config{})
	want := phone.Frame()
	for _, answer := range []simphone.Answer{{Command: "sh", Before: "mkshrc: resize: not found\n"}, {Command: "sh", After: "logout\n"}} {
		phone.ClearAnswers()
		phone.AddAnswers(answer)
		timings, err := d.Probe(t.Context())
		if err != nil {
			t.Fatalf("%+v: %+v, %v", answer, timings, err)
		}
		frame, err := d.Capture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		samePicture(t, string(d.Method()), frame.Image, want)
	}
}

func TestPhoneCRLFIsNamed(t *testing.T) {
	_, d := openPhone(t, simphone.Config{SDK: 23}, Config{})
	for _, method := range []Method{Raw, RawGzip, PNG} {
		k, err := d.client.open(t.Context(), d.Serial, "shell:"+method.command("", ""))
		if err != nil {
			t.Fatal(err)
		}
		switch method {
		case Raw:
			_, _, err = decodeRaw(k, testPixels)
		case RawGzip:
			_, _, err = decodeGzip(k, testPixels)
		case PNG:
			var data []byte
			if data, err = readAll(k, 1<<30); err == nil {
				_, _, err = decodePNG(data, testPixels)
			}
		}
		k.Close()
		wantFault(t, err, FrameCRLF)
	}
}

func TestPhoneFrameKinds(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{}, Config{})
	phone.SetFramePrefix("[Warning] Multiple displays were found\n", false)
	for _, method := range []Method{Raw, RawGzip, PNG} {
		frame, err := d.CaptureWith(t.Context(), method)
		if err != nil || frame.Warning != "[Warning] Multiple displays were found" {
			t.Errorf("%s with text before it: %v, %v", method, frame, err)
			continue
		}
		samePicture(t, string(method)+" with text before it", frame.Image, phone.Frame())
	}
	phone.SetFramePrefix("WARNING: linker: libdvm.so has text relocations\n", true)
	for _, method := range Methods() {
		if frame, err := d.CaptureWith(t.Context(), method); err != nil || frame.Warning != "" {
			t.Errorf("%s with text on stderr: %v, %v", method, frame, err)
		}
	}
	phone.SetFramePrefix("", false)
	for _, method := range Methods() {
		for _, n := range []int{0, 5, 16, 1000} {
			phone.TruncateNextFrame(n)
			if method == RawGzip && n == 0 {
				n = 1 // a packed frame without a byte is not empty
			}
			_, err := d.CaptureWith(t.Context(), method)
			want := FrameTruncated
			if n == 0 || (method == RawGzip && n == 1) {
				want = FrameEmpty
			}
			var fault *FrameError
			if !errors.As(err, &fault) || (fault.Kind != want) {
				t.Errorf("%s cut after %d bytes: %v, want a FrameError %q", method, n, err, want)
			} else if !strings.Contains(err.Error(), d.Serial) || !strings.Contains(err.Error(), string(method)) {
				t.Errorf("%v names neither phone nor method", err)
			}
		}
	}
	phone.SetBlackFrames(true)
	for _, method := range Methods() {
		_, err := d.CaptureWith(t.Context(), method)
		fault := wantFault(t, err, FrameBlack)
		if text := fault.Error(); !strings.Contains(text, "screen is off") || !strings.Contains(text, "secure window") {
			t.Errorf("%s does not name the causes", text)
		}
	}
	if _, err := d.Probe(t.Context()); err == nil {
		t.Error("Probe is content with black frames")
	} else {
		wantFault(t, err, FrameBlack)
	}
	phone.SetBlackFrames(false)
	if _, err := d.Capture(t.Context()); err != nil {
		t.Errorf("after all that: %v", err)
	}
}

func TestPhoneCaptureDisplay(t *testing.T) {
	_, d := openPhone(t, simphone.Config{SDK: 34}, Config{CaptureDisplay: "77", TouchDisplay: "0"})
	_, err := d.Capture(t.Context())
	wantFault(t, err, FrameEmpty)
	if !strings.Contains(err.Error(), "Display Id '77' is not valid") {
		t.Errorf("%v does not say what screencap said", err)
	}
	if err := tapAt(t.Context(), d, image.Pt(10, 10)); err != nil {
		t.Errorf("the display of touches is another number: %v", err)
	}
}

func TestPhoneDroppedInFrame(t *testing.T) {
	for _, method := range Methods() {
		t.Run(string(method), func(t *testing.T) {
			phone, d := openPhone(t, simphone.Config{}, Config{})
			phone.DisconnectInNextFrame(1000)
			frame, err := d.CaptureWith(t.Context(), method)
			if frame != nil || !Reconnectable(err) {
				t.Errorf("%v, %v, want an error that is reconnectable", frame, err)
			}
			if err := d.Reconnect(t.Context()); err != nil {
				t.Fatal(err)
			}
			frame, err = d.CaptureWith(t.Context(), method)
			if err != nil {
				t.Fatal(err)
			}
			samePicture(t, "after reconnecting", frame.Image, phone.Frame())
		})
	}
}

func TestPhoneProbe(t *testing.T) {
	_, d := openPhone(t, simphone.Config{}, Config{Method: Pull})
	timings, err := d.Probe(t.Context())
	if err != nil || len(timings) != 3 {
		t.Fatalf("%+v, %v", timings, err)
	}
	for _, timing := range timings {
		if timing.Err != nil || timing.Captures < 1 || timing.Min <= 0 || timing.Min > timing.Median || timing.Median > timing.Max {
			t.Errorf("%+v", timing)
		}
		if timing.Method == d.Method() && timing.Median > timings[0].Median {
			t.Errorf("%s was kept, and raw is faster: %+v", d.Method(), timings)
		}
	}
	if d.Method() == Pull {
		t.Error("the method was not replaced")
	}
	frame, err := d.Capture(t.Context())
	if err != nil || frame.Method != d.Method() || frame.Duration <= 0 || frame.Time.IsZero() {
		t.Errorf("%+v, %v", frame, err)
	}
}

func TestPhoneFramesInParallel(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{}, Config{})
	want := phone.Frame()
	var group sync.WaitGroup
	for i := range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			method := Methods()[i%4]
			frame, err := d.CaptureWith(t.Context(), method)
			if err != nil {
				t.Errorf("%s: %v", method, err)
			} else if !bytes.Equal(frame.Image.Pix, want.Pix) {
				t.Errorf("%s: the picture differs", method)
			}
		}()
	}
	group.Wait()
}

func TestPhoneScreen(t *testing.T) {
	for _, sdk := range []int{23, 26, 28, 30, 31, 33, 34, 35} {
		phone, d := openPhone(t, simphone.Config{SDK: sdk, Density: 420}, Config{})
		for rotation := range 4 {
			phone.SetRotation(rotation)
			screen, err := d.Screen(t.Context())
			if err != nil || screen.Rotation != rotation || screen.Current != phone.FrameSize() ||
				screen.Physical != image.Pt(240, 520) || screen.Override != (image.Point{}) || screen.Density != 420 {
				t.Errorf("SDK %d rotation %d: %+v, %v", sdk, rotation, screen, err)
			}
		}
		if err := phone.SetOverrideSize(image.Pt(120, 260)); err != nil {
			t.Fatal(err)
		}
		if screen, err := d.Screen(t.Context()); err != nil || screen.Override != image.Pt(120, 260) || screen.Current != image.Pt(260, 120) {
			t.Errorf("SDK %d with an override: %+v, %v", sdk, screen, err)
		}
		if front, err := d.Foreground(t.Context()); err != nil || front.Package != "com.example.stripes" {
			t.Errorf("SDK %d: foreground %+v, %v", sdk, front, err)
		}
	}
}

func TestPhoneRotationIsNotedOnFrames(t *testing.T) {
	now := time.Unix(1000, 0)
	phone, d := openPhone(t, simphone.Config{}, Config{RotationAge: time.Minute, Now: func() time.Time { return now }})
	rotation := func() int {
		t.Helper()
		frame, err := d.Capture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return frame.Rotation
	}
	if got := rotation(); got != 0 {
		t.Errorf("rotation %d", got)
	}
	phone.SetRotation(1) // another size is noticed at once
	if got := rotation(); got != 1 {
		t.Errorf("turned to 1: rotation %d", got)
	}
	phone.SetRotation(3) // the same size is noticed when the last look is too old
	if got := rotation(); got != 1 {
		t.Errorf("turned to 3, within the minute: rotation %d", got)
	}
	now = now.Add(2 * time.Minute)
	if got := rotation(); got != 3 {
		t.Errorf("turned to 3, after the minute: rotation %d", got)
	}
}

// trace writes the input that the phone received as text.
func trace(phone *simphone.Phone) string {
	var parts []string
	for _, event := range phone.Events() {
		parts = append(parts, fmt.Sprintf("%s %v,%v", event.Kind, event.X, event.Y))
	}
	return strings.Join(parts, "; ")
}

func TestPhonePlaysOneContinuousFinger(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{Size: image.Pt(1080, 2340)}, Config{Touch: hand.Motion})
	strokes := []hand.Stroke{
		{Points: snake(40), Size: image.Pt(1080, 2340), Rotation: 0},
		{Points: snake(250), Size: image.Pt(1080, 2340), Rotation: 0}, // needs several commands
		{Points: points(540, 2000), Size: image.Pt(1080, 2340), Rotation: 0},
	}
	commands, err := d.Hand().Commands(t.Context(), strokes)
	if err != nil || len(commands) < 4 {
		t.Fatalf("%d commands, %v", len(commands), err)
	}
	if len(phone.Events()) != 0 {
		t.Fatalf("a dry run touched the screen: %s", trace(phone))
	}
	if err := play(t.Context(), d, strokes); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, stroke := range strokes {
		for i, p := range stroke.Points {
			kind := "move"
			if i == 0 {
				kind = "down"
			}
			want = append(want, fmt.Sprintf("%s %d,%d", kind, p.X, p.Y))
		}
		end := stroke.Points[len(stroke.Points)-1]
		want = append(want, fmt.Sprintf("up %d,%d", end.X, end.Y))
	}
	if got := trace(phone); got != strings.Join(want, "; ") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, "; "))
	}
	// The dry run's commands are those that were played: run as they stand, they do
	// the same again.
	phone.ClearEvents()
	for _, command := range commands {
		if output, _, err := d.Shell(t.Context(), command); err != nil || output != "" {
			t.Fatalf("%q, %v", output, err)
		}
	}
	if got := trace(phone); got != strings.Join(want, "; ") {
		t.Errorf("the commands of the dry run:\ngot  %s\nwant %s", got, strings.Join(want, "; "))
	}
}

func TestPhoneSwipesLegByLeg(t *testing.T) {
	for _, sdk := range []int{19, 23, 28} {
		phone, d := openPhone(t, simphone.Config{SDK: sdk, Size: image.Pt(1080, 2340)}, Config{Touch: hand.Swipes})
		method, err := d.Hand().Method(t.Context())
		if err != nil || method.Motion || method.SwipeDuration != (sdk >= 21) {
			t.Errorf("SDK %d: %+v, %v", sdk, method, err)
		}
		if err := strokeThrough(t.Context(), d, points(100, 100, 200, 100, 300, 100, 300, 200, 300, 300)); err != nil {
			t.Fatal(err)
		}
		var ends []string
		for _, event := range phone.Events() {
			if event.Kind != simphone.EventMove {
				ends = append(ends, fmt.Sprintf("%s %v,%v", event.Kind, event.X, event.Y))
			}
		}
		if got, want := strings.Join(ends, "; "), "down 100,100; up 300,100; down 300,100; up 300,300"; got != want {
			t.Errorf("SDK %d: got %s, want %s", sdk, got, want)
		}
	}
}

func TestPhoneTouchMethodByVersion(t *testing.T) {
	for sdk, want := range map[int]hand.Method{
		19: {Corners: true}, 23: {Corners: true, SwipeDuration: true}, 28: {Corners: true, SwipeDuration: true},
		29: {Motion: true, Corners: true, SwipeDuration: true}, 30: {Motion: true, Corners: true, SwipeDuration: true},
		31: {Motion: true, SwipeDuration: true}, 35: {Motion: true, SwipeDuration: true},
	} {
		_, d := openPhone(t, simphone.Config{SDK: sdk}, Config{})
		got, err := d.Hand().Method(t.Context())
		if got.EventTime <= 0 {
			t.Errorf("SDK %d: event time %v", sdk, got.EventTime)
		}
		want.EventTime = got.EventTime
		if err != nil || got != want {
			t.Errorf("SDK %d: %+v, %v, want %+v", sdk, got, err, want)
		}
	}
}

func TestPhoneScreenChangedIsRefused(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{}, Config{})
	plan := func() hand.Stroke {
		t.Helper()
		frame, err := d.Capture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return hand.Stroke{Points: points(50, 60, 150, 60), Size: frame.Size, Rotation: frame.Rotation}
	}
	refused := func(name string, stroke hand.Stroke) {
		t.Helper()
		err := play(t.Context(), d, []hand.Stroke{stroke})
		var changed *ScreenChangedError
		if !errors.As(err, &changed) || !errors.Is(err, ErrScreenChanged) {
			t.Fatalf("%s: %v, want a ScreenChangedError", name, err)
		}
		if changed.PlannedSize != stroke.Size || changed.PlannedRotation != stroke.Rotation || changed.CurrentSize != phone.FrameSize() {
			t.Errorf("%s: %v does not name both screens", name, err)
		}
		if len(phone.Events()) != 0 {
			t.Errorf("%s: it was played: %s", name, trace(phone))
		}
		if _, err := d.Hand().Commands(t.Context(), []hand.Stroke{stroke}); !errors.Is(err, ErrScreenChanged) {
			t.Errorf("%s: a dry run is content: %v", name, err)
		}
	}
	stroke := plan()
	phone.SetRotation(1)
	refused("turned", stroke)
	stroke = plan()
	phone.SetRotation(3)
	refused("turned by half", stroke)
	phone.SetRotation(0)
	stroke = plan()
	if err := phone.SetOverrideSize(image.Pt(120, 260)); err != nil {
		t.Fatal(err)
	}
	refused("resized", stroke)
	stroke = plan()
	stroke.Points = points(30, 30, 90, 30)
	if err := play(t.Context(), d, []hand.Stroke{stroke}); err != nil {
		t.Errorf("planned anew: %v", err)
	}
	if err := tapAt(t.Context(), d, image.Pt(120, 30)); !errors.Is(err, ErrOutside) {
		t.Errorf("a tap outside: %v, want an ErrOutside", err)
	}
}

func TestPhoneInputRefused(t *testing.T) {
	for _, sdk := range []int{23, 30, 34} {
		way := hand.Motion
		if sdk < 29 {
			way = hand.Swipes
		}
		phone, d := openPhone(t, simphone.Config{SDK: sdk}, Config{Touch: way})
		phone.RefuseInput(true)
		for name, err := range map[string]error{
			"tap":    tapAt(t.Context(), d, image.Pt(50, 50)),
			"stroke": strokeThrough(t.Context(), d, points(50, 50, 90, 50)),
		} {
			if !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), "USB debugging (Security settings)") {
				t.Errorf("SDK %d %s: %v, want an ErrInputRefused that names the setting", sdk, name, err)
			}
		}
		phone.RefuseInput(false)
		if err := tapAt(t.Context(), d, image.Pt(50, 50)); err != nil {
			t.Errorf("SDK %d: allowed again: %v", sdk, err)
		}
	}
}

// TestPhoneCancelledStrokeLiftsTheFinger interrupts the first of two strokes: it is
// played to its end, the second is not, and the finger is up.
func TestPhoneCancelledStrokeLiftsTheFinger(t *testing.T) { synctest.Test(t, cancelStroke) }

func cancelStroke(t *testing.T) {
	phone, d := linkedPhone(t, simphone.Config{Size: image.Pt(1080, 2340), InputDelay: 10 * time.Millisecond}, Config{Touch: hand.Motion})
	if _, err := d.Hand().Method(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for len(phone.Events()) < 20 {
			time.Sleep(time.Millisecond)
		}
	}()
	var began []int
	stroke := hand.Stroke{Points: snake(90), Size: image.Pt(1080, 2340)}
	short := hand.Stroke{Points: snake(3), Size: image.Pt(1080, 2340)}
	err := d.Hand().Play(ctx, []hand.Stroke{stroke, short, short, stroke}, hand.Options{Began: func(i int) { began = append(began, i) }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want context.Canceled", err)
	}
	// At most the event in progress may still arrive; then the finger is up.
	time.Sleep(100 * time.Millisecond)
	events := phone.Events()
	downs, ups := 0, 0
	for _, event := range events {
		switch event.Kind {
		case simphone.EventDown:
			downs++
		case simphone.EventUp:
			ups++
		}
	}
	// The test ends the command, so the next stroke may just have begun.
	if downs > 2 || ups < downs || len(events) < 91 || len(events) > 96 || events[len(events)-1].Kind != simphone.EventUp {
		t.Errorf("%d downs and %d ups in %d events: %s", downs, ups, len(events), trace(phone))
	}
	if got := fmt.Sprint(began); got != "[0]" {
		t.Errorf("strokes %s began, want [0]", got)
	}
	// The next stroke begins anew.
	phone.ClearEvents()
	if err := strokeThrough(t.Context(), d, points(500, 500, 600, 500)); err != nil {
		t.Fatal(err)
	}
	if got, want := trace(phone), "down 500,500; move 600,500; up 600,500"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPhoneLostInAStroke drops the phone in the middle of a stroke: once it is
// back, the finger is lifted before anything else is done.
func TestPhoneLostInAStroke(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{Size: image.Pt(1080, 2340), InputDelay: 5 * time.Millisecond}, Config{Touch: hand.Motion})
	if _, err := d.Hand().Method(t.Context()); err != nil {
		t.Fatal(err)
	}
	go func() {
		eventually(t, "the stroke is under way", func() bool { return len(phone.Events()) >= 20 })
		phone.Disconnect()
	}()
	stroke := hand.Stroke{Points: snake(90), Size: image.Pt(1080, 2340)}
	if err := play(t.Context(), d, []hand.Stroke{stroke}); !Reconnectable(err) {
		t.Fatalf("%v, want one that connecting again may help with", err)
	}
	if events := phone.Events(); events[len(events)-1].Kind == simphone.EventUp {
		t.Fatalf("the finger is up already: %s", trace(phone))
	}
	phone.ClearEvents()
	if err := d.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := strokeThrough(t.Context(), d, points(500, 500, 600, 500)); err != nil {
		t.Fatal(err)
	}
	start := stroke.Points[0]
	if got, want := trace(phone), fmt.Sprintf("up %d,%d; down 500,500; move 600,500; up 600,500", start.X, start.Y); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPhoneLift lifts a finger that another program left on the screen, and leaves
// phones alone that cannot keep one down.
func TestPhoneLift(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{}, Config{})
	if _, _, err := d.client.shell(t.Context(), d.Serial, "input motionevent DOWN 100 300; input motionevent MOVE 200 300"); err != nil {
		t.Fatal(err)
	}
	if err := d.Hand().Lift(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := trace(phone), "down 100,300; move 200,300; up 1,1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := strokeThrough(t.Context(), d, points(100, 300, 200, 300)); err != nil {
		t.Errorf("after it: %v", err)
	}
	phone, d = openPhone(t, simphone.Config{SDK: 27}, Config{})
	if err := d.Hand().Lift(t.Context()); err != nil || trace(phone) != "" {
		t.Errorf("without motion events: %v, %s", err, trace(phone))
	}
}

// TestPhoneAppInFront touches only the app that is expected in front.
func TestPhoneAppInFront(t *testing.T) {
	for _, sdk := range []int{27, 34} {
		phone, d := openPhone(t, simphone.Config{SDK: sdk}, Config{Touch: hand.Swipes})
		tap := []hand.Stroke{{Points: points(50, 50), Rotation: -1}}
		play := func(app string) error { return d.Hand().Play(t.Context(), tap, hand.Options{App: app}) }
		if err := play("com.example.stripes"); err != nil {
			t.Errorf("SDK %d: %v", sdk, err)
		}
		phone.ClearEvents()
		if err := play("com.example.other"); !errors.Is(err, ErrNotInFront) || !strings.Contains(err.Error(), "com.example.stripes") {
			t.Errorf("SDK %d: %v, want an ErrNotInFront that names what is", sdk, err)
		}
		phone.ScreenOff()
		if err := play("com.example.stripes"); !errors.Is(err, ErrNotInFront) {
			t.Errorf("SDK %d: screen off: %v, want an ErrNotInFront", sdk, err)
		}
		if n := len(phone.Events()); n != 0 {
			t.Errorf("SDK %d: %d touches arrived", sdk, n)
		}
	}
}

func TestPhoneKeysAndApps(t *testing.T) {
	phone, d := openPhone(t, simphone.Config{}, Config{})
	if err := d.ForceStop(t.Context(), "com.example.stripes"); err != nil {
		t.Error(err)
	}
	if got := phone.Foreground(); got == "com.example.stripes" {
		t.Errorf("%s is still in front", got)
	}
	for _, app := range []string{"com.example.stripes", "com.example.stripes/.MainActivity"} {
		phone.ForceStop("com.example.stripes")
		if err := d.Start(t.Context(), app); err != nil {
			t.Error(err)
		}
		if got := phone.Foreground(); got != "com.example.stripes" {
			t.Errorf("started %s: %s is in front", app, got)
		}
	}
	for _, app := range []string{"com.example.none", "com.example.none/.Main", "x; reboot", "a/b/c", ""} {
		if err := d.Start(t.Context(), app); err == nil {
			t.Errorf("%q was started", app)
		}
	}
	phone.ScreenOff()
	if err := d.Key(t.Context(), "WAKEUP"); err != nil {
		t.Error(err)
	}
	if err := d.Key(t.Context(), "KEYCODE_BACK"); err != nil {
		t.Error(err)
	}
	var keys []string
	for _, event := range phone.Events() {
		keys = append(keys, event.Key)
	}
	if got, want := fmt.Sprint(keys), "[WAKEUP BACK]"; got != want {
		t.Errorf("keys %s, want %s", got, want)
	}
	for _, key := range []string{"", "back", "BACK; reboot"} {
		if err := d.Key(t.Context(), key); err == nil {
			t.Errorf("key %q was pressed", key)
		}
	}
	if err := d.ForceStop(t.Context(), "a b"); err == nil {
		t.Error("a bad package was taken")
	}
}

func TestPhoneFailuresLeakNoSockets(t *testing.T) {
	server, client := serverClient(t, Config{})
	phone := startPhone(t, simphone.Config{Auth: simphone.AuthNever})
	server.Run("connect", phone.Addr())
	unauthorized, gone := phoneOf(client, phone.Addr()), phoneOf(client, "R58M")
	before := openSockets(t)
	for range 20 {
		for _, d := range []*Device{unauthorized, gone} {
			for name, err := range onPhone(t, d) {
				if err == nil {
					t.Errorf("%s on %s went through", name, d.Serial)
				}
			}
		}
	}
	if after := openSockets(t); after > before+2 {
		t.Errorf("%d sockets before 200 failures, %d after", before, after)
	}
}

// These tests show the traps of gadb that this package avoids: when one of them
// fails, gadb has changed, and the detour may go.
func TestGadbStillHidesUnauthorizedPhones(t *testing.T) {
	server, client := serverClient(t, Config{})
	phone := startPhone(t, simphone.Config{Auth: simphone.AuthNever})
	server.Run("connect", phone.Addr())
	direct, err := gadb.NewClientWith(client.host, client.port)
	if err != nil {
		t.Fatal(err)
	}
	if phones, err := direct.DeviceList(); err != nil || len(phones) != 0 {
		t.Errorf("gadb lists %v, %v", phones, err)
	}
}

func BenchmarkPhoneCapture(b *testing.B) {
	_, d := openPhone(b, simphone.Config{Size: image.Pt(1080, 2340)}, Config{RotationAge: time.Hour})
	for _, method := range Methods() {
		b.Run(string(method), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.CaptureWith(context.Background(), method); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPhonePlay(b *testing.B) {
	_, d := openPhone(b, simphone.Config{Size: image.Pt(1080, 2340)}, Config{})
	for b.Loop() {
		if err := strokeThrough(context.Background(), d, snake(30)); err != nil {
			b.Fatal(err)
		}
	}
}
