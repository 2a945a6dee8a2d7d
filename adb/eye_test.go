package adb

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb/adbtest"
	"tapwise/adb/simphone"
)

// slate is an app of one colour with a bar at a place of its screen, or with the colour at its
// top and grey below.
type slate struct {
	mu     sync.Mutex
	colour color.NRGBA
	banner bool
}

func (s *slate) Package() string { return "com.example.slate" }
func (s *slate) Draw(c simphone.Canvas, _ time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Fill(s.colour)
	if s.banner {
		c.Rect(0, float64(c.Size().Y)/5, float64(c.Size().X), float64(c.Size().Y), color.NRGBA{R: 80, G: 80, B: 80, A: 255})
	}
	c.Rect(0, float64(c.Size().Y)/2, float64(c.Size().X)/2, float64(c.Size().Y), color.NRGBA{R: 255, G: 255, B: 255, A: 255})
}
func (s *slate) Touch(int, float64, float64, time.Duration) {}
func (s *slate) Back(time.Duration)                         {}
func (s *slate) show(red uint8) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.colour = color.NRGBA{R: red, G: 90, B: 40, A: 255}
}

// slatePhone is a phone within the process, with a slate in front, which is looked at by a
// stream.
func slatePhone(t *testing.T, phoneConfig simphone.Config, config Config) (*simphone.Phone, *slate, *Device) {
	t.Helper()
	app := &slate{}
	app.show(40)
	phoneConfig.Apps, phoneConfig.Foreground = []simphone.Installed{simphone.Instance(app)}, app.Package()
	if phoneConfig.Size == (image.Point{}) {
		phoneConfig.Size = image.Pt(60, 120)
	}
	phone, err := simphone.New(phoneConfig)
	if err != nil {
		t.Fatal(err)
	}
	config.Dial = adbtest.NewLink(t, phone).Dial
	if config.Capture == "" {
		config.Capture = Stream
	}
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.CloseEye(context.Background()) })
	return phone, app, d
}

const testQuiet = 100 * time.Millisecond

