package simphone

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tapwise/adb/simphone/daemon"
	"tapwise/adb/simphone/shell"
	"tapwise/adb/simphone/touchscreen"
)

// Auth says how the phone treats a computer it has not seen before.
type Auth = daemon.Auth

// The ways of treating a computer that the phone has not seen before.
const (
	AuthOff   = daemon.AuthOff   // no question asked
	AuthAllow = daemon.AuthAllow // the phone asks for a key, and allows it at once
	AuthNever = daemon.AuthNever // nobody allows the key: adb shows "unauthorized"
)

// Config describes a phone. The zero value is a 1080 x 2340 phone with
// Android 14, no apps, and no delays.
type Config struct {
	Serial  string // ro.serialno; default "SIM0000001"
	Product string // ro.product.name; default "simphone"
	Model   string // ro.product.model; default "Sim_Phone"
	Device  string // ro.product.device; default Product

	SDK      int         // 14 to 36; default 34, Android 14
	Size     image.Point // pixels as held upright, each 16 to 8192; default 1080 x 2340
	Density  int         // dots per inch; default 440
	Rotation int         // quarter turns, 0 to 3
	Touch    TouchError  // how the touch panel is displaced from the screen; default not at all
	// Cover is the size in pixels of a second display, the cover of a foldable: it is
	// display 0 and black, and the apps are on display 1. Zero: there is none. From
	// SDK 29.
	Cover  image.Point
	Cutout int // height in pixels at the upper side, held upright, that apps keep clear of

	Apps       []Installed // apps installed in addition to the home screen
	Foreground string      // package of the app that is open at the start; default the home screen
	Lock       Lock        // the lock that comes when the screen goes off; default none
	PIN        string      // for LockPIN, 4 to 16 digits; default 1234

	// MaxPacket is the largest packet in bytes that the daemon takes, 4096 to 1
	// MiB; the default is that of the pretended Android: 4096 up to 6, then 256
	// KiB, and 1 MiB from 9.
	MaxPacket int
	Auth      Auth

	// InputDelay and CaptureDelay are what each input and each screencap costs, in
	// real time. TimeScale is how much real time a second of a swipe or of a long
	// press takes: 0 none, 1 as on a phone. Whatever it is, apps see the full
	// duration pass. The shell's sleep always takes its full time.
	InputDelay   time.Duration
	CaptureDelay time.Duration
	TimeScale    float64

	Hands Hands // how the phone takes touches in other ways than by input
	Costs Costs // what things take in addition
	// Rate is the bytes that the connection carries from the phone in a second, 0 for
	// no bound, and Latency what each packet takes in addition.
	Rate    int
	Latency time.Duration

	// RestartServer is called for the fault server-restart; with nil there is no
	// such fault.
	RestartServer func()

	FileBytes int64            // bound on the bytes of all files together; default 256 MiB
	Clock     func() time.Time // default time.Now
	Log       *slog.Logger     // default none
}

// Installed is an app that can be opened.
type Installed struct {
	Package string // such as "com.example.game"
	// Start makes the app in the state right after opening. It is called again when
	// the app is opened after a force-stop.
	Start func() App
}

// Instance installs an app that exists already. A force-stop hides it, and opening
// it again brings it back in the state it was left in; if it has a method Relaunch,
// that is called, and the app shows what it shows when it is opened.
func Instance(app App) Installed {
	return Installed{Package: app.Package(), Start: func() App { return app }}
}

// Phone is a simulated phone. Its methods may be called from any goroutine,
// including an app's.
type Phone struct {
	*daemon.Daemon // makes the phone reachable over ADB

	config  Config
	log     *slog.Logger
	shell   *shell.Shell
	booted  time.Time
	skipped atomic.Int64 // nanoseconds that passed for the apps only

	// appMu lets one call into an app run at a time. It is taken before mu, and mu
	// is never held while an app runs.
	appMu    sync.Mutex
	touch    touchState // guarded by appMu
	hands    *touchscreen.Hub
	canvases chan *canvas

	troubles  troubles  // has its own lock, which is taken last
	recorders recorders // has its own lock

	keyguard *runningApp // the app that shows the lock

	mu     sync.Mutex
	screen screenState
	faults faults
	events []Event
	apps   appList

	settings map[string]map[string]string // by namespace, then key
	set      map[string]string            // properties that setprop set

	lastPID  int
	crashLog []crash // the latest ones
	crashed  int     // number of crashes in all
}

