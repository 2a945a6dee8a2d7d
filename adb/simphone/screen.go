package simphone

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
)

// The actions of App.Touch.
const (
	TouchDown = 0
	TouchMove = 1
	TouchUp   = 2
)

// App is an app that runs on the phone's screen. The phone calls it from one
// goroutine at a time. Apps do not read the clock: now is the time since the phone
// started.
type App interface {
	Package() string                                   // such as "com.example.game"
	Draw(c Canvas, now time.Duration)                  // paints the whole screen as it looks at that time
	Touch(action int, x, y float64, now time.Duration) // one finger, in pixels of the current orientation
	Back(now time.Duration)                            // the BACK key
}

// Event is one input that the phone received.
type Event struct {
	Time time.Duration // since the phone started
	Kind EventKind
	X, Y float64 // pixels, for a touch
	Key  string  // for a key its name without KEYCODE_, for text the text
	// Package is the app that received it; empty when none did, as when the screen
	// was off or the point lay outside the app.
	Package string
}

// EventKind is the kind of an input.
type EventKind string

const (
	EventDown   EventKind = "down"
	EventMove   EventKind = "move"
	EventUp     EventKind = "up"
	EventCancel EventKind = "cancel"
	EventKey    EventKind = "key"
	EventText   EventKind = "text"
)

// screenState is the screen with its touch panel and its lock; guarded by Phone.mu.
type screenState struct {
	natural image.Point // pixels as held upright, without the override
	cutout  int         // pixels at the upper side
	touch   TouchError
	pin     string
	clock   func() time.Time

	rotation int
	override image.Point // zero: none
	density  int         // zero: none
	on       bool
	doze     bool // it is off except for the clock of an always-on display
	black    bool
	secure   bool // frames are black except for the status bar
	ignored  bool // frames do not follow the override
	reshape  reshape
	lock     Lock // the lock that comes when the screen goes off
	locked   bool
	bouncer  bool   // the lock is asking for its PIN
	entered  string // digits of the PIN so far
	woken    time.Time
	slept    time.Time
}

// faults is what tests make go wrong; guarded by Phone.mu.
type faults struct {
	refuseInput  bool
	hangs        string // the command that never returns; empty for none
	linker       bool   // Java commands begin with the linker's warning
	answers      []Answer
	truncate     bool // cut the next frame after truncateAt bytes
	truncateAt   int
	disconnect   bool // and then drop the connections
	prefix       string
	prefixStderr bool
	once         onceFaults // for the next screencap
}

// touchState is the finger on the screen.
type touchState struct {
	down   bool
	target *runningApp
	moved  *pendingMove // what waits for the end of a frame
}

// pendingMove is the last place of the finger within a frame of the display.
type pendingMove struct {
	frame time.Duration // its number
	x, y  float64
}

// appList is the installed and the running apps; guarded by Phone.mu.
type appList struct {
	installed map[string]Installed
	names     []string // of installed, in order
	running   []*runningApp
	launched  map[string]bool      // apps that were ever opened
	twins     map[string]Installed // apps that belong to another user than 0
	twin      int                  // that user
	chooser   string               // the component that opens for apps with two launcher entries; empty: they have one
}

// runningApp is an app that was opened; the last in the list is in front.
type runningApp struct {
	name     string
	activity string // empty: mainActivity
	user     int    // whose copy it is
	app      App
	pid      int
	// relaunched: it ran before and must be told so. Guarded by appMu.
	relaunched bool
}

func (a *appList) init(p *Phone, apps []Installed) {
	a.installed, a.launched = make(map[string]Installed), make(map[string]bool)
	home := Installed{Package: homePackage, Start: func() App { return &homeScreen{phone: p} }}
	for _, app := range append([]Installed{home}, apps...) {
		a.installed[app.Package] = app
		a.names = append(a.names, app.Package)
	}
	p.lastPID++
	a.running = []*runningApp{{name: homePackage, app: home.Start(), pid: p.lastPID}}
}

// component is the activity that an app shows.
func (r *runningApp) component() string {
	if r.activity != "" {
		return r.name + "/" + r.activity
	}
	return component(r.name)
}