// glimpse is the next frame, or the silence after the one of that number.
func glimpse(t *testing.T, d *Device, after int, quiet time.Duration) Glimpse {
	t.Helper()
	g, err := d.Glimpse(t.Context(), after, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// red is the first red of a frame.
func red(t *testing.T, g Glimpse) uint8 {
	t.Helper()
	if g.Image == nil {
		t.Fatalf("frame %d has no picture", g.Number)
	}
	return g.Image.Pix[0]
}

// The screen is seen as it changes, and silence says that it stands still.
func TestGlimpse(t *testing.T) {
	for _, sdk := range []int{21, 28, 34} {
		synctest.Test(t, func(t *testing.T) {
			phone, app, d := slatePhone(t, simphone.Config{SDK: sdk}, Config{})
			g := glimpse(t, d, 0, testQuiet)
			if red(t, g) != 40 || g.Number != 1 || g.Full != image.Pt(60, 120) || g.Rotation != 0 || g.Image.Rect.Size() != image.Pt(60, 120) {
				t.Fatalf("the first frame: %+v", g)
			}
			began := time.Now()
			if g = glimpse(t, d, g.Number, testQuiet); g.Image != nil || !g.Quiet || time.Since(began) > 2*testQuiet {
				t.Fatalf("a screen that stands still: %+v after %v", g, time.Since(began))
			}
			time.AfterFunc(time.Minute, func() { app.show(200) })
			if g = glimpse(t, d, g.Number, 0); red(t, g) != 200 || g.Began.Sub(began) < time.Minute {
				t.Errorf("a change: %+v", g)
			}
			// It was not looked at for so long that only the newest counts.
			for i := range uint8(100) {
				app.show(100 + i)
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(time.Second)
			if g = glimpse(t, d, g.Number, testQuiet); red(t, g) != 199 || !g.Quiet {
				t.Errorf("the newest frame: %+v", g)
			}
			frame, err := d.Capture(t.Context())
			if err != nil || frame.Image.Pix[0] != 199 || d.StreamRefused() != "" {
				t.Errorf("beside a stream: %v, %v, %q", frame, err, d.StreamRefused())
			}
			if len(phone.Recorders()) != 1 {
				t.Errorf("%v runs", phone.Recorders())
			}
			if err := d.CloseEye(t.Context()); err != nil || len(phone.Recorders()) != 0 {
				t.Errorf("%v runs after its end: %v", phone.Recorders(), err)
			}
			// It is opened again where it is wanted, and the numbers go on.
			if next := glimpse(t, d, g.Number, testQuiet); next.Number != g.Number+1 || red(t, next) != 199 {
				t.Errorf("opened again: %+v", next)
			}
		})
	}
}

// TestWatch: frames come no faster than they are looked at, silence is told once, and nothing is
// left on the phone however the stream ends.
func TestWatch(t *testing.T) {
	const pace = 50 * time.Millisecond
	watch := func(t *testing.T, phone *simphone.Phone, app *slate, d *Device) (frames, silences int, err error) {
		ctx, cancel := context.WithCancel(t.Context())
		var last Glimpse
		began := time.Now()
		time.AfterFunc(20*time.Second, cancel)
		var moves sync.WaitGroup
		defer moves.Wait()
		moves.Go(func() { // 4 s of movement at 60 frames a second, between times of rest
			time.Sleep(3 * time.Second)
			for i := range 240 {
				app.show(uint8(i))
				time.Sleep(time.Second / 60)
			}
		})
		err = d.Watch(ctx, testQuiet, func(g Glimpse) {
			if g.Image != nil {
				frames++
				last = g
			}
			if g.Quiet {
				silences++
			}
			time.Sleep(pace)
		})
		if left := phone.Recorders(); len(left) != 0 {
			t.Errorf("%v runs", left)
		}
		if errors.Is(err, context.Canceled) && (red(t, last) != 239 || time.Since(began) > 25*time.Second) {
			t.Errorf("the last frame shows %d, expected 239; after %v", red(t, last), time.Since(began))
		}
		return frames, silences, err
	}
	synctest.Test(t, func(t *testing.T) {
		phone, app, d := slatePhone(t, simphone.Config{}, Config{})
		frames, silences, err := watch(t, phone, app, d)
		// 80 frames fit into the 4 s.
		if !errors.Is(err, context.Canceled) || frames < 60 || frames > 95 || silences != 2 {
			t.Errorf("%d frames, %d silences, %v; expected some 80 and 2 until it is cancelled", frames, silences, err)
		}
		if read := d.eyeNumber(); read > frames+5 {
			t.Errorf("%d frames were read for %d that were looked at", read, frames)
		}
	})
	for fault, says := range map[string]string{"dying-recorder": "the stream ended", "no-recorder": "not found"} {
		synctest.Test(t, func(t *testing.T) {
			phone, app, d := slatePhone(t, simphone.Config{}, Config{})
			if err := phone.Inject([]simphone.Fault{{Name: fault}}, 1); err != nil {
				t.Fatal(err)
			}
			if _, _, err := watch(t, phone, app, d); !errors.Is(err, ErrNoStream) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", fault, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // a secure window
		phone, app, d := slatePhone(t, simphone.Config{}, Config{})
		time.AfterFunc(5*time.Second, func() { phone.SetBlackFrames(true) })
		var black *FrameError
		if _, _, err := watch(t, phone, app, d); !errors.As(err, &black) || black.Kind != FrameBlack {
			t.Errorf("a secure window: %v", err)
		}
	})
}

// Every way in which a stream fails is told at once, with its reason, and leaves nothing on
// the phone. Stills go on.
func TestStreamFails(t *testing.T) {
	for _, test := range []struct {
		name   string
		config simphone.Config
		do     func(phone *simphone.Phone, app *slate)
		says   string
	}{
		{name: "no-recorder", says: "screenrecord: inaccessible or not found"},
		{name: "left out", config: simphone.Config{SDK: 27, Hands: simphone.Hands{Without: []string{"screenrecord"}}}, says: "screenrecord: not found"},
		{name: "Android 4.4", config: simphone.Config{SDK: 19}, says: "unrecognized option"},
		{name: "odd-recorder", says: "7200 bytes, 60 by 120, rows of 180 bytes, format 3: expected 21616 bytes"},
		{name: "dying-recorder", says: "the stream ended"},
		{name: "silent-recorder", says: "not what a still one of 60x120 shows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				phone, app, d := slatePhone(t, test.config, Config{})
				if slices.Contains(simphone.FaultNames(), test.name) {
					if err := phone.Inject([]simphone.Fault{{Name: test.name}}, 1); err != nil {
						t.Fatal(err)
					}
				}
				began := time.Now()
				number := 0
				var err error
				for i := uint8(0); d.StreamRefused() == "" && i < 30; i++ {
					app.show(i * 8)
					var g Glimpse
					if g, err = d.Glimpse(t.Context(), number, testQuiet); err == nil {
						number = g.Number
						if _, err := d.Capture(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
				}
				_, err = d.Glimpse(t.Context(), number, testQuiet)
				if !errors.Is(err, ErrNoStream) || !strings.Contains(d.StreamRefused(), test.says) {
					t.Errorf("%v, refused since %q, expected %q", err, d.StreamRefused(), test.says)
				}
				if took := time.Since(began); took > d.client.config.Timeout {
					t.Errorf("told after %v", took)
				}
				if _, err := d.Capture(t.Context()); err != nil {
					t.Error(err)
				}
				if left := phone.Recorders(); len(left) != 0 {
					t.Errorf("%v runs", left)
				}
			})
		})
	}
}

// TestStreamMissesAMoment: what was on the screen for a moment, and was not pushed, is no reason
// not to believe the stream, and is not taken for what the screen shows.
func TestStreamMissesAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		phone, app, d := slatePhone(t, simphone.Config{}, Config{})
		if err := phone.Inject([]simphone.Fault{{Name: "silent-recorder"}}, 1); err != nil {
			t.Fatal(err)
		}
		var last Glimpse
		for red := uint8(0); red < 3; red++ {
			app.show(40 + 60*red)
			last = glimpse(t, d, last.Number, 0)
		}
		time.Sleep(testQuiet)
		app.show(0) // which the recorder does not push
		time.AfterFunc(eyeLate/2, func() { app.show(160) })
		frame, err := d.Capture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := frame.Image.RGBAAt(0, 0).R; got != 160 || d.StreamRefused() != "" {
			t.Errorf("captured %d, refused since %q; expected 160, and the stream believed", got, d.StreamRefused())
		}
	})
}

