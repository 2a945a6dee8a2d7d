package simulation

import (
	"image"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/console/cause"
)

// Options are a phone as a user gives it. Fields that a kind of phone also decides count only
// if they were given.
type Options struct {
	Model            string // the kind of phone; empty is none
	SDK, Density     int
	Size             image.Point // held upright
	Rotation, Cutout int         // quarter turns; pixels off the upper side
	Override         image.Point // the size that the screen is set to, as wm size does; zero: its own
	Second           image.Point // a second display, which is display 0 and black; zero: none
	TouchError       string      // as [ParseTouchError] reads it
	Lock             string      // none, swipe, or the PIN that opens it
	InputDelay       time.Duration
	CaptureDelay     time.Duration
	TimeScale        float64
	Batch            bool     // apps see one move a frame
	Faults           []string // as [simphone.ParseFault] reads them
	Seed             uint64
	RestartServer    func()
	Given            func(flag string) bool // whether a field was given, by its flag's name
}

// Usual is the phone that is simulated when nothing is said.
func Usual() Options {
	return Options{SDK: 34, Density: 440, Size: image.Pt(1080, 2340), Seed: 1, Given: func(string) bool { return false }}
}

// frame is how long a frame takes where the kind of phone does not say: 60 a second.
const frame = time.Second / 60

// Phone describes the phone with an app in front.
func (o Options) Phone(app simphone.App) (Phone, error) {
	phone := Phone{App: app, Seed: o.Seed, Override: o.Override}
	var err error
	if phone.Config, err = o.Config(); err != nil {
		return phone, err
	}
	phone.Cover = o.Second
	if phone.Touch, err = ParseTouchError(o.TouchError); err != nil {
		return phone, err
	}
	switch o.Lock {
	case "", "none":
	case "swipe":
		phone.Lock = simphone.LockSwipe
	default:
		phone.Lock, phone.PIN = simphone.LockPIN, o.Lock
	}
	for _, text := range o.Faults {
		f, err := simphone.ParseFault(text)
		if err != nil {
			return phone, cause.Inputf("sim: --fault: %w", err)
		}
		phone.Faults = append(phone.Faults, f)
	}
	return phone, nil
}

// Config is what the kind of phone decides, and over it what was given.
func (o Options) Config() (simphone.Config, error) {
	c := simphone.Config{RestartServer: o.RestartServer, Rotation: o.Rotation, Cutout: o.Cutout}
	given := func(string) bool { return true } // without a kind, the defaults count too
	if o.Model != "" {
		model, err := ModelOf(o.Model)
		if err != nil {
			return c, err
		}
		model.Configure(&c)
		given = o.Given
	}
	for flag, set := range map[string]func(){
		"sdk": func() { c.SDK = o.SDK }, "density": func() { c.Density = o.Density }, "size": func() { c.Size = o.Size },
		"input-delay":   func() { c.InputDelay = o.InputDelay },
		"capture-delay": func() { c.CaptureDelay = o.CaptureDelay },
		"time-scale":    func() { c.TimeScale = o.TimeScale },
	} {
		if given(flag) {
			set()
		}
	}
	if o.Batch && c.Hands.Frame == 0 {
		c.Hands.Frame = frame
	}
	return c, nil
}