// find returns the index of a running app of any user, or -1; the one in front is found
// first.
func (a *appList) find(name string) int {
	for i, r := range slices.Backward(a.running) {
		if r.name == name {
			return i
		}
	}
	return -1
}

// bringToFront moves a running app to the end of the list.
func (a *appList) bringToFront(i int) {
	app := a.running[i]
	a.running = append(slices.Delete(a.running, i, i+1), app)
}

// Launch opens an app of user 0, as am start does.
func (p *Phone) Launch(name string) error { return p.launch(name, 0) }

func (p *Phone) launch(name string, user int) error {
	of := func(r *runningApp) bool { return r.name == name && r.user == user }
	p.mu.Lock()
	app, ok := p.apps.installed[name]
	if user != 0 {
		app, ok = p.apps.twins[name]
		ok = ok && user == p.apps.twin
	}
	if i := slices.IndexFunc(p.apps.running, of); i >= 0 {
		p.apps.bringToFront(i)
		p.mu.Unlock()
		return nil
	}
	p.mu.Unlock()
	if !ok {
		return fmt.Errorf("simphone: package %s is not installed", name)
	}
	started := app.Start()
	if started == nil {
		return fmt.Errorf("simphone: package %s did not start", name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.apps.running, of); i >= 0 { // another goroutine was faster
		p.apps.bringToFront(i)
		return nil
	}
	p.lastPID += 17
	p.apps.running = append(p.apps.running, &runningApp{name: name, user: user, app: started, pid: p.lastPID, relaunched: p.apps.launched[name]})
	p.apps.launched[name] = true
	return nil
}

// ForceStop ends an app of every user, as am force-stop does. The one behind it comes to
// the front.
func (p *Phone) ForceStop(name string) {
	p.stop(func(r *runningApp) bool { return r.name == name })
}

// stopOf ends one user's copy of an app.
func (p *Phone) stopOf(name string, user int) {
	p.stop(func(r *runningApp) bool { return r.name == name && r.user == user })
}

func (p *Phone) stop(ends func(*runningApp) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.apps.running)
	p.apps.running = slices.DeleteFunc(p.apps.running, func(r *runningApp) bool { return r.name != homePackage && ends(r) })
	if len(p.apps.running) < before {
		p.troubles.clear()
		p.screen.secure = false // it was the app's window that was protected
	}
}

// Foreground is the package of the app on the screen.
func (p *Phone) Foreground() string { return p.front().name }

func (p *Phone) front() *runningApp {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.apps.running[len(p.apps.running)-1]
}

// callApp runs f, a call into an app; the caller holds appMu. An app that panics
// has crashed: it is closed, and logcat says why.
func (p *Phone) callApp(app *runningApp, f func()) {
	defer func() {
		if r := recover(); r != nil {
			p.log.Error("app crashed", "package", app.name, "panic", r)
			p.mu.Lock()
			p.crashed++
			p.crashLog = append(p.crashLog, crash{number: p.crashed, at: p.config.Clock(), pid: app.pid,
				text: fmt.Sprintf("FATAL EXCEPTION: main\nProcess: %s, PID: %d\n%v\n%s", app.name, app.pid, r, debug.Stack())})
			p.crashLog = p.crashLog[max(0, len(p.crashLog)-16):]
			p.mu.Unlock()
			p.ForceStop(app.name)
		}
	}()
	if app.relaunched {
		app.relaunched = false
		if again, ok := app.app.(interface{ Relaunch() }); ok {
			again.Relaunch()
		}
	}
	f()
}

// FrameSize is the size of a captured frame in pixels: the override or the physical
// size, in the screen's current rotation.
func (p *Phone) FrameSize() image.Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.frameSize()
}

func (s *screenState) frameSize() image.Point {
	size := s.natural
	if s.override != (image.Point{}) {
		size = s.override
	}
	return turned(size, s.rotation)
}

// captureSize is the size of a frame: on some phones screencap does not follow an
// override.
func (s *screenState) captureSize() image.Point {
	if s.ignored {
		return turned(s.natural, s.rotation)
	}
	return s.frameSize()
}

