package adb

import (
	"errors"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/adb/hand"
	"tapwise/adb/internal/fault"
	"tapwise/adb/simphone"
)

// plainApp is an app of one colour.
type plainApp struct{}

const plainPackage = "com.example.plain"

func (plainApp) Package() string                            { return plainPackage }
func (plainApp) Draw(c simphone.Canvas, _ time.Duration)    { c.Fill(color.NRGBA{200, 120, 40, 255}) }
func (plainApp) Touch(int, float64, float64, time.Duration) {}
func (plainApp) Back(time.Duration)                         {}

// openWith opens a phone of that Android with an app in front and a fault that lasts
// or strikes at the first frame.
func openWith(t *testing.T, sdk int, fault string) (*simphone.Phone, *Device) {
	t.Helper()
	phone, d := openPhone(t, simphone.Config{SDK: sdk, Size: image.Pt(240, 520),
		Apps: []simphone.Installed{simphone.Instance(plainApp{})}, Foreground: plainPackage}, Config{})
	if fault != "" {
		if err := phone.Inject([]simphone.Fault{{Name: fault}}, 1); err != nil {
			t.Fatal(err)
		}
	}
	return phone, d
}

// TestLinkerWarnings: what the linker prints before every Java command of some phones
// is no refusal and no part of an answer; a refusal behind it is one.
func TestLinkerWarnings(t *testing.T) {
	for _, sdk := range []int{19, 21, 22} {
		phone, d := openWith(t, sdk, "linker-text")
		ctx := t.Context()
		if output, _, err := d.client.shell(ctx, d.Serial, "input 2>/dev/null; wm size"); err != nil || !strings.HasPrefix(output, "Physical size: ") {
			t.Errorf("SDK %d: wm size prints %q, %v", sdk, output, err)
		}
		if raw, err := execute(ctx, d, "wm size", 1<<12); err != nil || !strings.HasPrefix(string(raw), "WARNING: linker: ") {
			t.Fatalf("SDK %d: the phone prints no warning: %q, %v", sdk, raw, err)
		}
		stroke := hand.Stroke{Points: []image.Point{{60, 100}, {60, 200}, {120, 200}}, Size: image.Pt(240, 520)}
		for name, err := range map[string]error{
			"a key":      d.Key(ctx, "BACK"),
			"a tap":      play(ctx, d, []hand.Stroke{{Points: stroke.Points[:1], Size: stroke.Size}}),
			"a stroke":   play(ctx, d, []hand.Stroke{stroke}),
			"a start":    d.Start(ctx, plainPackage),
			"an end":     d.ForceStop(ctx, plainPackage),
			"a setting":  d.SetStayAwake(ctx, "3"),
			"its value":  last(d.StayAwake(ctx)),
			"the screen": last(d.Screen(ctx)),
		} {
			if err != nil {
				t.Errorf("SDK %d: %s: %v", sdk, name, err)
			}
		}
		phone.RefuseInput(true)
		err := d.Key(ctx, "BACK")
		if !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), "Security settings") || strings.Contains(err.Error(), "linker") {
			t.Errorf("SDK %d: a refusal: %v", sdk, err)
		}
	}
}

