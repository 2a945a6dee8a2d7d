package adb

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// PhoneInfo is a phone, which the server may list several times: by USB and by network, as
// an emulator and by its address, by its address and by its mDNS name. The DeviceInfo is
// that of the best connection: USB before the others, an address before an mDNS name.
type PhoneInfo struct {
	DeviceInfo
	// Names are what Open takes for the phone, one for each connection, the best first. A name
	// is the serial or, if several phones have the same one, usb:PATH or transport_id:ID.
	Names []string `json:"names"`
	// Identity distinguishes the phone from every other one, at this server and at others,
	// until it restarts; see Device.Identity. It is empty if the phone gives no answer, and if
	// Unasked.
	Identity string `json:"-"`
	// Unasked is why a phone that is ready could not be asked who it is.
	Unasked error `json:"-"`
}

// String is the names, the state and the model: `R58M20 device (Pixel_7, also 10.0.0.5:5555)`.
func (p PhoneInfo) String() string {
	named := p.DeviceInfo
	named.Serial = p.Names[0]
	text := named.String()
	if len(p.Names) == 1 {
		return text
	}
	text, closed := strings.CutSuffix(text, ")")
	if closed {
		text += ", "
	} else {
		text += " ("
	}
	return text + "also " + strings.Join(p.Names[1:], ", ") + ")"
}

// Called returns the name of the phone that a name, as Open takes it, means; empty where it
// means another phone.
func (p PhoneInfo) Called(name string) string {
	switch {
	case slices.Contains(p.Names, name):
		return name
	case p.answersTo(name):
		return p.Names[0]
	}
	return ""
}

// identities is what a client knows of the phones that were ready when it listed them last.
type identities struct {
	mu    sync.Mutex
	known map[string]string // identities by serial and transport
	names map[string]string // the best name by identity
}

// Phones lists every phone once, whatever its state. Phones that are ready are asked who they
// are; the others are listed under each of their names. A client keeps the answer for as long
// as the phone stays ready, and with it the best name at that time, so that no phone in the
// list changes its name because another cable was plugged in.
func (c *Client) Phones(ctx context.Context) ([]PhoneInfo, error) {
	devices, err := c.Devices(ctx)
	if err != nil {
		c.identities.mu.Lock()
		c.identities.known = nil // the server may be another one when it is back
		c.identities.mu.Unlock()
		return nil, err
	}
	single := singly(devices)
	phones := c.merge(ctx, single)
	c.identities.mu.Lock()
	defer c.identities.mu.Unlock()
	c.identities.known, c.identities.names = map[string]string{}, map[string]string{}
	for _, p := range single {
		if p.Err() == nil && p.Unasked == nil && p.TransportID != "" {
			c.identities.known[p.connection()] = p.Identity
		}
	}
	for _, p := range phones {
		c.identities.names[p.Identity] = p.Names[0]
	}
	return phones, nil
}

// singly makes a phone of each line of the server's list, by a name that no other has.
func singly(devices []DeviceInfo) []PhoneInfo {
	serials, paths := map[string]int{}, map[string]int{}
	for _, d := range devices {
		serials[d.Serial]++
		paths[d.USB]++
	}
	phones := make([]PhoneInfo, len(devices))
	for i, d := range devices {
		name := d.Serial
		switch {
		case serials[d.Serial] == 1:
		case d.USB != "" && paths[d.USB] == 1:
			name = usbPrefix + d.USB
		case d.TransportID != "":
			name = transportPrefix + d.TransportID
		}
		phones[i] = PhoneInfo{DeviceInfo: d, Names: []string{name}}
	}
	return phones
}

