package touchscreen

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"tapwise/adb/simphone/shell"
)

// Glass receives the fingers: where they are, in pixels of the panel held upright,
// from 0, and the slot that tells several apart. It is called from one goroutine at
// a time, and must not call the [Hub].
type Glass interface {
	Down(slot int, x, y float64)
	Move(slot int, x, y float64)
	Up(slot int, x, y float64)
}

// Access says what the shell may do with a device node.
type Access int

const (
	ByVersion Access = iota // as the phone's version of Android has it
	Writable
	ReadOnly // opening it to write fails with EACCES
	Missing  // ENOENT
)

// Config describes the touching side of a phone.
type Config struct {
	SDK           int // the version of Android as API level; default 34
	Width, Height int // of the panel held upright, in pixels
	Glass         Glass
	// Opening is the time from the making of a device until Android has opened it.
	Opening time.Duration
	// After runs f later; default time.AfterFunc. With Opening 0 it is not used.
	After func(d time.Duration, f func())
	// Log takes what Android writes to its log; default nothing.
	Log func(tag, message string)

	Devices       []Spec // the phone's own; default BuiltIn
	SecondDisplay bool   // another display is attached, and takes what external devices send
	// Changed is told of a device node that came or went later, with the hub's lock
	// held; default nothing.
	Changed func(path string, there bool)
	// Nodes, Uhid and Uinput are the access to /dev/input/event*, /dev/uhid and
	// /dev/uinput.
	Nodes, Uhid, Uinput Access
}

// Hub holds the input devices of a phone. Its methods may be called from any
// goroutine.
type Hub struct {
	config Config

	mu      sync.Mutex
	devices []*inputDevice // by number
}

// maxDevices is a bound on the devices at one time.
const maxDevices = 32

// New makes the devices of a phone. It fails when the panel has no size and when a
// device makes no sense.
func New(config Config) (*Hub, error) {
	if config.Width < 1 || config.Height < 1 || config.Glass == nil {
		return nil, fmt.Errorf("touchscreen: panel of %d x %d pixels, expected a size and a glass", config.Width, config.Height)
	}
	if config.SDK == 0 {
		config.SDK = 34
	}
	if config.After == nil {
		config.After = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	}
	if config.Devices == nil {
		config.Devices = BuiltIn(Panel{Width: config.Width, Height: config.Height})
	}
	h := &Hub{config: config}
	h.config.Nodes = byVersion(config.Nodes, config.SDK < 29, ReadOnly)
	h.config.Uhid = byVersion(config.Uhid, config.SDK >= 27, Missing)
	h.config.Uinput = byVersion(config.Uinput, config.SDK >= 29, ReadOnly)
	for _, spec := range config.Devices {
		d, err := h.add(spec)
		if err != nil {
			return nil, fmt.Errorf("touchscreen: %w", err)
		}
		d.client = newReader(h, d) // Android has been running for long
	}
	return h, nil
}

// byVersion replaces ByVersion by what the version of Android allows.
func byVersion(a Access, writes bool, otherwise Access) Access {
	switch {
	case a != ByVersion:
		return a
	case writes:
		return Writable
	}
	return otherwise
}

func (h *Hub) log(tag, message string) {
	if h.config.Log != nil {
		h.config.Log(tag, message)
	}
}

// add makes a device with the first free number. The caller holds the lock, or is
// New.
func (h *Hub) add(spec Spec) (*inputDevice, error) {
	d, err := newDevice(spec)
	if err != nil {
		return nil, err
	}
	if len(h.devices) >= maxDevices {
		return nil, errors.New("too many input devices")
	}
	d.access = h.config.Nodes
	for slices.ContainsFunc(h.devices, func(other *inputDevice) bool { return other.number == d.number }) {
		d.number++
	}
	h.devices = append(h.devices, d)
	slices.SortFunc(h.devices, func(a, b *inputDevice) int { return a.number - b.number })
	return d, nil
}

func (h *Hub) changed(d *inputDevice, there bool) {
	if h.config.Changed != nil {
		h.config.Changed(d.path(), there)
	}
}