// A header that says four bytes a pixel is believed.
func TestStreamOfFourBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		phone, _, d := slatePhone(t, simphone.Config{Size: image.Pt(1080, 2340)}, Config{})
		if err := phone.Inject([]simphone.Fault{{Name: "rgba-recorder"}}, 1); err != nil {
			t.Fatal(err)
		}
		if g := glimpse(t, d, 0, testQuiet); red(t, g) != 40 || g.Image.Rect.Size() != image.Pt(360, 780) || g.Full != image.Pt(1080, 2340) {
			t.Errorf("%+v", g)
		}
		glimpse(t, d, 1, testQuiet)
		if _, err := d.Capture(t.Context()); err != nil || d.StreamRefused() != "" {
			t.Errorf("%v, refused since %q", err, d.StreamRefused())
		}
	})
}

// When the screen has turned, the stream is opened anew; while the window is a secure one,
// the frame is told to be black.
func TestStreamOfOtherScreens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		phone, _, d := slatePhone(t, simphone.Config{}, Config{})
		g := glimpse(t, d, 0, testQuiet)
		phone.SetRotation(1)
		time.Sleep(2 * time.Second) // the rotation that is known is as old then
		glimpse(t, d, g.Number, testQuiet)
		if frame, err := d.Capture(t.Context()); err != nil || frame.Rotation != 1 {
			t.Fatalf("%v, %v", frame, err)
		}
		if g = glimpse(t, d, 0, testQuiet); g.Full != image.Pt(120, 60) || g.Rotation != 1 || g.Image.Rect.Size() != image.Pt(120, 60) {
			t.Errorf("after a turn: %+v, %s", g, d.StreamRefused())
		}
		phone.SetBlackFrames(true)
		var fault *FrameError
		if _, err := d.Glimpse(t.Context(), g.Number, testQuiet); !errors.As(err, &fault) || fault.Kind != FrameBlack {
			t.Errorf("a secure window: %v", err)
		}
		phone.SetBlackFrames(false)
		time.Sleep(time.Second)
		glimpse(t, d, g.Number, testQuiet)
		if len(phone.Recorders()) != 1 {
			t.Errorf("%v runs", phone.Recorders())
		}
	})
}

