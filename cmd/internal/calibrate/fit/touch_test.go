package fit

import (
	"context"
	"errors"
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/hand"
	"tapwise/adb/privateserver"
	"tapwise/adb/simphone"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/screen"
)

// glass is a simulated phone behind the real adb server, in the form that
// MeasureTouch takes.
type glass struct{ *adb.Device }

func (g glass) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, err := g.Device.Capture(ctx)
	if err != nil {
		return nil, screen.Frame{}, err
	}
	return frame.Image, screen.Frame{Size: frame.Size, Rotation: frame.Rotation}, nil
}

func (g glass) Hold(ctx context.Context, s screen.Gesture, while func() error) error {
	return g.Hand().Hold(ctx, hand.Stroke{Points: s.Points, Size: s.On.Size, Rotation: s.On.Rotation}, while)
}

func glassOf(t *testing.T, server *privateserver.Server, config simphone.Config, level string) (glass, *simphone.Phone) {
	t.Helper()
	ctx := context.Background()
	puzzle, err := flow.Parse(level)
	if err != nil {
		t.Fatal(err)
	}
	app, err := flowapp.New([]solvers.Puzzle{puzzle}, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	config.Apps = []simphone.Installed{simphone.Instance(app)}
	config.Foreground = app.Package()
	phone, err := simphone.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := phone.Listen(ctx, "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { phone.Close() })
	if _, err := server.Run(ctx, "connect", phone.Addr()); err != nil {
		t.Fatal(err)
	}
	client, err := adb.New(adb.Config{Port: server.Port, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	device, err := client.Open(ctx, phone.Addr())
	if err != nil {
		t.Fatal(err)
	}
	return glass{device}, phone
}

const touchLevel = "B....\n.A.D.\n.D.A.\n.C.E.\n.B.CE"

// TestMeasureTouch gives the simulated phone's touch panel an offset, a scale and a
// turn, in each orientation, with a size override and a cutout, and expects every
// place of the screen to be known within two pixels at a width of 1080.
func TestMeasureTouch(t *testing.T) {
	ctx := context.Background()
	await.Turn(t)
	server, err := privateserver.Start(ctx, t.TempDir())
	if errors.Is(err, privateserver.ErrNoADB) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	none := simphone.TouchError{}
	all := simphone.TouchError{OffsetX: 23, OffsetY: -31, ScaleX: 1.02, ScaleY: 0.985, Turn: 1.2}
	for name, test := range map[string]struct {
		config   simphone.Config
		override image.Point
	}{
		"right":                    {simphone.Config{Touch: none}, image.Point{}},
		"offset":                   {simphone.Config{Touch: simphone.TouchError{OffsetX: 40, OffsetY: 25}}, image.Point{}},
		"far off":                  {simphone.Config{Touch: simphone.TouchError{OffsetX: -130, OffsetY: 90}}, image.Point{}},
		"scale":                    {simphone.Config{Touch: simphone.TouchError{ScaleX: 0.97, ScaleY: 1.03}}, image.Point{}},
		"turn":                     {simphone.Config{Touch: simphone.TouchError{Turn: -2}}, image.Point{}},
		"all, upright":             {simphone.Config{Touch: all}, image.Point{}},
		"all, landscape":           {simphone.Config{Touch: all, Rotation: 1}, image.Point{}},
		"all, other landscape":     {simphone.Config{Touch: all, Rotation: 3}, image.Point{}},
		"all, override":            {simphone.Config{Touch: all}, image.Pt(720, 1560)},
		"all, override and turned": {simphone.Config{Touch: all, Rotation: 1}, image.Pt(720, 1560)},
		"all, cutout":              {simphone.Config{Touch: all, Cutout: 110}, image.Point{}},
		"all, cutout landscape":    {simphone.Config{Touch: all, Cutout: 110, Rotation: 3}, image.Point{}},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "far off" && name != "all, cutout landscape" {
				t.Skip("-short tries two of them")
			}
			device, phone := glassOf(t, server, test.config, touchLevel)
			if test.override != (image.Point{}) {
				if err := phone.SetOverrideSize(test.override); err != nil {
					t.Fatal(err)
				}
			}
			frame, on, err := device.Capture(ctx)
			if err != nil {
				t.Fatal(err)
			}
			_, fitted, err := Profile(ctx, flow.Game{}, []Picture{{Name: "phone", Frame: frame, Rotation: on.Rotation}})
			if err != nil {
				t.Fatal(err)
			}
			touched, err := MeasureTouch(ctx, flow.Game{}, device, fitted[0])
			if err != nil {
				t.Fatal(err)
			}
			// Where touches really land: taps all over the screen.
			worst := 0.0
			for _, part := range [][2]float64{{0.05, 0.05}, {0.95, 0.05}, {0.5, 0.5}, {0.05, 0.95}, {0.95, 0.95}} {
				wanted := image.Pt(int(part[0]*float64(on.Size.X)), int(part[1]*float64(on.Size.Y)))
				aim := touched.Touch.Aim(on.Size, wanted)
				if !aim.In(image.Rectangle{Max: on.Size}) {
					continue // cannot be reached
				}
				phone.ClearEvents()
				if err := device.Hand().Play(ctx, []hand.Stroke{{Points: []image.Point{aim}, Rotation: -1}}, hand.Options{}); err != nil {
					t.Fatal(err)
				}
				e := landing(t, phone)
				worst = max(worst, math.Hypot(e.X-float64(wanted.X), e.Y-float64(wanted.Y)))
			}
			if limit := 2 * float64(min(on.Size.X, on.Size.Y)) / 1080; worst > limit {
				t.Errorf("a corrected touch lands %.2f pixels off, expected at most %.2f: %+v", worst, limit, touched.Touch)
			}
			t.Logf("%+v: %d landings, worst residual %.2f, corrected touches %.2f px off at worst over the whole screen", touched.Touch, len(touched.Landings), maxOf(touched.Residuals), worst)
		})
	}
}

func maxOf(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// landing waits for the end of a tap, which the phone reads when it comes to it, and
// returns where it began.
func landing(t *testing.T, phone *simphone.Phone) simphone.Event {
	t.Helper()
	var tap simphone.Event
	await.Until(t, "a tap arrives", func() bool {
		events := phone.Events()
		// The end of what was touched before may come first.
		down := slices.IndexFunc(events, func(e simphone.Event) bool { return e.Kind == simphone.EventDown })
		if down < 0 || events[len(events)-1].Kind != simphone.EventUp {
			return false
		}
		tap = events[down]
		return true
	})
	return tap
}