// create makes a device that Android opens after a while, and calls opened then,
// with the lock held.
func (h *Hub) create(spec Spec, opened func(d *inputDevice)) (*inputDevice, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	d, err := h.add(spec)
	if err != nil {
		return nil, err
	}
	h.changed(d, true)
	open := func() {
		if slices.Contains(h.devices, d) {
			d.client = newReader(h, d)
			opened(d)
		}
	}
	if h.config.Opening <= 0 {
		open()
		return d, nil
	}
	h.config.After(h.config.Opening, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		open()
	})
	return d, nil
}

// destroy removes a device. Its fingers are lifted.
func (h *Hub) destroy(d *inputDevice) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.devices, d); i >= 0 {
		h.devices = slices.Delete(h.devices, i, i+1)
		h.changed(d, false)
	}
	if d.client != nil {
		d.client.reset()
		d.client = nil
	}
}

// inject puts events into a device, which its client reads frame by frame.
func (h *Hub) inject(d *inputDevice, events []event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.injectLocked(d, events)
}

func (h *Hub) injectLocked(d *inputDevice, events []event) {
	for _, e := range events {
		d.inject(e)
		if e.kind == evSyn && e.code == synReport && d.client != nil {
			d.drain()
		}
	}
}

// Nodes lists the paths of the device nodes, in order.
func (h *Hub) Nodes() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var paths []string
	for _, d := range h.devices {
		paths = append(paths, d.path())
	}
	return paths
}

// Uhid is the access to /dev/uhid, which the version of Android decides on unless the
// configuration does.
func (h *Hub) Uhid() Access { return h.config.Uhid }

// UinputNode is the access to /dev/uinput.
func (h *Hub) UinputNode() Access { return h.config.Uinput }

// Open opens a device node to write events of 24 bytes, as 64-bit programs see
// them, or of 16 to it. The errors are of shell.FileError.
func (h *Hub) Open(path string, eventBytes int) (io.ReadWriteCloser, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.devices {
		if d.path() != path {
			continue
		}
		switch d.access {
		case Writable:
			return &node{hub: h, device: d, size: eventBytes}, nil
		case Missing:
			return nil, shell.ErrNotExist
		}
		return nil, shell.ErrPermission
	}
	return nil, shell.ErrNotExist
}

// Panel describes the phone's own touch screen.
type Panel struct {
	Name          string // default "fts_ts"
	Width, Height int    // pixels
	// MaxX and MaxY are the greatest values of the axes; default one for each pixel.
	MaxX, MaxY int
	// MinX and MinY are the least values.
	MinX, MinY int
	ProtocolA  bool // contacts without slots
	NoButton   bool // without BTN_TOUCH
	Pressure   bool // contacts need pressure
}

// BuiltIn lists the devices of a phone as they are found on real ones: keys, a
// touch pad that is no touch screen, and the touch screen.
func BuiltIn(p Panel) []Spec {
	if p.Name == "" {
		p.Name = "fts_ts"
	}
	if p.MaxX == 0 {
		p.MaxX = p.Width - 1
	}
	if p.MaxY == 0 {
		p.MaxY = p.Height - 1
	}
	const i2c = 0x18
	axes := map[uint16]AbsInfo{
		0x30: {Maximum: 255},
		0x35: {Minimum: int32(p.MinX), Maximum: int32(p.MaxX)},
		0x36: {Minimum: int32(p.MinY), Maximum: int32(p.MaxY)},
		0x39: {Maximum: 65535},
	}
	if !p.ProtocolA {
		axes[absMTSlot] = AbsInfo{Maximum: 9}
	}
	if p.Pressure {
		axes[absMTPressure] = AbsInfo{Maximum: 127}
	}
	keys := []uint16{0x8f}
	if !p.NoButton {
		keys = append(keys, 0x145, btnTouch)
	}
	return []Spec{
		{Name: "qpnp_pon", Location: "qpnp_pon/input0", Keys: []uint16{0x72, 0x74}},
		{Name: "gpio-keys", Location: "gpio-keys/input0", Bus: 0x19, Vendor: 1, Product: 1, Version: 0x100, Keys: []uint16{0x73}},
		{Name: "fingerprint_touchpad", Bus: i2c, Keys: []uint16{btnTouch}, Axes: map[uint16]AbsInfo{
			0x2f: {Maximum: 1}, 0x35: {Maximum: 255}, 0x36: {Maximum: 255}, 0x39: {Maximum: 65535}}},
		{Name: p.Name, Location: "3-0048/input0", Bus: i2c, Keys: keys, Axes: axes, Properties: []uint16{propDirect}},
	}
}