// What a run that was cut off has left is ended at the next start, and nobody else's.
func TestRecorderOfACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := new(notes)
		phone, _, d := slatePhone(t, simphone.Config{}, Config{TouchStore: kept})
		other := make(chan struct{})
		go func() { // somebody records, too
			defer close(other)
			_, _ = execute(t.Context(), d, "screenrecord --output-format=frames --size 2x2 -", 1<<20)
		}()
		glimpse(t, d, 0, testQuiet)
		ours := d.eyes.open.pid
		d.eyes.open.close() // as kill -9 does
		time.Sleep(time.Second)
		if !slices.Contains(phone.Recorders(), ours) || len(phone.Recorders()) != 2 {
			t.Fatalf("%v runs after a crash, expected %d among them", phone.Recorders(), ours)
		}
		again, err := New(Config{Dial: d.client.config.Dial, TouchStore: kept, Capture: string(Raw)})
		if err != nil {
			t.Fatal(err)
		}
		next, err := again.Open(t.Context(), adbtest.LinkSerial)
		if err != nil {
			t.Fatal(err)
		}
		if err := next.ChooseStream(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left := phone.Recorders(); len(left) != 1 || left[0] == ours {
			t.Errorf("%v runs after the next start, expected somebody else's", left)
		}
		note, _, _ := kept.Load(next.touchKey())
		if len(note.Recorders) != 0 {
			t.Errorf("%v is still noted", note.Recorders)
		}
	})
}