// merge makes one phone of those that are the same.
func (c *Client) merge(ctx context.Context, single []PhoneInfo) []PhoneInfo {
	var asking sync.WaitGroup
	c.identities.mu.Lock()
	for i := range single {
		p := &single[i]
		if p.Err() != nil {
			continue
		}
		if known, ok := c.identities.known[p.connection()]; ok {
			p.Identity = known
			continue
		}
		asking.Go(func() { p.Identity, p.Unasked = c.identity(ctx, p.Names[0]) })
	}
	c.identities.mu.Unlock()
	asking.Wait()
	var phones []PhoneInfo
	for _, p := range single {
		at := slices.IndexFunc(phones, func(other PhoneInfo) bool { return p.Identity != "" && other.Identity == p.Identity })
		switch {
		case at < 0:
			phones = append(phones, p)
		case c.rank(p) < c.rank(phones[at]):
			p.Names = append(p.Names, phones[at].Names...)
			phones[at] = p
		default:
			phones[at].Names = append(phones[at].Names, p.Names...)
		}
	}
	return phones
}

// rank orders the connections of one phone, from good to bad.
func (c *Client) rank(p PhoneInfo) int {
	c.identities.mu.Lock()
	defer c.identities.mu.Unlock()
	switch {
	case c.identities.names[p.Identity] == p.Names[0]:
		return 0
	case p.USB != "":
		return 1
	case strings.Contains(p.Serial, "._adb"): // an mDNS name, which cannot be connected again by itself
		return 4
	case strings.Contains(p.Serial, ":"): // an address
		return 3
	}
	return 2 // an emulator, or a USB device of a server that names no path
}

// connection tells one connection of the server to a phone from those before and after it.
func (i DeviceInfo) connection() string { return i.Serial + "\n" + i.TransportID }

// The beginnings of names that are no serials, as `adb devices -l` prints them.
const (
	usbPrefix       = "usb:"
	transportPrefix = "transport_id:"
)

// answersTo reports whether a name that is nobody's serial means this phone. Beside what adb
// takes after -s – usb:PATH, product:, model:, device: and a host without its port – it may
// be transport_id:ID, and the path or the ID alone.
func (i DeviceInfo) answersTo(name string) bool {
	key, value, qualified := strings.Cut(name, ":")
	if qualified {
		switch key {
		case "usb":
			return value != "" && value == i.USB
		case "transport_id", "transport-id":
			return value != "" && value == i.TransportID
		case "product":
			return value != "" && value == i.Product
		case "model":
			return value != "" && value == i.Model
		case "device":
			return value != "" && value == i.Name
		case "tcp":
			name = value
		}
	}
	host, _, err := net.SplitHostPort(i.Serial)
	return name != "" && (name == i.Serial || name == i.USB || name == i.TransportID || err == nil && strings.Trim(name, "[]") == host)
}

// choose finds the one phone that is wanted by a name, or the only one where that is empty.
func (c *Client) choose(ctx context.Context, devices []DeviceInfo, wanted string) (PhoneInfo, error) {
	all := singly(devices)
	found := all
	if wanted != "" {
		found = matching(all, func(p PhoneInfo) bool { return p.Serial == wanted })
		if len(found) == 0 {
			found = matching(all, func(p PhoneInfo) bool { return p.answersTo(wanted) })
		}
		// A connection that is dead may still be listed beside the one that replaced it.
		if ready := matching(found, func(p PhoneInfo) bool { return p.Err() == nil }); len(ready) > 0 {
			found = ready
		}
	}
	if len(found) > 1 {
		found = c.merge(ctx, found)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(devices) == 0 && wanted == "":
		return PhoneInfo{}, fmt.Errorf("adb: %w: no phone is connected", ErrNoDevice)
	case len(devices) == 0:
		return PhoneInfo{}, fmt.Errorf("adb: %s: %w: no phone is connected", wanted, ErrNoDevice)
	case len(found) == 0:
		return PhoneInfo{}, fmt.Errorf("adb: %s: %w: connected are %s", wanted, ErrNoDevice, listed(all))
	case wanted == "":
		return PhoneInfo{}, fmt.Errorf("adb: %w: name one of %s", ErrManyDevices, listed(found))
	}
	return PhoneInfo{}, fmt.Errorf("adb: %s: %w: name one of %s", wanted, ErrManyDevices, listed(found))
}

func matching(phones []PhoneInfo, fits func(PhoneInfo) bool) (found []PhoneInfo) {
	for _, p := range phones {
		if fits(p) {
			found = append(found, p)
		}
	}
	return found
}