// statusBar is the number of status bars that would fill the screen's height.
const statusBar = 30

// SetRotation turns the screen to a number of quarter turns, 0 to 3.
func (p *Phone) SetRotation(rotation int) {
	p.locked(func() { p.screen.rotation = rotation & 3 })
}

// SetOverrideSize does what wm size does; the zero point removes the override.
func (p *Phone) SetOverrideSize(size image.Point) error {
	if size != (image.Point{}) {
		if err := checkSize(size); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.override = size
	return nil
}

// ScreenOff switches the screen off: frames are black and touches are lost until a
// key or ScreenOn wakes it.
func (p *Phone) ScreenOff() {
	p.locked(func() { p.screen.switchScreen(false) })
}

// ScreenOn switches the screen on.
func (p *Phone) ScreenOn() {
	p.locked(func() { p.screen.switchScreen(true) })
}

// SetBlackFrames makes frames black although the screen is on, as a secure window
// does. Touches still work.
func (p *Phone) SetBlackFrames(black bool) {
	p.locked(func() { p.screen.black = black })
}

// RefuseInput makes every input fail because the permission INJECT_EVENTS is
// missing.
func (p *Phone) RefuseInput(refuse bool) {
	p.locked(func() { p.faults.refuseInput = refuse })
}

// TruncateNextFrame ends the output of the next screencap after n bytes.
func (p *Phone) TruncateNextFrame(n int) {
	p.locked(func() { p.faults.truncate, p.faults.truncateAt, p.faults.disconnect = true, max(n, 0), false })
}

// DisconnectInNextFrame drops all connections when the next screencap has written n
// bytes.
func (p *Phone) DisconnectInNextFrame(n int) {
	p.locked(func() { p.faults.truncate, p.faults.truncateAt, p.faults.disconnect = true, max(n, 0), true })
}

// SetFramePrefix makes every screencap print text first, as linkers and foldables
// do, on stderr or on stdout. The empty string stops that.
func (p *Phone) SetFramePrefix(text string, stderr bool) {
	p.locked(func() { p.faults.prefix, p.faults.prefixStderr = text, stderr })
}

// Events lists the input received since the start or the last ClearEvents, at
// most the latest 65,536.
func (p *Phone) Events() []Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.events)
}

// ClearEvents forgets the input received.
func (p *Phone) ClearEvents() {
	p.locked(func() { p.events = nil })
}

func (p *Phone) record(e Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.events) >= maxEvents {
		p.events = append([]Event(nil), p.events[maxEvents/2:]...)
	}
	p.events = append(p.events, e)
}

// Touch puts the finger on the screen, moves or lifts it, as input does.
// A gesture belongs to the app it began on.
func (p *Phone) Touch(kind EventKind, x, y float64) {
	p.appMu.Lock()
	defer p.appMu.Unlock()
	if frame := p.config.Hands.Frame; frame > 0 {
		number := p.now() / frame
		p.showMove(kind != EventMove || p.touch.moved != nil && p.touch.moved.frame != number)
		if kind == EventMove {
			p.touch.moved = &pendingMove{number, x, y}
			return
		}
	}
	p.deliver(kind, x, y)
}

// showMove shows the app the move of a frame that is over; the caller holds appMu.
func (p *Phone) showMove(over bool) {
	if move := p.touch.moved; move != nil && over {
		p.touch.moved = nil
		p.deliver(EventMove, move.x, move.y)
	}
}

// deliver brings a touch to its app; the caller holds appMu.
func (p *Phone) deliver(kind EventKind, x, y float64) {
	now := p.now()
	action := TouchUp // a cancelled finger is gone too
	switch kind {
	case EventDown:
		action = TouchDown
		p.touch.down, p.touch.target = true, p.touchable(x, y)
	case EventMove:
		action = TouchMove
	}
	event := Event{Time: now, Kind: kind, X: x, Y: y}
	target := p.touch.target
	if p.touch.down && target != nil && p.isRunning(target) {
		event.Package = target.name
	}
	if p.touch.down && target != nil && target.pid == overlayPID {
		event.Package = overlayPackage
		if action == TouchDown {
			p.troubles.tap(target.name)
		}
	}
	if action == TouchUp {
		p.touch = touchState{}
	}
	p.record(event)
	if event.Package != "" {
		p.mu.Lock()
		area := p.screen.area()
		p.mu.Unlock()
		p.callApp(target, func() { target.app.Touch(action, x-float64(area.Min.X), y-float64(area.Min.Y), now) })
	}
}