// TestStreamIsChosen: without a choice of the configuration, a stream is used where it was seen to
// show what a still frame shows and costs less; that, or why not, is remembered.
func TestStreamIsChosen(t *testing.T) {
	dear := simphone.Config{SDK: 34, CaptureDelay: 250 * time.Millisecond, Size: image.Pt(270, 584)}
	for _, test := range []struct {
		name   string
		config simphone.Config
		way    string
		faults []simphone.Fault
		black  bool // the frames, once a method of capture was chosen
		moving bool
		banner bool   // only a part moves
		says   string // why not
		good   bool
	}{
		{name: "dear stills", config: dear, good: true},
		{name: "cheap stills", config: simphone.Config{SDK: 34}, says: "a still frame takes"},
		{name: "no recorder", config: dear, faults: []simphone.Fault{{Name: "no-recorder"}}, says: "not found"},
		{name: "an odd one", config: dear, faults: []simphone.Fault{{Name: "odd-recorder"}}, says: "expected"},
		{name: "black frames", config: dear, black: true},
		{name: "a screen that moves", config: dear, moving: true},
		{name: "a banner that moves", config: dear, moving: true, banner: true, good: true},
		{name: "cheap stills beside a banner", config: simphone.Config{SDK: 34}, moving: true, banner: true, says: "a still frame takes"},
		{name: "stills asked for", config: dear, way: string(Raw)},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				kept := new(notes)
				phone, app, first := slatePhone(t, test.config, Config{TouchStore: kept})
				open := func(way string) *Device {
					client, err := New(Config{Dial: first.client.config.Dial, TouchStore: kept, Capture: way})
					if err != nil {
						t.Fatal(err)
					}
					d, err := client.Open(t.Context(), adbtest.LinkSerial)
					if err == nil {
						_, err = d.ChooseCapture(t.Context())
					}
					if err != nil {
						t.Fatal(err)
					}
					return d
				}
				if err := phone.Inject(test.faults, 1); err != nil {
					t.Fatal(err)
				}
				app.banner = test.banner
				if test.moving {
					over := make(chan struct{})
					defer close(over)
					go func() {
						for red := uint8(0); ; red += 8 {
							select {
							case <-time.After(20 * time.Millisecond):
								app.show(red)
							case <-over:
								return
							}
						}
					}()
				}
				for start := range 2 {
					d := open(test.way)
					phone.SetBlackFrames(test.black)
					if err := d.ChooseStream(t.Context()); err != nil {
						t.Fatal(err)
					}
					phone.SetBlackFrames(false)
					note, _, _ := kept.Load(d.touchKey())
					if c := note.Captures["cable"]; c.Stream != test.good || (c.NoStream != "") != (test.says != "") {
						t.Errorf("start %d: %+v is noted", start+1, c)
					}
					if len(phone.Recorders()) > 0 {
						t.Errorf("%v runs", phone.Recorders())
					}
					_, err := d.Glimpse(t.Context(), 0, 0)
					if why := d.StreamRefused(); (err == nil) != test.good || !strings.Contains(why, test.says) || (why == "") != (test.says == "") {
						t.Errorf("start %d: %v, refused since %q, expected %q", start+1, err, why, test.says)
					}
					if err := d.CloseEye(t.Context()); err != nil {
						t.Error(err)
					}
				}
				if test.says == "" || len(test.faults) > 0 {
					return
				}
				// Whoever asks for frames that are pushed gets them, whatever is remembered.
				d := open(Stream)
				if err := d.ChooseStream(t.Context()); err != nil {
					t.Fatal(err)
				}
				if _, err := d.Glimpse(t.Context(), 0, 0); err != nil {
					t.Error(err)
				}
				if err := d.CloseEye(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestRecorderPIDs(t *testing.T) {
	for list, want := range map[string]string{
		"":           "[]",
		"4711\n":     "[4711]",
		"12 13 14\n": "[12 13 14]",
		"USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\nroot      1     0     8896   788   ffffffff 00000000 S /init\n" +
			"shell     4711  200   9000   900   ffffffff 00000000 S screenrecord\nshell 9 1 1 1 x y S screenrecorder\n": "[4711]",
		"-5 0 x": "[]",
	} {
		if got := fmt.Sprint(recorderPIDs(list)); got != want {
			t.Errorf("%q: %s, expected %s", list, got, want)
		}
	}
}

// pushed is a frame as screenrecord sends it.
func pushed(fields [5]uint32, pixels int) []byte {
	var data []byte
	for _, f := range fields {
		data = binary.LittleEndian.AppendUint32(data, f)
	}
	for i := range pixels {
		data = append(data, byte(i))
	}
	return data
}

func TestEyeFrames(t *testing.T) {
	good := pushed([5]uint32{16 + 12, 2, 2, 6, 3}, 12)
	for _, test := range []struct {
		name string
		data []byte
		says string // of the error; empty: it is a frame
	}{
		{"a frame", good, ""},
		{"text before the first", append([]byte("WARNING: linker: x\n"), good...), ""},
		{"padded rows", pushed([5]uint32{16 + 16, 2, 2, 8, 3}, 16), ""},
		{"four bytes a pixel", pushed([5]uint32{16 + 16, 2, 2, 8, 1}, 16), ""},
		{"two bytes a pixel", pushed([5]uint32{16 + 8, 2, 2, 4, 4}, 8), ""},
		{"nothing", nil, "nothing arrived"},
		{"an error in its place", []byte("not found\n"), `"not found"`},
		{"a long error in its place", []byte("/system/bin/sh: screenrecord: not found\n"), `screenrecord: not found`},
		{"a frame cut short", good[:25], "5 of a frame's 12 bytes"},
		{"a wrong length", pushed([5]uint32{16 + 13, 2, 2, 6, 3}, 13), "29 bytes, 2 by 2, rows of 6 bytes, format 3: expected 28 bytes"},
		{"no width", pushed([5]uint32{16, 0, 2, 0, 3}, 0), "that is no size"},
		{"a great height", pushed([5]uint32{16, 2, 1 << 20, 6, 3}, 0), "that is no size"},
		{"short rows", pushed([5]uint32{16 + 10, 2, 2, 5, 3}, 10), "that is no length of a row"},
		{"long rows", pushed([5]uint32{16 + 1<<21, 2, 2, 1 << 20, 3}, 0), "that is no length of a row"},
		{"no format", pushed([5]uint32{16 + 12, 2, 2, 6, 99}, 12), "the format is not known"},
		{"too many pixels", pushed([5]uint32{16 + 3*65536*65536&0xffffffff, 300, 300, 900, 3}, 0), "expected 270016 bytes"},
		{"more pixels than are taken", pushed([5]uint32{16 + 270000, 300, 300, 900, 3}, 0), "at most 1000 pixels"},
	} {
		r := bufio.NewReaderSize(bytes.NewReader(test.data), 1<<16)
		h, err := readEyeHeader(r, true, 1000)
		var pixels []byte
		if err == nil {
			pixels, err = readEyePixels(r, h, nil)
		}
		switch {
		case test.says == "" && err != nil, test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)):
			t.Errorf("%s: %v, expected %q", test.name, err, test.says)
		case err == nil && h.decode(pixels).Rect.Size() != image.Pt(2, 2):
			t.Errorf("%s: %v", test.name, h)
		}
	}
	// Each pixel is where its header says that it is.
	h, err := parseEyeHeader(pushed([5]uint32{16 + 16, 2, 2, 8, 3}, 0), 100)
	if err != nil {
		t.Fatal(err)
	}
	img := h.decode([]byte{1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0})
	if want := []byte{1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255}; !bytes.Equal(img.Pix, want) {
		t.Errorf("% d, expected % d", img.Pix, want)
	}
}

func FuzzEyeFrames(f *testing.F) {
	f.Add([]byte("__EYE12\n"), false)
	f.Add(append([]byte("__EYE12\n"), pushed([5]uint32{16 + 12, 2, 2, 6, 3}, 12)...), true)
	f.Add(append([]byte("hello\n__EYE12\r\nWARNING\n"), pushed([5]uint32{16 + 16, 2, 2, 8, 1}, 16)...), true)
	f.Fuzz(func(t *testing.T, data []byte, first bool) {
		const most = 1 << 12
		r := bufio.NewReaderSize(bytes.NewReader(data), 1<<16)
		if pid, err := readEyePID(r); err != nil || pid <= 0 {
			if err == nil {
				t.Errorf("process %d", pid)
			}
			return
		}
		for range 3 {
			h, err := readEyeHeader(r, first, most)
			if err != nil {
				return
			}
			if h.size.X*h.size.Y > most {
				t.Fatalf("%+v", h)
			}
			pixels, err := readEyePixels(r, h, nil)
			if err != nil {
				return
			}
			if img := h.decode(pixels); img.Rect.Size() != h.size {
				t.Fatalf("%v of %+v", img.Rect, h)
			}
			first = false
		}
	})
}

// TestStreamIsNeverLeftBehind cuts streams off, in each way of cutting, while the screen
// stands still, while it moves, and before the first frame. When the phone is back, or at the
// next start, no recorder runs any more.
func TestStreamIsNeverLeftBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts off streams in each way of cutting")
	}
	for _, how := range cuts {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			server := adbtest.Start(t)
			app := &slate{}
			app.show(1)
			phone, err := simphone.New(simphone.Config{Size: image.Pt(240, 520), Apps: []simphone.Installed{simphone.Instance(app)}, Foreground: app.Package()})
			if err != nil {
				t.Fatal(err)
			}
			if err := phone.Listen(context.Background(), "127.0.0.1:0"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { phone.Close() })
			left := 0
			for n := range max(*kills, 3) {
				if cutStream(t, server, phone, app, how, n) {
					left++
				}
			}
			t.Logf("of %d streams, %d outlived their reader, and none the next start", max(*kills, 3), left)
		})
	}
}

