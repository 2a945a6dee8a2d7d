package adb

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"image"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb/hand"
)

// phoneScript is a fake phone R58M that answers services by their names, "*" all
// others; it records the requests.
type phoneScript struct {
	piped bool // it is in a bubble of package synctest
	mu    sync.Mutex
	asked []string
}

func (s *phoneScript) start(t *testing.T, state string, services func(c net.Conn, service string)) *Device {
	serve := fakeServer
	if s.piped {
		serve = pipedServer
	}
	return phoneOf(serve(t, func(c net.Conn) {
		for {
			service := request(c)
			switch service {
			case "":
				return
			case "host:version":
				answer(c, "0029")
			case "host:devices-l":
				answer(c, "R58M device product:p model:m device:d transport_id:1\n")
			case "host-serial:R58M:get-state":
				if state == "gone" {
					failWith(c, "device 'R58M' not found")
				} else {
					answer(c, state)
				}
			case "host:transport:R58M":
				okay(c)
			default:
				s.mu.Lock()
				s.asked = append(s.asked, service)
				s.mu.Unlock()
				services(c, service)
				return
			}
		}
	}), "R58M")
}

func (s *phoneScript) services() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func TestShellThatIsNotWhole(t *testing.T) {
	for _, test := range []struct {
		state string
		want  error
	}{{"device", ErrClosed}, {"gone", ErrNoDevice}, {"offline", ErrOffline}} {
		d := new(phoneScript).start(t, test.state, func(c net.Conn, _ string) {
			okay(c)
			fmt.Fprint(c, "half of the out")
		})
		output, _, err := d.Shell(t.Context(), "dumpsys window")
		if !errors.Is(err, ErrClosed) || !errors.Is(err, test.want) || !strings.Contains(err.Error(), "shell dumpsys on R58M") {
			t.Errorf("phone %s: %v, want an ErrClosed and %v", test.state, err, test.want)
		}
		if output != "half of the out" {
			t.Errorf("phone %s: output %q", test.state, output)
		}
	}
}

func TestShellWithTooMuchOutput(t *testing.T) {
	d := new(phoneScript).start(t, "device", func(c net.Conn, _ string) {
		okay(c)
		for text := make([]byte, 1<<20); ; {
			if _, err := c.Write(text); err != nil {
				return
			}
		}
	})
	if _, _, err := d.Shell(t.Context(), "yes"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("%v, want an ErrTooMuch", err)
	}
	if _, _, err := d.client.run(t.Context(), d.Serial, "yes", func(string) (bool, error) { return false, nil }); !errors.Is(err, ErrTooMuch) {
		t.Errorf("line by line: %v, want an ErrTooMuch", err)
	}
	// A frame that never ends is refused as soon as it is longer than its header
	// says.
	if _, err := d.CaptureWith(t.Context(), Raw); err == nil {
		t.Error("a frame that never ends was taken")
	}
}

func TestServiceRefused(t *testing.T) {
	d := new(phoneScript).start(t, "device", func(c net.Conn, _ string) { failWith(c, "closed") })
	for name, err := range map[string]error{
		"shell":   second(d.Shell(t.Context(), "true")),
		"exec":    last(execute(t.Context(), d, "true", 1)),
		"pull":    last(d.pull(t.Context(), "/x", 1<<30)),
		"capture": last(d.Capture(t.Context())),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v, want an ErrClosed", name, err)
		}
	}
}

func TestPhoneThatTakesNoCommand(t *testing.T) {
	d := new(phoneScript).start(t, "offline", func(net.Conn, string) {})
	_, _, err := d.Shell(t.Context(), "true")
	if !errors.Is(err, ErrClosed) || !errors.Is(err, ErrOffline) || errors.Is(err, ErrNoServer) {
		t.Errorf("%v, want an ErrClosed and ErrOffline", err)
	}
}

// statOf answers a STAT, and serves everything after it with rest.
func statOf(size uint32, mode byte, rest func(net.Conn)) func(net.Conn, string) {
	return func(c net.Conn, _ string) {
		okay(c)
		head := make([]byte, 8)
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		_, _ = io.CopyN(io.Discard, c, int64(head[4])) // the path; its length is below 256
		if string(head[:4]) == "STAT" {
			_, _ = c.Write([]byte{'S', 'T', 'A', 'T', mode, 0x81, 0, 0, byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24), 0, 0, 0, 0})
			return
		}
		rest(c)
	}
}

