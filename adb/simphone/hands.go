package simphone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"path"
	"slices"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
	"tapwise/adb/simphone/touchscreen"
)

// Hands says how a phone takes touches in other ways than by input, and where it
// deviates from its version of Android. The zero value is a phone as AOSP has it,
// with a touch screen whose axes are its pixels.
type Hands struct {
	Panel touchscreen.Panel // the touch screen; its size in pixels is the screen's
	// CatBits is the width of words in the phone's programs, 32 or 64, which decides
	// on the bytes of an event; default 64.
	CatBits       int
	SecondDisplay bool // another display is attached, and takes the touches of devices on USB
	// Nodes, Uhid and Uinput are what the shell may do with /dev/input/event*,
	// /dev/uhid and /dev/uinput.
	Nodes, Uhid, Uinput touchscreen.Access
	Without             []string // commands that the maker or the version left out, such as "uinput" or "gzip"
	// Opening is the time from the making of a device until Android has opened it, in
	// real time.
	Opening time.Duration
	// Frame is the time between two frames of the display. An app sees the moves that
	// come within one as a single one, which is the last. 0 shows it every move.
	Frame time.Duration
}

// Costs are what a phone takes to do things, in real time, in addition to
// Config.InputDelay and CaptureDelay.
type Costs struct {
	JavaStart time.Duration // to start a command that is a Java program
	PNG       time.Duration // to encode a frame as PNG
	ReadBack  int           // the bytes a second, four of each pixel, at which screenrecord reads frames back; 0: at once
	GzipRate  int           // the bytes a second that gzip takes in; 0: as fast as this computer
}

func (h Hands) check() error {
	switch {
	case h.CatBits != 0 && h.CatBits != 32 && h.CatBits != 64:
		return fmt.Errorf("simphone: programs of %d bits, expected 32 or 64", h.CatBits)
	case h.Opening < 0 || h.Frame < 0:
		return errors.New("simphone: negative time of an opening or a frame")
	}
	return nil
}

// addHands makes the phone's input devices, with their files.
func (p *Phone) addHands() error {
	h := p.config.Hands
	setDefault(&h.CatBits, 64)
	h.Panel.Width, h.Panel.Height = p.config.Size.X, p.config.Size.Y
	hub, err := touchscreen.New(touchscreen.Config{
		SDK: p.config.SDK, Width: h.Panel.Width, Height: h.Panel.Height, Glass: &glass{phone: p}, Opening: h.Opening,
		Log:     func(tag, message string) { p.log.Debug("input", "tag", tag, "message", message) },
		Devices: touchscreen.BuiltIn(h.Panel), SecondDisplay: h.SecondDisplay, Nodes: h.Nodes, Uhid: h.Uhid, Uinput: h.Uinput,
		Changed: func(path string, there bool) { p.nodeChanged(path, there, h) },
	})
	if err != nil {
		return fmt.Errorf("simphone: %w", err)
	}
	p.hands = hub
	files := p.shell.Files()
	for _, node := range hub.Nodes() {
		p.nodeChanged(node, true, h)
	}
	for _, special := range []struct {
		name, path string
		minor      int
		access     touchscreen.Access
	}{{"uhid", "/dev/uhid", 239, hub.Uhid()}, {"uinput", "/dev/uinput", 223, hub.UinputNode()}} {
		if special.access == touchscreen.Missing {
			continue
		}
		permissions, refused := uint32(0o660), special.access != touchscreen.Writable
		if err := files.AddDevice(special.path, shell.Device{Permissions: permissions, Owner: "uhid", Group: "uhid", Major: 10, Minor: special.minor,
			Open: func(context.Context, bool) (io.ReadWriteCloser, error) {
				if refused {
					return nil, shell.ErrPermission
				}
				return nothing{}, nil
			}}); err != nil {
			return fmt.Errorf("simphone: %s: %w", special.path, err)
		}
	}
	for _, program := range []string{"/system/bin/cat", "/system/bin/dd"} {
		if err := files.AddFile(program, touchscreen.ELF(h.CatBits), 0o755); err != nil {
			return fmt.Errorf("simphone: %s: %w", program, err)
		}
	}
	return nil
}

// nothing is a special file that was opened and takes nothing in.
type nothing struct{}

func (nothing) Read([]byte) (int, error)    { return 0, io.EOF }
func (nothing) Write(b []byte) (int, error) { return 0, shell.FileError("Invalid argument") }
func (nothing) Close() error                { return nil }