// cutStream opens a stream, cuts it off and starts again. It reports whether the recorder
// still ran before that.
func cutStream(t *testing.T, server *adbtest.Server, phone *simphone.Phone, app *slate, how string, n int) (outlived bool) {
	t.Helper()
	kept := new(notes)
	direct := fmt.Sprintf("127.0.0.1:%d", server.Port)
	between := newWire(t, direct)
	defer between.cut()
	config := Config{Capture: Stream, TouchStore: kept}
	d := forced(t, clientFor(t, between.listener.Addr().String(), config), phone, "")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var moving sync.WaitGroup
	defer moving.Wait()
	still := make(chan struct{})
	defer close(still)
	if n%3 == 1 {
		moving.Go(func() {
			for red := uint8(0); ; red++ {
				select {
				case <-still:
					return
				case <-time.After(time.Millisecond):
					app.show(red)
				}
			}
		})
	}
	looked := make(chan error, 1)
	go func() {
		var err error
		for number := 0; err == nil; {
			var g Glimpse
			g, err = d.Glimpse(ctx, number, 0)
			number = g.Number
		}
		looked <- err
	}()
	noted := func() bool { note, _, _ := kept.Load(d.touchKey()); return len(note.Recorders) > 0 }
	eventually(t, "the recorder is noted", noted)
	if n%3 != 2 {
		eventually(t, "a frame", func() bool { d.mu.Lock(); defer d.mu.Unlock(); return d.eyes.open != nil })
	}
	cutAs(t, how, between, phone, server, cancel)
	<-looked
	outlived = len(phone.Recorders()) > 0
	if how == "interrupted" { // the program ends in order
		if err := d.CloseEye(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := clientFor(t, direct, config).Connect(t.Context(), phone.Addr()); errors.Is(err, ErrNoServer) {
		if err := server.Restart(t.Context()); err != nil { // as for touches
			t.Fatal(err)
		}
	}
	if how == "lost" { // the phone is back
		if err := d.Reconnect(t.Context()); err != nil {
			t.Fatal(err)
		}
	} else {
		next := forced(t, clientFor(t, direct, config), phone, "")
		if err := next.ChooseStream(t.Context()); err != nil {
			t.Fatalf("the next start: %v", err)
		}
	}
	if left := phone.Recorders(); len(left) != 0 {
		t.Errorf("cut %d: %v runs", n, left)
	}
	return outlived
}

// A scaled frame shows what the whole one shows, however it was scaled and however thin the lines
// are; it does not where a part of it is another.
func TestAlike(t *testing.T) {
	const pitch = 12 // pixels between two lines of one pixel in the whole frame
	for _, part := range []int{1, 2, 3} {
		full := image.NewRGBA(image.Rect(0, 0, 240, 480))
		for y := range 480 {
			for x := range 240 {
				c := color.RGBA{A: 255}
				if x%pitch == 0 || y%pitch == 0 {
					c = color.RGBA{R: 200, G: 190, B: 120, A: 255}
				}
				full.SetRGBA(x, y, c)
			}
		}
		for name, offset := range map[string]int{"average": -1, "first": 0, "last": part - 1} {
			scaled := image.NewRGBA(image.Rect(0, 0, 240/part, 480/part))
			for y := range 480 / part {
				for x := range 240 / part {
					if offset >= 0 {
						scaled.SetRGBA(x, y, full.RGBAAt(part*x+offset, part*y+offset))
						continue
					}
					sum := [3]int{}
					for i := range part * part {
						c := full.RGBAAt(part*x+i%part, part*y+i/part)
						sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
					}
					n := part * part
					scaled.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
				}
			}
			if !alike(full, scaled, scaled) {
				t.Errorf("a frame of one part in %d, by the %s pixel, is not alike", part, name)
			}
			whiten := func(frame *image.RGBA, most int) {
				for y := range most / part {
					for x := range 120 / part {
						frame.SetRGBA(x, y, color.RGBA{R: 255, G: 255, B: 255, A: 255})
					}
				}
			}
			before := &image.RGBA{Pix: bytes.Clone(scaled.Pix), Stride: scaled.Stride, Rect: scaled.Rect}
			whiten(scaled, 60)
			if alike(full, scaled, scaled) {
				t.Errorf("a frame of one part in %d, by the %s pixel, is alike though a part is white", part, name)
			}
			if !alike(full, before, scaled) {
				t.Errorf("a frame of one part in %d, by the %s pixel, is not alike beside what moves", part, name)
			}
			whiten(before, 60)
			whiten(scaled, 120)
			if alike(full, before, scaled) {
				t.Errorf("a frame of one part in %d, by the %s pixel, is alike though a part that stands still is white", part, name)
			}
			*before = image.RGBA{Pix: bytes.Repeat([]byte{255}, len(scaled.Pix)), Stride: scaled.Stride, Rect: scaled.Rect}
			if alike(full, before, scaled) {
				t.Errorf("a frame of one part in %d, by the %s pixel, is alike though most of it moves", part, name)
			}
		}
	}
}