func TestPullChecksLengths(t *testing.T) {
	chunk := func(text string) string { return "DATA" + string([]byte{byte(len(text)), 0, 0, 0}) + text }
	const done = "DONE\x00\x00\x00\x00"
	for _, test := range []struct {
		name, stream string
		size         uint32
		want         error // nil: any
	}{
		{"whole", chunk("hello") + done, 5, nil},
		{"short", chunk("hell") + done, 5, ErrClosed},
		{"long", chunk("hello") + chunk("more") + done, 5, ErrTooMuch},
		{"cut off", chunk("hel"), 5, ErrClosed},
		{"in a chunk", "DATA\x05\x00\x00\x00he", 5, ErrClosed},
		{"unknown word", "WHAT\x05\x00\x00\x00", 5, ErrClosed},
	} {
		d := new(phoneScript).start(t, "device", statOf(test.size, 0xa4, func(c net.Conn) { fmt.Fprint(c, test.stream) }))
		content, err := d.pull(t.Context(), "/data/x", 1<<30)
		if test.want == nil {
			if err != nil || string(content) != "hello" {
				t.Errorf("%s: %q, %v", test.name, content, err)
			}
		} else if !errors.Is(err, test.want) {
			t.Errorf("%s: %q, %v, want %v", test.name, content, err, test.want)
		}
	}
	d := new(phoneScript).start(t, "device", statOf(1<<31, 0xa4, func(net.Conn) {}))
	if _, err := d.pull(t.Context(), "/data/x", 1<<30); !errors.Is(err, ErrTooMuch) {
		t.Errorf("two gigabytes: %v, want an ErrTooMuch", err)
	}
	d = new(phoneScript).start(t, "device", func(c net.Conn, _ string) {
		okay(c)
		_, _ = c.Read(make([]byte, 99))
		fmt.Fprint(c, "0123456789abcdef")
	})
	if _, err := d.pull(t.Context(), "/data/x", 1<<30); !errors.Is(err, ErrProtocol) {
		t.Errorf("garbage for STAT: %v, want an ErrProtocol", err)
	}
	d = new(phoneScript).start(t, "gone", func(c net.Conn, _ string) { okay(c); _, _ = c.Read(make([]byte, 99)) })
	if _, err := d.pull(t.Context(), "/data/x", 1<<30); !errors.Is(err, ErrClosed) {
		t.Errorf("gone at STAT: %v, want an ErrClosed", err)
	}
}

// After a failure in the middle the shell is ended and the finger lifted, by a
// command that comes before any other.
func TestFailureInAStrokeLiftsTheFinger(t *testing.T) {
	for name, tail := range map[string]string{"refused": "Error: Invalid arguments for command: motionevent\n__RC0\n", "not whole": "", "status": "__RC1\n"} {
		script := new(phoneScript)
		d := script.start(t, "device", func(c net.Conn, service string) {
			okay(c)
			switch {
			case strings.HasPrefix(service, "shell:"+dumpDisplays):
				fmt.Fprint(c, "    init=1080x2340 440dpi cur=1080x2340\n  DisplayFrames w=1080 h=2340 r=0\n__RC0\n")
			case strings.HasPrefix(service, "shell:input 2>&1"):
				fmt.Fprint(c, motionUsage)
			case strings.HasPrefix(service, "shell:echo $$"):
				fmt.Fprint(c, "4711\r\n"+tail)
			default:
				fmt.Fprint(c, "__RC0\n")
			}
		})
		err := play(t.Context(), d, []hand.Stroke{{Points: points(100, 200, 300, 200), Size: image.Pt(1080, 2340)}, {Points: points(1, 1)}})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		asked := script.services()
		want := "shell:kill 4711 2>/dev/null; input motionevent UP 100 200; echo __RC$?"
		if len(asked) != 4 || asked[3] != want {
			t.Errorf("%s: sent %q, want last %q", name, asked, want)
		}
	}
}

func TestLiftingThatFailsIsReported(t *testing.T) {
	d := new(phoneScript).start(t, "device", func(c net.Conn, service string) {
		okay(c)
		switch {
		case strings.HasPrefix(service, "shell:"+dumpDisplays):
			fmt.Fprint(c, "    init=1080x2340 440dpi cur=1080x2340\n  DisplayFrames w=1080 h=2340 r=0\n__RC0\n")
		case strings.HasPrefix(service, "shell:input 2>&1"):
			fmt.Fprint(c, motionUsage)
		case strings.HasPrefix(service, "shell:echo $$"):
			fmt.Fprint(c, "Killed\n")
		}
	})
	err := strokeThrough(t.Context(), d, points(100, 200, 300, 200))
	if !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), "lifting the finger failed") {
		t.Errorf("%v, want both failures", err)
	}
}