// nodeChanged makes or removes the file of an input device.
func (p *Phone) nodeChanged(name string, there bool, h Hands) {
	files := p.shell.Files()
	if !there {
		files.RemoveDevice(name)
		return
	}
	if h.Nodes == touchscreen.Missing {
		return
	}
	number := 0
	// A path that hub made always has one.
	_, _ = fmt.Sscanf(path.Base(name), "event%d", &number)
	size := 24
	if h.CatBits == 32 {
		size = 16
	}
	err := files.AddDevice(name, shell.Device{Permissions: 0o660, Owner: "root", Group: "input", Major: 13, Minor: 64 + number,
		Open: func(ctx context.Context, write bool) (io.ReadWriteCloser, error) {
			if !write {
				return waiting{ctx}, nil
			}
			return p.hands.Open(name, size)
		}})
	if err != nil {
		p.log.Error("input device without a file", "path", name, "error", err)
	}
}

// waiting is an input device that a command reads: nobody touches the phone by hand.
type waiting struct{ ctx context.Context }

func (w waiting) Read([]byte) (int, error) {
	<-w.ctx.Done()
	return 0, io.EOF
}

func (waiting) Write([]byte) (int, error) { return 0, shell.FileError("Bad file descriptor") }
func (waiting) Close() error              { return nil }

// glass brings the fingers of input devices to the screen. Apps know one finger: the
// first counts, until it is lifted.
type glass struct {
	phone *Phone
	down  bool
	slot  int
}

func (g *glass) Down(slot int, x, y float64) {
	if !g.down {
		g.down, g.slot = true, slot
		g.touch(EventDown, x, y)
	}
}

func (g *glass) Move(slot int, x, y float64) {
	if g.down && g.slot == slot {
		g.touch(EventMove, x, y)
	}
}

func (g *glass) Up(slot int, x, y float64) {
	if g.down && g.slot == slot {
		g.down = false
		g.touch(EventUp, x, y)
	}
}

// touch brings a finger to the screen's current rotation, as Android does.
func (g *glass) touch(kind EventKind, x, y float64) {
	p := g.phone
	// A finger that leaves the glass is never lost.
	if kind != EventUp && p.strikeTouch(kind == EventMove) == faultLost {
		return
	}
	p.mu.Lock()
	x, y = p.screen.fromPanel(x, y)
	x, y = p.screen.land(x, y)
	p.mu.Unlock()
	p.Touch(kind, x, y)
}

// fromPanel turns a place in pixels of the panel held upright into one of the frame:
// an override of the size scales it, and the rotation turns it.
func (s *screenState) fromPanel(x, y float64) (float64, float64) {
	size := turned(s.frameSize(), s.rotation)
	w, h := float64(size.X), float64(size.Y)
	return turn(s.rotation, w-1, h-1, x*w/float64(s.natural.X), y*h/float64(s.natural.Y))
}

// has reports whether a command is there: some came with a version of Android, and
// makers leave some out.
func (c Config) has(command string) bool {
	since := map[string]int{"uinput": 31, "hid": 23, "cmd": 24, "screenrecord": 19}
	return c.SDK >= since[command] && !slices.Contains(c.Hands.Without, command)
}

// startCost is what it takes to start a command: those that are Java programs start
// a virtual machine.
func (c Config) startCost(command string) time.Duration {
	if c.startsJava(command) {
		return c.Costs.JavaStart
	}
	return 0
}

// startsJava reports whether a command is a Java program of its own. Later versions of
// Android hand most of them to the system.
func (c Config) startsJava(command string) bool {
	handedOver := map[string]int{"am": 26, "pm": 26, "settings": 26, "wm": 26, "ime": 26, "input": 31}
	until, ok := handedOver[command]
	if !ok {
		switch command {
		case "monkey", "uinput", "hid":
			until = math.MaxInt
		}
	}
	return c.SDK < until
}

func runUinput(p *process) int {
	stdin, status := p.commandInput()
	if stdin == nil {
		return status
	}
	return p.phone.hands.Uinput(p.Ctx, stdin, p.Stdout)
}

func runHID(p *process) int {
	stdin, status := p.commandInput()
	if stdin == nil {
		return status
	}
	return p.phone.hands.HID(p.Ctx, stdin, p.Stdout)
}