// touchable is the app that a finger put down at x, y touches, or nil.
func (p *Phone) touchable(x, y float64) *runningApp {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := p.screen.frameSize()
	if !p.screen.on || !(x >= 0 && y >= 0 && x < float64(size.X) && y < float64(size.Y)) {
		return nil
	}
	if p.screen.locked {
		return p.keyguard
	}
	front := p.apps.running[len(p.apps.running)-1]
	if over := p.troubles.over(front.name); over != nil {
		return over
	}
	return front
}

func (p *Phone) isRunning(app *runningApp) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return app == p.keyguard || slices.Contains(p.apps.running, app)
}

// Key presses a key, by its name without KEYCODE_.
func (p *Phone) Key(name string) {
	p.appMu.Lock()
	defer p.appMu.Unlock()
	now := p.now()
	event := Event{Time: now, Kind: EventKey, Key: name}
	p.mu.Lock()
	on, locked := p.screen.on, p.screen.locked
	switch name {
	case "POWER":
		p.screen.switchScreen(!on)
	case "WAKEUP":
		p.screen.switchScreen(true)
	case "SLEEP", "SOFT_SLEEP":
		p.screen.switchScreen(false)
	case "HOME":
		if on && !locked {
			p.apps.bringToFront(p.apps.find(homePackage))
		}
	default:
		if on && locked {
			p.screen.lockKey(name)
		}
	}
	p.mu.Unlock()
	if locked {
		on = false // the app behind the lock gets no key
	}
	front := p.front()
	if over := p.troubles.over(front.name); over != nil {
		front = over
	}
	if on && name == "BACK" {
		event.Package = front.name
	}
	p.record(event)
	if event.Package != "" {
		p.callApp(front, func() { front.app.Back(now) })
	}
}

// Text types text. Apps have no text fields, so it is only recorded. At the lock it
// is the PIN.
func (p *Phone) Text(text string) {
	p.typePIN(text)
	p.record(Event{Time: p.now(), Kind: EventText, Key: text})
}

// Frame draws the screen in its current state.
func (p *Phone) Frame() *image.RGBA {
	c := p.capture()
	return c.frame // it is not released: it is the caller's now
}

func (p *Phone) capture() *canvas {
	p.appMu.Lock()
	defer p.appMu.Unlock()
	if move := p.touch.moved; move != nil {
		p.showMove(p.now()/p.config.Hands.Frame > move.frame)
	}
	p.mu.Lock()
	size := p.screen.captureSize()
	black, secure := p.screen.black || !p.screen.on, p.screen.secure
	doze := !p.screen.on && p.screen.doze && !p.screen.black
	front, locked := p.apps.running[len(p.apps.running)-1], p.screen.locked
	p.mu.Unlock()
	var c *canvas
	select {
	case c = <-p.canvases:
	default:
	}
	if c == nil || c.Size() != size {
		c = newCanvas(size)
	}
	c.Fill(color.NRGBA{A: 255})
	switch {
	case doze:
		drawClock(c, p.config.Clock())
	case black:
	case locked:
		p.keyguard.app.Draw(c, p.now())
	default:
		p.drawApp(front, c)
		if over := p.troubles.over(front.name); over != nil {
			over.app.Draw(c, p.now())
		}
	}
	if secure && !black { // the status bar belongs to another window
		w, h := float64(size.X), float64(size.Y)
		c.Rect(0, h/statusBar, w, h, color.NRGBA{A: 255})
		c.Rect(0, 0, w, h/statusBar, color.NRGBA{R: 40, G: 44, B: 52, A: 255})
	}
	return c
}

// release makes a canvas available for the next capture.
func (p *Phone) release(c *canvas) {
	select {
	case p.canvases <- c:
	default:
	}
}