func TestPlayIsOneAtATime(t *testing.T) {
	var mu sync.Mutex
	playing, most := 0, 0
	d := new(phoneScript).start(t, "device", func(c net.Conn, service string) {
		okay(c)
		if strings.HasPrefix(service, "shell:input 2>&1") {
			fmt.Fprint(c, motionUsage)
			return
		}
		if !strings.HasPrefix(service, "shell:echo $$") {
			fmt.Fprint(c, "Physical size: 100x200\n  DisplayFrames w=100 h=200 r=0\n__RC0\n")
			return
		}
		mu.Lock()
		playing++
		most = max(most, playing)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		playing--
		mu.Unlock()
		fmt.Fprint(c, "1\n__RC0\n")
	})
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			if err := tapAt(t.Context(), d, image.Pt(50, 50)); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	if most != 1 {
		t.Errorf("%d strokes at once", most)
	}
	held, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	go func() { // another call is playing
		_ = d.Hand().Hold(t.Context(), hand.Stroke{Points: points(50, 50), Rotation: -1}, func() error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := tapAt(ctx, d, image.Pt(50, 50)); !errors.Is(err, ErrTimeout) {
		t.Errorf("%v, want an ErrTimeout while another plays", err)
	}
}

func TestTouchMethodWithoutUsage(t *testing.T) {
	for sdk, want := range map[int]bool{23: false, 28: false, 29: true, 34: true} {
		d := new(phoneScript).start(t, "device", func(c net.Conn, _ string) { okay(c); fmt.Fprint(c, "custom input\n__RC0\n") })
		d.SDK = sdk
		if method, err := d.Hand().Method(t.Context()); err != nil || method.Motion != want || !method.SwipeDuration {
			t.Errorf("SDK %d: %+v, %v, want motion events %v", sdk, method, err, want)
		}
	}
	d := new(phoneScript).start(t, "device", func(c net.Conn, _ string) { okay(c); fmt.Fprint(c, "sh: input: not found\n__RC127\n") })
	if _, err := d.Hand().Method(t.Context()); err == nil || !strings.Contains(err.Error(), "input: not found") {
		t.Errorf("%v, want what the phone said", err)
	}
}

func TestKeyRefused(t *testing.T) {
	for output, want := range map[string]string{
		"java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission\n__RC0\n": "Security settings",
		"__RC3\n": "status 3",
	} {
		d := new(phoneScript).start(t, "device", func(c net.Conn, _ string) { okay(c); fmt.Fprint(c, output) })
		if err := d.Key(t.Context(), "BACK"); !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an ErrInputRefused with %q", err, want)
		}
	}
}

func TestStartFallsBack(t *testing.T) {
	const resolve, start, monkey = "shell:cmd package", "shell:am start", "shell:monkey"
	for _, test := range []struct {
		name    string
		answers map[string]string
		want    string // the last service requested
		ok      bool
	}{
		{"resolved", map[string]string{resolve: "priority=0\ncom.example.game/.Main\n__RC0\n", start: "Starting: Intent\n__RC0\n"}, "shell:am start -n com.example.game/.Main;", true},
		{"by package", map[string]string{resolve: "__RC127\n", start: "Starting: Intent\n__RC0\n"}, "-p com.example.game;", true},
		{"by monkey", map[string]string{resolve: "No activity found\n__RC0\n", start: "Error: Activity not started\n__RC0\n", monkey: "Events injected: 1\n__RC0\n"}, monkey, true},
		{"not at all", map[string]string{resolve: "__RC1\n", start: "Error: Activity not started\n__RC1\n", monkey: "** No activities found to run\n__RC252\n"}, monkey, false},
	} {
		script := new(phoneScript)
		d := script.start(t, "device", func(c net.Conn, service string) {
			okay(c)
			for prefix, text := range test.answers {
				if strings.HasPrefix(service, prefix) {
					fmt.Fprint(c, text)
				}
			}
		})
		err := d.Start(t.Context(), "com.example.game")
		asked := script.services()
		if (err == nil) != test.ok || !strings.Contains(asked[len(asked)-1], test.want) {
			t.Errorf("%s: %v, last %q, want %q", test.name, err, asked[len(asked)-1], test.want)
		}
	}
}

func TestForegroundUnknown(t *testing.T) {
	d := new(phoneScript).start(t, "device", func(c net.Conn, service string) {
		okay(c)
		if strings.HasPrefix(service, "shell:dumpsys window displays") {
			fmt.Fprint(c, "  mCurrentFocus=Window{5c u0 PopupWindow:71ab}\n")
		}
		fmt.Fprint(c, "__RC0\n")
	})
	if front, err := d.Foreground(t.Context()); err != nil || front != (Foreground{Window: "PopupWindow:71ab"}) {
		t.Errorf("%+v, %v", front, err)
	}
}

func TestCaptureWithoutScreenInfo(t *testing.T) {
	img := picture(image.Pt(20, 40))
	d := new(phoneScript).start(t, "device", func(c net.Conn, service string) {
		okay(c)
		if strings.HasPrefix(service, "exec:") {
			_, _ = c.Write(rawFrame(image.Pt(20, 40), 1, 16, img.Pix))
			return
		}
		fmt.Fprint(c, "sh: wm: not found\n__RC127\n")
	})
	d.client.config.RotationAge = time.Second
	for range 2 {
		frame, err := d.Capture(t.Context())
		if err != nil || frame.Rotation != -1 || frame.Size != image.Pt(20, 40) {
			t.Fatalf("%+v, %v, want a frame of unknown rotation", frame, err)
		}
	}
	if _, err := d.Screen(t.Context()); err == nil || !strings.Contains(err.Error(), "wm: not found") {
		t.Errorf("%v, want what the phone said", err)
	}
}

func TestSilentPhoneInAFrame(t *testing.T) {
	img := picture(image.Pt(20, 40))
	for method, half := range map[Method][]byte{
		Raw: rawFrame(image.Pt(20, 40), 1, 16, img.Pix)[:999], RawGzip: packed(rawFrame(image.Pt(20, 40), 1, 16, img.Pix))[:999], PNG: encoded(t, img)[:999],
	} {
		synctest.Test(t, func(t *testing.T) {
			d := (&phoneScript{piped: true}).start(t, "device", func(c net.Conn, service string) {
				okay(c)
				if strings.HasPrefix(service, "exec:") {
					_, _ = c.Write(half)
				}
				hang(c)
			})
			_, err := d.CaptureWith(t.Context(), method)
			var fault *FrameError
			if !errors.Is(err, ErrTimeout) || errors.As(err, &fault) {
				t.Errorf("%s: %v, want an ErrTimeout", method, err)
			}
		})
	}
}

func TestErrorsReadWell(t *testing.T) {
	changed := &ScreenChangedError{Serial: "R58M", PlannedSize: image.Pt(1080, 2340), CurrentSize: image.Pt(2340, 1080), PlannedRotation: -1, CurrentRotation: 1}
	if got, want := changed.Error(), "adb: R58M: the screen changed: planned on 1080x2340 rotation unknown, the phone now has 2340x1080 rotation 1"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for got, want := range map[string]string{
		(&Device{Serial: "R58M"}).String():                                                   "R58M",
		(&Device{Serial: "R58M", Model: "Pixel"}).String():                                   "R58M (Pixel)",
		hand.Method{Motion: true, EventTime: 25 * time.Millisecond}.String():                 "motion events, 25ms each",
		hand.Method{Motion: true, Corners: true, EventTime: 600 * time.Millisecond}.String(): "motion events at corners, 600ms each",
		hand.Method{EventTime: time.Second}.String():                                         "straight swipes, 1s each",
		lastWords(strings.Repeat("x", 100) + "end")[:6]:                                      "…xxx",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Other programs use the same server, and gadb's settings are global to the
// program: no source file may touch either.
func TestNothingSharedIsTouched(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	forbidden := map[string]string{
		"KillServer": "would end the server of every other program", "DisconnectAll": "would cut off other programs' phones",
		"ForwardKillAll": "would cut off other programs' forwards", "DefaultAdbReadTimeout": "is global, and a bare number of seconds",
	}
	checked := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		checked++
		ast.Inspect(tree, func(node ast.Node) bool {
			if name, ok := node.(*ast.SelectorExpr); ok && forbidden[name.Sel.Name] != "" {
				t.Errorf("%s uses %s, which %s", file, name.Sel.Name, forbidden[name.Sel.Name])
			}
			if text, ok := node.(*ast.BasicLit); ok && strings.Contains(text.Value, "host:kill") {
				t.Errorf("%s has %s", file, text.Value)
			}
			return true
		})
	}
	if checked < 5 {
		t.Errorf("only %d files looked at", checked)
	}
}