func listed(phones []PhoneInfo) string {
	texts := make([]string, len(phones))
	for i, p := range phones {
		texts[i] = p.String()
	}
	return strings.Join(texts, ", ")
}

// transport is the service that leads to the phone of a name. A transport is known by its
// number, which changes whenever the phone is plugged in again, so that of a USB path is
// looked up each time.
func (c *Client) transport(ctx context.Context, name string) (string, error) {
	if path, ok := strings.CutPrefix(name, usbPrefix); ok {
		devices, err := c.devices(ctx)
		if err != nil {
			return "", err
		}
		at := slices.IndexFunc(devices, func(d DeviceInfo) bool { return d.USB == path })
		if at < 0 {
			return "", ErrNoDevice
		}
		if id := devices[at].TransportID; id != "" { // servers before 2018 have none
			name = transportPrefix + id
		}
	}
	if id, ok := strings.CutPrefix(name, transportPrefix); ok {
		return "transport-id:" + id, nil
	}
	return "transport:" + name, nil
}

// identityTime is how long a phone may take to tell who it is.
const identityTime = 3 * time.Second

// identity asks the phone of a name who it is.
func (c *Client) identity(ctx context.Context, name string) (string, error) {
	ctx, cancel := limit(ctx, min(c.config.Timeout, c.slow(identityTime)))
	defer cancel()
	output, _, err := c.shell(ctx, name, "getprop")
	if err != nil {
		return "", err
	}
	return c.identityWith(ctx, name, parseProperties(output))
}

// bootCommand prints when the phone's kernel was started, and in which container the shell
// runs: containers with Android on one host share its kernel, and often the serial.
const bootCommand = "cat /proc/sys/kernel/random/boot_id; readlink /proc/self/ns/pid"

var (
	bootID    = regexp.MustCompile(`\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)
	container = regexp.MustCompile(`\bpid:\[[0-9]+\]`)
)

// identityWith is identity for a phone whose properties are known.
func (c *Client) identityWith(ctx context.Context, name string, properties map[string]string) (string, error) {
	output, _, err := c.shell(ctx, name, bootCommand)
	if err != nil {
		return "", err
	}
	return identityOf(output, properties), nil
}

// identityOf makes an identity of what bootCommand printed and the phone's properties. Where
// the phone does not tell its kernel's start, that of Android does; where it tells neither,
// its serial number is all there is, unless it is one that many phones have.
func identityOf(output string, properties map[string]string) string {
	boot, serial, first := bootID.FindString(output), ownSerial(properties), properties["ro.runtime.firstboot"]
	if boot == "" && first == "" && (serial == "" || SharedSerial(serial)) {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{boot, container.FindString(output), first, serial}, "\n")))
	return hex.EncodeToString(sum[:16])
}

// ownSerial is the serial number that a phone tells of itself; empty for none.
func ownSerial(properties map[string]string) string {
	serial := cmp.Or(properties["ro.serialno"], properties["ro.boot.serialno"])
	if serial == "unknown" {
		return ""
	}
	return serial
}

// SharedSerial reports whether a serial does not identify a phone: makers and emulators left it
// unchanged, or every host gives that name to a phone of its own.
func SharedSerial(serial string) bool {
	_, _, err := net.SplitHostPort(serial)
	folded := strings.ToLower(serial)
	switch {
	case err == nil: // an address, usb:PATH, transport_id:ID
	case strings.HasPrefix(folded, "emulator"), strings.HasPrefix(folded, "("): // (no serial number)
	case strings.Trim(folded, folded[:min(1, len(folded))]) == "": // 00000000, ????????????
	case strings.Contains("0123456789abcdef0123456789abcdef", folded), strings.Contains("12345678901234567890", folded):
	default:
		return false
	}
	return true
}

// Identity distinguishes the phone from every other one, whatever adb calls it and whichever
// server it is connected to, until it restarts. It is empty if the phone gives no answer.
func (d *Device) Identity(ctx context.Context) (string, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	identity, err := d.client.identityWith(ctx, d.Serial, d.Properties)
	if err != nil {
		return "", d.fail(ctx, "who it is", err)
	}
	d.mu.Lock()
	d.identity = identity
	d.mu.Unlock()
	return identity, nil
}