// displayID is the physical id that screencap -d wants from Android 10; input -d
// has ids of its own, of which only 0 exists.
const displayID = "4619827259835644672"

func runScreencap(p *process) int {
	set, values, names, ok := p.Options("hp", "d", 0)
	if !ok || set['h'] || len(names) > 1 {
		p.ErrPrint(screencapUsage(p.phone.config.SDK))
		return 1
	}
	usePNG, display := set['p'], strings.Join(values['d'], "")
	cover, known := p.phone.config.captured(display)
	if !known {
		if p.phone.config.SDK >= 29 {
			p.ErrPrint("Display Id '" + display + "' is not valid.\n")
		} else {
			p.ErrPrint("Unable to get handle for display " + display + "\n")
		}
		return 1
	}
	out := p.Stdout
	if len(names) == 1 {
		clean, err := p.Files.ResolveFile(p.Dir, names[0])
		var file io.WriteCloser
		if err == nil {
			file, err = p.Files.Create(p.Ctx, clean, false)
		}
		if err != nil {
			fmt.Fprintf(p.Stderr, "Error opening file: %s (%v)\n", names[0], err)
			return 1
		}
		defer file.Close()
		out = file
		usePNG = usePNG || strings.HasSuffix(names[0], ".png")
	}
	if cover {
		if display == "" {
			p.ErrPrint(manyDisplays)
		}
		return p.captureCover(usePNG, out)
	}
	return p.phone.screencap(p.Ctx, usePNG, out, p.Stderr)
}

func screencapUsage(sdk int) string {
	text := "usage: screencap [-hp] [-d display-id] [FILENAME]\n" +
		"   -h: this message\n" +
		"   -p: save the file as a png.\n"
	if sdk >= 29 {
		text += "   -d: specify the physical display ID to capture (default: " + displayID + ")\n" +
			"       see \"dumpsys SurfaceFlinger --display-id\" for valid display IDs.\n"
	} else {
		text += "   -d: specify the display id to capture, default 0.\n"
	}
	return text + "If FILENAME ends with .png it will be saved as a png.\n" +
		"If FILENAME is not given, the results will be printed to stdout.\n"
}

// screencap writes a frame, with the faults that were asked for.
func (p *Phone) screencap(ctx context.Context, usePNG bool, out, stderr io.Writer) int {
	cost := p.config.CaptureDelay
	if usePNG {
		cost += p.config.Costs.PNG
	}
	if shell.Sleep(ctx, cost) != nil {
		return 130
	}
	p.strikeFrame(atStill)
	if p.hung(ctx, "screencap") {
		return 130
	}
	p.mu.Lock()
	fault := p.faults
	p.faults.truncate, p.faults.once = false, onceFaults{}
	p.mu.Unlock()
	if shell.Sleep(ctx, fault.once.delay) != nil {
		return 130
	}
	if fault.once.text != "" {
		fault.prefix, fault.prefixStderr = fault.once.text, false
	}
	if fault.prefix != "" {
		target := out
		if fault.prefixStderr {
			target = stderr
		}
		if _, err := io.WriteString(target, fault.prefix); err != nil {
			return 1
		}
	}
	if fault.truncate {
		limited := &limitedWriter{w: out, left: fault.truncateAt}
		if fault.disconnect {
			limited.end = p.Disconnect
		}
		out = limited
	}
	c := p.capture()
	defer p.release(c)
	if fault.once.black {
		c.Fill(color.NRGBA{A: 255})
	}
	p.mu.Lock()
	reshape := p.screen.reshape
	p.mu.Unlock()
	if err := writeFrame(out, reshape.frame(c.frame), usePNG, p.config.SDK); err != nil && !errors.Is(err, errTruncated) {
		if errors.Is(err, shell.ErrNoSpace) {
			fmt.Fprintf(stderr, "Failed to write the frame: %v\n", err)
		}
		return 1
	}
	return 0
}