const maxEvents = 1 << 16

// The densities that a display can have, in dots per inch.
const minDensity, maxDensity = 72, 2000

// New makes a phone that is switched on and not yet reachable: see Listen.
func New(config Config) (*Phone, error) {
	c, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	p := &Phone{
		config:   c,
		log:      c.Log,
		booted:   c.Clock(),
		canvases: make(chan *canvas, 2),
		screen: screenState{natural: c.Size, cutout: c.Cutout, touch: c.Touch, pin: c.PIN, clock: c.Clock,
			rotation: c.Rotation, on: true, lock: c.Lock, slept: c.Clock(), woken: c.Clock()},
		settings: defaultSettings(c),
		set:      make(map[string]string),
		lastPID:  1200,
	}
	p.keyguard = &runningApp{name: systemUI, app: &lockScreen{phone: p}, pid: keyguardPID}
	p.shell = shell.New(system{p}, shell.NewFileSystem(c.FileBytes, c.Clock), c.Log)
	p.Daemon = daemon.New(daemon.Config{Product: c.Product, Model: c.Model, Device: c.Device, SDK: c.SDK, MaxPacket: c.MaxPacket,
		Auth: c.Auth, Log: c.Log, Rate: c.Rate, Latency: c.Latency}, device{p.shell, p})
	p.apps.init(p, c.Apps)
	p.set["ro.runtime.firstboot"] = strconv.FormatInt(p.booted.UnixMilli(), 10)
	if err := p.shell.Files().AddFile("/proc/sys/kernel/random/boot_id", []byte(newBootID()+"\n"), 0o444); err != nil {
		return nil, fmt.Errorf("simphone: %w", err)
	}
	if err := p.addHands(); err != nil {
		return nil, err
	}
	if c.Foreground != "" {
		if err := p.Launch(c.Foreground); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// newBootID is what a kernel makes when it starts: a random UUID, which tells the phone
// from every other one for as long as it lives.
func newBootID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// locked runs a change to what mu guards.
func (p *Phone) locked(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// withDefaults fills in what the configuration leaves out, and checks it.
func (c Config) withDefaults() (Config, error) {
	setDefault(&c.Serial, "SIM0000001")
	setDefault(&c.Product, "simphone")
	setDefault(&c.Model, "Sim_Phone")
	setDefault(&c.Device, c.Product)
	setDefault(&c.SDK, 34)
	setDefault(&c.Size, image.Pt(1080, 2340))
	setDefault(&c.Density, 440)
	setDefault(&c.FileBytes, 256<<20)
	setDefault(&c.PIN, defaultPIN)
	setDefault(&c.MaxPacket, daemon.PacketSize(c.SDK))
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for _, check := range []func() error{c.checkRanges, c.checkCover, c.checkLock, c.checkNames, c.checkApps} {
		if err := check(); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c Config) checkRanges() error {
	if c.SDK < 14 || c.SDK > 36 {
		return fmt.Errorf("simphone: SDK %d, expected 14 to 36", c.SDK)
	}
	if err := checkSize(c.Size); err != nil {
		return err
	}
	if err := errors.Join(c.Touch.check(), c.Hands.check()); err != nil {
		return err
	}
	switch {
	case c.MaxPacket < daemon.MinPacket || c.MaxPacket > daemon.MaxPacket:
		return fmt.Errorf("simphone: packets of %d bytes, expected %d to %d", c.MaxPacket, daemon.MinPacket, daemon.MaxPacket)
	case c.Rotation < 0 || c.Rotation > 3:
		return fmt.Errorf("simphone: rotation %d, expected 0 to 3", c.Rotation)
	case c.Cutout < 0 || 4*c.Cutout > c.Size.Y:
		return fmt.Errorf("simphone: cutout of %d pixels, expected 0 to a quarter of the height", c.Cutout)
	case c.Density < minDensity || c.Density > maxDensity:
		return fmt.Errorf("simphone: density %d, expected %d to %d", c.Density, minDensity, maxDensity)
	case c.InputDelay < 0 || c.CaptureDelay < 0 || c.TimeScale < 0:
		return errors.New("simphone: negative delay or time scale")
	case c.Costs.JavaStart < 0 || c.Costs.PNG < 0 || c.Costs.ReadBack < 0 || c.Rate < 0 || c.Latency < 0:
		return errors.New("simphone: negative cost, rate or latency")
	case c.FileBytes < 0:
		return errors.New("simphone: negative bound on file bytes")
	case c.Auth < AuthOff || c.Auth > AuthNever:
		return fmt.Errorf("simphone: unknown auth mode %d", c.Auth)
	}
	return nil
}

// checkNames refuses names that would break the lists and banners they appear in.
func (c Config) checkNames() error {
	for name, value := range map[string]string{"serial": c.Serial, "product": c.Product, "model": c.Model, "device": c.Device} {
		if len(value) > 64 || strings.ContainsAny(value, ";:=\x00\r\n") {
			return fmt.Errorf("simphone: %s %q, expected at most 64 characters without ; : =", name, value)
		}
	}
	return nil
}

func (c Config) checkApps() error {
	seen := map[string]bool{homePackage: true}
	for _, app := range c.Apps {
		switch {
		case !validPackage(app.Package):
			return fmt.Errorf("simphone: package %q, expected a name such as com.example.game", app.Package)
		case seen[app.Package]:
			return fmt.Errorf("simphone: package %s is installed twice", app.Package)
		case app.Start == nil:
			return fmt.Errorf("simphone: package %s has no Start", app.Package)
		}
		seen[app.Package] = true
	}
	return nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func checkSize(size image.Point) error {
	if size.X < 16 || size.Y < 16 || size.X > 8192 || size.Y > 8192 {
		return fmt.Errorf("simphone: screen of %d x %d pixels, expected 16 to 8192 each", size.X, size.Y)
	}
	return nil
}

// validPackage reports whether a package name is fit for commands and file names.
func validPackage(name string) bool {
	if name == "" || len(name) > 128 || strings.Trim(name, ".") != name {
		return false
	}
	for _, r := range name {
		if !(r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return false
		}
	}
	return true
}

// now is the time since the phone started, as apps see it.
func (p *Phone) now() time.Duration {
	return p.config.Clock().Sub(p.booted) + time.Duration(p.skipped.Load())
}

// pass lets d go by for the apps, taking TimeScale of it in real time.
func (p *Phone) pass(ctx context.Context, d time.Duration) error {
	d = min(d, 24*time.Hour)
	real := time.Duration(float64(d) * min(p.config.TimeScale, 100))
	if skip := d - real; skip > 0 && p.skipped.Load() < int64(100*365*24*time.Hour) {
		p.skipped.Add(int64(skip))
	}
	return shell.Sleep(ctx, real)
}

// androidRelease is the pretended version of Android in its usual form, such as
// 7.1.2.
func androidRelease(sdk int) string {
	releases := map[int]string{14: "4.0", 15: "4.0.4", 16: "4.1.2", 17: "4.2.2", 18: "4.3", 19: "4.4.4", 20: "4.4W",
		21: "5.0.2", 22: "5.1.1", 23: "6.0.1", 24: "7.0", 25: "7.1.2", 26: "8.0.0", 27: "8.1.0", 28: "9", 29: "10",
		30: "11", 31: "12", 32: "12", 33: "13", 34: "14", 35: "15", 36: "16"}
	return releases[sdk]
}