// TestOtherRefusals: the setting of some makers is named only where it is the reason.
func TestOtherRefusals(t *testing.T) {
	for _, text := range []string{
		"java.lang.SecurityException: Permission Denial: setting from pid=1 requires android.permission.WRITE_SECURE_SETTINGS",
		"Error: Invalid arguments for command: tap", "Killed",
	} {
		if err := fault.Refusal(text); !errors.Is(err, ErrInputRefused) || strings.Contains(err.Error(), "Xiaomi") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestUsageOfAndroid43: its usage names the sources in brackets, and is understood
// without knowing the version.
func TestUsageOfAndroid43(t *testing.T) {
	_, d := openWith(t, 18, "")
	text, _, err := d.Shell(t.Context(), "input")
	if err != nil || !strings.Contains(text, "input [touchscreen|touchpad|touchnavigation] tap <x> <y>") {
		t.Fatalf("the phone prints %q, %v", text, err)
	}
	d.SDK = 0
	method, err := d.Hand().Method(t.Context())
	if err != nil || method.Motion || method.SwipeDuration {
		t.Errorf("%+v, %v, expected swipes without a duration", method, err)
	}
}

// TestWrongAspect: a size set to another aspect, which frames do not follow, is named
// with the command that ends it; one of the panel's aspect is none.
func TestWrongAspect(t *testing.T) {
	_, d := openWith(t, 34, "wrong-aspect")
	frame, err := d.Capture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if frame.Size != image.Pt(240, 520) {
		t.Fatalf("a frame of %v, expected the panel's size", frame.Size)
	}
	err = play(t.Context(), d, []hand.Stroke{{Points: []image.Point{{60, 100}}, Size: frame.Size, Rotation: frame.Rotation}})
	var size *FrameSizeError
	if !errors.As(err, &size) || !errors.Is(err, ErrFrameSize) || errors.Is(err, ErrScreenChanged) || !strings.Contains(size.Advice(), "wm size reset") {
		t.Errorf("a touch: %v, expected an ErrFrameSize that advises wm size reset", err)
	}
	phone, d := openWith(t, 34, "")
	if err := phone.SetOverrideSize(image.Pt(120, 260)); err != nil {
		t.Fatal(err)
	}
	err = play(t.Context(), d, []hand.Stroke{{Points: []image.Point{{60, 100}}, Size: image.Pt(1000, 1000)}})
	if !errors.Is(err, ErrScreenChanged) {
		t.Errorf("with the panel's aspect: %v", err)
	}
}

// TestAlwaysOnDisplay: a screen that shows only a clock is off, though its frames are
// not black, on every Android; a key wakes it.
func TestAlwaysOnDisplay(t *testing.T) {
	for _, sdk := range []int{21, 23, 26, 28, 30, 34, 36} {
		_, d := openWith(t, sdk, "always-on-display")
		if _, err := d.Capture(t.Context()); err != nil {
			t.Errorf("SDK %d: a frame of the clock: %v", sdk, err)
		}
		power, err := d.Power(t.Context())
		if err != nil || !errors.Is(power.Err(), ErrScreenOff) {
			t.Errorf("SDK %d: %v, %v, expected that it is off", sdk, power, err)
		}
		if power, err = d.Wake(t.Context()); err != nil || power.On != Yes {
			t.Errorf("SDK %d: after waking it: %v, %v", sdk, power, err)
		}
	}
}

// TestSecureWindow: a frame with nothing but a status bar is refused by each method,
// and its error names the reason.
func TestSecureWindow(t *testing.T) {
	_, d := openWith(t, 34, "secure-window")
	for _, method := range Methods() {
		_, err := d.CaptureWith(t.Context(), method)
		var fault *FrameError
		if !errors.As(err, &fault) || fault.Kind != FrameBand || !strings.Contains(err.Error(), "secure window") {
			t.Errorf("%s: %v, expected a FrameError of kind %q", method, err, FrameBand)
		}
	}
}

// TestOnlyBand: a dark screen with anything on it but a status bar is a frame.
func TestOnlyBand(t *testing.T) {
	for _, c := range []struct {
		name string
		lit  image.Rectangle
		ink  uint8
		want bool
	}{
		{"status bar", image.Rect(0, 0, 240, 20), 60, true},
		{"navigation bar", image.Rect(0, 500, 240, 520), 60, true},
		{"an icon in it", image.Rect(100, 4, 110, 10), 255, true},
		{"a title below it", image.Rect(100, 60, 140, 70), 255, false},
		{"a pixel in the middle", image.Rect(120, 260, 121, 261), 255, false},
		{"nothing", image.Rectangle{}, 0, false},
		{"something very dark", image.Rect(0, 300, 240, 310), 17, false},
		{"bright all over", image.Rect(0, 0, 240, 520), 200, false},
	} {
		img := image.NewRGBA(image.Rect(0, 0, 240, 520))
		for i := 3; i < len(img.Pix); i += 4 {
			img.Pix[i] = 255
		}
		for y := c.lit.Min.Y; y < c.lit.Max.Y; y++ {
			for x := c.lit.Min.X; x < c.lit.Max.X; x++ {
				img.SetRGBA(x, y, color.RGBA{c.ink, c.ink, c.ink, 255})
			}
		}
		if got := onlyBand(img); got != c.want {
			t.Errorf("%s: %t, expected %t", c.name, got, c.want)
		}
	}
	if onlyBand(image.NewRGBA(image.Rect(0, 0, 6, 5))) {
		t.Error("a few pixels have a status bar")
	}
}

// TestNotResponding: Android's dialog over the app is named, and nothing is touched.
func TestNotResponding(t *testing.T) {
	for _, sdk := range []int{19, 23, 28, 30, 34} {
		phone, d := openWith(t, sdk, "not-responding")
		front, err := d.Foreground(t.Context())
		if err != nil || !front.NotResponding() || front.Window != "Application Not Responding: "+plainPackage {
			t.Errorf("SDK %d: in front is %+v, %v", sdk, front, err)
		}
		phone.ClearEvents()
		err = d.Hand().Play(t.Context(), []hand.Stroke{{Points: []image.Point{{60, 100}}, Size: image.Pt(240, 520)}}, hand.Options{App: plainPackage})
		if !errors.Is(err, ErrNotInFront) || !errors.Is(err, ErrNotResponding) {
			t.Errorf("SDK %d: a touch: %v, expected an ErrNotResponding", sdk, err)
		}
		if events := phone.Events(); len(events) > 0 {
			t.Errorf("SDK %d: the phone was touched: %v", sdk, events)
		}
	}
}

// openFolded opens a foldable whose cover display, the default one, is black.
func openFolded(t *testing.T, sdk int, config Config) (*simphone.Phone, *Device, error) {
	t.Helper()
	_, client := serverClient(t, config)
	phone := startPhone(t, simphone.Config{SDK: sdk, Size: image.Pt(240, 520), Cover: image.Pt(200, 300),
		Apps: []simphone.Installed{simphone.Instance(plainApp{})}, Foreground: plainPackage})
	serial, err := client.Connect(t.Context(), phone.Addr())
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Open(t.Context(), serial)
	return phone, d, err
}

// TestDisplays: a phone lists its displays, and the one that is named, by either id,
// is the one that is captured, measured, touched and asked for its app.
func TestDisplays(t *testing.T) {
	const physical = "4619827259835644672"
	for _, sdk := range []int{29, 31, 34, 36} {
		_, d, err := openFolded(t, sdk, Config{})
		if err != nil {
			t.Fatal(err)
		}
		displays, err := d.Displays(t.Context())
		want := []Display{
			{ID: "0", Physical: "4619827677550801152", Size: image.Pt(200, 300), Active: No},
			{ID: "1", Physical: physical, Size: image.Pt(240, 520), Active: Yes,
				Front: Foreground{Package: plainPackage, Activity: ".MainActivity", Window: plainPackage + "/" + plainPackage + ".MainActivity"}},
		}
		if sdk < 30 { // Android 11 is the first to tell
			want[0].Active, want[1].Active = Unknown, Unknown
		}
		if err != nil || !slices.Equal(displays, want) {
			t.Errorf("SDK %d:\n got %+v, %v\nwant %+v", sdk, displays, err, want)
		}
		var fault *FrameError
		if _, err := d.Capture(t.Context()); !errors.As(err, &fault) || fault.Kind != FrameBlack {
			t.Errorf("SDK %d: a frame of the cover: %v, expected a black one", sdk, err)
		}
		for _, name := range []string{"1", physical} {
			phone, d, err := openFolded(t, sdk, Config{Display: name})
			if err != nil {
				t.Fatal(err)
			}
			phone.SetRotation(1)
			frame, err := d.Capture(t.Context())
			if err != nil || frame.Size != image.Pt(520, 240) || frame.Rotation != 1 {
				t.Fatalf("SDK %d: a frame of display %s: %+v, %v", sdk, name, frame, err)
			}
			stroke := hand.Stroke{Points: []image.Point{{60, 100}, {90, 100}}, Size: frame.Size, Rotation: 1}
			if err := d.Hand().Play(t.Context(), []hand.Stroke{stroke}, hand.Options{App: plainPackage}); err != nil {
				t.Errorf("SDK %d: a touch on display %s: %v", sdk, name, err)
			}
			events := phone.Events()
			if len(events) < 2 || events[0].Package != plainPackage || events[0].X != 60 || events[0].Y != 100 {
				t.Errorf("SDK %d: the app on display %s received %v", sdk, name, events)
			}
		}
		if _, _, err := openFolded(t, sdk, Config{Display: "7"}); err == nil || !strings.Contains(err.Error(), "no display 7") ||
			!strings.Contains(err.Error(), "1, 240x520, "+plainPackage) {
			t.Errorf("SDK %d: a display that does not exist: %v", sdk, err)
		}
	}
	// A phone with one display has the same one by its name.
	_, d := openPhone(t, simphone.Config{SDK: 23}, Config{Display: "0"})
	if _, err := d.Capture(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestNoSuchView: a display that cannot be both touched and captured is refused.
func TestNoSuchView(t *testing.T) {
	_, d := openPhone(t, simphone.Config{}, Config{})
	if _, err := d.On(Display{ID: "3"}); err == nil || !strings.Contains(err.Error(), "cannot be captured") {
		t.Errorf("a virtual display: %v", err)
	}
	d.SDK = 28
	if _, err := d.On(Display{ID: "1", Physical: "77"}); err == nil || !strings.Contains(err.Error(), "Android 10") {
		t.Errorf("a second display of Android 9: %v", err)
	}
	if one, err := d.On(Display{ID: "0", Physical: "77"}); err != nil || one.client.config.CaptureDisplay != "" {
		t.Errorf("the display of Android 9: %v", err)
	}
}

// TestParseDisplays reads what phones print that are folded, old, or not understood.
func TestParseDisplays(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "[]"},
		{"DisplayViewport{type=INTERNAL, displayId=0, uniqueId='local:0', orientation=1, logicalFrame=Rect(0, 0 - 1920, 1080)}", "[0, 1920x1080]"},
		{"DisplayViewport{valid=true, displayId=0, orientation=0, logicalFrame=Rect(0, 0 - 720, 1280), physicalFrame=Rect(0, 0 - 720, 1280), " +
			"deviceWidth=720, deviceHeight=1280}, DisplayViewport{valid=false, displayId=0}", "[0, 720x1280]"},
		{"DisplayViewport{isActive=false, displayId=0, uniqueId='local:46'}, DisplayViewport{isActive=true, displayId=3, uniqueId='virtual:com.x,1,a,0'}\n" +
			"Display: mDisplayId=3\n  mFocusedApp=ActivityRecord{1 u0 com.x/.A t1}\n", "[0, off 3, com.x]"},
		{"DisplayViewport{displayId=99999999999}", "[]"},
	} {
		var got []string
		for _, d := range parseDisplays(c.text) {
			got = append(got, d.String())
		}
		if text := "[" + strings.Join(got, " ") + "]"; text != c.want {
			t.Errorf("%q: %s, expected %s", c.text, text, c.want)
		}
	}
}

func FuzzDisplays(f *testing.F) {
	f.Add("DisplayViewport{isActive=false, displayId=0, uniqueId='local:46', logicalFrame=Rect(0, 0 - 1, 2)}\nDisplay: mDisplayId=0\n")
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, d := range parseDisplays(text) {
			if seen[d.ID] || strings.Trim(d.ID+d.Physical, "0123456789") != "" {
				t.Errorf("%q is listed twice, or is no number", d.ID)
			}
			seen[d.ID] = true
		}
		if len(seen) > maxDisplays {
			t.Errorf("%d displays", len(seen))
		}
	})
}