// commandInput is stdin or the file that uinput or hid is to read, nil with the exit
// code when there is none. What is wrong is in Android's log only.
func (p *process) commandInput() (io.Reader, int) {
	if len(p.Args) != 2 {
		return nil, 1
	}
	if p.Args[1] == "-" {
		return p.Stdin, 0
	}
	clean, err := p.Files.Resolve(p.Dir, p.Args[1])
	if err != nil {
		return nil, 1
	}
	data, err := p.Files.Read(clean)
	if err != nil {
		return nil, 1
	}
	return strings.NewReader(string(data)), 0
}

func runGetevent(p *process) int {
	return p.phone.hands.Getevent(p.Ctx, p.Args[1:], p.Stdout, p.Stderr)
}

// monkeyScreen is the phone as monkey's clients reach it.
type monkeyScreen struct {
	phone *Phone
	count int // events injected
}

var errInject = errors.New("INJECT_EVENTS is not granted")

func (m *monkeyScreen) Touch(action touchscreen.MonkeyAction, x, y int32) error {
	hit := m.phone.strikeTouch(action == touchscreen.MonkeyMove)
	m.phone.mu.Lock()
	refused := m.phone.faults.refuseInput || hit == faultRefused
	atX, atY := m.phone.screen.land(float64(x), float64(y))
	m.phone.mu.Unlock()
	switch {
	case refused:
		return errInject
	case hit == faultLost:
		return nil
	}
	m.count++
	m.phone.Touch([...]EventKind{EventDown, EventMove, EventUp}[action], atX, atY)
	return nil
}

func (m *monkeyScreen) Key(down bool, key string) error {
	m.count++
	if !down { // keys work when they are let go
		m.phone.Key(keyName(key))
	}
	return nil
}

func (m *monkeyScreen) Type(text string) error {
	m.count++
	m.phone.Text(text)
	return nil
}

func (m *monkeyScreen) Wake() { m.phone.Key("WAKEUP") }

func (m *monkeyScreen) Variable(name string) (string, bool) {
	size := m.phone.FrameSize()
	value, ok := map[string]string{"display.width": fmt.Sprint(size.X), "display.height": fmt.Sprint(size.Y),
		"build.version.sdk": fmt.Sprint(m.phone.config.SDK), "am.current.package": m.phone.Foreground()}[name]
	return value, ok
}

// serveMonkey is monkey --port: it serves one client after the other until one asks
// it to quit. At its end the screen turns by itself again, from upright.
func (p *process) serveMonkey(m monkeyCall) int {
	clients, free, err := p.Ports.Listen(m.port)
	if err != nil {
		p.Print("Error binding to network socket.\n")
		return 251
	}
	defer free()
	began, screen := p.phone.config.Clock(), &monkeyScreen{phone: p.phone}
	for {
		var client net.Conn
		select {
		case client = <-clients:
		case <-p.Ctx.Done():
			return 130 // the connection to the phone ended, and monkey with it
		}
		quit, err := p.talkMonkey(client, screen)
		if err != nil && p.Ctx.Err() != nil {
			return 130
		}
		if err != nil {
			p.ErrPrint("** Error: SecurityException while injecting event.\njava.lang.SecurityException: " +
				"Injecting to another application requires INJECT_EVENTS permission\n")
		}
		if quit || err != nil {
			break
		}
	}
	p.phone.autoRotate()
	elapsed := p.phone.config.Clock().Sub(began).Milliseconds()
	p.Printf("Events injected: %d\n## Network stats: elapsed time=%dms (0ms mobile, 0ms wifi, %dms not connected)\n", screen.count, elapsed, elapsed)
	p.ErrPrint(fmt.Sprintf("** System appears to have crashed at event %d of 2147483647 using seed 0\n", screen.count))
	return screen.count & 0xff
}

func (p *process) talkMonkey(client net.Conn, screen *monkeyScreen) (quit bool, err error) {
	defer client.Close()
	stop := context.AfterFunc(p.Ctx, func() { client.Close() })
	defer stop()
	return touchscreen.Monkey(p.Ctx, client, screen)
}

// autoRotate is how monkey leaves the screen: turned upright, and free to turn.
func (p *Phone) autoRotate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings["system"]["user_rotation"] = "0"
	p.settings["system"]["accelerometer_rotation"] = "1"
	p.screen.rotation = 0
}