// writeFrame writes a frame as screencap does: as PNG, or width, height, format
// and, from Android 8, the colour space as little-endian u32, then the pixels in
// four bytes each.
func writeFrame(out io.Writer, frame *image.RGBA, usePNG bool, sdk int) error {
	if usePNG {
		var picture bytes.Buffer // the encoder writes in many small pieces
		encoder := png.Encoder{CompressionLevel: png.BestSpeed}
		if err := encoder.Encode(&picture, frame); err != nil {
			return err
		}
		_, err := out.Write(picture.Bytes())
		return err
	}
	const rgba8888, sRGB = 1, 1
	size := frame.Bounds().Size()
	header := []uint32{uint32(size.X), uint32(size.Y), rgba8888}
	if sdk >= 26 {
		header = append(header, sRGB)
	}
	if err := binary.Write(out, binary.LittleEndian, header); err != nil {
		return err
	}
	_, err := out.Write(frame.Pix)
	return err
}

var errTruncated = errors.New("simphone: frame cut short as asked")

// limitedWriter lets a number of bytes through, and then calls end, if there is
// one.
type limitedWriter struct {
	w    io.Writer
	left int
	end  func()
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	n, err := l.w.Write(p[:min(l.left, len(p))])
	l.left -= n
	if err == nil && l.left == 0 {
		if l.end != nil {
			l.end()
		}
		err = errTruncated
	}
	return n, err
}

func runWm(p *process) int {
	if len(p.Args) < 2 {
		return p.Print(wmUsage)
	}
	switch p.Args[1] {
	case "size":
		return p.wmSize(p.Args[2:])
	case "density":
		return p.wmDensity(p.Args[2:])
	case "dismiss-keyguard":
		p.phone.DismissKeyguard()
		return 0
	}
	p.ErrPrint(wmUsage + "\nError: unknown command '" + p.Args[1] + "'\n")
	return 1
}

const wmUsage = "usage: wm [subcommand] [options]\n" +
	"       wm size [reset|WxH|WdpxHdp]\n" +
	"       wm density [reset|DENSITY]\n" +
	"       wm dismiss-keyguard\n"

// wmSize and wmDensity print what the display is built with and what it is set to, or set it.
func (p *process) wmSize(args []string) int {
	phone := p.phone
	text := func(size image.Point) string {
		if size == (image.Point{}) {
			return ""
		}
		return fmt.Sprintf("%dx%d", size.X, size.Y)
	}
	var override image.Point
	phone.locked(func() { override = phone.screen.override })
	return p.wmValue(args, "size", text(phone.config.Cover), text(phone.config.Size), text(override), func(value string) string {
		var size image.Point
		if value != "reset" {
			w, h, _ := strings.Cut(value, "x")
			size.X, _ = strconv.Atoi(w) // 0 is too small
			size.Y, _ = strconv.Atoi(h)
			if checkSize(size) != nil {
				return "bad size " + value
			}
		}
		phone.locked(func() { phone.screen.override = size })
		return ""
	})
}

func (p *process) wmDensity(args []string) int {
	phone := p.phone
	built, override := strconv.Itoa(phone.config.Density), ""
	phone.locked(func() {
		if phone.screen.density != 0 {
			override = strconv.Itoa(phone.screen.density)
		}
	})
	return p.wmValue(args, "density", built, built, override, func(value string) string {
		density := 0
		if value != "reset" {
			if density, _ = strconv.Atoi(value); density < minDensity || density > maxDensity {
				return "density must be >= 72"
			}
		}
		phone.locked(func() { phone.screen.density = density })
		return ""
	})
}

// wmValue prints a value of a display's, or sets that of the one with the apps; set returns
// what is wrong with a value.
func (p *process) wmValue(args []string, name, onCover, built, override string, set func(value string) (problem string)) int {
	args, cover, known := p.takeDisplay(args)
	switch {
	case !known:
		p.ErrPrint("Error: Invalid display ID\n")
		return 1
	case cover: // it stays
		return p.Printf("Physical %s: %s\n", name, onCover)
	case len(args) > 0:
		if problem := set(args[0]); problem != "" {
			p.ErrPrint("Error: " + problem + "\n")
			return 1
		}
		return 0
	}
	text := "Physical " + name + ": " + built + "\n"
	if override != "" {
		text += "Override " + name + ": " + override + "\n"
	}
	return p.Print(text)
}
